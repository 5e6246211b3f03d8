//! The files and the clock of the operating system.

use super::{DirectoryEntry, Host};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The host of a native process.
pub struct NativeHost {
    started_at: Instant,
}

impl NativeHost {
    /// A host whose clock starts now.
    pub fn new() -> NativeHost {
        NativeHost {
            started_at: Instant::now(),
        }
    }
}

impl Default for NativeHost {
    fn default() -> NativeHost {
        NativeHost::new()
    }
}

impl Host for NativeHost {
    fn read(&self, path: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        if file.metadata().is_ok_and(|m| m.is_dir()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // The length of a pipe is unknown, so the limit applies to what is read.
        let mut bytes = Vec::new();
        file.take(max_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        write_atomically(path.as_ref(), text)
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }

    fn list(&self, directory: &str) -> Vec<DirectoryEntry> {
        let directory = if directory.is_empty() { "." } else { directory };
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        let entry = |entry: fs::DirEntry| {
            Some(DirectoryEntry {
                name: entry.file_name().into_string().ok()?,
                is_directory: entry.path().is_dir(),
            })
        };
        entries.filter_map(entry).collect()
    }

    fn absolute_path(&self, path: &str) -> String {
        std::path::absolute(path).map_or_else(|_| path.to_string(), |p| p.display().to_string())
    }

    fn now(&self) -> Duration {
        self.started_at.elapsed()
    }
}

/// Whether a program of this name is installed.
pub fn find_program(name: &str) -> bool {
    let file_name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(&file_name).is_file())
}

/// The user's directory for the history and the journals of gridbug; `None` if there is no home
/// directory.
pub fn state_dir() -> Option<PathBuf> {
    let directory = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = directory("XDG_STATE_HOME")
        .or_else(|| directory("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| directory("HOME").map(|home| home.join(".local/state")))?;
    Some(base.join("gridbug"))
}

/// Writes a file so that a crash, a kill or a full disk leaves either the old or the new content,
/// never a part of it: the text goes to a temporary file in the same directory, which then replaces
/// the old one. Symbolic links are followed, and the permissions of an existing file are kept.
fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    // The directory would allow replacing it.
    if existing
        .as_ref()
        .is_some_and(|m| m.permissions().readonly())
    {
        let kind = io::ErrorKind::PermissionDenied;
        return Err(io::Error::new(kind, "the file is read-only"));
    }
    // A device or pipe cannot be replaced by a file.
    if existing.as_ref().is_some_and(|m| !m.is_file()) {
        return fs::write(&target, text);
    }
    let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.tmp", std::process::id()));
    let temporary = target.with_file_name(temporary_name);
    let result = write_synced(&temporary, text, existing.map(|m| m.permissions()))
        .and_then(|()| fs::rename(&temporary, &target));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

fn write_synced(path: &Path, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut file = File::create(path)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Options for creating a new file that other users cannot read. Opening fails if the file exists.
pub fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("gridbug-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn writing_replaces_the_content_and_leaves_no_temporary_file() {
        let directory = directory("replace");
        let path = directory.join("game.gl");
        write_atomically(&path, "old").unwrap();
        write_atomically(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(&directory), ["game.gl"]);
    }

    #[cfg(unix)]
    #[test]
    fn writing_through_a_link_keeps_the_link_and_the_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let directory = directory("link");
        let (file, link) = (directory.join("game.gl"), directory.join("link.gl"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let directory = directory("read-only");
        let path = directory.join("game.gl");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let error = write_atomically(&path, "new").unwrap_err();
        assert_eq!(error.to_string(), "the file is read-only");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn a_failing_write_leaves_nothing_behind() {
        let directory = directory("fail");
        let path = directory.join("missing").join("game.gl");
        assert!(write_atomically(&path, "text").is_err());
        assert_eq!(names(&directory), [] as [String; 0]);
    }
}
