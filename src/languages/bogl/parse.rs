//! The parser: from source text to syntax tree.
//!
//! ```text
//! build         nodes of the tree, for the grammar
//! precedence    a chain of operators as a tree
//! input         answers to `input`
//! syntax_error  what syntax errors say
//! ```

mod build;
pub mod input;
mod precedence;
mod syntax_error;

use lalrpop_util::lalrpop_mod;

use self::build::Parsed;
pub use self::build::no_signature;
use super::ast::{Constant, Entry, Item, Program};
use super::token::{Token, tokenize};
use crate::diagnostic::Diagnostic;
use crate::language::syntax::{ParseFailure, ParserInput, parse_file};
use crate::language::{Continuation, ParsedEntry};
use crate::source::Source;

lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/bogl.rs"
);

// The start token determines what the grammar returns, so the `_` arms below are unreachable.

/// Parses a source file. If that fails, `check` returns the errors of the parts that parsed.
pub fn parse_program(
    source: &Source,
    check: impl FnOnce(&Program) -> Vec<Diagnostic>,
) -> Result<Program, Vec<Diagnostic>> {
    let check = |parsed| match parsed {
        Parsed::Program(program) => check(&program),
        _ => Vec::new(),
    };
    match parse(source, Token::StartProgram, check)? {
        Parsed::Program(program) => Ok(program),
        _ => Err(Vec::new()),
    }
}

/// Parses a prelude: the definitions of a file without a `game` line.
pub fn parse_prelude(source: &Source) -> Result<Vec<Item>, Vec<Diagnostic>> {
    match parse(source, Token::StartPrelude, |_| Vec::new())? {
        Parsed::Prelude(items) => Ok(items),
        _ => Err(Vec::new()),
    }
}

/// Whether a text starts like a prelude: with a definition, not with `game`.
pub fn starts_with_definition(text: &str) -> bool {
    let tokens = tokenize(text).into_iter().map(|(_, token)| token);
    let tokens = tokens.filter(|token| *token != Token::Comment);
    let first: Vec<Token> = tokens.take(2).collect();
    matches!(
        first[..],
        [Token::Type, ..] | [Token::Name, Token::Colon | Token::Equals | Token::OpenParen]
    )
}

/// Parses what was typed at the prompt.
pub fn parse_entry(source: &Source) -> Result<Entry, Vec<Diagnostic>> {
    parse_prompt(source).into_tree()
}

/// Parses what was typed at the prompt, and tells whether more input could complete it.
pub fn parse_prompt(source: &Source) -> ParsedEntry {
    let input = ParserInput::new(source, Some(Token::StartEntry), tokenize(&source.text));
    let entry = run(source, &input).and_then(|parsed| match parsed {
        Parsed::Entry(entry) => Ok(entry),
        _ => Err(ParseFailure::Reported(Vec::new())),
    });
    let mut parsed = ParsedEntry::from_parser(&input, entry);
    let equation_of = faulty_signature(&source.text).filter(|_| parsed.is_faulty);
    parsed.continuation = Continuation {
        is_likely: equation_of.is_some(),
        equation_of,
        ..Continuation::default()
    };
    parsed
}

/// The name whose equations belong to a faulty entry: its last line is a signature, or an equation of
/// the board that the line before declares.
fn faulty_signature(text: &str) -> Option<String> {
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    let line = lines.find(|line| !line.contains('!'))?;
    let (name, _) = line.split_once(':').filter(|_| !line.contains('='))?;
    let name = name.trim();
    let is_name = name.starts_with(char::is_lowercase)
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| name.to_string())
}

/// Parses an answer to `input`.
pub fn parse_input(source: &Source) -> Result<Constant, Vec<Diagnostic>> {
    match parse(source, Token::StartInput, |_| Vec::new())? {
        Parsed::Input(constant) => Ok(constant),
        _ => Err(Vec::new()),
    }
}

fn parse(
    source: &Source,
    start: Token,
    check: impl FnOnce(Parsed) -> Vec<Diagnostic>,
) -> Result<Parsed, Vec<Diagnostic>> {
    parse_file(
        source,
        Some(start),
        tokenize,
        |input| run(source, input),
        check,
    )
}

fn run<'i>(
    source: &Source,
    input: &'i ParserInput<'_, Token>,
) -> Result<Parsed, ParseFailure<'i, Token>> {
    input.parse(|tokens| grammar::StartParser::new().parse(source, tokens))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Expr, ExprKind, Item};
    use crate::source::Origin;

    fn entry(text: &str) -> Result<Entry, Vec<Diagnostic>> {
        parse_entry(&Source::new(Default::default(), Origin::Entry(1), text))
    }

    /// The tree, fully parenthesized.
    fn shape(expr: &Expr) -> String {
        let all = |parts: &[Expr]| parts.iter().map(shape).collect::<Vec<_>>().join(",");
        match &expr.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Symbol(text) => text.to_string(),
            ExprKind::Name(name) => name.text.to_string(),
            ExprKind::Tuple(parts) => format!("({})", all(parts)),
            ExprKind::Call(function, arguments) => format!("{}({})", function.text, all(arguments)),
            ExprKind::Binary(op, left, right, _) => {
                format!("[{}{}{}]", shape(left), op.as_str(), shape(right))
            }
            ExprKind::Project(tuple, indices, _) => {
                format!(
                    "{}#{:?}",
                    shape(tuple),
                    indices.iter().map(|index| index.value).collect::<Vec<_>>()
                )
            }
            ExprKind::Let(name, value, body) => {
                format!("<let {}={} in {}>", name.text, shape(value), shape(body))
            }
            ExprKind::If(condition, yes, no) => {
                format!("<if {} {} {}>", shape(condition), shape(yes), shape(no))
            }
            ExprKind::While(condition, body) => {
                format!("<while {} {}>", shape(condition), shape(body))
            }
        }
    }

    fn tree(text: &str) -> String {
        match entry(text) {
            Ok(Entry::Lines {
                expr: Some(expr), ..
            }) => shape(&expr),
            other => format!("{other:?}"),
        }
    }

    /// Code, start offset and message of the first error.
    fn first_error(text: &str) -> (&'static str, u32, String) {
        let diagnostics = entry(text).expect_err(text);
        (
            diagnostics[0].code,
            diagnostics[0].span.map_or(u32::MAX, |span| span.start),
            diagnostics[0].message.clone(),
        )
    }

    #[test]
    fn operators_have_precedence_and_are_left_associative() {
        assert_eq!(tree("10 - 3 - 2"), "[[10-3]-2]");
        assert_eq!(tree("1 + 2 * 3 == 7"), "[[1+[2*3]]==7]");
        assert_eq!(tree("True /= 1 == 1"), "[true/=[1==1]]");
        assert_eq!(
            tree("1 > 2 >= 3 /= 4 == 5 <= 6 < 7"),
            "[1>[2>=[3/=[4==[5<=[6<7]]]]]]"
        );
        assert_eq!(tree("b!(1,2)#1 * 2"), "[[b!(1,2)]#[1]*2]");
        assert_eq!(tree("a#(2,1)!p"), "[a#[2, 1]!p]");
    }

    #[test]
    fn let_if_and_while_extend_to_the_right() {
        assert_eq!(tree("2 * let x = 3 in x + 1"), "[2*<let x=3 in [x+1]>]");
        assert_eq!(
            tree("1 + 2 * if a then b else c == d"),
            "[1+[2*<if a b [c==d]>]]"
        );
        assert_eq!(
            tree("(let x = 1 in while x < 3 do x + 1) * 10"),
            "[<let x=1 in <while [x<3] [x+1]>>*10]"
        );
        assert_eq!(tree("b ! let p = q in p"), "[b!<let p=q in p>]");
    }

    #[test]
    fn only_number_literals_can_have_a_sign() {
        assert_eq!(tree("1 - -1"), "[1--1]");
        assert_eq!(tree("5 -3"), "[5-3]");
        assert_eq!(tree("- 1"), "-1");
        assert_eq!(tree("0x1F + 0o17 + 010"), "[[31+15]+10]");
        assert_eq!(tree("-9223372036854775808"), "-9223372036854775808");
        assert_eq!(first_error("let x = 5 in -x").0, "BG007");
        assert_eq!(first_error("-(1)").0, "BG007");
        assert_eq!(first_error("9223372036854775808").0, "BG006");
    }

    #[test]
    fn syntax_errors_have_a_span_and_a_suggestion() {
        assert_eq!(
            first_error("a && b"),
            ("BG001", 2, "unknown token `&&`".into())
        );
        assert_eq!(first_error("1 = 2").0, "BG010");
        assert_eq!(first_error("f(1)(2)").1, 4);
        assert_eq!(
            first_error("if a thn b else c").2,
            "expected `then`, found `thn`; did you mean `then`?"
        );
        assert_eq!(
            first_error("wile x < 3 do x").2.split(';').next_back(),
            Some(" did you mean `while` instead of `wile`?")
        );
        assert_eq!(first_error("f : Int -> Int -> Int").0, "BG009");
        assert_eq!(
            first_error("f(1) = 2"),
            (
                "BG008",
                2,
                "expected a parameter name, found an integer".into()
            )
        );
        assert_eq!(
            first_error("(1, 2").2,
            "expected `)`, found the end of the input"
        );
        assert_eq!(
            first_error("type T = Array").2,
            "expected `(`, found the end of the input"
        );
        assert_eq!(
            first_error("let x = 1 x + 1"),
            ("BG003", 10, "missing `in` before `x + 1`".into())
        );
        assert_eq!(
            first_error("let i = 1 in (1,2)#i").2,
            "expected a component number, or several in parentheses, found `i`"
        );
    }

    fn is_incomplete(text: &str) -> bool {
        let source = Source::new(Default::default(), Origin::Entry(0), text);
        parse_prompt(&source).is_incomplete
    }

    #[test]
    fn an_entry_may_contain_only_comments() {
        for text in [
            "",
            "  ",
            "-- a comment",
            "{- a comment -}",
            "-- one\n-- two",
        ] {
            let empty = matches!(
                entry(text),
                Ok(Entry::Lines { items, expr: None }) if items.is_empty()
            );
            assert!(empty, "{text}");
        }
    }

    /// The error is at the signature, not at what follows it.
    #[test]
    fn a_missing_equation_is_reported_at_its_signature() {
        for (text, start) in [
            ("f : Int -> Int\ng : Int\ng = 1", 0),
            ("f : (Int, Bool) -> {A}\ntype T = {A}", 0),
            ("x : Int\nx = 1\nf : Int", 14),
        ] {
            let (code, at, message) = first_error(text);
            let expected = ("BG011", start, "`f` has no equation");
            assert_eq!((code, at, message.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn a_call_without_parentheses_is_shown_with_them() {
        for (text, call) in [
            ("not True", "not(True)"),
            ("1 + f 3", "f(3)"),
            ("isFull b", "isFull(b)"),
            ("not isFull b", "not(isFull(b))"),
            ("not isFull(b)", "not(isFull(b))"),
            ("place X b (1,1)", "place(X, b, (1,1))"),
            ("1 + f x y", "f(x, y)"),
            ("if not x then 1 else 2", "not(x)"),
            ("f : Int -> Int\nf x = x + 1", "f(x)"),
        ] {
            let notes = entry(text).expect_err(text).remove(0).notes;
            assert_eq!(
                notes,
                [format!("put arguments in parentheses: `{call}`")],
                "{text}"
            );
        }
    }

    #[test]
    fn alternatives_in_a_type_are_shown_in_braces() {
        for (text, note) in [
            (
                "type Board = Array (3,3) of X | O",
                "list symbols in braces, separated by commas: `{X, O}`",
            ),
            (
                "type T = X | O | Empty",
                "list symbols in braces, separated by commas: `{X, O, Empty}`",
            ),
            (
                "type T = {X | O}",
                "list symbols in braces, separated by commas: `{X, O}`",
            ),
            (
                "type T = X, O",
                "list symbols in braces, separated by commas: `{X, O}`",
            ),
            (
                "type T = Int | {None}",
                "combine types with `&`: `Int & {None}`",
            ),
            (
                "type T = {A} f : Int -> Int f(x) = x | 1",
                "write `or(x, 1)`",
            ),
        ] {
            assert_eq!(entry(text).expect_err(text)[0].notes, [note], "{text}");
        }
    }

    #[test]
    fn only_a_text_that_ends_too_early_is_incomplete() {
        for text in [
            "f : Int -> Int",
            "1 +",
            "(1,",
            "if a then b",
            "type T = {A,",
            "let x =",
            "1 {- open",
            "{-",
            "f(",
            "game",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in [
            "",
            "  ",
            "1",
            "1 1",
            ") (",
            "f(1)(2",
            "let x = 1",
            "1 = ",
            "x = 1",
            "-- only a comment",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn deeply_nested_text_is_rejected() {
        assert_eq!(
            first_error(&format!("{}1{}", "(".repeat(201), ")".repeat(201))).0,
            "BG005"
        );
        assert_eq!(first_error(&format!("1{}", "+1".repeat(50_000))).0, "BG005");
        assert_eq!(
            first_error(&format!("{}1", "if a then b else ".repeat(50_000))).0,
            "BG005"
        );
        assert!(entry(&format!("1{}", "+1".repeat(400))).is_ok());
    }

    #[test]
    fn an_entry_may_contain_definitions_lets_and_a_final_expression() {
        let Ok(Entry::Lines { items, expr }) =
            entry("let x = 1\nf : Int -> Int\nf(a) = a\nb!(x,1) = A b!(1,2) = B\nf(x)")
        else {
            panic!("the entry should parse")
        };
        assert!(matches!(
            items[..],
            [Item::Let(_), Item::Value(_), Item::Value(_)]
        ));
        assert_eq!(expr.map(|expr| shape(&expr)), Some("f(x)".into()));
        assert!(matches!(entry("game G x : Int x = 1"), Ok(Entry::Game(_))));
    }

    #[test]
    fn equations_must_follow_their_signature() {
        let program = |text: &str| {
            let source = Source::new(Default::default(), Origin::File("g.bgl".into()), text);
            parse_program(&source, |_| Vec::new()).map_err(|diagnostics| {
                (
                    diagnostics[0].code,
                    source
                        .line_column(diagnostics[0].span.unwrap_or_default().start)
                        .0,
                )
            })
        };
        assert!(program("game G\nb : Board\nb!(x,y) = 1\nb!(1,1) = 2\n").is_ok());
        assert_eq!(
            program("game G\nf : Int -> Int\nf(x) = 1\nf(y) = 2\n").err(),
            Some(("BG021", 4))
        );
        assert_eq!(
            program("game G\nb : Board\nb!(x,1) = 3\nz : Int\nz = 1\nb!(x,2) = 3\n").err(),
            Some(("BG022", 6))
        );
        assert_eq!(program("game G\nx = 1\n").err(), Some(("BG020", 2)));
        assert_eq!(
            program("game G\nx : Int\ny = 1\n").err(),
            Some(("BG022", 3))
        );
        assert_eq!(program("x : Int\nx = 1\n").err(), Some(("BG003", 1)));
    }
}
