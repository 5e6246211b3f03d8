//! Work on texts that may be long: Ctrl-C and the memory limit end it.

use crate::Target;
use crate::diagnostic::{Diagnostic, Phase};
use crate::machine::Machine;
use crate::source::Span;
use crate::source::work::{GivenUp, limited};

/// Does work on texts. Ctrl-C and too long texts end it.
pub fn limit_work<R>(machine: &Machine, work: impl FnOnce() -> R) -> Result<R, GivenUp> {
    let flag = machine.interrupt_flag();
    limited(&flag, machine.limits.max_memory_bytes, work)
}

/// Compiles something. Ctrl-C cancels it: there are no diagnostics then, and
/// [`Target::take_cancelled`] returns true.
pub fn limit_compiling<R>(
    target: &mut Target,
    compile: impl FnOnce(&Target) -> Result<R, Vec<Diagnostic>>,
) -> Result<R, Vec<Diagnostic>> {
    match limit_work(&target.machine, || compile(target)) {
        Ok(result) => result,
        Err(GivenUp::Interrupted) => {
            target.cancelled = true;
            Err(Vec::new())
        }
        Err(GivenUp::TooLarge { max_tokens }) => Err(vec![too_large(target, max_tokens)]),
    }
}

fn too_large(target: &Target, max_tokens: u64) -> Diagnostic {
    let code = target.language.empty_program().too_large_code;
    let message = format!(
        "this text is too large: it has more than {max_tokens} words and signs, as many as the memory \
         limit allows"
    );
    let error = Diagnostic {
        span: None,
        ..Diagnostic::error(Phase::Check, code, Span::default(), message)
    };
    error.note("`--memory MB` raises the limit; a program can also be split")
}
