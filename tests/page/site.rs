//! Where the page comes from, and what people do with it.

use crate::browser::{Browser, DESKTOP, Screen};
use crate::tab::Page;
use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::SystemTime;

/// The page under an address.
pub struct Site {
    pub name: &'static str,
    /// The address up to `#`.
    pub base: String,
    /// What the fragment needs besides what a test asks for.
    key: Option<String>,
    server: Option<Server>,
}

/// A running `gridbug serve`. Its output stays open, because it may say more.
struct Server {
    process: Child,
    _output: BufReader<ChildStdout>,
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.process.kill();
            let _ = server.process.wait();
        }
    }
}

impl Site {
    /// Starts `gridbug serve`.
    pub fn serve() -> Site {
        Site::serve_with(&[])
    }

    pub fn serve_with(arguments: &[&str]) -> Site {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gridbug"))
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let link = output
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let link = line
                    .split_whitespace()
                    .find(|word| word.starts_with("http://"));
                link.map(String::from)
            })
            .expect("`gridbug serve` prints a link");
        let (base, fragment) = link.split_once('#').unwrap();
        Site {
            name: "served",
            base: base.to_string(),
            key: Some(fragment.to_string()),
            server: Some(Server {
                process,
                _output: output,
            }),
        }
    }

    /// The one file that `web/build` has made, if it is newer than what it was made from.
    pub fn file() -> Result<Site, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = if std::env::var("DEV_SITE").is_ok() {
            Path::new("/work/page")
        } else {
            root
        }; // DEVFILE DEV
        let path = root.join("target/web/gridbug.html");
        let made = std::fs::metadata(&path).and_then(|data| data.modified());
        let made = made.map_err(|_| "run web/build to test the one file, too".to_string())?;
        if newest_in(&root.join("web")).max(newest_in(&root.join("src"))) > made {
            return Err(
                "target/web/gridbug.html is older than its source: run web/build".to_string(),
            );
        }
        Ok(Site {
            name: "file",
            base: format!("file://{}", path.display()),
            key: None,
            server: None,
        })
    }

    /// The address with a fragment such as `game=sgl2d-garden`.
    pub fn url(&self, fragment: &str) -> String {
        let parts = [self.key.as_deref().unwrap_or_default(), fragment];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}#{}", self.base, parts.join("&"))
    }

    /// Opens the page and waits until it is ready.
    #[track_caller]
    pub fn open(&self, browser: &Browser, fragment: &str) -> Page {
        self.open_on(browser, fragment, DESKTOP)
    }

    #[track_caller]
    pub fn open_on(&self, browser: &Browser, fragment: &str, screen: Screen) -> Page {
        let page = browser.open(&self.url(fragment), screen);
        page.wait_ready();
        page.js(CAPTURE_DOWNLOADS);
        page
    }
}

/// Downloads are kept in `window.downloads`, as name and text.
const CAPTURE_DOWNLOADS: &str = "window.downloads = []; const blobs = new Map(), make = URL.createObjectURL; \
    URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; }; \
    HTMLAnchorElement.prototype.click = function () { const name = this.download; \
    window.downloads.push(blobs.get(this.href).text().then((text) => [name, text])); }; null";

fn newest_in(dir: &Path) -> SystemTime {
    let entries = std::fs::read_dir(dir).unwrap().map(Result::unwrap);
    let times = entries.map(|entry| match entry.file_type().unwrap().is_dir() {
        true => newest_in(&entry.path()),
        false => entry.metadata().unwrap().modified().unwrap(),
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// What people do.
impl Page {
    /// Types a line at the prompt, presses Enter, and waits for the answer.
    #[track_caller]
    pub fn enter(&self, line: &str) {
        self.js("document.getElementById('prompt').focus()");
        self.insert(line);
        self.key("Enter");
        self.idle();
    }

    /// Waits until nothing is asked or running.
    #[track_caller]
    pub fn idle(&self) {
        self.settle();
        self.wait("!document.body.dataset.busy");
        self.settle();
    }

    /// Presses a key where nothing is typed.
    #[track_caller]
    pub fn press(&self, key: &str) {
        self.js(
            "document.activeElement?.matches('input, textarea') && document.activeElement.blur()",
        );
        self.key(key);
        self.idle();
    }

    #[track_caller]
    pub fn click_cell(&self, row: usize, col: usize) {
        self.click(&cell(row, col));
        self.idle();
    }

    #[track_caller]
    pub fn press_button(&self, name: &str) {
        let selector = self.button(name);
        self.click(&selector);
        self.idle();
    }

    /// A selector for the visible button with this text or spoken name.
    #[track_caller]
    pub fn button(&self, name: &str) -> String {
        let found = self.js(&format!(
            "(() => {{ const name = {}; \
             const text = (b) => {{ const copy = b.cloneNode(true); copy.querySelectorAll('[aria-hidden]').forEach((e) => e.remove()); \
             return [...copy.childNodes].map((n) => n.textContent.trim()).join(' ').replace(/\\s+/g, ' ').trim(); }}; \
             const all = [...document.querySelectorAll('button')].filter((b) => b.checkVisibility() \
             && (b.getAttribute('aria-label') === name || text(b).startsWith(name))); \
             if (!all.length) return null; document.querySelectorAll('[data-found]').forEach((e) => e.removeAttribute('data-found')); \
             (all.find((b) => b.closest('dialog')) ?? all[0]).setAttribute('data-found', ''); return true; }})()",
            json!(name)
        ));
        assert_eq!(found, json!(true), "there is no button {name}");
        "[data-found]".to_string()
    }

    /// What a cell is called in speech.
    pub fn spoken_cell(&self, row: usize, col: usize) -> String {
        let label = self.js(&format!(
            "document.querySelector({}).getAttribute('aria-label')",
            json!(cell(row, col))
        ));
        label.as_str().unwrap_or_default().to_string()
    }

    /// Drops files onto the page.
    #[track_caller]
    pub fn drop_files(&self, files: &[(&str, &str)]) {
        self.js(&format!(
            "(() => {{ const data = new DataTransfer(); \
             for (const [name, text] of {}) data.items.add(new File([text], name)); \
             window.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, cancelable: true }})); }})()",
            json!(files)
        ));
        self.js("new Promise((done) => setTimeout(done, 30))");
        self.idle();
    }

    /// Name and text of the last download.
    pub fn last_download(&self) -> (String, String) {
        self.wait("window.downloads?.length");
        let last = self.js("window.downloads.at(-1)");
        let text = |i: usize| last[i].as_str().unwrap_or_default().to_string();
        (text(0), text(1))
    }

    /// What the page says went wrong, besides what a test expects.
    #[track_caller]
    pub fn assert_no_errors(&self) {
        let errors = self.errors();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

/// The selector of a cell.
pub fn cell(row: usize, col: usize) -> String {
    format!("#board .cell[data-r=\"{row}\"][data-c=\"{col}\"]")
}
