//! The files of the page, which are part of the program.

/// A file of the page.
pub struct PageFile {
    /// Its path below the root of the server.
    pub path: &'static str,
    /// What it contains.
    pub text: &'static str,
}

impl PageFile {
    /// The media type that its extension stands for.
    pub fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// The file with this path; `/` is the page itself.
pub fn page_file(path: &str) -> Option<&'static PageFile> {
    let path = path.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    PAGE_FILES.iter().find(|file| file.path == path)
}

macro_rules! page_files {
    ($($path:literal),* $(,)?) => {
        /// All files of the page: those in `web`, except for what is not served. A test compares the two.
        pub const PAGE_FILES: &[PageFile] = &[$(PageFile {
            path: $path,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/", $path)),
        }),*];
    };
}

page_files![
    "css/base.css",
    "css/board.css",
    "css/inspect.css",
    "css/layout.css",
    "css/lesson.css",
    "css/program.css",
    "css/sizes.css",
    "css/time.css",
    "index.html",
    "js/board.js",
    "js/breakpoint.js",
    "js/cell.js",
    "js/click.js",
    "js/control.js",
    "js/dialogs.js",
    "js/dom.js",
    "js/editor.js",
    "js/engine.js",
    "js/exercise.js",
    "js/explore.js",
    "js/files.js",
    "js/keys.js",
    "js/lesson.js",
    "js/link.js",
    "js/log.js",
    "js/main.js",
    "js/notify.js",
    "js/parent.js",
    "js/pictures.js",
    "js/program.js",
    "js/prompt.js",
    "js/question.js",
    "js/reasons.js",
    "js/run.js",
    "js/session.js",
    "js/settings.js",
    "js/stage.js",
    "js/steps.js",
    "js/storage.js",
    "js/store.js",
    "js/time.js",
    "js/transport.js",
    "js/values.js",
    "js/why.js",
    "js/window.js",
    "js/worker.js",
];
