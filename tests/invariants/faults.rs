//! Every operation on a file fails once: no file is left with a part of its content, nothing that was
//! confirmed is lost, and the message names the file.
//!
//! Twice: in a session on a disk that fails, and in the binary, with a library that is loaded before the
//! system's.

use gridbug::answer::Control;
use gridbug::command::{finish_recording, handle_line, open_sample, restore_session};
use gridbug::host::disk::{Access, Disk, DiskFile, FileInfo, NativeDisk};
use gridbug::host::{JournalDir, JournalStore, NativeHost};
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::{Journal, Session, StoredJournals};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::Permissions;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Counts operations; one of them fails.
#[derive(Default)]
struct Faults {
    count: Cell<usize>,
    fails_at: Cell<Option<(usize, io::ErrorKind)>>,
}

impl Faults {
    fn operate(&self) -> io::Result<()> {
        let number = self.count.replace(self.count.get() + 1);
        match self.fails_at.get() {
            Some((at, kind)) if at == number => Err(kind.into()),
            _ => Ok(()),
        }
    }
}

/// The disk of the operating system, on which an operation fails.
struct FaultyDisk(Rc<Faults>);

struct FaultyFile(Rc<Faults>, Box<dyn DiskFile>);

impl Disk for FaultyDisk {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn DiskFile>> {
        self.0.operate()?;
        let file = NativeDisk.open(path, access)?;
        Ok(Box::new(FaultyFile(self.0.clone(), file)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.operate()?;
        NativeDisk.rename(from, to)
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        self.0.operate()?;
        NativeDisk.link(file, name)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.operate()?;
        NativeDisk.remove(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.0.operate()?;
        NativeDisk.sync_dir(path)
    }

    fn create_private_dir(&self, path: &Path) -> io::Result<()> {
        self.0.operate()?;
        NativeDisk.create_private_dir(path)
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.0.operate()?;
        NativeDisk.names(directory)
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        self.0.operate()?;
        NativeDisk.info(path)
    }

    fn resolved(&self, path: &Path) -> PathBuf {
        NativeDisk.resolved(path)
    }
}

impl DiskFile for FaultyFile {
    fn read(&mut self, max_bytes: u64) -> io::Result<Vec<u8>> {
        self.0.operate()?;
        self.1.read(max_bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(e) = self.0.operate() {
            // A full disk takes a part of it.
            self.1.write(&bytes[..bytes.len() / 2])?;
            return Err(e);
        }
        self.1.write(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.operate()?;
        self.1.truncate(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        // The content is not of interest here: only a power cut would show the difference.
        self.0.operate()
    }

    fn try_lock(&mut self) -> io::Result<()> {
        self.0.operate()?;
        self.1.try_lock()
    }

    fn lock(&mut self) -> io::Result<()> {
        self.0.operate()?;
        self.1.lock()
    }

    fn set_permissions(&mut self, permissions: Permissions) -> io::Result<()> {
        self.0.operate()?;
        self.1.set_permissions(permissions)
    }

    fn length(&self) -> io::Result<u64> {
        self.0.operate()?;
        self.1.length()
    }

    fn age(&self) -> Duration {
        self.1.age()
    }
}

fn new_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The files of a folder, without journals.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    files
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        })
        .collect()
}

/// Something to type, with a folder in place of `DIR`, and the file that it writes.
const LINES: [(&str, Option<&str>); 9] = [
    ("click{1,1}", None),
    (":save DIR/game.gl", Some("game.gl")),
    ("def n {2}", None),
    (":save DIR/one.session", Some("one.session")),
    (":save DIR/game.gl --replace", Some("game.gl")),
    (":record DIR/two.session", None),
    ("click{0,0}", None),
    (":load DIR/one.session", None),
    ("n + 40", None),
];

/// What a run has left.
struct Run {
    /// The files after each line.
    files: Vec<BTreeMap<String, String>>,
    operations: usize,
}

/// Runs the lines on a disk on which an operation fails.
fn run(folder: &Path, fault: Option<(usize, io::ErrorKind)>) -> Run {
    let faults = Rc::new(Faults::default());
    let disk: Rc<dyn Disk> = Rc::new(FaultyDisk(faults.clone()));
    let host = Rc::new(NativeHost::on(disk.clone()));
    let mut session = Session::with_host(languages::ALL[0], 1, host);
    open_sample(&mut session);
    let store: Rc<dyn JournalStore> = Rc::new(JournalDir::on(disk, folder.join("journal")));
    session.journal = Some(Journal::new(store, &session));
    faults.fails_at.set(fault);
    let (mut seen, mut confirmed, mut is_warned) = (Vec::new(), Vec::new(), false);
    for (line, writes) in LINES {
        let line = line.replace("DIR", folder.to_str().unwrap());
        let before = files(folder);
        let answer = handle_line(&mut session, &line);
        let after = files(folder);
        let text = answer.text();
        is_warned |= text.contains("cannot write the journal");
        if let Some(name) = writes {
            let has_changed = before.get(name) != after.get(name);
            assert!(
                answer.ok || text.contains(name),
                "{fault:?}, {line}: {text}"
            );
            assert!(!answer.ok || has_changed, "{fault:?}, {line}: {text}");
        }
        if !is_warned && answer.control != Some(Control::Cancelled) {
            confirmed.push(line);
        }
        seen.push(after);
    }
    let ended = finish_recording(&mut session);
    seen.push(files(folder));
    let recorded = ended.is_some_and(|answer| answer.ok);
    assert!(
        !recorded || seen[9].contains_key("two.session"),
        "{fault:?}"
    );
    let operations = faults.count.get();
    faults.fails_at.set(None);
    session.journal = None;
    // Nothing that was confirmed is lost.
    let store: Rc<dyn JournalStore> = Rc::new(JournalDir::new(folder.join("journal")));
    // A process that another test is starting inherits the lock for a moment.
    let start = Instant::now();
    let stored = loop {
        let stored = StoredJournals::all(&store);
        if !stored.journals.is_empty() || confirmed.is_empty() {
            break stored;
        }
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{fault:?}: no journal"
        );
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(stored.damaged.is_empty(), "{fault:?}");
    let is_command = |line: &&String| !line.starts_with(":save") && !line.starts_with(":load");
    let journaled: Vec<String> = stored.journals.first().map_or(Vec::new(), |journal| {
        restore_session(&journal.file, &session).expect("restored");
        let inputs = journal.file.items.iter().filter_map(|item| item.as_input());
        inputs.map(|input| input.text.clone()).collect()
    });
    for line in confirmed.iter().filter(is_command) {
        assert!(
            journaled.contains(line),
            "{fault:?}: {line} in {journaled:#?}"
        );
    }
    Run {
        files: seen,
        operations,
    }
}

#[test]
fn any_operation_can_fail_in_a_session() {
    let folder = new_folder("faults");
    let intact = run(&folder, None);
    let mut contents: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, text) in intact.files.iter().flatten() {
        let text = text.replace(folder.to_str().unwrap(), "DIR");
        contents.entry(name.clone()).or_default().push(text);
    }
    let mut runs = 0;
    for kind in [
        io::ErrorKind::StorageFull,
        io::ErrorKind::Other,
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::Interrupted,
    ] {
        for number in 0..intact.operations {
            let folder = new_folder(&format!("faults-{number}"));
            let run = run(&folder, Some((number, kind)));
            runs += 1;
            for (name, text) in run.files.iter().flatten() {
                let context = format!("{kind:?} at operation {number}: {name}");
                // Only if the very removal fails, a temporary file stays, until the next write.
                if name.ends_with(".tmp") {
                    continue;
                }
                let text = text.replace(folder.to_str().unwrap(), "DIR");
                // A session that was not loaded is another one.
                let is_session = name == "two.session";
                assert!(
                    is_session || contents[name].contains(&text),
                    "{context}:\n{text}"
                );
                assert!(text.ends_with('\n'), "{context}");
            }
            std::fs::remove_dir_all(&folder).unwrap();
        }
    }
    println!("{runs} runs, {} operations each", intact.operations);
}

/// The errors with which an operation fails, by their numbers on Linux: EINTR, EIO, EACCES, ENOSPC.
const ERRORS: [u32; 4] = [4, 5, 13, 28];

/// The library, compiled; `None` without a C compiler.
fn preloaded_library() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invariants/faults/preload.c");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libfaults.so");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl");
    let done = compiler
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    done.success().then_some(library)
}

/// A file that a command writes, what was in it, and the arguments.
const COMMANDS: [(&str, Option<&str>, &[&str]); 4] = [
    ("new.gl", None, &["new", "FILE"]),
    (
        "messy.gl",
        Some("board   {dimensions {1,1} image {b.png}}\n"),
        &["fmt", "FILE"],
    ),
    (
        "old.session",
        Some("language gridlok\nseed 1\n\n--- session\n\n> 6 * 7\n  = 41\n"),
        &["test", "--update", "FILE"],
    ),
    (
        "saved.gl",
        None,
        &[
            "--lang",
            "gridlok",
            "--eval",
            "def n {1}",
            "--eval",
            ":save FILE",
        ],
    ),
];

#[test]
#[cfg(target_os = "linux")]
fn any_operation_can_fail_in_the_binary() {
    let Some(library) = preloaded_library() else {
        println!("SKIPPED: there is no C compiler");
        return;
    };
    let mut runs = 0;
    for (name, old, arguments) in COMMANDS {
        for error in ERRORS {
            for number in 0.. {
                let folder = new_folder("preload");
                let path = folder.join(name);
                if let Some(text) = old {
                    std::fs::write(&path, text).unwrap();
                }
                let count = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault-count");
                let arguments = arguments.iter();
                let done = Command::new(env!("CARGO_BIN_EXE_gridbug"))
                    .args(arguments.map(|a| a.replace("FILE", path.to_str().unwrap())))
                    .env("LD_PRELOAD", &library)
                    .env("FAULT_DIR", &folder)
                    .env("FAULT_AT", number.to_string())
                    .env("FAULT_ERRNO", error.to_string())
                    .env("FAULT_COUNT", &count)
                    .stdin(Stdio::null())
                    .output()
                    .unwrap();
                runs += 1;
                let operations = std::fs::read_to_string(&count).unwrap();
                let is_hit = number < operations.parse().unwrap();
                let text = [&done.stdout[..], &done.stderr].concat();
                let text = String::from_utf8(text).unwrap();
                let context = format!("{name}, error {error} at operation {number}:\n{text}");
                let left = files(&folder);
                let is_old = left.get(name).map(String::as_str) == old;
                let found = left.get(name).map_or("", String::as_str);
                assert!(
                    is_old || found.ends_with('\n') && found.len() > 3,
                    "{context}"
                );
                match done.status.code() {
                    Some(0) => assert!(!is_old, "{context}"),
                    Some(1) => assert!(is_hit && text.contains(name), "{context}"),
                    code => panic!("exit code {code:?}: {context}"),
                }
                if !is_hit {
                    break;
                }
            }
        }
    }
    println!("{runs} runs");
}
