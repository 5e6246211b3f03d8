//! Preludes: files of definitions that the games of a session use.

use super::{Answer, Session};
use crate::diagnostic::Diagnostic;
use crate::language::Compiled;
use crate::source::Source;
use std::sync::Arc;

impl Session {
    /// Adds the definitions of a prelude to the program. The game goes on.
    pub fn add_prelude(&mut self, name: &str, text: &str) -> Answer {
        let source = self.add_file_source(name, text);
        let compiled = self.compile_prelude(&source);
        let reply = self.start_prelude(compiled, &source);
        if reply.ok {
            self.programs.add_prelude(&self.target, source.id);
        }
        reply
    }

    fn compile_prelude(&self, source: &Arc<Source>) -> Result<Compiled, Vec<Diagnostic>> {
        let Some(support) = self.target.language.prelude_support() else {
            return Err(Vec::new());
        };
        let frame = self.target.frame_scope();
        support.add(source, self.target.program(), frame.as_ref())
    }

    /// Starts a new game that has only the definitions of these preludes.
    pub fn load_preludes(&mut self, preludes: &[Arc<Source>]) -> Answer {
        let Some(last) = preludes.last() else {
            return Answer::new("");
        };
        let support = self.target.language.prelude_support();
        let compiled = support.map_or(Err(Vec::new()), |support| support.compile(preludes, None));
        let reply = self.start_prelude(compiled, last);
        if reply.ok {
            for prelude in preludes {
                self.programs.add_prelude(&self.target, prelude.id);
            }
        }
        reply
    }

    fn start_prelude(
        &mut self,
        compiled: Result<Compiled, Vec<Diagnostic>>,
        source: &Arc<Source>,
    ) -> Answer {
        let mut reply = Answer::new("");
        match compiled {
            Ok(compiled) => {
                let text = format!(":load {}", source.origin);
                reply.absorb(self.start(compiled, source, &text));
            }
            Err(diagnostics) => reply.reject(diagnostics),
        }
        reply
    }
}
