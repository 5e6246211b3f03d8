//! Reads a request and writes a response, within limits of size and time. A client that sends half of a
//! request, or reads half of a response, is dropped.

use super::server::Limits;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The most bytes of the request line and the headers.
const MAX_HEAD_BYTES: usize = 8 << 10;
const MAX_HEADERS: usize = 64;

/// A request.
#[derive(Debug)]
pub struct HttpRequest {
    /// The method, such as `GET`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers with names in small letters.
    headers: Vec<(String, String)>,
    /// What follows the headers.
    pub body: Vec<u8>,
    /// Whether the client wants to send more requests.
    pub keeps_alive: bool,
}

impl HttpRequest {
    /// The value of a header; `None` if there is none, or several.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(other, _)| other == name);
        let (_, value) = found.next()?;
        found.next().is_none().then_some(value)
    }

    /// Whether there is a header, once or several times.
    pub fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(other, _)| other == name)
    }
}

/// Why there is no request.
#[derive(Debug, PartialEq)]
pub enum NoRequest {
    /// The connection is closed, or was idle for too long.
    Closed,
    /// What was sent is refused with this status. The connection is closed after that.
    Refused(Status),
}

/// The status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub u16, pub &'static str);

impl Status {
    pub const OK: Status = Status(200, "OK");
    pub const BAD_REQUEST: Status = Status(400, "Bad Request");
    pub const FORBIDDEN: Status = Status(403, "Forbidden");
    pub const NOT_FOUND: Status = Status(404, "Not Found");
    pub const METHOD_NOT_ALLOWED: Status = Status(405, "Method Not Allowed");
    pub const TIMEOUT: Status = Status(408, "Request Timeout");
    pub const LENGTH_REQUIRED: Status = Status(411, "Length Required");
    pub const TOO_LARGE: Status = Status(413, "Content Too Large");
    pub const NOT_JSON: Status = Status(415, "Unsupported Media Type");
    pub const HEAD_TOO_LARGE: Status = Status(431, "Request Header Fields Too Large");
    pub const FAILED: Status = Status(500, "Internal Server Error");
    pub const BUSY: Status = Status(503, "Service Unavailable");
}

/// A connection, and what was read of it that belongs to the next request.
pub struct HttpConnection {
    stream: TcpStream,
    unread: Vec<u8>,
    /// Whether it has had a request: before the first one, it may not be idle.
    is_known: bool,
}

impl HttpConnection {
    /// A connection that was accepted.
    pub fn new(stream: TcpStream) -> HttpConnection {
        HttpConnection {
            stream,
            unread: Vec::new(),
            is_known: false,
        }
    }

    /// The next request.
    pub fn read(&mut self, limits: &Limits) -> Result<HttpRequest, NoRequest> {
        let idle = if self.is_known {
            limits.idle
        } else {
            limits.head
        };
        let mut deadline = Instant::now() + idle;
        let mut has_begun = !self.unread.is_empty();
        if has_begun {
            deadline = Instant::now() + limits.head;
        }
        let (mut request, head_bytes, length) = loop {
            if let Some(head) = parse_head(&self.unread)? {
                break head;
            }
            if self.unread.len() >= MAX_HEAD_BYTES {
                return Err(NoRequest::Refused(Status::HEAD_TOO_LARGE));
            }
            self.read_more(deadline, has_begun)?;
            if !has_begun {
                (has_begun, deadline) = (true, Instant::now() + limits.head);
            }
        };
        self.unread.drain(..head_bytes);
        if length > limits.max_body_bytes {
            return Err(NoRequest::Refused(Status::TOO_LARGE));
        }
        let deadline = Instant::now() + limits.body;
        while self.unread.len() < length {
            self.read_more(deadline, true)?;
        }
        request.body = self.unread.drain(..length).collect();
        self.is_known = true;
        Ok(request)
    }

    fn read_more(&mut self, deadline: Instant, has_begun: bool) -> Result<(), NoRequest> {
        let mut bytes = [0; 16 << 10];
        let late = match has_begun {
            true => NoRequest::Refused(Status::TIMEOUT),
            false => NoRequest::Closed,
        };
        let Some(left) = time_left(deadline) else {
            return Err(late);
        };
        // It fails only for a time of zero.
        let _ = self.stream.set_read_timeout(Some(left));
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(NoRequest::Closed),
            Ok(count) => {
                self.unread.extend_from_slice(&bytes[..count]);
                Ok(())
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => Ok(()),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(late),
            Err(_) => Err(NoRequest::Closed),
        }
    }

    /// Whether the client is gone. What it has sent meanwhile stays unread.
    pub fn is_closed(&mut self) -> bool {
        let _ = self.stream.set_read_timeout(Some(Duration::from_millis(1)));
        match self.stream.peek(&mut [0]) {
            Ok(count) => count == 0,
            Err(e) => !matches!(
                e.kind(),
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
            ),
        }
    }

    /// Writes a response. An error if the client does not take it in time.
    pub fn write(&mut self, response: &Response<'_>, limits: &Limits) -> std::io::Result<()> {
        let Status(code, reason) = response.status;
        let mut head = format!("HTTP/1.1 {code} {reason}\r\n");
        let connection = if response.keeps_alive {
            "keep-alive"
        } else {
            "close"
        };
        let length = response.body.len().to_string();
        let fixed = [
            ("content-type", response.content_type),
            ("content-length", &length),
            ("connection", connection),
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ];
        for (name, value) in fixed.iter().chain(response.headers) {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        let deadline = Instant::now() + limits.write;
        for mut bytes in [head.as_bytes(), response.body] {
            while !bytes.is_empty() {
                let left = time_left(deadline).ok_or(ErrorKind::TimedOut)?;
                let _ = self.stream.set_write_timeout(Some(left));
                match self.stream.write(bytes) {
                    Ok(0) => return Err(ErrorKind::WriteZero.into()),
                    Ok(count) => bytes = &bytes[count..],
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(e) => return Err(e),
                }
            }
        }
        self.stream.flush()
    }
}

/// A response.
pub struct Response<'a> {
    /// The status.
    pub status: Status,
    /// The media type of the body.
    pub content_type: &'a str,
    /// Headers besides those of every response.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body.
    pub body: &'a [u8],
    /// Whether the connection stays open.
    pub keeps_alive: bool,
}

fn time_left(deadline: Instant) -> Option<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    (!left.is_zero()).then_some(left)
}

/// The head of a request, its length, and the length of the body. `None` if it is not complete.
fn parse_head(bytes: &[u8]) -> Result<Option<(HttpRequest, usize, usize)>, NoRequest> {
    let bad = || NoRequest::Refused(Status::BAD_REQUEST);
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head_bytes = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(NoRequest::Refused(Status::HEAD_TOO_LARGE));
        }
        Err(_) => return Err(bad()),
    };
    if head_bytes > MAX_HEAD_BYTES {
        return Err(NoRequest::Refused(Status::HEAD_TOO_LARGE));
    }
    let to_text = |header: &httparse::Header<'_>| {
        let value = std::str::from_utf8(header.value).ok()?;
        Some((header.name.to_ascii_lowercase(), value.to_string()))
    };
    let headers = parsed.headers.iter().map(to_text);
    let headers: Option<Vec<(String, String)>> = headers.collect();
    let request = HttpRequest {
        method: parsed.method.ok_or_else(bad)?.to_string(),
        path: parsed.path.ok_or_else(bad)?.to_string(),
        headers: headers.ok_or_else(bad)?,
        body: Vec::new(),
        keeps_alive: parsed.version == Some(1),
    };
    let closes = request.header("connection").is_some_and(|value| {
        value
            .split(',')
            .any(|word| word.trim().eq_ignore_ascii_case("close"))
    });
    // Two ways to say how long the body is lead to requests that are seen differently by others.
    if request.has_header("transfer-encoding") {
        return Err(NoRequest::Refused(Status::LENGTH_REQUIRED));
    }
    let length = match request.has_header("content-length") {
        false if request.method == "POST" => {
            return Err(NoRequest::Refused(Status::LENGTH_REQUIRED));
        }
        false => 0,
        true => {
            let digits = request.header("content-length").ok_or_else(bad)?;
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            match digits.parse() {
                Ok(length) if is_number => length,
                _ if is_number => return Err(NoRequest::Refused(Status::TOO_LARGE)),
                _ => return Err(bad()),
            }
        }
    };
    let keeps_alive = request.keeps_alive && !closes;
    let request = HttpRequest {
        keeps_alive,
        ..request
    };
    Ok(Some((request, head_bytes, length)))
}
