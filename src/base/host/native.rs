//! The files and the clock of the operating system.

use super::disk::{Access, Disk, DiskFile, NativeDisk};
use super::file_writer::{FileWriter, Readers};
use super::{DirectoryEntry, Host};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The host of a native process.
pub struct NativeHost {
    started_at: Instant,
    disk: Rc<dyn Disk>,
}

impl NativeHost {
    /// A host whose clock starts now.
    pub fn new() -> NativeHost {
        NativeHost::on(Rc::new(NativeDisk))
    }

    /// A host with another disk.
    pub fn on(disk: Rc<dyn Disk>) -> NativeHost {
        NativeHost {
            started_at: Instant::now(),
            disk,
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
        let path = Path::new(path);
        if self.disk.info(path)?.is_dir {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // The length of a pipe is unknown, so the limit applies to what is read.
        self.disk.open(path, Access::Read)?.read(max_bytes)
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let writer = FileWriter::new(self.disk.as_ref());
        writer.replace(path.as_ref(), text.as_bytes(), Readers::Usual)
    }

    fn is_regular_file(&self, path: &str) -> bool {
        self.disk.info(path.as_ref()).is_ok_and(|info| info.is_file)
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

/// Replaces a file, or creates it, on the disk of the operating system; see [`FileWriter::replace`].
pub fn replace_file(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    FileWriter::new(&NativeDisk).replace(path, content, readers)
}

/// Creates a file that must not exist; see [`FileWriter::create`].
pub fn create_file(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    FileWriter::new(&NativeDisk).create(path, content, readers)
}

/// Opens a file that the user alone can read to append to it, and locks it. One that others can read is
/// closed to them.
pub fn append_to_private(path: &Path) -> io::Result<Box<dyn DiskFile>> {
    let mut file = NativeDisk.open(path, Access::Append)?;
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        // Fails if the file belongs to another user.
        let _ = file.set_permissions(mode);
    }
    let _ = file.lock();
    Ok(file)
}

/// Removes a file.
pub fn remove_file(path: &Path) -> io::Result<()> {
    NativeDisk.remove(path)
}

/// Creates a directory for the user alone.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    NativeDisk.create_private_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> io::Result<()> {
        replace_file(path, text.as_bytes(), Readers::Usual)
    }

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
        write(&path, "old").unwrap();
        write(&path, "new").unwrap();
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
        write(&link, "new").unwrap();
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
        let error = write(&path, "new").unwrap_err();
        assert_eq!(error.to_string(), "the file is read-only");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn a_failing_write_leaves_nothing_behind() {
        let directory = directory("fail");
        let path = directory.join("missing").join("game.gl");
        assert!(write(&path, "text").is_err());
        assert_eq!(names(&directory), [] as [String; 0]);
    }
}
