//! `gridbug check FILE…`: reports errors and warnings without running the programs.

use crate::diagnostic::{Diagnostic, shown_diagnostics};
use crate::language::compile_game;
use crate::protocol::DiagnosticJson;
use crate::session::count_noun;
use crate::source::{Origin, Sources};
use crate::terminal::output::Screen;
use crate::terminal::output::snippet;
use crate::terminal::{Arguments, add_files, fail, read_program};
use serde_json::json;
use std::io;
use std::process::ExitCode;

/// Checks each file; the exit code is a failure if any of them has an error.
pub fn check(files: &[String], arguments: &Arguments, screen: &mut Screen) -> io::Result<ExitCode> {
    let (mut failed, json) = (false, arguments.json);
    for file in files {
        match diagnose(file, arguments) {
            Ok((sources, diagnostics)) => {
                failed |= diagnostics.iter().any(Diagnostic::is_error);
                print_result(file, &sources, &diagnostics, json, screen)?;
            }
            Err(reason) => {
                failed = true;
                match json {
                    true => {
                        let error = json!({"file": file, "ok": false, "error": reason});
                        screen.print_json(&error.to_string())?
                    }
                    false => drop(fail(&reason)),
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

/// Compiles a file and returns its diagnostics.
fn diagnose(file: &str, arguments: &Arguments) -> Result<(Sources, Vec<Diagnostic>), String> {
    let program = read_program(file, arguments)?;
    let info = program.language.info();
    let mut sources = Sources::with_rules(info.title, info.rules);
    let preludes = add_files(&mut sources, program.preludes);
    let source = sources.add(Origin::File(program.name), program.text);
    let diagnostics = match compile_game(program.language, &preludes, &source) {
        Ok(compiled) => compiled.warnings,
        Err(diagnostics) => diagnostics,
    };
    Ok((sources, diagnostics))
}

fn print_result(
    file: &str,
    sources: &Sources,
    diagnostics: &[Diagnostic],
    json: bool,
    screen: &mut Screen,
) -> io::Result<()> {
    if json {
        let all: Vec<_> = diagnostics
            .iter()
            .map(|d| DiagnosticJson::new(sources, d))
            .collect();
        let ok = !diagnostics.iter().any(Diagnostic::is_error);
        return screen.print_json(&json!({"file": file, "ok": ok, "diagnostics": all}).to_string());
    }
    for diagnostic in shown_diagnostics(diagnostics, sources) {
        let rendered = snippet::render(screen, sources, &diagnostic);
        screen.print_raw(&rendered)?;
        screen.print_raw("")?;
    }
    let count = |errors: bool| {
        diagnostics
            .iter()
            .filter(|d| d.is_error() == errors)
            .count()
    };
    let summary = match (count(true), count(false)) {
        (0, 0) => "no problems found".to_string(),
        (0, warnings) => count_noun(warnings, "warning", "warnings"),
        (errors, 0) => count_noun(errors, "error", "errors"),
        (errors, warnings) => format!(
            "{}, {}",
            count_noun(errors, "error", "errors"),
            count_noun(warnings, "warning", "warnings")
        ),
    };
    screen.print_text(&format!("{file}: {summary}"))
}
