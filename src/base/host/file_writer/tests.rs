//! Every operation of the disk fails once, and the power is cut before every operation.

use super::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::rc::Rc;
use std::time::Duration;

/// A change of the names in a directory.
#[derive(Clone)]
enum NameChange {
    Set(PathBuf, usize),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf, usize),
}

/// The content of a file, as programs see it and as it is on the disk.
#[derive(Clone, Default)]
struct Content {
    cached: Vec<u8>,
    synced: Vec<u8>,
}

/// What happens at an operation.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    /// It fails, once.
    Error(io::ErrorKind),
    /// It and everything after it does not happen.
    PowerCut,
}

#[derive(Clone, Default)]
struct State {
    contents: Vec<Content>,
    names: BTreeMap<PathBuf, usize>,
    /// The names that are on the disk.
    durable: BTreeMap<PathBuf, usize>,
    /// The changes that are not.
    pending: Vec<NameChange>,
    operations: usize,
    trouble: Option<(usize, Trouble)>,
}

/// A disk in memory that knows what would survive a power cut.
#[derive(Clone, Default)]
struct SimulatedDisk(Rc<RefCell<State>>);

struct SimulatedFile(SimulatedDisk, usize);

impl State {
    fn operate(&mut self) -> io::Result<()> {
        let number = self.operations;
        self.operations += 1;
        match self.trouble {
            Some((at, Trouble::Error(kind))) if at == number => Err(kind.into()),
            Some((at, Trouble::PowerCut)) if at <= number => Err(io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        }
    }

    fn change(&mut self, change: NameChange) {
        apply(&mut self.names, &change);
        self.pending.push(change);
    }

    fn find(&self, path: &Path) -> io::Result<usize> {
        let found = self.names.get(path).copied();
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// What the file can be after the power was cut now: any of the changes that were not synced may be
    /// lost, and unsynced content may be cut short.
    fn after_power_cut(&self, path: &Path) -> Vec<Option<Vec<u8>>> {
        let mut found = Vec::new();
        for subset in 0..1_u32 << self.pending.len() {
            let mut names = self.durable.clone();
            let kept = |n: &usize| subset & (1 << n) != 0;
            for n in (0..self.pending.len()).filter(kept) {
                apply(&mut names, &self.pending[n]);
            }
            let Some(content) = names.get(path).map(|index| &self.contents[*index]) else {
                found.push(None);
                continue;
            };
            found.push(Some(content.synced.clone()));
            if content.cached != content.synced {
                let half = content.cached.len() / 2;
                found.push(Some(content.cached[..half].to_vec()));
                found.push(Some(content.cached.clone()));
            }
        }
        found
    }
}

fn apply(names: &mut BTreeMap<PathBuf, usize>, change: &NameChange) {
    match change {
        NameChange::Set(path, index) => drop(names.insert(path.clone(), *index)),
        NameChange::Remove(path) => drop(names.remove(path)),
        NameChange::Rename(from, to, index) => {
            names.remove(from);
            names.insert(to.clone(), *index);
        }
    }
}

impl Disk for SimulatedDisk {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn DiskFile>> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        let index = match (access, state.find(path)) {
            (Access::Read | Access::Write, found) => found?,
            (Access::Append, Ok(found)) => found,
            (Access::New | Access::NewPrivate, Ok(_)) => {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            (_, Err(_)) => {
                state.contents.push(Content::default());
                let index = state.contents.len() - 1;
                state.change(NameChange::Set(path.to_path_buf(), index));
                index
            }
        };
        Ok(Box::new(SimulatedFile(self.clone(), index)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        let index = state.find(from)?;
        state.change(NameChange::Rename(from.into(), to.into(), index));
        Ok(())
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        let index = state.find(file)?;
        if state.find(name).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.change(NameChange::Set(name.into(), index));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        state.find(path)?;
        state.change(NameChange::Remove(path.into()));
        Ok(())
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        state.durable = state.names.clone();
        state.pending.clear();
        Ok(())
    }

    fn create_private_dir(&self, _: &Path) -> io::Result<()> {
        self.0.borrow_mut().operate()
    }

    fn names(&self, _: &Path) -> io::Result<Vec<OsString>> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        let names = state.names.keys().filter_map(|path| path.file_name());
        Ok(names.map(OsString::from).collect())
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        let mut state = self.0.borrow_mut();
        state.operate()?;
        state.find(path)?;
        Ok(FileInfo {
            is_file: true,
            is_dir: false,
            permissions: None,
        })
    }

    fn resolved(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }
}

impl SimulatedFile {
    fn with<R>(&self, work: impl FnOnce(&mut Content) -> R) -> io::Result<R> {
        let mut state = self.0.0.borrow_mut();
        state.operate()?;
        Ok(work(&mut state.contents[self.1]))
    }
}

impl DiskFile for SimulatedFile {
    fn read(&mut self, _: u64) -> io::Result<Vec<u8>> {
        self.with(|content| content.cached.clone())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.with(|content| content.cached.extend_from_slice(bytes));
        if written.is_err() {
            // A full disk takes a part of it.
            let mut state = self.0.0.borrow_mut();
            state.contents[self.1]
                .cached
                .extend_from_slice(&bytes[..bytes.len() / 2]);
        }
        written
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.with(|content| content.cached.truncate(length as usize))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.with(|content| content.synced = content.cached.clone())
    }

    fn try_lock(&mut self) -> io::Result<()> {
        self.with(|_| ())
    }

    fn lock(&mut self) -> io::Result<()> {
        self.with(|_| ())
    }

    fn set_permissions(&mut self, _: Permissions) -> io::Result<()> {
        self.with(|_| ())
    }

    fn length(&self) -> io::Result<u64> {
        self.with(|content| content.cached.len() as u64)
    }

    fn age(&self) -> Duration {
        Duration::ZERO
    }
}

/// A disk with a file, perhaps, and what a process left behind.
fn disk(old: Option<&str>) -> SimulatedDisk {
    let disk = SimulatedDisk::default();
    let mut state = disk.0.borrow_mut();
    let mut files = vec![("./.game.gl.gridbug-0123456789abcdef.tmp", "half")];
    files.extend(old.map(|text| ("./game.gl", text)));
    for (n, (path, text)) in files.into_iter().enumerate() {
        let text = text.as_bytes().to_vec();
        state.contents.push(Content {
            cached: text.clone(),
            synced: text,
        });
        state.names.insert(PathBuf::from(path), n);
    }
    state.durable = state.names.clone();
    drop(state);
    disk
}

type Action = fn(&FileWriter<'_>) -> io::Result<()>;

const ACTIONS: [(Option<&str>, Action); 3] = [
    (Some("old"), |writer| {
        writer.replace(Path::new("./game.gl"), b"new text", Readers::Usual)
    }),
    (None, |writer| {
        writer.replace(Path::new("./game.gl"), b"new text", Readers::UserOnly)
    }),
    (None, |writer| {
        writer.create(Path::new("./game.gl"), b"new text", Readers::Usual)
    }),
];

fn content(disk: &SimulatedDisk) -> Option<String> {
    let state = disk.0.borrow();
    let index = state.names.get(Path::new("./game.gl"))?;
    Some(String::from_utf8(state.contents[*index].cached.clone()).unwrap())
}

fn temporary_count(disk: &SimulatedDisk) -> usize {
    let state = disk.0.borrow();
    let names = state.names.keys();
    names
        .filter(|path| path.to_string_lossy().ends_with(".tmp"))
        .count()
}

#[test]
fn any_operation_can_fail() {
    for (old, action) in ACTIONS {
        for kind in [
            io::ErrorKind::StorageFull,
            io::ErrorKind::Other,
            io::ErrorKind::Interrupted,
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::NotFound,
        ] {
            for number in 0.. {
                let disk = disk(old);
                disk.0.borrow_mut().trouble = Some((number, Trouble::Error(kind)));
                let result = action(&FileWriter::new(&disk));
                let context = format!("{old:?}, {kind:?} at operation {number}: {result:?}");
                let is_new = content(&disk).as_deref() == Some("new text");
                assert!(is_new || content(&disk).as_deref() == old, "{context}");
                assert!(is_new || result.is_err(), "{context}");
                let operations = disk.0.borrow().operations;
                disk.0.borrow_mut().trouble = None;
                // What could not be removed is removed by the next writer.
                let writer = FileWriter::new(&disk);
                let path = Path::new("./game.gl");
                writer
                    .replace(path, b"last", Readers::Usual)
                    .expect("no trouble");
                writer
                    .replace(path, b"last", Readers::Usual)
                    .expect("no trouble");
                assert_eq!(content(&disk).as_deref(), Some("last"), "{context}");
                assert_eq!(temporary_count(&disk), 0, "{context}");
                if operations <= number {
                    break;
                }
            }
        }
    }
}

#[test]
fn the_power_can_be_cut_at_any_operation() {
    for (old, action) in ACTIONS {
        for number in 0.. {
            let disk = disk(old);
            disk.0.borrow_mut().trouble = Some((number, Trouble::PowerCut));
            let result = action(&FileWriter::new(&disk));
            let state = disk.0.borrow();
            for found in state.after_power_cut(Path::new("./game.gl")) {
                let text = found.map(|bytes| String::from_utf8(bytes).unwrap());
                let is_new = text.as_deref() == Some("new text");
                let context = format!("{old:?}, cut at {number}, {result:?}: {text:?}");
                assert!(is_new || text.as_deref() == old, "{context}");
                // What was confirmed stays.
                assert!(is_new || result.is_err(), "{context}");
            }
            if result.is_ok() {
                break;
            }
        }
    }
}

#[test]
fn an_existing_file_is_never_created_again() {
    let disk = disk(Some("old"));
    let path = Path::new("./game.gl");
    let error = FileWriter::new(&disk).create(path, b"new", Readers::Usual);
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(content(&disk).as_deref(), Some("old"));
}
