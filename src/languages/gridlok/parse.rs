//! From text to syntax tree: a whole file, or what was typed at the prompt.

pub mod ast_builder;
mod bracket;
mod depth;
mod syntax_error;

use lalrpop_util::{ParseError, lalrpop_mod};

use self::ast_builder::{AstBuilder, Start};
use self::depth::DepthLimiter;
use self::syntax_error::SyntaxError;
use super::ast;
use super::token::{self, Token};
use crate::diagnostic::Diagnostic;
use crate::source::{Origin, Source, SourceId};

lalrpop_mod!(
    #[allow(clippy::all, unused_imports, unused_parens, dead_code)]
    grammar,
    "/gridlok.rs"
);

/// A token with the bytes where it starts and ends.
type SpannedToken<'t> = (usize, Token<'t>, usize);

/// Why there is no tree.
struct Failure {
    problems: Vec<Diagnostic>,
    /// More text might mend it.
    unfinished: bool,
}

/// Parses a whole file.
pub fn parse_program(source: &Source) -> Result<ast::Program, Vec<Diagnostic>> {
    match parse(source, Token::StartProgram) {
        Ok(Start::Program(program)) => Ok(program),
        // The marker before the tokens decides which of the two comes back.
        Ok(Start::Entry(_)) => Ok(ast::Program::default()),
        Err(failure) => Err(failure.problems),
    }
}

/// Parses what was typed at the prompt.
pub fn parse_entry(source: &Source) -> Result<ast::Entry, Vec<Diagnostic>> {
    match parse(source, Token::StartEntry) {
        Ok(Start::Entry(entry)) => Ok(entry),
        Ok(Start::Program(program)) => Ok(ast::Entry::Game(program)),
        Err(failure) => Err(failure.problems),
    }
}

/// Whether all that is wrong with an entry is that it ends too early.
pub fn is_incomplete(text: &str) -> bool {
    let source = Source::new(SourceId::default(), Origin::Entry(0), text);
    parse(&source, Token::StartEntry).is_err_and(|failure| failure.unfinished)
        && !is_part_of_board(text)
}

/// `board` and `board[0]` could go on, but whoever types them alone means them so, and wants to hear that
/// they are no value.
fn is_part_of_board(text: &str) -> bool {
    let tokens: Vec<Token> = token::tokenize(text)
        .into_iter()
        .map(|(_, t)| t)
        .filter(|t| *t != Token::Comment)
        .collect();
    match tokens.as_slice() {
        [Token::Board] => true,
        [
            Token::Board,
            Token::OpenBracket,
            index @ ..,
            Token::CloseBracket,
        ] => !index
            .iter()
            .any(|t| matches!(t, Token::OpenBracket | Token::CloseBracket)),
        _ => false,
    }
}

fn parse(source: &Source, start: Token<'static>) -> Result<Start, Failure> {
    let lexemes = lexemes(source);
    let maker = AstBuilder::new(source.id);
    let mut depth = DepthLimiter::new(source);
    let fed = lexemes
        .iter()
        .map(|&lexeme| depth.check(lexeme).map(|()| lexeme));
    let result =
        grammar::StartParser::new().parse(&maker, std::iter::once(Ok((0, start, 0))).chain(fed));
    let problems = maker.into_errors();
    match result {
        Ok(tree) if problems.is_empty() => Ok(tree),
        Ok(_) => Err(Failure {
            problems,
            unfinished: false,
        }),
        Err(error) => Err(failure(source, &lexemes, error)),
    }
}

/// The tokens that count for the grammar. Names that begin with `@` belong to the rules of play alone.
fn lexemes(source: &Source) -> Vec<SpannedToken<'_>> {
    let rules = matches!(source.origin, Origin::Rules(_));
    let counts = |token: Token<'_>| token != Token::Comment;
    let known = token::tokenize(&source.text)
        .into_iter()
        .filter(|(_, token)| counts(*token));
    known
        .map(|(range, token)| match token {
            Token::RulesName(name) if rules => (range.start, Token::Name(name), range.end),
            Token::RulesName(_) => (range.start, Token::Invalid, range.end),
            token => (range.start, token, range.end),
        })
        .collect()
}

fn failure(
    source: &Source,
    lexemes: &[SpannedToken<'_>],
    error: ParseError<usize, Token<'_>, Box<Diagnostic>>,
) -> Failure {
    let (at, expected) = match error {
        ParseError::User { error } => {
            return Failure {
                problems: vec![*error],
                unfinished: false,
            };
        }
        ParseError::UnrecognizedToken { token, expected } => (Some(token.0), expected),
        ParseError::ExtraToken { token } => (Some(token.0), Vec::new()),
        ParseError::UnrecognizedEof { expected, .. } => (None, expected),
        ParseError::InvalidToken { location } => (Some(location), Vec::new()),
    };
    let index = at.map_or(lexemes.len(), |at| {
        lexemes.partition_point(|lexeme| lexeme.0 < at)
    });
    let place = SyntaxError::new(source, lexemes, index, &expected);
    let unfinished = matches!(place.found(), None | Some(Token::UnterminatedComment));
    Failure {
        problems: vec![place.to_diagnostic()],
        unfinished,
    }
}

#[cfg(test)]
mod tests {
    use super::ast::*;
    use super::*;

    fn typed(text: &str) -> Result<Entry, Vec<Diagnostic>> {
        parse_entry(&Source::new(SourceId(0), Origin::Entry(1), text))
    }

    fn statement(text: &str) -> StatementKind {
        match typed(&format!("if true {{ {text} }}")) {
            Ok(Entry::Parts(parts)) => match parts.into_iter().next() {
                Some(EntryPart::Statement(Statement {
                    kind: StatementKind::If { mut arms, .. },
                    ..
                })) => arms.remove(0).1.statements.remove(0).kind,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    fn message(text: &str) -> String {
        typed(text).expect_err(text).remove(0).message
    }

    #[test]
    fn one_expression_is_answered_and_the_rest_is_done() {
        assert!(matches!(typed("1 + 1"), Ok(Entry::Expression(_))));
        assert!(matches!(typed("-5"), Ok(Entry::Expression(_))));
        assert!(
            matches!(typed("add{3,5}"), Ok(Entry::Expression(Expr { kind: ExprKind::Call(_, v), .. })) if v.len() == 2)
        );
        assert!(matches!(typed("l{3,5,}"), Ok(Entry::Parts(parts)) if parts.len() == 1));
        assert!(matches!(typed("def a{1} print{a}"), Ok(Entry::Parts(parts)) if parts.len() == 2));
        assert!(matches!(typed("game{}"), Ok(Entry::Game(_))));
        assert!(matches!(typed(""), Ok(Entry::Parts(parts)) if parts.is_empty()));
    }

    #[test]
    fn braces_hold_arguments_a_list_or_statements() {
        assert!(
            matches!(statement("x{}"), StatementKind::Braces(_, BraceContent::Arguments(v)) if v.is_empty())
        );
        assert!(
            matches!(statement("x{-1, 2}"), StatementKind::Braces(_, BraceContent::Arguments(v)) if v.len() == 2)
        );
        assert!(
            matches!(statement("x{f{1}}"), StatementKind::Braces(_, BraceContent::Arguments(v)) if v.len() == 1)
        );
        assert!(
            matches!(statement("x{,}"), StatementKind::Braces(_, BraceContent::List(v, _)) if v.is_empty())
        );
        assert!(
            matches!(statement("x{1,}"), StatementKind::Braces(_, BraceContent::List(v, _)) if v.len() == 1)
        );
        assert!(
            matches!(statement("x{f{1} g{}}"), StatementKind::Braces(_, BraceContent::Block(b)) if b.statements.len() == 2)
        );
        assert!(
            matches!(statement("x{ l{1,} }"), StatementKind::Braces(_, BraceContent::Block(b)) if b.statements.len() == 1)
        );
        assert!(
            matches!(statement("x{ for p in board{} }"), StatementKind::Braces(_, BraceContent::Block(b)) if b.statements.len() == 1)
        );
    }

    #[test]
    fn what_stands_before_braces_decides_what_they_do() {
        assert!(matches!(
            statement("l[0]{}"),
            StatementKind::RemoveElement { .. }
        ));
        assert!(matches!(
            statement("l[0]{1}"),
            StatementKind::SetElement {
                value: Initializer::Expr(_),
                ..
            }
        ));
        assert!(matches!(
            statement("l[0]{,}"),
            StatementKind::SetElement {
                value: Initializer::List(..),
                ..
            }
        ));
        assert!(matches!(
            statement("board[0][1].visible{1}"),
            StatementKind::PieceAction { .. }
        ));
        assert!(matches!(
            statement("p.changeType{\"a\"}"),
            StatementKind::PieceAction { .. }
        ));
        assert_eq!(
            message("board[0][0]{1}"),
            "a cell of the board can't be assigned"
        );
    }

    #[test]
    fn a_call_in_parentheses_is_told_how_calls_are_written() {
        for (text, name) in [
            ("click(1,1)", "click"),
            ("place(\"X\",1,1)", "place"),
            ("endTurn()", "endTurn"),
            ("def y {rand(1,2) + 3}", "rand"),
            ("fun f(a) { return g(a - 1, 2) }", "g"),
        ] {
            let notes = typed(text).unwrap_err().remove(0).notes;
            assert_eq!(
                notes,
                [format!("call it with braces: `{name}{{…}}`")],
                "{text}"
            );
        }
        for text in ["fun f(a b) { }", "(1, 2)", "if (1, 2) { }"] {
            assert!(
                typed(text).unwrap_err().remove(0).notes.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn an_entry_is_unfinished_only_where_more_text_helps() {
        for text in [
            "if true {",
            "fun f(){",
            "1 +",
            "/* …",
            "def l{1,",
            "print{(1",
            "for i(0,",
            "game{",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in [
            "}",
            "1 + 1",
            "",
            "print{1}}",
            "\"abc",
            "1 + )",
            "def 2nd{",
            "if true { } else if",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn the_smallest_number_is_a_literal() {
        let min = |entry| {
            matches!(
                entry,
                Ok(Entry::Expression(Expr {
                    kind: ExprKind::Int(i32::MIN),
                    ..
                }))
            )
        };
        assert!(min(typed("-2147483648")));
        assert_eq!(message("2147483648"), "the number 2147483648 is too large");
        assert_eq!(
            message("1 - 2147483648"),
            "the number 2147483648 is too large"
        );
    }

    #[test]
    fn only_the_rules_of_play_may_use_at_names() {
        let text = "fun @next(){ @turnAt{@turnAt + 1} }";
        let rules = Source::new(SourceId(0), Origin::Rules("GridLok"), text);
        assert!(parse_program(&rules).is_ok());
        assert_eq!(message(text), "`@next` means nothing in GridLok");
    }

    #[test]
    fn trees_that_would_be_too_deep_are_refused() {
        let chain = |n: usize| format!("1{}", " + 1".repeat(n));
        let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
        assert!(typed(&chain(400)).is_ok() && typed(&nested(190)).is_ok());
        for text in [
            chain(100_000),
            nested(100_000),
            "!".repeat(100_000),
            "-".repeat(100_000),
            "{".repeat(100_000),
        ] {
            assert!(typed(&text).is_err());
        }
        for text in [
            format!("a{}", "[0]".repeat(100_000)),
            format!("a{}", ".name".repeat(100_000)),
        ] {
            assert!(typed(&text).is_err());
        }
        assert!(typed(&format!("{}{}", nested(190), " + 1".repeat(400))).is_err());
    }

    #[test]
    fn a_long_text_is_not_a_deep_one() {
        assert!(typed(&"board[0][0].visible{1} ".repeat(5_000)).is_ok());
        assert!(typed(&format!("if true {{ {} }}", "n{n + 1 * 2} ".repeat(5_000))).is_ok());
        assert!(typed(&format!("def l{{{}}}", "1 + 1,".repeat(5_000))).is_ok());
        assert!(
            typed(&format!(
                "if true {{}} {}",
                "elseif a.visible AND b[0] == 1 {} ".repeat(1_000)
            ))
            .is_ok()
        );
    }
}
