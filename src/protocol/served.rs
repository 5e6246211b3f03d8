//! The file that the command line of `gridbug serve` names: only this session has a disk. Links and
//! dropped files are opened without one.

use super::answer::answer_to_request;
use super::connection::{Connection, language_named, to_json};
use super::incoming::OpenRequest;
use super::outgoing::ImageAnswer;
use crate::command;
use crate::host::{DirectoryEntry, Host, MemoryHost};
use crate::languages;
use crate::session::{Session, Trust, stop_on_errors};
use serde_json::Value as Json;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// Larger pictures are refused.
const MAX_IMAGE_BYTES: u64 = 4 << 20;

/// The disk, behind the files that the client has put into memory.
struct DiskBehindMemory {
    memory: Rc<MemoryHost>,
    disk: Box<dyn Host>,
}

impl Host for DiskBehindMemory {
    fn read(&self, path: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        match self.memory.exists(path) {
            true => self.memory.read(path, max_bytes),
            false => self.disk.read(path, max_bytes),
        }
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        self.disk.write(path, text)
    }

    fn is_regular_file(&self, path: &str) -> bool {
        self.memory.exists(path) || self.disk.is_regular_file(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.memory.exists(path) || self.disk.exists(path)
    }

    fn list(&self, directory: &str) -> Vec<DirectoryEntry> {
        let mut entries = self.disk.list(directory);
        let known = entries.clone();
        let in_memory = self.memory.list(directory).into_iter();
        entries.extend(in_memory.filter(|entry| !known.contains(entry)));
        entries
    }

    fn absolute_path(&self, path: &str) -> String {
        self.disk.absolute_path(path)
    }

    fn now(&self) -> Duration {
        self.disk.now()
    }
}

/// The disk of this computer; none in a browser.
fn disk() -> Option<Box<dyn Host>> {
    #[cfg(feature = "serve")]
    return Some(Box::new(crate::host::NativeHost::new()));
    #[cfg(not(feature = "serve"))]
    None
}

impl Connection {
    /// Opens the file that is served.
    pub(super) fn open_served(&mut self, request: OpenRequest) -> Result<Json, String> {
        let nothing = "`open`: no file is served; start `gridbug serve FILE`";
        let served = self.served.clone().ok_or(nothing)?;
        let language = match served.language {
            Some(name) => language_named(name)?,
            None => languages::ALL[0],
        };
        let host = Rc::new(DiskBehindMemory {
            memory: self.memory.clone(),
            disk: disk().ok_or(nothing)?,
        });
        let mut session = Session::with_host(language, request.seed.unwrap_or(1), host);
        stop_on_errors(&mut session, request.stops_on_errors);
        let answer = match served.is_session {
            true => command::open_session(&mut session, &served.path, Trust::Beside),
            false => command::open_game(&mut session, &served.path),
        };
        self.start(session);
        let journal = self.journal.take();
        Ok(answer_to_request(self.session()?, &answer, journal))
    }

    /// A picture in the folder of the file that is served, or below.
    pub(super) fn image(&mut self, name: &str) -> Result<Json, String> {
        let served = self.served.as_ref().ok_or("`image`: no file is served")?;
        let is_below = |part: &str| !part.is_empty() && part != "." && part != "..";
        if name.contains(['\\', ':', '\0']) || !name.split('/').all(is_below) {
            return Err(format!(
                "`image`: `{name}` is not in the folder of the program"
            ));
        }
        let folder = served.path.strip_suffix(&served.name).unwrap_or_default();
        let path = format!("{folder}{name}");
        let disk = disk().ok_or("`image`: there is no disk")?;
        let bytes = disk.read(&path, MAX_IMAGE_BYTES + 1);
        let bytes = bytes.map_err(|error| format!("`image`: cannot read {name}: {error}"))?;
        if bytes.len() as u64 > MAX_IMAGE_BYTES {
            return Err(format!("`image`: {name} is larger than 4 MB"));
        }
        let media_type = image_type(&bytes).ok_or(format!("`image`: {name} is not an image"))?;
        to_json(ImageAnswer {
            ok: true,
            media_type,
            data: to_base64(&bytes),
        })
    }
}

/// The media type of a picture, by its first bytes.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    Some(match bytes {
        _ if is_webp => "image/webp",
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [b'G', b'I', b'F', b'8', ..] => "image/gif",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        _ => return None,
    })
}

/// Bytes as text, as data addresses have them.
fn to_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |n: usize| u32::from(chunk.get(n).copied().unwrap_or(0));
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * n)) as usize & 63];
            text.push(if n > chunk.len() { '=' } else { digit as char });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("\u{7ff}", "378="),
        ] {
            assert_eq!(to_base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn only_pictures_are_pictures() {
        assert_eq!(image_type(b"GIF89a"), Some("image/gif"));
        assert_eq!(image_type(b"<svg onload=\"alert(1)\">"), None);
        assert_eq!(image_type(b""), None);
    }
}
