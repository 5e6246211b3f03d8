//! Drives Chromium over `--remote-debugging-pipe`: requests are JSON texts that end with a zero byte, on
//! file descriptor 3; answers and events come the same way on 4. A shell makes them stdin and stdout.

use crate::tab::Page;
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

/// Names under which Chromium is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-background-networking \
    --disable-component-update --disable-sync --no-first-run --hide-scrollbars --mute-audio \
    --disable-dev-shm-usage";

/// The program of a browser; `None` if there is none.
pub fn find() -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    })
}

struct Pipe {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last_id: u64,
    events: VecDeque<Json>,
    profile: PathBuf,
}

/// A running browser. It ends when the last of its pages is dropped.
#[derive(Clone)]
pub struct Browser(Rc<RefCell<Pipe>>);

impl Browser {
    pub fn start(program: &str) -> Browser {
        let profile = std::env::temp_dir().join(format!("gridbug-page-{}", std::process::id()));
        let script = format!(
            "exec {program} {FLAGS} --remote-debugging-pipe --user-data-dir=\"$0\" 3<&0 4>&1 >/dev/null 2>&1"
        );
        let mut child = Command::new("sh")
            .args(["-c", &script])
            .arg(&profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let pipe = Pipe {
            child,
            to,
            from,
            last_id: 0,
            events: VecDeque::new(),
            profile,
        };
        Browser(Rc::new(RefCell::new(pipe)))
    }

    pub fn call(&self, method: &str, params: Json, session: Option<&str>) -> Result<Json, String> {
        self.0.borrow_mut().call(method, params, session)
    }

    /// Takes the events of a tab.
    pub fn take_events(&self, session: &str) -> Vec<Json> {
        let mut pipe = self.0.borrow_mut();
        let (mine, others): (Vec<Json>, Vec<Json>) = pipe
            .events
            .drain(..)
            .partition(|event| event["sessionId"] == json!(session));
        pipe.events.extend(others);
        mine
    }

    /// A new tab with storage of its own.
    pub fn open(&self, url: &str, screen: Screen) -> Page {
        let context = self.call("Target.createBrowserContext", json!({}), None);
        let context = context.unwrap()["browserContextId"].clone();
        self.open_in(url, screen, &context)
    }

    /// A new tab that shares the storage of a context.
    pub fn open_in(&self, url: &str, screen: Screen, context: &Json) -> Page {
        let target = self
            .call(
                "Target.createTarget",
                json!({"url": "about:blank", "browserContextId": context}),
                None,
            )
            .unwrap();
        let attached = self
            .call(
                "Target.attachToTarget",
                json!({"targetId": target["targetId"], "flatten": true}),
                None,
            )
            .unwrap();
        let page = Page {
            browser: self.clone(),
            target: target["targetId"].clone(),
            context: context.clone(),
            session: attached["sessionId"].as_str().unwrap().to_string(),
            seen: RefCell::default(),
        };
        for domain in [
            "Page.enable",
            "Runtime.enable",
            "Log.enable",
            "Network.enable",
        ] {
            page.call(domain, json!({}));
        }
        page.call(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": screen.width, "height": screen.height, "deviceScaleFactor": 1,
                "mobile": screen.is_phone}),
        );
        page.emulate(&[("prefers-color-scheme", screen.scheme)]);
        page.navigate(url);
        page
    }
}

impl Pipe {
    /// Sends a request and waits for its answer; events on the way are kept.
    fn call(&mut self, method: &str, params: Json, session: Option<&str>) -> Result<Json, String> {
        self.last_id += 1;
        let id = self.last_id;
        let mut request = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            request["sessionId"] = json!(session);
        }
        write!(self.to, "{request}\0").map_err(|e| e.to_string())?;
        self.to.flush().map_err(|e| e.to_string())?;
        loop {
            let mut bytes = Vec::new();
            let count = self.from.read_until(0, &mut bytes);
            if count.map_err(|e| e.to_string())? == 0 {
                return Err("the browser has ended".to_string());
            }
            bytes.pop();
            let message: Json = serde_json::from_slice(&bytes).map_err(|e| e.to_string())?;
            if message["id"] != json!(id) {
                self.events.push_back(message);
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(format!("{method}: {error}")),
                None => Ok(message["result"].clone()),
            };
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.call("Browser.close", json!({}), None);
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Size and colors of a screen.
#[derive(Clone, Copy)]
pub struct Screen {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub is_phone: bool,
    pub scheme: &'static str,
}

pub const DESKTOP: Screen = Screen {
    name: "desktop",
    width: 1440,
    height: 900,
    is_phone: false,
    scheme: "light",
};
pub const PROJECTOR: Screen = Screen {
    name: "projector",
    width: 1024,
    height: 768,
    ..DESKTOP
};
pub const PHONE: Screen = Screen {
    name: "phone",
    width: 390,
    height: 844,
    is_phone: true,
    scheme: "light",
};

impl Screen {
    pub fn dark(self) -> Screen {
        Screen {
            scheme: "dark",
            ..self
        }
    }
}
