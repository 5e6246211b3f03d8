//! `gridbug serve`: the page and the engine over HTTP, and everything that must not get in.

use gridbug::protocol::ServedFile;
use gridbug::serve::{Limits, PAGE_FILES, Server};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Limits that tests need not wait for.
const LIMITS: Limits = Limits {
    head: Duration::from_millis(300),
    body: Duration::from_millis(300),
    write: Duration::from_millis(300),
    idle: Duration::from_millis(600),
    max_body_bytes: 100_000,
    max_connections: 20,
};

/// Headers with another value, or without one.
type Changes<'a> = [(&'a str, Option<&'a str>)];

/// A server in this process.
struct Served {
    port: u16,
    key: String,
}

/// What came back.
struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn json(&self) -> Json {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, 200, "{text}");
        serde_json::from_str(&text).expect("JSON")
    }
}

fn serve(served: Option<ServedFile>, limits: Limits) -> Served {
    let server = Server::bind(0, served, limits).expect("a free port");
    let link = server.link();
    thread::spawn(move || server.run());
    let rest = link
        .strip_prefix("http://127.0.0.1:")
        .expect("a local address");
    let (port, key) = rest.split_once("/#key=").expect("a key");
    Served {
        port: port.parse().expect("a port"),
        key: key.to_string(),
    }
}

/// One response of a connection, with a body of the length that it says.
fn read_reply(stream: &mut TcpStream) -> Option<Reply> {
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.trim().parse().ok()?];
    stream.read_exact(&mut body).ok()?;
    Some(Reply { status, head, body })
}

impl Served {
    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).expect("a connection")
    }

    /// Sends bytes, and reads what comes back.
    fn raw(&self, text: &str) -> Option<Reply> {
        let mut stream = self.connect();
        // The server may refuse it before it has read all of it.
        let _ = stream.write_all(text.as_bytes());
        read_reply(&mut stream)
    }

    fn status(&self, text: &str) -> u16 {
        self.raw(text).map_or(0, |reply| reply.status)
    }

    fn get(&self, path: &str) -> Reply {
        let port = self.port;
        let text = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
        self.raw(&text).expect("a reply")
    }

    /// The headers of a request for the engine, of which some are replaced or left out.
    fn engine_head(&self, session: &str, changes: &Changes<'_>) -> String {
        let host = format!("127.0.0.1:{}", self.port);
        let origin = format!("http://{host}");
        let headers = [
            ("Host", host.as_str()),
            ("Origin", &origin),
            ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/json"),
            ("X-Gridbug-Key", &self.key),
            ("X-Gridbug-Session", session),
        ];
        let mut head = "POST /api HTTP/1.1\r\n".to_string();
        for (name, value) in headers {
            let change = changes.iter().find(|(changed, _)| *changed == name);
            if let Some(value) = change.map_or(Some(value), |(_, value)| *value) {
                head += &format!("{name}: {value}\r\n");
            }
        }
        head
    }

    fn ask_as(&self, session: &str, changes: &Changes<'_>, request: &Json) -> Reply {
        let body = request.to_string();
        let head = self.engine_head(session, changes);
        let text = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        self.raw(&text).expect("a reply")
    }

    fn ask(&self, session: &str, request: &Json) -> Json {
        self.ask_as(session, &[], request).json()
    }
}

#[test]
fn the_files_of_the_page_are_those_of_the_folder() {
    fn add(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => add(&path, root, found),
                false => {
                    let name = path.strip_prefix(root).unwrap().to_string_lossy();
                    found.insert(name.replace('\\', "/"));
                }
            }
        }
    }
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut found = BTreeSet::new();
    add(&web, &web, &mut found);
    found.retain(|name| !["README.md", "build"].contains(&name.as_str()));
    let served: BTreeSet<String> = PAGE_FILES.iter().map(|f| f.path.to_string()).collect();
    assert_eq!(
        served, found,
        "the list in src/serve/files.rs (left) and the files in web (right)"
    );
}

#[test]
fn the_page_and_its_files_are_served() {
    let server = serve(None, LIMITS);
    for file in PAGE_FILES {
        let reply = server.get(&format!("/{}", file.path));
        assert_eq!(reply.status, 200, "{}", file.path);
        assert_eq!(reply.body, file.text.as_bytes());
        assert!(
            reply
                .head
                .contains("content-security-policy: default-src 'none'")
        );
        assert!(reply.head.contains("x-content-type-options: nosniff"));
    }
    assert!(server.get("/").head.contains("text/html"));
    assert!(server.get("/js/main.js").head.contains("text/javascript"));
    for path in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/js/../../Cargo.toml",
        "//index.html",
        "/api",
    ] {
        assert_ne!(server.get(path).status, 200, "{path}");
    }
}

#[test]
fn a_game_is_played_over_http_in_sessions_of_their_own() {
    let server = serve(None, LIMITS);
    let open = json!({"request": "open", "language": "gridlok"});
    assert_eq!(server.ask("one", &open)["ok"], true);
    assert_eq!(
        server.ask("one", &json!({"request": "line", "text": "def n {1}"}))["ok"],
        true
    );
    assert_eq!(
        server.ask("two", &json!({"request": "line", "text": "n"}))["error"],
        "no session is open"
    );
    assert_eq!(server.ask("two", &open)["ok"], true);
    assert_eq!(
        server.ask("two", &json!({"request": "line", "text": "n"}))["ok"],
        false
    );
    let answer = server.ask("one", &json!({"request": "line", "text": "n + 1"}));
    assert_eq!(answer["lines"], json!(["= 2"]));
    assert_eq!(
        server.ask("one", &json!({"request": "served"}))["file"],
        Json::Null
    );
    let error = server.ask("one", &json!({"request": "open", "served": true}));
    assert_eq!(error["ok"], false);
}

#[test]
fn requests_that_do_not_come_from_the_page_are_refused() {
    let server = serve(None, LIMITS);
    let request = json!({"request": "catalog"});
    let other_port = format!("127.0.0.1:{}", server.port ^ 1);
    let own = format!("127.0.0.1:{}", server.port);
    let named = format!("localhost:{}", server.port);
    let named_origin = format!("http://{named}");
    let upper_key = server.key.to_uppercase() + "G";
    let long_name = "a".repeat(65);
    let cases: [(&Changes<'_>, u16); 24] = [
        (&[], 200),
        (&[("Origin", None), ("Sec-Fetch-Site", None)], 200),
        (
            &[("Host", Some(&named)), ("Origin", Some(&named_origin))],
            200,
        ),
        (
            &[("Content-Type", Some("application/json; charset=utf-8"))],
            200,
        ),
        (&[("Host", None)], 400),
        (&[("Host", Some("evil.example"))], 403),
        (&[("Host", Some("127.0.0.1"))], 403),
        (&[("Host", Some(&other_port))], 403),
        (&[("Host", Some(&format!("{own}.evil.example")))], 403),
        (&[("Origin", Some("http://evil.example"))], 403),
        (&[("Origin", Some("null"))], 403),
        (&[("Origin", Some(&format!("https://{own}")))], 403),
        (&[("Origin", Some(&named_origin))], 403),
        (&[("Sec-Fetch-Site", Some("cross-site"))], 403),
        (&[("Sec-Fetch-Site", Some("same-site"))], 403),
        (&[("Sec-Fetch-Site", Some("none"))], 403),
        (&[("X-Gridbug-Key", None)], 403),
        (&[("X-Gridbug-Key", Some(""))], 403),
        (&[("X-Gridbug-Key", Some(&server.key[1..]))], 403),
        (&[("X-Gridbug-Key", Some(&upper_key))], 403),
        (&[("Content-Type", None)], 415),
        (&[("Content-Type", Some("text/plain"))], 415),
        (&[("X-Gridbug-Session", Some("../x"))], 400),
        (&[("X-Gridbug-Session", Some(&long_name))], 400),
    ];
    for (changes, status) in cases {
        let reply = server.ask_as("s", changes, &request);
        assert_eq!(reply.status, status, "{changes:?}");
    }
    // A header that is there twice is as good as none.
    let body = request.to_string();
    for header in [
        "Host: evil.example",
        "Origin: http://evil.example",
        "X-Gridbug-Key: 0",
    ] {
        let head = server.engine_head("s", &[]);
        let text = format!(
            "{head}{header}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_ne!(server.status(&text), 200, "{header}");
    }
    // The files of the page are for this host only, too.
    assert_eq!(
        server.status("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        403
    );
}

#[test]
fn malformed_requests_are_refused() {
    let server = serve(None, LIMITS);
    let host = format!("Host: 127.0.0.1:{}", server.port);
    let head = server.engine_head("s", &[]);
    for (text, status) in [
        (
            "\u{16}\u{3}\u{1}".to_string() + &"x".repeat(20) + "\r\n\r\n",
            400,
        ),
        (format!("GET /\r\n{host}\r\n\r\n"), 400),
        (format!("GET / HTTP/2.0\r\n{host}\r\n\r\n"), 400),
        (
            format!("GET / HTTP/1.1\r\n{host}\r\nbad header\r\n\r\n"),
            400,
        ),
        (format!("DELETE / HTTP/1.1\r\n{host}\r\n\r\n"), 405),
        (format!("GET /api HTTP/1.1\r\n{host}\r\n\r\n"), 405),
        (format!("{head}\r\n"), 411),
        (
            format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            411,
        ),
        (
            format!("{head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"),
            400,
        ),
        (format!("{head}Content-Length: -1\r\n\r\n"), 400),
        (format!("{head}Content-Length: 1e3\r\n\r\n"), 400),
        (
            format!("{head}Content-Length: 999999999999999999999999\r\n\r\n"),
            413,
        ),
        (format!("{head}Content-Length: 100001\r\n\r\n"), 413),
        (
            format!("GET /{} HTTP/1.1\r\n{host}\r\n\r\n", "a".repeat(9000)),
            431,
        ),
        (
            format!("GET / HTTP/1.1\r\n{host}\r\n{}\r\n", "a: b\r\n".repeat(100)),
            431,
        ),
    ] {
        let found = server.status(&text);
        assert_eq!(
            found,
            status,
            "{}",
            text.chars().take(300).collect::<String>()
        );
    }
    // The body is not UTF-8.
    let mut stream = server.connect();
    stream
        .write_all(format!("{head}Content-Length: 2\r\n\r\n").as_bytes())
        .unwrap();
    stream.write_all(&[0xff, 0xfe]).unwrap();
    assert_eq!(read_reply(&mut stream).unwrap().status, 400);
    // What is invalid as a request of the engine is answered as such.
    for body in ["", "{", "[]", "{\"request\":\"fly\"}", "null"] {
        let text = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        assert_eq!(server.raw(&text).unwrap().json()["ok"], false, "{body}");
    }
}

#[test]
fn half_sent_requests_are_dropped() {
    let server = serve(None, LIMITS);
    let head = server.engine_head("s", &[]);
    let parts = [
        "".to_string(),
        "P".to_string(),
        head.clone(),
        format!("{head}Content-Length: 9\r\n\r\n{{"),
    ];
    let mut streams: Vec<TcpStream> = parts.iter().map(|_| server.connect()).collect();
    for (stream, part) in streams.iter_mut().zip(&parts) {
        stream.write_all(part.as_bytes()).unwrap();
    }
    // Each byte in time does not help.
    let mut slow = server.connect();
    let start = Instant::now();
    let drips = thread::spawn(move || {
        for byte in head.bytes() {
            thread::sleep(Duration::from_millis(20));
            if slow.write_all(&[byte]).is_err() {
                return;
            }
        }
        let mut rest = Vec::new();
        let _ = slow.read_to_end(&mut rest);
    });
    for stream in &mut streams {
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut rest = Vec::new();
        // The server closes it, with a message or without one.
        let _ = stream.read_to_end(&mut rest);
        let text = String::from_utf8_lossy(&rest);
        assert!(
            text.is_empty() || text.starts_with("HTTP/1.1 408 "),
            "{text}"
        );
    }
    drips.join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_client_that_does_not_read_is_dropped() {
    let server = serve(None, LIMITS);
    let port = server.port;
    let request = format!("GET /index.html HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let mut stream = server.connect();
    stream
        .set_write_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    // The buffers of both sides are full some time.
    let mut sent = 0;
    while stream.write_all(request.as_bytes()).is_ok() && sent < 100_000 {
        sent += 1;
    }
    thread::sleep(LIMITS.write * 2);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn several_requests_at_once_are_answered_in_order() {
    let server = serve(None, LIMITS);
    let mut stream = server.connect();
    let mut text = String::new();
    let open = json!({"request": "open", "language": "gridlok"});
    let lines = (1..5).map(|n| json!({"request": "line", "text": format!("{n} * 10")}));
    for request in [open].into_iter().chain(lines) {
        let body = request.to_string();
        let head = server.engine_head("s", &[]);
        text += &format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    }
    stream.write_all(text.as_bytes()).unwrap();
    assert_eq!(read_reply(&mut stream).unwrap().json()["ok"], true);
    for n in 1..5 {
        let answer = read_reply(&mut stream).unwrap().json();
        assert_eq!(answer["lines"], json!([format!("= {}", n * 10)]));
    }
    // The connection stays open for some time.
    let body = json!({"request": "catalog"}).to_string();
    let head = server.engine_head("s", &[]);
    let text = format!(
        "{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).unwrap();
    let reply = read_reply(&mut stream).unwrap();
    assert!(reply.head.contains("connection: close"));
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
}

#[test]
fn too_many_connections_are_refused_and_leave_room_again() {
    let server = serve(None, LIMITS);
    let open: Vec<TcpStream> = (0..LIMITS.max_connections)
        .map(|_| server.connect())
        .collect();
    let busy = (0..50).any(|_| {
        thread::sleep(Duration::from_millis(2));
        server.status("") == 503
    });
    assert!(busy, "all connections were accepted");
    drop(open);
    let is_back = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(20));
        let port = server.port;
        server.status(&format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n")) == 200
    });
    assert!(is_back);
}

const ENDLESS: &str = "fun forever() { for i(0, 2) { i {0} } return 1 }";

#[test]
fn what_runs_is_stopped_from_another_connection_or_when_the_client_is_gone() {
    let server = serve(None, LIMITS);
    server.ask("s", &json!({"request": "open", "language": "gridlok"}));
    server.ask("s", &json!({"request": "line", "text": ENDLESS}));
    let line = json!({"request": "line", "text": "forever{}"});
    let interrupt = json!({"request": "interrupt"});
    let answer = thread::scope(|scope| {
        let running = scope.spawn(|| server.ask("s", &line));
        while server.ask("s", &json!({"request": "progress"}))["running"] != true {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(server.ask("s", &interrupt)["interrupted"], true);
        running.join().unwrap()
    });
    assert_eq!(answer["stopped"], true);
    assert_eq!(
        server.ask("s", &json!({"request": "progress"}))["running"],
        false
    );
    // Nothing runs: it says so, and does not stop the next line.
    assert_eq!(server.ask("s", &interrupt)["error"], "no line is running");
    assert_eq!(
        server.ask("s", &json!({"request": "line", "text": ":abandon"}))["ok"],
        true
    );
    // Nobody waits for the answer.
    let body = line.to_string();
    let mut stream = server.connect();
    let text = format!(
        "{}Content-Length: {}\r\n\r\n{body}",
        server.engine_head("s", &[]),
        body.len()
    );
    stream.write_all(text.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();
    drop(stream);
    let answer = server.ask("s", &json!({"request": "view", "parts": ["status"]}));
    assert_eq!(answer["status"]["is_stopped"], true);
}

#[test]
fn only_the_file_of_the_command_line_has_a_disk() {
    let folder = std::env::temp_dir().join(format!("gridbug-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("two.gl");
    let sample = gridbug::languages::by_name("gridlok")
        .expect("GridLok")
        .info()
        .sample;
    std::fs::write(&path, sample).unwrap();
    std::fs::write(folder.join("p.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let served = ServedFile {
        path: path.to_string_lossy().into_owned(),
        name: "two.gl".to_string(),
        language: Some("gridlok"),
        is_session: false,
    };
    let server = serve(Some(served), LIMITS);
    assert_eq!(
        server.ask("a", &json!({"request": "served"}))["file"]["name"],
        "two.gl"
    );
    assert_eq!(
        server.ask("a", &json!({"request": "open", "served": true}))["ok"],
        true
    );
    server.ask(
        "a",
        &json!({"request": "line", "text": "fun three() { return 3 }"}),
    );
    assert_eq!(
        server.ask("a", &json!({"request": "line", "text": ":save"}))["ok"],
        true
    );
    assert!(std::fs::read_to_string(&path).unwrap().contains("three"));
    let image = |name: &str| server.ask("a", &json!({"request": "image", "name": name}));
    assert_eq!(image("p.png")["type"], "image/png");
    for name in [
        "two.gl",
        "../x.png",
        "/etc/passwd",
        "..\\x",
        "",
        "a//b",
        "none.png",
    ] {
        assert_eq!(image(name)["ok"], false, "{name}");
    }
    // A link or a dropped file is opened without a disk.
    server.ask("b", &json!({"request": "open", "language": "gridlok"}));
    let other = folder.join("other.gl");
    let line = |text: String| server.ask("b", &json!({"request": "line", "text": text}));
    assert_eq!(line(format!(":load {}", path.display()))["ok"], false);
    line("def n {1}".to_string());
    line(format!(":save {}", other.display()));
    assert!(!other.exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_program_prints_a_link_that_works() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut link = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut link).unwrap();
    let rest = link
        .trim()
        .strip_prefix("http://127.0.0.1:")
        .expect("a link");
    let (port, key) = rest.split_once("/#key=").unwrap();
    assert_eq!(key.len(), 32);
    let served = Served {
        port: port.parse().unwrap(),
        key: key.to_string(),
    };
    assert_eq!(served.ask("s", &json!({"request": "catalog"}))["ok"], true);
    child.kill().unwrap();
    child.wait().unwrap();
    let failed = Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["serve", "nothing.gl"])
        .output()
        .unwrap();
    assert!(!failed.status.success());
    assert!(String::from_utf8_lossy(&failed.stderr).contains("file not found: nothing.gl"));
}
