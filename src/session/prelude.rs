//! Loads games with the preludes that they use: files of definitions.

use super::{Answer, Session};
use crate::analysis::why;
use crate::debugger::frame;
use crate::debugger::long_text::limit_compiling;
use crate::diagnostic::Diagnostic;
use crate::language::{Compiled, compile_game};
use crate::source::Source;
use std::sync::Arc;

/// Loads a program that uses these preludes, which starts a new game.
pub fn load_game(
    session: &mut Session,
    preludes: &[Arc<Source>],
    name: &str,
    text: &str,
) -> Answer {
    let mut answer = Answer::new("");
    let source = session.target.add_file(name, text);
    let compiled = limit_compiling(&mut session.target, |target| {
        compile_game(target.language, preludes, &source)
    });
    match compiled {
        Ok(compiled) => {
            // Loading can stop at a breakpoint, which shows them.
            session.target.file = Some(name.to_string());
            session.target.main_source = Some(name.to_string());
            answer.absorb(session.start_loaded(compiled, &source, &format!(":load {name}")));
            if answer.ok {
                session.programs.add(&session.target, source.id, name);
            }
            session.update_main_source();
            if answer.ok && session.target.machine.is_idle() {
                let warnings = why::conditions_initially_true(&mut session.target);
                answer.diagnostics.extend(warnings);
            }
        }
        Err(diagnostics) => answer.reject(diagnostics),
    }
    answer
}

/// Adds the definitions of a prelude to the program. The game goes on.
pub fn add_prelude(session: &mut Session, name: &str, text: &str) -> Answer {
    let source = session.target.add_file(name, text);
    let compiled = limit_compiling(&mut session.target, |target| {
        let support = target.language.prelude_support().ok_or_else(Vec::new)?;
        let frame = frame::frame_scope(target);
        support.add(&source, target.program(), frame.as_ref())
    });
    start_preludes(session, compiled, &[source])
}

/// Starts a new game that has only the definitions of these preludes.
pub fn load_preludes(session: &mut Session, preludes: &[Arc<Source>]) -> Answer {
    let compiled = limit_compiling(&mut session.target, |target| {
        let support = target.language.prelude_support().ok_or_else(Vec::new)?;
        support.compile(preludes, None)
    });
    start_preludes(session, compiled, preludes)
}

fn start_preludes(
    session: &mut Session,
    compiled: Result<Compiled, Vec<Diagnostic>>,
    preludes: &[Arc<Source>],
) -> Answer {
    let mut answer = Answer::new("");
    match (compiled, preludes.last()) {
        (Ok(compiled), Some(last)) => {
            let text = format!(":load {}", last.origin);
            answer.absorb(session.start_loaded(compiled, last, &text));
        }
        (Ok(_), None) => {}
        (Err(diagnostics), _) => answer.reject(diagnostics),
    }
    if answer.ok {
        for prelude in preludes {
            session.programs.add_prelude(&session.target, prelude.id);
        }
    }
    answer
}
