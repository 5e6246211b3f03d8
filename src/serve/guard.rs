//! Which requests are let in. Other pages in the same browser can send requests to this computer, too.

use super::http::{HttpRequest, Status};

/// The names by which the server may be addressed, and the key of its link.
pub struct Guard {
    hosts: [String; 2],
    key: String,
}

/// The most characters in the name of a session.
const MAX_SESSION_CHARS: usize = 64;

impl Guard {
    /// A guard for a server at this port of 127.0.0.1.
    pub fn new(port: u16, key: String) -> Guard {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Guard { hosts, key }
    }

    /// Refuses a request that is addressed to another host: its name was made to point to this computer.
    pub fn check_host(&self, request: &HttpRequest) -> Result<&str, Status> {
        let host = request.header("host").ok_or(Status::BAD_REQUEST)?;
        let own = self.hosts.iter().find(|own| *own == host);
        own.map(String::as_str).ok_or(Status::FORBIDDEN)
    }

    /// Lets in a request for the engine. Returns the name of its session.
    pub fn check_engine<'r>(&self, request: &'r HttpRequest) -> Result<&'r str, Status> {
        let host = self.check_host(request)?;
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        if request.has_header("origin") && !request.header("origin").is_some_and(is_own) {
            return Err(Status::FORBIDDEN);
        }
        let site = request.header("sec-fetch-site");
        if request.has_header("sec-fetch-site") && site != Some("same-origin") {
            return Err(Status::FORBIDDEN);
        }
        let key = request.header("x-gridbug-key").unwrap_or_default();
        if !is_same(key.as_bytes(), self.key.as_bytes()) {
            return Err(Status::FORBIDDEN);
        }
        // A form cannot send this type, and a page of another site not without asking first.
        let content_type = request.header("content-type").unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case("application/json") {
            return Err(Status::NOT_JSON);
        }
        let session = request.header("x-gridbug-session").unwrap_or_default();
        let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-';
        match (1..=MAX_SESSION_CHARS).contains(&session.len()) && session.chars().all(is_valid) {
            true => Ok(session),
            false => Err(Status::BAD_REQUEST),
        }
    }
}

/// Compares two texts in a time that does not depend on where they differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differing == 0
}
