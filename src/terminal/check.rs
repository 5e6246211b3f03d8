//! `gridbug check FILE…`: what is wrong with programs, without running them.

use super::output::Screen;
use super::{detect_language, print_stderr, snippet};
use crate::diagnostic::{Diagnostic, truncate_errors};
use crate::session::{json_diagnostic, read_text};
use crate::source::{Origin, Sources};
use serde_json::json;
use std::io;
use std::process::ExitCode;

pub fn check(
    files: &[String],
    lang: Option<&str>,
    json: bool,
    screen: &mut Screen,
) -> io::Result<ExitCode> {
    let mut failed = false;
    for file in files {
        match look_at(file, lang) {
            Ok((sources, found)) => {
                failed |= found.iter().any(Diagnostic::is_error);
                tell(file, &sources, &found, json, screen)?;
            }
            Err(why) => {
                failed = true;
                match json {
                    true => screen.print_json(&json!({"file": file, "ok": false, "error": why}))?,
                    false => print_stderr(&why),
                }
            }
        }
    }
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn look_at(file: &str, lang: Option<&str>) -> Result<(Sources, Vec<Diagnostic>), String> {
    let language = detect_language(Some(file), lang)?;
    let text = read_text(file)?;
    let about = language.info();
    let mut sources = Sources::with_rules(about.title, about.rules);
    let source = sources.add(Origin::File(file.to_string()), text);
    let found = match language.compile_file(&source) {
        Ok(compiled) => compiled.warnings,
        Err(diagnostics) => diagnostics,
    };
    Ok((sources, truncate_errors(found)))
}

fn tell(
    file: &str,
    sources: &Sources,
    found: &[Diagnostic],
    json: bool,
    screen: &mut Screen,
) -> io::Result<()> {
    if json {
        let all: Vec<_> = found.iter().map(|d| json_diagnostic(sources, d)).collect();
        let ok = !found.iter().any(Diagnostic::is_error);
        return screen.print_json(&json!({"file": file, "ok": ok, "diagnostics": all}));
    }
    for diagnostic in found {
        let drawn = snippet::render(screen, sources, diagnostic);
        screen.print_raw(&drawn)?;
        screen.print_raw("")?;
    }
    let count = |errors: bool| found.iter().filter(|d| d.is_error() == errors).count();
    let summary = match (count(true), count(false)) {
        (0, 0) => "nothing wrong".to_string(),
        (0, w) => plural(w, "warning"),
        (e, 0) => plural(e, "error"),
        (e, w) => format!("{}, {}", plural(e, "error"), plural(w, "warning")),
    };
    screen.print_text(&format!("{file}: {summary}"))
}

fn plural(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}
