//! GridLok, a language for board games: pieces with event handlers, players who take turns, and
//! braces for calls, assignments and lists alike.

pub mod ast;
mod builtin;
mod check;
mod env;
mod error_code;
mod guide;
mod lower;
pub mod parse;
mod program_items;
mod scope;
mod show;
mod token;
mod typing;
mod word_help;

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    BoardView, Compiled, Definition, FileFrame, FrameScope, GameProgress, GameView, Indentation,
    Language, LanguageInfo, Layout, NamedValues, ParsedEntry, ProgramItem, TokenClass, Viewport,
    explain_foreign_syntax, is_identifier, receiver,
};
use crate::source::{Source, Sources};
use crate::value::{Store, Value};
use scope::Scope;
use std::ops::Range;
use std::rc::Rc;

/// The GridLok front end.
pub struct GridLok;

static INFO: LanguageInfo = LanguageInfo {
    name: "gridlok",
    title: "GridLok",
    extensions: &["gl"],
    keywords: token::KEYWORDS,
    builtins: builtin::HELP,
    commands: &[],
    events: &[
        "click",
        "place",
        "remove",
        "changeType",
        "endTurn",
        "win",
        "lose",
        "draw",
        "print",
        "display",
        "rand",
        "error",
    ],
    action_word: "action",
    conditions_checked_when: "turn ends",
    is_valid_breakpoint_name: |name| {
        receiver(name, &["onClick", "onTurn"]).is_some_and(is_identifier)
    },
    arrow_keys: None,
    error_codes: error_code::CODES,
    sample: include_str!("gridlok/sample.gl"),
    rules: lower::RULES,
    file_frame: FileFrame {
        start: "game {\n",
        end: "}\n",
        indentation: "  ",
    },
    layout: Layout {
        indentation: Indentation::Brackets(2),
        tight: &["."],
        prefix: &["-", "!"],
        postfix: &[],
        as_written: &[],
        headers: &[],
    },
    guide: guide::GUIDE,
};

impl Language for GridLok {
    fn info(&self) -> &'static LanguageInfo {
        &INFO
    }

    fn empty_program(&self) -> Program {
        lower::empty_program()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let check = |tree| {
            let warnings = into_result(check::check_program(&tree, &Rc::default()))?;
            Ok((tree, warnings))
        };
        let (tree, warnings) = parse::parse_program(source)
            .and_then(check)
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
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
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
        let scope = Scope::of(program);
        let mut env = scope.env().clone();
        if let Some(frame) = frame {
            let locals = frame.locals.iter().map(|l| l.name.to_string()).collect();
            Rc::make_mut(&mut env).frame_locals = locals;
        }
        let warnings = into_result(check::check_entry(&tree, &env))
            .map_err(|errors| check::join_call_without_braces(source, errors))
            .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
        Ok(Compiled {
            warnings,
            ..lower::lower_entry(&tree, source, program, frame)?
        })
    }

    fn with_current_start(&self, program: &Program) -> Result<Option<Program>, Vec<Diagnostic>> {
        lower::with_current_start(program)
    }

    fn click_entry(&self, row: i64, col: i64) -> Option<String> {
        Some(format!("click{{{row},{col}}}"))
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        token::tokenize(text)
            .into_iter()
            .map(|(range, token)| (range, show::token_class(&token)))
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        show::game_view(program, store, viewport)
    }

    fn board_outline(&self, program: &Program, store: &Store) -> Option<BoardView> {
        show::board(program, store, Viewport::NONE)
    }

    fn players(&self, _: &Program, store: &Store) -> Vec<String> {
        show::players(store)
    }

    fn progress(&self, _: &Program, store: &Store) -> GameProgress {
        show::progress(store)
    }

    fn value_type(&self, _: &Program, _: &Store, value: Value) -> String {
        show::value_type(value).to_string()
    }

    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        NamedValues {
            variables: show::variables(program, store),
            ..NamedValues::default()
        }
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        program
            .scope
            .downcast_ref::<Scope>()
            .map_or_else(Vec::new, |scope| {
                scope
                    .items
                    .iter()
                    .map(|item| show::definition(item))
                    .collect()
            })
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        let items = Scope::of(program).items.clone();
        items
            .iter()
            .map(|item| program_items::program_item(item))
            .collect()
    }
}

/// `Ok` with the warnings if there are no errors, otherwise `Err` with everything.
fn into_result(diagnostics: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    if diagnostics.iter().any(Diagnostic::is_error) {
        Err(diagnostics)
    } else {
        Ok(diagnostics)
    }
}
