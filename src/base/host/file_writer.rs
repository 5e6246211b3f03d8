//! Writes whole files: whatever happens meanwhile (a crash, a kill, a full disk, a power cut), there is
//! either the old or the new content, never a part of it.
//!
//! The content goes to a temporary file in the same directory, which then gets the name of the old one. The
//! temporary file has a random name and must be new, so that nobody can prepare a link in its place. It is
//! locked while it is written: one that can be locked was left behind by a process that is gone, and the
//! next writer of the same file removes it.

use super::disk::{Access, Disk, DiskFile, FileInfo};
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// The name of a temporary file is the name of the file between a dot and this, and random digits.
const TEMPORARY_MARK: &str = ".gridbug-";
/// Attempts to write a file whose temporary file was taken for one that was left behind.
const MAX_ATTEMPTS: usize = 5;

/// Who can read a new file. An existing one keeps its permissions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readers {
    /// Those who can read other new files.
    Usual,
    /// The user alone.
    UserOnly,
}

/// Writes files on a disk.
pub struct FileWriter<'d> {
    disk: &'d dyn Disk,
}

impl<'d> FileWriter<'d> {
    /// A writer for the files of a disk.
    pub fn new(disk: &'d dyn Disk) -> FileWriter<'d> {
        FileWriter { disk }
    }

    /// Replaces a file, or creates it. Symbolic links are followed. What is not a file, such as a device,
    /// is written as it is.
    pub fn replace(&self, path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
        let target = self.disk.resolved(path);
        let existing = match self.disk.info(&target) {
            Ok(info) => Some(info),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        let permissions = existing.as_ref().and_then(|info| info.permissions.as_ref());
        // The directory would allow replacing it.
        if permissions.is_some_and(|permissions| permissions.readonly()) {
            let kind = io::ErrorKind::PermissionDenied;
            return Err(io::Error::new(kind, "the file is read-only"));
        }
        if existing.as_ref().is_some_and(|info| info.is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if existing.as_ref().is_some_and(|info| !info.is_file) {
            return self.disk.open(&target, Access::Write)?.write(content);
        }
        self.with_temporary(&target, content, readers, existing.as_ref(), |temporary| {
            self.disk.rename(temporary, &target)
        })
    }

    /// Creates a file. Fails with `AlreadyExists` if there is one.
    pub fn create(&self, path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
        let exists = || io::Error::from(io::ErrorKind::AlreadyExists);
        if self.disk.info(path).is_ok() {
            return Err(exists());
        }
        self.with_temporary(path, content, readers, None, |temporary| {
            match self.disk.link(temporary, path) {
                Ok(()) => self.disk.remove(temporary),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(exists()),
                // Some disks have no second names.
                Err(_) if self.disk.info(path).is_ok() => Err(exists()),
                Err(_) => self.disk.rename(temporary, path),
            }
        })
    }

    /// Writes a temporary file, and gives it its name with `place`.
    fn with_temporary(
        &self,
        target: &Path,
        content: &[u8],
        readers: Readers,
        existing: Option<&FileInfo>,
        place: impl Fn(&Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let directory = directory_of(target);
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(TEMPORARY_MARK);
        self.remove_leftovers(&directory, &prefix);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut temporary_name = prefix.clone();
            temporary_name.push(format!("{:016x}.tmp", random_number()));
            let temporary = directory.join(temporary_name);
            let result = self
                .write_temporary(&temporary, content, readers, existing)
                .and_then(|file| place(&temporary).map(|()| drop(file)));
            match result {
                Ok(()) => break,
                Err(e) => {
                    let _ = self.disk.remove(&temporary);
                    // Another process may have taken it for a leftover before it was locked.
                    let is_retried = match e.kind() {
                        io::ErrorKind::NotFound => self.disk.names(&directory).is_ok(),
                        io::ErrorKind::AlreadyExists => self.disk.info(target).is_err(),
                        _ => false,
                    };
                    if !is_retried || attempt == MAX_ATTEMPTS {
                        return Err(e);
                    }
                }
            }
        }
        self.disk.sync_dir(&directory)
    }

    fn write_temporary(
        &self,
        path: &Path,
        content: &[u8],
        readers: Readers,
        existing: Option<&FileInfo>,
    ) -> io::Result<Box<dyn DiskFile>> {
        // Nobody can read the content before the permissions are those of the old file.
        let access = match (existing, readers) {
            (None, Readers::Usual) => Access::New,
            _ => Access::NewPrivate,
        };
        let mut file = self.disk.open(path, access)?;
        // Disks without locks never find leftovers.
        let _ = file.try_lock();
        if let Some(permissions) = existing.and_then(|info| info.permissions.clone()) {
            file.set_permissions(permissions)?;
        }
        file.write(content)?;
        file.sync()?;
        Ok(file)
    }

    /// Removes the temporary files of processes that ended while they wrote the same file.
    fn remove_leftovers(&self, directory: &Path, prefix: &OsString) {
        let prefix = prefix.as_encoded_bytes();
        for name in self.disk.names(directory).unwrap_or_default() {
            let bytes = name.as_encoded_bytes();
            if !bytes.starts_with(prefix) || !bytes.ends_with(b".tmp") {
                continue;
            }
            let path = directory.join(&name);
            let file = self.disk.open(&path, Access::Write);
            if file.is_ok_and(|mut file| file.try_lock().is_ok()) {
                let _ = self.disk.remove(&path);
            }
        }
    }
}

/// The directory of a file; `.` for a bare name.
pub(super) fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// A number that no other process can know. The standard library draws the keys of its hash tables from
/// the operating system.
pub(super) fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests;
