//! The operations on files that everything else is made of. This is the only module that opens files for
//! writing, or renames or removes them, so that a test can make each of these operations fail.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// To read it.
    Read,
    /// To read and write it. It must exist.
    Write,
    /// A new file. It must not exist; a symbolic link counts as a file.
    New,
    /// A new file that only the user can read.
    NewPrivate,
    /// To write at its end. A new one only the user can read.
    Append,
}

/// The files of the operating system, or of a test.
pub trait Disk {
    /// Opens a file.
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn DiskFile>>;

    /// Gives a file another name; a file of that name is replaced in one step.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name. Fails if there is a file of that name.
    fn link(&self, file: &Path, name: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names of the files in a directory are on disk.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;

    /// Creates a directory that only the user can read, with those around it, if it does not exist.
    fn create_private_dir(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory.
    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>>;

    /// What a file is; symbolic links are followed.
    fn info(&self, path: &Path) -> io::Result<FileInfo>;

    /// The path of the file that a symbolic link leads to.
    fn resolved(&self, path: &Path) -> PathBuf;
}

/// What is known about a file without reading it.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// Whether it has content of its own, unlike a directory, a device or a pipe.
    pub is_file: bool,
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Who may read and write it; `None` on a disk without permissions.
    pub permissions: Option<Permissions>,
}

/// An open file. The lock ends with it.
pub trait DiskFile {
    /// The content from the start, at most this many bytes of it.
    fn read(&mut self, max_bytes: u64) -> io::Result<Vec<u8>>;

    /// Writes all of it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Drops everything after the first `length` bytes, and continues there.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Waits until the content is on disk.
    fn sync(&mut self) -> io::Result<()>;

    /// Locks the file, unless another process has.
    fn try_lock(&mut self) -> io::Result<()>;

    /// Locks the file as soon as no other process has.
    fn lock(&mut self) -> io::Result<()>;

    /// Says who may read and write it.
    fn set_permissions(&mut self, permissions: Permissions) -> io::Result<()>;

    /// Its length in bytes.
    fn length(&self) -> io::Result<u64>;

    /// The time since it was last written.
    fn age(&self) -> Duration;
}

/// The files of the operating system.
pub struct NativeDisk;

impl Disk for NativeDisk {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn DiskFile>> {
        let mut options = OpenOptions::new();
        match access {
            Access::Read => options.read(true),
            Access::Write => options.read(true).write(true),
            Access::New | Access::NewPrivate => options.read(true).write(true).create_new(true),
            Access::Append => options.read(true).append(true).create(true),
        };
        #[cfg(unix)]
        if matches!(access, Access::NewPrivate | Access::Append) {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        Ok(Box::new(NativeFile(options.open(path)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        fs::hard_link(file, name)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // Some systems cannot open directories, and need not.
        if cfg!(not(unix)) {
            return Ok(());
        }
        match File::open(path)?.sync_all() {
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            result => result,
        }
    }

    fn create_private_dir(&self, path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        let entries = fs::read_dir(directory)?;
        Ok(entries.flatten().map(|entry| entry.file_name()).collect())
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        let metadata = fs::metadata(path)?;
        Ok(FileInfo {
            is_file: metadata.is_file(),
            is_dir: metadata.is_dir(),
            permissions: Some(metadata.permissions()),
        })
    }

    fn resolved(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| match fs::read_link(path) {
            // A link to a file that does not exist yet.
            Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => path.to_path_buf(),
        })
    }
}

struct NativeFile(File);

impl DiskFile for NativeFile {
    fn read(&mut self, max_bytes: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // A pipe has no start to go back to.
        let _ = self.0.seek(SeekFrom::Start(0));
        (&self.0).take(max_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length)).map(|_| ())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn try_lock(&mut self) -> io::Result<()> {
        self.0.try_lock().map_err(io::Error::from)
    }

    fn lock(&mut self) -> io::Result<()> {
        self.0.lock()
    }

    fn set_permissions(&mut self, permissions: Permissions) -> io::Result<()> {
        self.0.set_permissions(permissions)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn age(&self) -> Duration {
        let metadata = self.0.metadata();
        let modified = metadata.and_then(|metadata| metadata.modified());
        let now = SystemTime::now();
        now.duration_since(modified.unwrap_or(SystemTime::UNIX_EPOCH))
            .unwrap_or_default()
    }
}
