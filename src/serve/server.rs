//! Accepts connections and answers what they ask for: the files of the page, and requests for the engine.

use super::files::page_file;
use super::guard::Guard;
use super::http::{HttpConnection, HttpRequest, NoRequest, Response, Status};
use super::sessions::Sessions;
use crate::protocol::ServedFile;
use serde_json::{Value as Json, json};
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

/// The path of requests for the engine.
const ENGINE_PATH: &str = "/api";
/// Bytes of the key in the link.
const KEY_BYTES: usize = 16;
/// How often to look whether the client still waits for its answer.
const CLIENT_CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// Requests about a request that is running are shorter than this.
const MAX_SHORT_REQUEST_BYTES: usize = 200;
/// What the page may load, and from where.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// How long and how large everything may be that comes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For the request line and the headers, from their first byte on; for the first of them, from the start
    /// of the connection on.
    pub head: Duration,
    /// For the body, after the headers.
    pub body: Duration,
    /// For the client to read the response.
    pub write: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// The most bytes of a body.
    pub max_body_bytes: usize,
    /// The most connections at the same time.
    pub max_connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head: Duration::from_secs(5),
            body: Duration::from_secs(5),
            write: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            max_body_bytes: 8 << 20,
            max_connections: 64,
        }
    }
}

/// A server on this computer.
pub struct Server {
    listener: TcpListener,
    port: u16,
    key: String,
    shared: Arc<Shared>,
}

struct Shared {
    guard: Guard,
    limits: Limits,
    sessions: Sessions,
    connection_count: AtomicUsize,
}

impl Server {
    /// A server at a port of 127.0.0.1; at a free one if it is 0. `served` is the file that it opens.
    pub fn bind(port: u16, served: Option<ServedFile>, limits: Limits) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Server {
            listener,
            port,
            shared: Arc::new(Shared {
                guard: Guard::new(port, key.clone()),
                limits,
                sessions: Sessions::new(served),
                connection_count: AtomicUsize::new(0),
            }),
            key,
        })
    }

    /// The address to open in a browser. What is after the `#` never leaves it; the page sends the key as a
    /// header.
    pub fn link(&self) -> String {
        format!("http://127.0.0.1:{}/#key={}", self.port, self.key)
    }

    /// Serves until the process ends.
    pub fn run(&self) {
        for stream in self.listener.incoming() {
            // A client that is gone already, or too many open files.
            let Ok(stream) = stream else {
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            let shared = self.shared.clone();
            let count = shared.connection_count.fetch_add(1, Ordering::Relaxed);
            let is_full = count >= shared.limits.max_connections;
            let serve = move || {
                match is_full {
                    true => shared.refuse(&mut HttpConnection::new(stream), Status::BUSY),
                    false => shared.serve(stream),
                }
                shared.connection_count.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().spawn(serve).is_err() {
                self.shared.connection_count.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// What to answer.
struct Content<'a> {
    status: Status,
    content_type: &'a str,
    headers: &'a [(&'a str, &'a str)],
    body: std::borrow::Cow<'a, [u8]>,
}

impl Shared {
    /// Answers the requests of a connection, one after the other.
    fn serve(&self, stream: TcpStream) {
        // Answers are small, and each is waited for.
        let _ = stream.set_nodelay(true);
        let mut connection = HttpConnection::new(stream);
        loop {
            let request = match connection.read(&self.limits) {
                Ok(request) => request,
                Err(NoRequest::Closed) => return,
                Err(NoRequest::Refused(status)) => return self.refuse(&mut connection, status),
            };
            let Some(content) = self.answer(&mut connection, &request) else {
                return;
            };
            let keeps_alive = request.keeps_alive && content.status == Status::OK;
            let response = Response {
                status: content.status,
                content_type: content.content_type,
                headers: content.headers,
                body: &content.body,
                keeps_alive,
            };
            if connection.write(&response, &self.limits).is_err() || !keeps_alive {
                return;
            }
        }
    }

    /// Says what is wrong with a request, before the connection is closed.
    fn refuse(&self, connection: &mut HttpConnection, status: Status) {
        let Content {
            content_type, body, ..
        } = refused(status);
        let response = Response {
            status,
            content_type,
            headers: &[],
            body: &body,
            keeps_alive: false,
        };
        // The client may be gone.
        let _ = connection.write(&response, &self.limits);
    }

    /// The answer to a request; `None` if the client did not wait for it.
    fn answer(
        &self,
        connection: &mut HttpConnection,
        request: &HttpRequest,
    ) -> Option<Content<'static>> {
        if let Err(status) = self.guard.check_host(request) {
            return Some(refused(status));
        }
        let path = request.path.split('?').next().unwrap_or_default();
        match (request.method.as_str(), path) {
            ("POST", ENGINE_PATH) => match self.guard.check_engine(request) {
                Ok(session) => self.ask_engine(connection, session, &request.body),
                Err(status) => Some(refused(status)),
            },
            (_, ENGINE_PATH) => Some(refused(Status::METHOD_NOT_ALLOWED)),
            ("GET", path) => Some(match page_file(path) {
                Some(file) => Content {
                    status: Status::OK,
                    content_type: file.content_type(),
                    headers: &[("content-security-policy", PAGE_POLICY)],
                    body: file.text.as_bytes().into(),
                },
                None => refused(Status::NOT_FOUND),
            }),
            _ => Some(refused(Status::METHOD_NOT_ALLOWED)),
        }
    }

    fn ask_engine(
        &self,
        connection: &mut HttpConnection,
        session: &str,
        body: &[u8],
    ) -> Option<Content<'static>> {
        let Ok(request) = std::str::from_utf8(body) else {
            return Some(refused(Status::BAD_REQUEST));
        };
        if let Some(answer) = self.answer_beside(session, request) {
            return Some(json_content(&answer.to_string()));
        }
        let Some(pending) = self.sessions.send(session, request.to_string()) else {
            return Some(refused(Status::BUSY));
        };
        loop {
            match pending.answer.recv_timeout(CLIENT_CHECK_INTERVAL) {
                Ok(answer) => return Some(json_content(&answer)),
                Err(RecvTimeoutError::Timeout) if connection.is_closed() => {
                    pending.abandon();
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.sessions.remove(session);
                    return Some(refused(Status::FAILED));
                }
            }
        }
    }

    /// The answer to a request about another one that is running. `None` if it is a request for the session.
    fn answer_beside(&self, session: &str, request: &str) -> Option<Json> {
        if request.len() > MAX_SHORT_REQUEST_BYTES {
            return None;
        }
        let request: Json = serde_json::from_str(request).ok()?;
        match request["request"].as_str()? {
            "interrupt" => self
                .sessions
                .interrupt(session)
                .then(|| json!({"ok": true, "interrupted": true})),
            "progress" => {
                let seconds = self.sessions.seconds_running(session);
                let running = seconds.is_some();
                Some(json!({"ok": true, "running": running, "seconds": seconds}))
            }
            _ => None,
        }
    }
}

fn json_content(text: &str) -> Content<'static> {
    Content {
        status: Status::OK,
        content_type: "application/json",
        headers: &[],
        body: text.as_bytes().to_vec().into(),
    }
}

fn refused(status: Status) -> Content<'static> {
    let Status(_, reason) = status;
    Content {
        status,
        content_type: "text/plain; charset=utf-8",
        headers: &[],
        body: reason.as_bytes().into(),
    }
}
