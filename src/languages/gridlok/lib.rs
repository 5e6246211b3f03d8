//! GridLok, a language for board games: pieces with event handlers, players who take turns, and
//! braces for calls, assignments and lists alike.
//!
//! ```text
//! token  lexer                                  lower  syntax tree to bytecode; the rules of play
//! parse  parser, syntax errors                  view   the board, values, lists of definitions
//! ast    syntax tree                            info   words, samples, guide and help
//! check  names, and types as far as known
//! ```

use gridbug_base::{code, diagnostic, language, source, text, value};

pub mod ast;
mod check;
mod info;
mod lower;
pub mod parse;
mod token;
mod view;

use crate::code::Program;
use crate::diagnostic::{Diagnostic, without_errors};
use crate::language::{
    Actions, Compiled, FrameScope, Language, LanguageInfo, MoveModel, NameEntry, ParsedEntry,
    TokenClass, classify_tokens, explain_foreign_syntax,
};
use crate::source::Source;
use lower::scope::Scope;
use std::ops::Range;
use std::rc::Rc;

/// The GridLok front end.
pub struct GridLok;

impl Language for GridLok {
    fn info(&self) -> &'static LanguageInfo {
        &info::INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let check = |tree| {
            let warnings = without_errors(check::check_program(&tree, &Rc::default()))?;
            Ok((tree, warnings))
        };
        let (tree, warnings) =
            parse::parse_program(source, |tree| check::check_program(tree, &Rc::default()))
                .and_then(check)
                .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        Ok(Compiled {
            warnings,
            ..lower::lower_program(&tree, source)?
        })
    }

    fn parse_entry(&self, source: &Source, _: &Program) -> ParsedEntry {
        parse::parse_prompt(source)
    }

    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let tree = entry
            .into_tree()
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        let scope = Scope::of(program);
        let mut env = scope.env().clone();
        if let Some(frame) = frame {
            let locals = frame.locals.iter().map(|l| l.name.to_string()).collect();
            Rc::make_mut(&mut env).frame_locals = locals;
        }
        let warnings = without_errors(check::check_entry(&tree, &env))
            .map_err(|errors| check::join_call_without_braces(source, errors))
            .map_err(|errors| explain_foreign_syntax(&info::INFO, source, errors))?;
        Ok(Compiled {
            warnings,
            ..lower::lower_entry(&tree, source, program, frame)?
        })
    }

    fn lower_start(&self, program: &mut Program) {
        lower::lower_start(program);
    }

    fn click_entry(&self, row: i64, col: i64) -> Option<String> {
        Some(format!("click{{{row},{col}}}"))
    }

    fn names(&self, source: &Source) -> Vec<NameEntry> {
        parse::parse_program(source, |_| Vec::new())
            .map_or_else(|_| Vec::new(), |tree| check::names(source, &tree))
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        classify_tokens(&info::INFO, text, token::tokenize(text), view::token_class)
    }

    fn move_model(&self, program: &Program) -> MoveModel {
        let click = Scope::of(program).symbols.get("@click");
        MoveModel {
            actions: click.map_or(Actions::None, Actions::Clicks),
            standing_globals: view::standing_globals(),
            end_conditions: view::end_conditions(program),
            undefined_conditions: view::undefined_conditions(program),
            ..MoveModel::default()
        }
    }
}
