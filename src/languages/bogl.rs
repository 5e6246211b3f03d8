//! BoGL, the Board Game Language: pure functions over boards, numbers and symbols, with types that are told before anything runs.

pub mod ast;
pub mod builtin;
mod call;
pub mod check;
mod definition;
pub mod env;
mod guide;
mod infer;
pub mod input;
mod lower;
pub mod parse;
mod query;
pub mod resolution;
mod scope;
mod show;
pub mod token;
mod type_error;
pub mod type_table;
pub mod types;

use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{
    Compiled, Definition, FrameScope, GameView, Language, LanguageInfo, TokenClass, Viewport,
    is_identifier,
};
use crate::source::Source;
use crate::value::Store;
use scope::Scope;
use std::ops::Range;

pub struct BoGL;

static ABOUT: LanguageInfo = LanguageInfo {
    name: "bogl",
    title: "BoGL",
    extensions: &["bgl", "bogl"],
    keywords: token::KEYWORD_TEXTS,
    builtins: builtin::HELP,
    commands: query::COMMANDS,
    events: &["place", "error"],
    is_valid_breakpoint_name: |title| {
        title.starts_with(char::is_lowercase) && is_identifier(&title.replace('\'', ""))
    },
    arrow_keys: None,
    error_codes: CODES,
    sample: include_str!("bogl/sample.bgl"),
    rules: "",
    guide: guide::GUIDE,
};

impl Language for BoGL {
    fn info(&self) -> &'static LanguageInfo {
        &ABOUT
    }

    fn empty_program(&self) -> Program {
        lower::blank()
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        lower::load(
            source,
            into_result(check::check_program(&parse::parse_program(source)?))?,
        )
    }

    fn compile_entry(
        &self,
        source: &Source,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        let scope = Scope::of(program);
        let frame = scope.frame_context(program, frame);
        if source.text.trim_start().starts_with(':') {
            return query::run_command(source, program, &scope, &frame);
        }
        let entry = parse::parse_entry(source)?;
        let checked = into_result(check::check_entry_in_frame(
            &entry,
            &scope.env,
            &frame.locals,
        ))?;
        lower::entry(&entry, source, checked, program, &frame)
    }

    fn is_incomplete(&self, text: &str, program: &Program) -> bool {
        !text.trim_start().starts_with(':')
            && (parse::is_unfinished(text) || lacks_cells(text, program))
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, TokenClass)> {
        let found = token::tokenize(text).into_iter();
        found
            .map(|(range, token)| {
                (
                    range.clone(),
                    show::classify(token, text.get(range).unwrap_or("")),
                )
            })
            .collect()
    }

    fn view(&self, program: &Program, store: &Store, window: Viewport) -> GameView {
        show::view(program, store, window)
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        show::definitions(&Scope::of(program))
    }
}

/// Whether nothing is wrong with an entry but that the board at its end has cells without a value: more equations are
/// to come.
fn lacks_cells(text: &str, program: &Program) -> bool {
    let source = Source::new(Default::default(), crate::source::Origin::Entry(0), text);
    let Ok(entry) = parse::parse_entry(&source) else {
        return false;
    };
    let ast::Entry::Lines { items, expr: None } = &entry else {
        return false;
    };
    let Some(ast::Item::Value(last)) = items.last() else {
        return false;
    };
    let checked = check::check_entry(&entry, &Scope::of(program).env);
    let mut errors = checked
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .peekable();
    errors.peek().is_some()
        && errors.all(|d| d.code == INCOMPLETE && d.span == Some(last.name.span))
}

/// The code of a board that has cells without a value.
const INCOMPLETE: &str = "BG050";

/// What was checked, if nothing is wrong with it.
fn into_result(checked: check::Checked) -> Result<check::Checked, Vec<Diagnostic>> {
    if checked.has_errors() {
        Err(checked.diagnostics)
    } else {
        Ok(checked)
    }
}

/// Every code a BoGL diagnostic can have, with what it means.
pub const CODES: &[(&str, &str)] = &[
    ("BG001", "a sign that BoGL does not know"),
    ("BG002", "a block comment is not closed"),
    ("BG003", "something else was expected here"),
    ("BG004", "the text ends too early"),
    ("BG005", "nested too deeply"),
    ("BG006", "a number too large for an Int"),
    ("BG007", "a sign before something that is not a number"),
    ("BG008", "the left side of an equation cannot be defined"),
    ("BG009", "a function type where none can stand"),
    ("BG010", "`=` where `==` was meant"),
    ("BG020", "an equation without a signature"),
    ("BG021", "a name is defined twice"),
    ("BG022", "an equation stands away from its signature"),
    ("BG023", "a type is defined twice"),
    ("BG024", "a type is not declared"),
    ("BG025", "the right side of `&` is not an enumeration"),
    ("BG026", "a value is listed twice in one enumeration"),
    ("BG027", "a value has the name of a type"),
    (
        "BG028",
        "only names of types and tuples of them can stand here",
    ),
    ("BG029", "impossible board dimensions"),
    ("BG030", "`Array` and `Board` belong together"),
    ("BG031", "a built-in name cannot be defined"),
    ("BG032", "a parameter name is used twice"),
    (
        "BG033",
        "`type Board` or `type Input` after the first value",
    ),
    ("BG034", "one position name for both directions"),
    ("BG040", "a name is not defined"),
    ("BG041", "a symbol belongs to no type"),
    ("BG042", "a function is used as a value"),
    ("BG043", "a value is used as a function"),
    ("BG044", "the wrong number of arguments or parameters"),
    ("BG045", "the type is not the one that is needed here"),
    ("BG046", "an operator cannot work on this type"),
    ("BG047", "two types have nothing in common"),
    ("BG048", "only a board can be looked up with `!`"),
    ("BG049", "a position that is not on the board"),
    ("BG050", "a board has cells without a value"),
    (
        "BG051",
        "the equation does not fit the kind of its signature",
    ),
    ("BG052", "a part that the tuple does not have"),
    ("BG053", "a while loop without variables to change"),
    ("BG054", "a board is defined by means of itself"),
    ("BG055", "a definition that no longer fits cannot be used"),
    (
        "BG056",
        "a definition no longer fits what was redefined, or not yet",
    ),
    ("BG057", "position names are not values"),
    ("BG058", "too large to be run"),
    ("BG059", "a command that was not understood"),
];
