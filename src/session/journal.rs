//! The journal: all that is typed, on disk before the next prompt, so that nothing is lost with the program.
//!
//! It is a session file without answers, written part by part, each with a blank line behind it. A file belongs to
//! one process, which holds its lock as long as it lives: one that can be locked by another was left behind. Who
//! leaves properly takes the file away.

use super::session_file::{ProgramRef, SessionFile, SessionItem, parse_intact_prefix};
use super::{Session, StartConfig, TranscriptEntry};
use crate::host::private_file_options;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A journal that nobody took up goes when so many newer ones lie there, or after so long.
const MOST: usize = 20;
const OLDEST: Duration = Duration::from_secs(60 * 24 * 3600);
const EMPTY: Duration = Duration::from_secs(60);

pub struct Journal {
    folder: PathBuf,
    /// Open and locked from the first thing typed on.
    file: Option<(PathBuf, File)>,
    /// What is on disk for certain, in bytes.
    length: u64,
    /// What is not written yet: at first the head, later what a full disk did not take.
    pending: String,
    /// Written since the disk was last asked to keep it.
    unsure: bool,
    trouble: Trouble,
}

enum Trouble {
    None,
    ToTell(String),
    Told,
}

impl Journal {
    /// One for a session that begins; nothing is written before something is typed.
    pub fn new(folder: PathBuf, session: &Session) -> Journal {
        let mut head = full_session_file(session).to_text();
        head.push('\n');
        Journal {
            folder,
            file: None,
            length: 0,
            pending: head,
            unsure: false,
            trouble: Trouble::None,
        }
    }

    pub fn dir(&self) -> &Path {
        &self.folder
    }

    /// Writes down one thing that was typed, before it is answered.
    pub fn record(&mut self, exchange: &TranscriptEntry) {
        // These leave the session as it is.
        if !matches!(
            exchange.command,
            Some("save" | "test" | "edit" | "history" | "help" | "quit" | "resume")
        ) {
            self.append(&exchange.to_session_item());
        }
    }

    pub(super) fn append(&mut self, part: &SessionItem) {
        part.write_to(&mut self.pending);
        self.pending.push('\n');
        if let Err(e) = self.write() {
            self.complain(&e);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(create(&self.folder)?);
        }
        let Some((_, file)) = &mut self.file else {
            return Ok(());
        };
        if let Err(e) = file.write_all(self.pending.as_bytes()) {
            // Half a line would spoil what comes after it.
            let _ = file
                .set_len(self.length)
                .and_then(|()| file.seek(SeekFrom::Start(self.length)));
            return Err(e);
        }
        self.length += self.pending.len() as u64;
        self.pending.clear();
        self.unsure = true;
        Ok(())
    }

    /// Waits until the disk has it: a process that is killed loses nothing that was written, a power cut might.
    pub fn sync(&mut self) {
        let Some((_, file)) = self
            .file
            .as_ref()
            .filter(|_| std::mem::take(&mut self.unsure))
        else {
            return;
        };
        if let Err(e) = file.sync_data() {
            self.complain(&e);
        }
    }

    fn complain(&mut self, e: &io::Error) {
        if matches!(self.trouble, Trouble::None) {
            let folder = self.folder.display();
            self.trouble = Trouble::ToTell(format!(
                "what you type can't be kept in {folder} ({e}): if gridbug is killed, it is lost; `:save FILE` keeps it"
            ));
        }
    }

    /// What is wrong, once.
    pub fn take_warning(&mut self) -> Option<String> {
        match std::mem::replace(&mut self.trouble, Trouble::Told) {
            Trouble::ToTell(words) => Some(words),
            other => {
                self.trouble = other;
                None
            }
        }
    }

    /// The person leaves: there is nothing to be brought back.
    pub fn delete(self) {
        if let Some((path, file)) = self.file {
            // Windows takes no file away that is open.
            drop(file);
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A file of one's own, locked, in a folder that is made if need be.
fn create(folder: &Path) -> io::Result<(PathBuf, File)> {
    std::fs::create_dir_all(folder)?;
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let mut tries = 0;
    loop {
        let path = folder.join(format!("{now}-{}-{tries}.session", std::process::id()));
        match private_file_options().open(&path) {
            Ok(file) => {
                // Somebody may be looking at it just now. Where locks are not known, it is still one's own.
                let _ = (0..20).any(|_| file.try_lock().is_ok() || pause());
                // The file's name must outlast a power cut too; where folders can't be opened, it does anyway.
                let _ = File::open(folder).and_then(|f| f.sync_all());
                return Ok((path, file));
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
            Err(e) => return Err(e),
        }
    }
}

fn pause() -> bool {
    std::thread::sleep(Duration::from_millis(5));
    false
}

/// The whole session as a file without answers, with all that is needed to bring it back.
pub fn full_session_file(session: &Session) -> SessionFile {
    let transcript = &session.transcript;
    let mut file = new_session_file(session, &transcript.session_start);
    let absolute = |path: &String| {
        std::path::absolute(path).map_or_else(|_| path.clone(), |p| p.display().to_string())
    };
    file.program_path = session.file.as_ref().map(absolute);
    file.items = transcript
        .entries
        .iter()
        .filter(|e| !e.is_internal)
        .map(TranscriptEntry::to_session_item)
        .collect();
    file
}

/// A session file that begins as a session or its game did.
pub fn new_session_file(session: &Session, beginning: &StartConfig) -> SessionFile {
    let program = beginning
        .program
        .clone()
        .map(|(name, text)| ProgramRef::Inline { name, text });
    SessionFile {
        language: session.language().info().name.to_string(),
        seed: beginning.seed,
        program: program.unwrap_or_default(),
        ..SessionFile::default()
    }
}

/// A journal that was left behind.
pub struct OrphanJournal {
    pub path: PathBuf,
    pub modified: SystemTime,
    pub file: SessionFile,
    length: usize,
    held: File,
}

impl OrphanJournal {
    /// Takes it if nobody else has it: locked, and read as far as it is whole.
    fn take(path: PathBuf) -> Option<OrphanJournal> {
        let mut held = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        held.try_lock().ok()?;
        let mut bytes = Vec::new();
        held.read_to_end(&mut bytes).ok()?;
        let when = held
            .metadata()
            .and_then(|m| m.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH);
        match parse_intact_prefix(&bytes) {
            Some((file, length)) if !file.items.is_empty() => Some(OrphanJournal {
                path,
                modified: when,
                file,
                length,
                held,
            }),
            // It was torn before anything was in it; unless somebody is just making it.
            _ => {
                drop(held);
                if when.elapsed().is_ok_and(|age| age > EMPTY) {
                    let _ = std::fs::remove_file(&path);
                }
                None
            }
        }
    }

    /// The journal goes on behind what is whole of it.
    pub fn resume(mut self) -> io::Result<Journal> {
        let length = self.length as u64;
        self.held.set_len(length)?;
        self.held.seek(SeekFrom::Start(length))?;
        let folder = self.path.parent().unwrap_or(Path::new("")).to_path_buf();
        let file = Some((self.path, self.held));
        Ok(Journal {
            folder,
            file,
            length,
            pending: String::new(),
            unsure: false,
            trouble: Trouble::None,
        })
    }

    /// Nobody wants it any more.
    pub fn delete(self) {
        drop(self.held);
        let _ = std::fs::remove_file(self.path);
    }
}

/// The journals that were left behind, newest first. As long as they are held, nobody else takes them.
pub fn orphan_journals(folder: &Path) -> Vec<OrphanJournal> {
    let entries = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path());
    let journals = entries.filter(|p| p.extension().is_some_and(|e| e == "session"));
    let mut found: Vec<OrphanJournal> = journals.filter_map(OrphanJournal::take).collect();
    found.sort_by_key(|l| std::cmp::Reverse(l.modified));
    let old = |l: &OrphanJournal| l.modified.elapsed().is_ok_and(|age| age > OLDEST);
    let keep = found.iter().take(MOST).take_while(|l| !old(l)).count();
    found.drain(keep..).for_each(OrphanJournal::delete);
    found
}
