//! A tab of the browser: what is in it, and mouse and keyboard.

use crate::browser::Browser;
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

/// What the page is asked for comes at once, on a busy machine too; later than this it hangs.
const DEADLINE: Duration = Duration::from_secs(90);
const POLL_INTERVAL: Duration = Duration::from_millis(15);

/// A tab.
pub struct Page {
    pub browser: Browser,
    pub target: Json,
    pub context: Json,
    pub session: String,
    /// Events that were seen and not answered for.
    pub seen: RefCell<Vec<Json>>,
}

impl Drop for Page {
    fn drop(&mut self) {
        let params = json!({"targetId": self.target});
        let _ = self.browser.call("Target.closeTarget", params, None);
        // The server allows so many connections, and a context keeps its own open.
        let params = json!({"browserContextId": self.context});
        let _ = self
            .browser
            .call("Target.disposeBrowserContext", params, None);
    }
}

impl Page {
    pub fn call(&self, method: &str, params: Json) -> Json {
        let answer = self.browser.call(method, params, Some(&self.session));
        answer.unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn navigate(&self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
    }

    /// Emulates features of media queries, such as `prefers-color-scheme`.
    pub fn emulate(&self, features: &[(&str, &str)]) {
        let features: Vec<Json> = features
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// The value of a JavaScript expression; promises are awaited. An exception is an error.
    pub fn try_js(&self, expression: &str) -> Result<Json, String> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true,
            "userGesture": true});
        let answer = self
            .browser
            .call("Runtime.evaluate", params, Some(&self.session))?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(format!(
                "{expression}: {}",
                details["exception"]["description"]
                    .as_str()
                    .unwrap_or("exception")
            )),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    pub fn js(&self, expression: &str) -> Json {
        self.try_js(expression)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait(&self, expression: &str) {
        let start = Instant::now();
        // While the page loads, an evaluation may meet no page at all.
        while self.try_js(&format!("Boolean({expression})")) != Ok(json!(true)) {
            assert!(
                start.elapsed() < DEADLINE,
                "never true: {expression}\ncaption: {:?}\nlog: {:?}\ntoast: {:?}\nerrors: {:?}",
                self.text("#caption"),
                self.text("#log"),
                self.text("#toast"),
                self.errors()
            );
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits until the page has drawn its first game.
    #[track_caller]
    pub fn wait_ready(&self) {
        self.wait("document.body?.dataset.ready");
        self.settle();
    }

    /// Waits until nothing runs and everything is drawn.
    #[track_caller]
    pub fn settle(&self) {
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    /// The text of the first element that matches; empty if there is none.
    pub fn text(&self, selector: &str) -> String {
        let found = self.try_js(&format!(
            "(() => {{ const e = document.querySelector({}); return e?.checkVisibility() ? e.innerText : ''; }})()",
            json!(selector)
        ));
        found
            .ok()
            .and_then(|text| text.as_str().map(String::from))
            .unwrap_or_default()
    }

    /// Clicks the middle of the first element that matches, as a mouse does.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.press_at(selector, "left");
    }

    #[track_caller]
    pub fn press_at(&self, selector: &str, button: &str) {
        let (x, y) = self.middle(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}),
            );
        }
    }

    /// Moves the pointer to the middle of an element.
    #[track_caller]
    pub fn point_at(&self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.call(
            "Input.dispatchMouseEvent",
            json!({"type": "mouseMoved", "x": x, "y": y}),
        );
    }

    #[track_caller]
    pub fn middle(&self, selector: &str) -> (f64, f64) {
        let found = self.js(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; \
             e.scrollIntoView({{ block: 'nearest' }}); const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ));
        let at = found.as_array();
        let at = at.unwrap_or_else(|| panic!("there is no {selector}"));
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }

    /// Presses and releases a key, such as `Enter`, `ArrowLeft` or `a`.
    pub fn key(&self, key: &str) {
        self.key_with(key, 0);
    }

    /// Presses a key with modifiers: 1 Alt, 2 Ctrl, 8 Shift.
    pub fn key_with(&self, key: &str, modifiers: u32) {
        let mut down = json!({"type": "keyDown", "key": key, "modifiers": modifiers});
        let text = match key {
            "Enter" => Some("\r"),
            " " => Some(" "),
            _ if key.chars().count() == 1 && modifiers & 2 == 0 => Some(key),
            _ => None,
        };
        if let Some(text) = text {
            down["text"] = json!(text);
        }
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            "PageUp" => 33,
            "PageDown" => 34,
            "F9" => 120,
            " " => 32,
            _ => 0,
        };
        down["windowsVirtualKeyCode"] = json!(code);
        self.call("Input.dispatchKeyEvent", down);
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Inserts a text where the keyboard is.
    pub fn insert(&self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Errors that the page has reported since the last time: exceptions, and what the console has.
    pub fn errors(&self) -> Vec<String> {
        let events = self.browser.take_events(&self.session);
        let errors = events.iter().filter_map(error_of).collect();
        self.seen.borrow_mut().extend(events);
        errors
    }

    /// Addresses outside of the page's own server and file that were asked for.
    pub fn foreign_requests(&self, own: &str) -> Vec<String> {
        let new = self.browser.take_events(&self.session);
        let mut seen = self.seen.borrow_mut();
        seen.extend(new);
        let requests = seen
            .iter()
            .filter(|event| event["method"] == json!("Network.requestWillBeSent"));
        let urls = requests.filter_map(|event| event["params"]["request"]["url"].as_str());
        urls.filter(|url| {
            !["data:", "blob:", "about:"]
                .iter()
                .any(|scheme| url.starts_with(scheme))
                && !url.starts_with(own)
        })
        .map(String::from)
        .collect()
    }

    /// Takes a picture of the page.
    pub fn picture(&self, path: &Path) {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png"}));
        std::fs::write(path, decode_base64(answer["data"].as_str().unwrap())).unwrap();
    }
}

fn error_of(event: &Json) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => {
            let exception = &params["exceptionDetails"];
            Some(format!("{}", exception["exception"]["description"]))
        }
        "Runtime.consoleAPICalled" if params["type"] == json!("error") => {
            Some(format!("console: {}", params["args"]))
        }
        "Log.entryAdded" if params["entry"]["level"] == json!("error") => {
            Some(format!("log: {}", params["entry"]["text"]))
        }
        _ => None,
    }
}

/// Pictures come as base64.
fn decode_base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != b'=').collect();
    bytes
        .chunks(4)
        .flat_map(|chunk| {
            let bits = chunk.iter().fold(0, |bits, byte| bits << 6 | value(*byte));
            let bits = bits << (6 * (4 - chunk.len()));
            let all = bits.to_be_bytes();
            all[1..chunk.len()].to_vec()
        })
        .collect()
}
