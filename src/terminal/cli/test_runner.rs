//! `gridbug test PATH…`: replays session files and compares the replies.

use crate::command;
use crate::explorer::SearchLimits;
use crate::host::{Host, NativeHost};
use crate::session::session_file::SessionFile;
use crate::session::{Line, Style, Trust, count_noun, read_text};
use crate::terminal::output::Screen;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

/// Replays all session files; with `update`, rewrites those whose replies changed.
pub fn run(
    paths: &[String],
    update: bool,
    trust: Trust,
    screen: &mut Screen,
) -> io::Result<ExitCode> {
    let mut files = Vec::new();
    for path in paths {
        collect(Path::new(path), &mut files);
    }
    if files.is_empty() {
        screen.print_text("no session files found")?;
        return Ok(ExitCode::FAILURE);
    }
    let mut failed = 0;
    for file in &files {
        let name = file.to_string_lossy();
        match replay_file(&name, update, trust) {
            Ok((summary, differences)) => {
                let is_failure = !differences.is_empty();
                failed += usize::from(is_failure);
                let status = if is_failure {
                    Line::styled(Style::Error, "FAILED  ")
                } else {
                    Line::styled(Style::Changed, "ok      ")
                };
                screen.print_line(&status.with(Style::Plain, format!("{name}  {summary}")))?;
                screen.print_lines(&differences)?;
            }
            Err(reason) => {
                failed += 1;
                screen.print_line(
                    &Line::styled(Style::Error, "FAILED  ").with(Style::Plain, reason),
                )?;
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

/// Collects the session files of a directory recursively, sorted by name; a file is taken as is.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        files.push(path.to_path_buf());
        return;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        // A pipe of that name would never end.
        if path.is_dir() || path.is_file() && path.extension().is_some_and(|e| e == "session") {
            collect(&path, files);
        }
    }
}

/// Replays one file. Returns a summary and the differences.
fn replay_file(name: &str, update: bool, trust: Trust) -> Result<(String, Vec<Line>), String> {
    let host = Rc::new(NativeHost::new());
    let text = read_text(host.as_ref(), name)?;
    let file = SessionFile::parse(&text).map_err(|reason| format!("{name}: {reason}"))?;
    let dir = Path::new(name).parent().unwrap_or(Path::new(""));
    let replayed =
        command::replay_with_limits(&file, dir, host.clone(), SearchLimits::default(), trust)
            .map_err(|reason| format!("{name}: {reason}"))?;
    let changed = replayed.mismatches().count();
    let differences = match update {
        true => crate::render::mismatch_lines(&[], &replayed.problems),
        false => replayed.mismatch_report(),
    };
    let count = replayed.entries.len();
    if update {
        let new = file
            .with_replies(replayed.entries.into_iter().map(|entry| entry.actual))
            .to_text();
        if new == text || changed == 0 {
            return Ok(("unchanged".into(), differences));
        }
        host.write(name, &new)
            .map_err(|e| format!("cannot write {name}: {e}"))?;
        let replies = count_noun(changed, "reply", "replies");
        return Ok((format!("{replies} updated"), differences));
    }
    Ok((
        format!("{} of {count} replies match", count - changed),
        differences,
    ))
}
