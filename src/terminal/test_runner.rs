//! `gridbug test PATH…`: session files played again and compared.

use super::output::Screen;
use crate::command;
use crate::session::session_file::SessionFile;
use crate::session::{Line, Style, read_text};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub fn run(paths: &[String], update: bool, screen: &mut Screen) -> io::Result<ExitCode> {
    let mut files = Vec::new();
    for path in paths {
        collect(Path::new(path), &mut files);
    }
    if files.is_empty() {
        screen.print_text("there are no session files in it")?;
        return Ok(ExitCode::FAILURE);
    }
    let mut failed = 0;
    for file in &files {
        let name = file.to_string_lossy();
        match one(&name, update) {
            Ok((words, differences)) => {
                let bad = !update && !differences.is_empty();
                failed += usize::from(bad);
                let mark = if bad {
                    Line::styled(Style::Error, "FAILED  ")
                } else {
                    Line::styled(Style::Changed, "ok      ")
                };
                screen.print_line(&mark.with(Style::Plain, format!("{name}  {words}")))?;
                screen.print_lines(&differences)?;
            }
            Err(why) => {
                failed += 1;
                screen
                    .print_line(&Line::styled(Style::Error, "FAILED  ").with(Style::Plain, why))?;
            }
        }
    }
    screen.print_text(&format!("{} passed, {failed} failed", files.len() - failed))?;
    screen.flush()?;
    Ok(if failed > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The session files of a folder, in order of their names; anything else is taken as a file.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        files.push(path.to_path_buf());
        return;
    };
    let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    inside.sort();
    for path in inside {
        if path.is_dir() || path.extension().is_some_and(|e| e == "session") {
            collect(&path, files);
        }
    }
}

/// Plays one: a few words about it, and the differences.
fn one(name: &str, update: bool) -> Result<(String, Vec<Line>), String> {
    let text = read_text(name)?;
    let file = SessionFile::parse(&text).map_err(|why| format!("{name}: {why}"))?;
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let played = command::replay(&file, folder, None).map_err(|why| format!("{name}: {why}"))?;
    let differing = played.mismatches().count();
    let differences = played.mismatch_report();
    let count = played.entries.len();
    if update {
        let new = file
            .with_replies(played.entries.into_iter().map(|c| c.actual))
            .to_text();
        if new == text || differing == 0 {
            return Ok(("as it was".into(), Vec::new()));
        }
        std::fs::write(name, new).map_err(|e| format!("{name} can't be written: {e}"))?;
        return Ok((format!("{differing} answers written"), Vec::new()));
    }
    Ok((
        format!("{} of {count} answers right", count - differing),
        differences,
    ))
}
