//! From text to syntax tree.

pub mod build;
mod depth;
pub mod precedence;
mod syntax_error;

use lalrpop_util::{ParseError, lalrpop_mod};

use self::build::{ParseErrors, Parsed};
use self::depth::{DepthLimiter, MAX_BRACKET_DEPTH, TooDeep};
use super::ast::{Constant, Entry, Program};
use super::token::{Token, tokenize};
use crate::diagnostic::{Diagnostic, Phase};
use crate::source::Source;

lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/bogl.rs"
);

type GrammarError = ParseError<usize, Token, ParseErrors>;

// The marker put before the text decides what comes out of it, so the other cases below never happen.

/// A whole file.
pub fn parse_program(source: &Source) -> Result<Program, Vec<Diagnostic>> {
    match parse(source, Token::StartProgram)? {
        Parsed::Program(program) => Ok(program),
        _ => Err(Vec::new()),
    }
}

/// What was typed at the prompt.
pub fn parse_entry(source: &Source) -> Result<Entry, Vec<Diagnostic>> {
    match parse(source, Token::StartEntry)? {
        Parsed::Entry(entry) => Ok(entry),
        _ => Err(Vec::new()),
    }
}

/// An answer to `input`.
pub fn parse_input(source: &Source) -> Result<Constant, Vec<Diagnostic>> {
    match parse(source, Token::StartInput)? {
        Parsed::Input(constant) => Ok(constant),
        _ => Err(Vec::new()),
    }
}

/// Whether an entry is right as far as it goes, but ends too early.
pub fn is_unfinished(text: &str) -> bool {
    let source = Source::new(Default::default(), crate::source::Origin::Entry(0), text);
    let tokens = significant_tokens(text);
    match tokens
        .iter()
        .position(|(_, token, _)| *token == Token::UnclosedComment)
    {
        // What stands before an open comment must be right so far, or be the beginning of something right.
        Some(at) => {
            matches!(
                run_grammar(&source, Token::StartEntry, &tokens[..at]),
                Ok(_) | Err(ParseError::UnrecognizedEof { .. })
            )
        }
        None => {
            let ends_early = matches!(
                run_grammar(&source, Token::StartEntry, &tokens),
                Err(ParseError::UnrecognizedEof { .. })
            );
            ends_early && !tokens.is_empty()
        }
    }
}

fn parse(source: &Source, start: Token) -> Result<Parsed, Vec<Diagnostic>> {
    let tokens = significant_tokens(&source.text);
    run_grammar(source, start, &tokens)
        .map_err(|failure| syntax_error::explain(source, start, &tokens, failure))
}

/// The tokens that mean something.
fn significant_tokens(text: &str) -> Vec<(usize, Token, usize)> {
    let all = tokenize(text)
        .into_iter()
        .filter(|(_, token)| *token != Token::Comment);
    all.map(|(range, token)| (range.start, token, range.end))
        .collect()
}

fn run_grammar(
    source: &Source,
    start: Token,
    tokens: &[(usize, Token, usize)],
) -> Result<Parsed, GrammarError> {
    let mut limiter = DepthLimiter::default();
    let stream = tokens
        .iter()
        .map(|&(from, token, to)| match limiter.observe(token) {
            Ok(()) => Ok((from, token, to)),
            Err(TooDeep::Expression) => Err(build::too_deep(source.span(from, to))),
            Err(TooDeep::Brackets) => {
                let message =
                    format!("Brackets are nested more than {MAX_BRACKET_DEPTH} deep here");
                let diagnostic =
                    Diagnostic::error(Phase::Parse, "BG005", source.span(from, to), message);
                Err(vec![
                    diagnostic.note("give parts of it names of their own with `let`"),
                ])
            }
        });
    let marked = std::iter::once(Ok((0, start, 0))).chain(stream);
    grammar::StartParser::new().parse(source, marked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::bogl::ast::{Expr, ExprKind, Item};
    use crate::source::Origin;

    fn entry(text: &str) -> Result<Entry, Vec<Diagnostic>> {
        parse_entry(&Source::new(Default::default(), Origin::Entry(1), text))
    }

    /// The tree with all its parentheses.
    fn shape(expr: &Expr) -> String {
        let all = |parts: &[Expr]| parts.iter().map(shape).collect::<Vec<_>>().join(",");
        match &expr.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Symbol(text) => text.to_string(),
            ExprKind::Name(name) => name.text.to_string(),
            ExprKind::Tuple(parts) => format!("({})", all(parts)),
            ExprKind::Call {
                function,
                arguments,
            } => format!("{}({})", function.text, all(arguments)),
            ExprKind::Binary {
                op, left, right, ..
            } => format!("[{}{}{}]", shape(left), op.as_str(), shape(right)),
            ExprKind::Project { tuple, picks } => {
                format!(
                    "{}#{:?}",
                    shape(tuple),
                    picks.iter().map(|pick| pick.value).collect::<Vec<_>>()
                )
            }
            ExprKind::Let { name, value, body } => {
                format!("<let {}={} in {}>", name.text, shape(value), shape(body))
            }
            ExprKind::If { condition, yes, no } => {
                format!("<if {} {} {}>", shape(condition), shape(yes), shape(no))
            }
            ExprKind::While { condition, body } => {
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

    fn code(text: &str) -> (&'static str, u32, String) {
        let diagnostics = entry(text).expect_err(text);
        (
            diagnostics[0].code,
            diagnostics[0].span.map_or(99, |span| span.start),
            diagnostics[0].message.clone(),
        )
    }

    #[test]
    fn operators_have_their_levels_and_lean_left() {
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
    fn let_if_and_while_reach_to_the_right() {
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
    fn a_sign_belongs_to_a_number_only() {
        assert_eq!(tree("1 - -1"), "[1--1]");
        assert_eq!(tree("5 -3"), "[5-3]");
        assert_eq!(tree("- 1"), "-1");
        assert_eq!(tree("0x1F + 0o17 + 010"), "[[31+15]+10]");
        assert_eq!(tree("-9223372036854775808"), "-9223372036854775808");
        assert_eq!(code("let x = 5 in -x").0, "BG007");
        assert_eq!(code("-(1)").0, "BG007");
        assert_eq!(code("9223372036854775808").0, "BG006");
    }

    #[test]
    fn errors_say_what_was_meant_where_it_stands() {
        assert_eq!(
            code("a && b"),
            ("BG001", 2, "BoGL does not know `&&`".into())
        );
        assert_eq!(code("1 = 2").0, "BG010");
        assert_eq!(code("f(1)(2)").1, 4);
        assert_eq!(
            code("if a thn b else c").2,
            "Expected `then`, found `thn`; did you mean `then`?"
        );
        assert_eq!(
            code("wile x < 3 do x").2.split(';').next_back(),
            Some(" did you mean `while` for `wile`?")
        );
        assert_eq!(code("f : Int -> Int -> Int").0, "BG009");
        assert_eq!(
            code("f(1) = 2"),
            ("BG008", 2, "A parameter must be a name".into())
        );
        assert_eq!(
            code("").2,
            "There is nothing here; expected an expression or a definition"
        );
        assert_eq!(
            code("(1, 2").2,
            "The text ends too early: expected `)` or `,` after `2`"
        );
        assert_eq!(
            code("type T = Array").2,
            "The text ends too early: expected `(` after `Array`"
        );
        assert_eq!(
            code("let x = 1 x + 1"),
            ("BG003", 10, "Expected `in` before `x + 1`".into())
        );
        assert_eq!(
            code("let i = 1 in (1,2)#i").2,
            "Expected the number of a part, or several in parentheses, found `i`"
        );
    }

    #[test]
    fn only_a_text_that_ends_too_early_is_unfinished() {
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
            assert!(is_unfinished(text), "{text}");
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
            assert!(!is_unfinished(text), "{text}");
        }
    }

    #[test]
    fn deep_and_long_texts_are_refused_with_words() {
        assert_eq!(
            code(&format!("{}1{}", "(".repeat(201), ")".repeat(201))).0,
            "BG005"
        );
        assert_eq!(code(&format!("1{}", "+1".repeat(50_000))).0, "BG005");
        assert_eq!(
            code(&format!("{}1", "if a then b else ".repeat(50_000))).0,
            "BG005"
        );
        assert!(entry(&format!("1{}", "+1".repeat(400))).is_ok());
    }

    #[test]
    fn an_entry_may_hold_definitions_lets_and_a_last_expression() {
        let Ok(Entry::Lines { items, expr }) =
            entry("let x = 1\nf : Int -> Int\nf(a) = a\nb!(x,1) = A b!(1,2) = B\nf(x)")
        else {
            panic!("it parses")
        };
        assert!(matches!(
            items[..],
            [Item::Let(_), Item::Value(_), Item::Value(_)]
        ));
        assert_eq!(expr.map(|expr| shape(&expr)), Some("f(x)".into()));
        assert!(matches!(entry("game G x : Int x = 1"), Ok(Entry::Game(_))));
    }

    #[test]
    fn equations_stand_under_their_signature() {
        let program = |text: &str| {
            let source = Source::new(Default::default(), Origin::File("g.bgl".into()), text);
            parse_program(&source).map_err(|diagnostics| {
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
