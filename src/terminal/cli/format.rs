//! `gridbug fmt FILE…`: formats programs in place, or standard input.

use crate::diagnostic::shown_diagnostics;
use crate::host::{Host, NativeHost};
use crate::language::{Language, format_program};
use crate::session::{read_text, with_byte_order_mark_of};
use crate::source::{Origin, Sources};
use crate::terminal::output::Screen;
use crate::terminal::output::snippet;
use crate::terminal::{Arguments, add_files, detect_language, fail, read_preludes};
use std::io::{self, Read};
use std::process::ExitCode;

/// The name that stands for standard input.
const STDIN: &str = "-";

/// Formats each file; the exit code is a failure if one has errors or, with `check`, another layout.
pub fn run(
    files: &[String],
    arguments: &Arguments,
    check: bool,
    screen: &mut Screen,
) -> io::Result<ExitCode> {
    let host = NativeHost::new();
    let mut has_failed = false;
    for file in files {
        let text = match file.as_str() {
            STDIN => read_stdin()?,
            _ => read_text(&host, file),
        };
        let name = Some(file.as_str()).filter(|file| *file != STDIN);
        let program = detect_language(name, arguments.lang.as_deref()).and_then(|language| {
            let preludes = read_preludes(arguments, language)?;
            Ok((language, preludes, text?))
        });
        let (language, preludes, text) = match program {
            Ok(program) => program,
            Err(reason) => {
                has_failed = true;
                fail(&reason);
                continue;
            }
        };
        let Some(formatted) = formatted(language, preludes, file, &text, screen)? else {
            has_failed = true;
            continue;
        };
        if file == STDIN && !check {
            screen.print_raw(formatted.trim_end_matches(['\r', '\n']))?;
        } else if formatted == text {
            screen.print_text(&format!("{file}: already formatted"))?;
        } else if check {
            has_failed = true;
            screen.print_text(&format!("{file}: not formatted"))?;
        } else if let Err(e) = host.write(file, &with_byte_order_mark_of(&host, file, &formatted)) {
            has_failed = true;
            fail(&format!("cannot write {file}: {e}"));
        } else {
            screen.print_text(&format!("{file}: formatted"))?;
        }
    }
    screen.flush()?;
    Ok(match has_failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn read_stdin() -> io::Result<Result<String, String>> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).map_err(|_| "standard input is not UTF-8 text".to_string()))
}

/// The text in the layout of its language. Reports the errors of a program that has some.
fn formatted(
    language: &dyn Language,
    preludes: Vec<(String, String)>,
    file: &str,
    text: &str,
    screen: &mut Screen,
) -> io::Result<Option<String>> {
    let info = language.info();
    let mut sources = Sources::with_rules(info.title, info.rules);
    let preludes = add_files(&mut sources, preludes);
    let source = sources.add(Origin::File(file.to_string()), text);
    let diagnostics = match format_program(language, &preludes, &source) {
        Ok(formatted) => return Ok(Some(formatted)),
        Err(diagnostics) => diagnostics,
    };
    for diagnostic in shown_diagnostics(&diagnostics, &sources) {
        let rendered = snippet::render(screen, &sources, &diagnostic);
        screen.print_raw(&rendered)?;
        screen.print_raw("")?;
    }
    screen.print_text(&format!("{file}: not changed, because it has errors"))?;
    Ok(None)
}
