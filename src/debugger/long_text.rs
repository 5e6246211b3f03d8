//! Work on texts that may be long: Ctrl-C and the memory limit end it.

use crate::Target;
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::Span;
use crate::source::work::{GivenUp, limited};

impl Target {
    /// Does work on texts. Ctrl-C and too long texts end it.
    pub fn limit_work<R>(&self, work: impl FnOnce() -> R) -> Result<R, GivenUp> {
        let flag = self.machine.interrupt_flag();
        limited(&flag, self.machine.limits.max_memory_bytes, work)
    }

    /// Compiles something. Ctrl-C cancels it: there are no diagnostics then, and
    /// [`Target::take_cancelled`] returns true.
    pub fn limit_compiling<R>(
        &mut self,
        compile: impl FnOnce(&Target) -> Result<R, Vec<Diagnostic>>,
    ) -> Result<R, Vec<Diagnostic>> {
        match self.limit_work(|| compile(self)) {
            Ok(result) => result,
            Err(GivenUp::Interrupted) => {
                self.cancelled = true;
                Err(Vec::new())
            }
            Err(GivenUp::TooLarge { max_tokens }) => Err(vec![self.too_large(max_tokens)]),
        }
    }

    fn too_large(&self, max_tokens: u64) -> Diagnostic {
        let code = self.language.empty_program().too_large_code;
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
}
