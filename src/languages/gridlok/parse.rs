//! The parser: turns a file or an entry into a syntax tree.

mod ast_builder;
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
use crate::language::ParsedEntry;
use crate::source::{Origin, Source};

lalrpop_mod!(
    #[allow(clippy::all, unused_imports, unused_parens, dead_code)]
    grammar,
    "/gridlok.rs"
);

/// A token with its start and end byte, as lalrpop expects it.
type SpannedToken<'t> = (usize, Token<'t>, usize);

/// Why parsing failed.
struct ParseFailure {
    diagnostics: Vec<Diagnostic>,
    /// More input might complete the text.
    is_incomplete: bool,
}

/// Parses a file.
pub fn parse_program(source: &Source) -> Result<ast::Program, Vec<Diagnostic>> {
    match parse(source, Token::StartProgram) {
        Ok(Start::Program(program)) => Ok(program),
        // Not reached: the start token selects which variant is returned.
        Ok(Start::Entry(_)) => Ok(ast::Program::default()),
        Err(failure) => Err(failure.diagnostics),
    }
}

/// Parses an entry.
#[cfg(test)]
pub fn parse_entry(source: &Source) -> Result<ast::Entry, Vec<Diagnostic>> {
    parse_prompt(source).into_tree()
}

/// Parses an entry, and tells whether more input could complete it.
pub fn parse_prompt(source: &Source) -> ParsedEntry {
    let (tree, is_incomplete) = match parse(source, Token::StartEntry) {
        Ok(Start::Entry(entry)) => (Ok(entry), false),
        Ok(Start::Program(program)) => (Ok(ast::Entry::Game(program)), false),
        Err(failure) => (Err(failure.diagnostics), failure.is_incomplete),
    };
    ParsedEntry::new(tree, is_incomplete)
}

/// `board` and `board[0]` could be continued, but a user who types just that should get an error
/// message, not a continuation prompt.
fn is_part_of_board(tokens: &[SpannedToken<'_>]) -> bool {
    let mut kinds = tokens.iter().map(|(_, token, _)| *token);
    if kinds.next() != Some(Token::Board) {
        return false;
    }
    let is_bracket = |token| matches!(token, Token::OpenBracket | Token::CloseBracket);
    match (kinds.next(), kinds.next_back()) {
        (None, _) => true,
        (Some(Token::OpenBracket), Some(Token::CloseBracket)) => !kinds.any(is_bracket),
        _ => false,
    }
}

fn parse(source: &Source, start: Token<'static>) -> Result<Start, ParseFailure> {
    let tokens = spanned_tokens(source);
    let builder = AstBuilder::new(source.id);
    let mut depth = DepthLimiter::new(source);
    let limited = tokens
        .iter()
        .map(|&token| depth.check(token).map(|()| token));
    let result = grammar::StartParser::new()
        .parse(&builder, std::iter::once(Ok((0, start, 0))).chain(limited));
    let diagnostics = builder.into_errors();
    match result {
        Ok(tree) if diagnostics.is_empty() => Ok(tree),
        Ok(_) => Err(ParseFailure {
            diagnostics,
            is_incomplete: false,
        }),
        Err(error) => Err(to_failure(source, &tokens, error)),
    }
}

/// The tokens of a source without comments. `@` names are only valid in the rules of play.
fn spanned_tokens(source: &Source) -> Vec<SpannedToken<'_>> {
    let is_rules = matches!(source.origin, Origin::Rules(_));
    let is_significant = |token: Token<'_>| token != Token::Comment;
    let significant = token::tokenize(&source.text)
        .into_iter()
        .filter(|(_, token)| is_significant(*token));
    significant
        .map(|(range, token)| match token {
            Token::RulesName(name) if is_rules => (range.start, Token::Name(name), range.end),
            Token::RulesName(_) => (range.start, Token::Invalid, range.end),
            token => (range.start, token, range.end),
        })
        .collect()
}

fn to_failure(
    source: &Source,
    tokens: &[SpannedToken<'_>],
    error: ParseError<usize, Token<'_>, Box<Diagnostic>>,
) -> ParseFailure {
    let (at, expected) = match error {
        ParseError::User { error } => {
            return ParseFailure {
                diagnostics: vec![*error],
                is_incomplete: false,
            };
        }
        ParseError::UnrecognizedToken { token, expected } => (Some(token.0), expected),
        ParseError::ExtraToken { token } => (Some(token.0), Vec::new()),
        ParseError::UnrecognizedEof { expected, .. } => (None, expected),
        ParseError::InvalidToken { location } => (Some(location), Vec::new()),
    };
    let index = at.map_or(tokens.len(), |at| {
        tokens.partition_point(|token| token.0 < at)
    });
    let syntax_error = SyntaxError::new(source, tokens, index, &expected);
    let ends_too_early = matches!(
        syntax_error.found(),
        None | Some(Token::UnterminatedComment)
    );
    ParseFailure {
        diagnostics: vec![syntax_error.to_diagnostic()],
        is_incomplete: ends_too_early && !is_part_of_board(tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::ast::*;
    use super::*;
    use crate::source::SourceId;

    fn parse_typed(text: &str) -> Result<Entry, Vec<Diagnostic>> {
        parse_entry(&Source::new(SourceId(0), Origin::Entry(1), text))
    }

    fn statement(text: &str) -> StatementKind {
        match parse_typed(&format!("if true {{ {text} }}")) {
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
        parse_typed(text).expect_err(text).remove(0).message
    }

    fn is_incomplete(text: &str) -> bool {
        let source = Source::new(SourceId::default(), Origin::Entry(0), text);
        parse_prompt(&source).is_incomplete
    }

    #[test]
    fn a_single_expression_is_parsed_as_an_expression_entry() {
        assert!(matches!(parse_typed("1 + 1"), Ok(Entry::Expression(_))));
        assert!(matches!(parse_typed("-5"), Ok(Entry::Expression(_))));
        assert!(
            matches!(parse_typed("add{3,5}"), Ok(Entry::Expression(Expr { kind: ExprKind::Call(_, v), .. })) if v.len() == 2)
        );
        assert!(matches!(parse_typed("l{3,5,}"), Ok(Entry::Parts(parts)) if parts.len() == 1));
        assert!(
            matches!(parse_typed("def a{1} print{a}"), Ok(Entry::Parts(parts)) if parts.len() == 2)
        );
        assert!(matches!(parse_typed("game{}"), Ok(Entry::Game(_))));
        assert!(matches!(parse_typed(""), Ok(Entry::Parts(parts)) if parts.is_empty()));
    }

    #[test]
    fn braces_contain_arguments_a_list_or_statements() {
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
    fn the_target_before_braces_decides_the_statement() {
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
            "cannot assign to a cell of the board"
        );
    }

    #[test]
    fn calls_with_parentheses_get_a_note_about_braces() {
        for (text, name) in [
            ("click(1,1)", "click"),
            ("place(\"X\",1,1)", "place"),
            ("endTurn()", "endTurn"),
            ("def y {rand(1,2) + 3}", "rand"),
            ("fun f(a) { return g(a - 1, 2) }", "g"),
        ] {
            let notes = parse_typed(text).unwrap_err().remove(0).notes;
            assert_eq!(
                notes,
                [format!("call it with braces: `{name}{{…}}`")],
                "{text}"
            );
        }
        for text in ["fun f(a b) { }", "(1, 2)", "if (1, 2) { }"] {
            assert!(
                parse_typed(text).unwrap_err().remove(0).notes.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn entries_are_incomplete_only_if_more_input_helps() {
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
    fn the_smallest_int_is_a_literal() {
        let min = |entry| {
            matches!(
                entry,
                Ok(Entry::Expression(Expr {
                    kind: ExprKind::Int(i32::MIN),
                    ..
                }))
            )
        };
        assert!(min(parse_typed("-2147483648")));
        assert_eq!(message("2147483648"), "number too large");
        assert_eq!(message("1 - 2147483648"), "number too large");
    }

    #[test]
    fn at_names_are_only_allowed_in_the_rules() {
        let text = "fun @next(){ @turnAt{@turnAt + 1} }";
        let rules = Source::new(SourceId(0), Origin::Rules("GridLok"), text);
        assert!(parse_program(&rules).is_ok());
        assert_eq!(message(text), "unexpected `@next`");
    }

    #[test]
    fn trees_that_are_too_deep_are_rejected() {
        let chain = |n: usize| format!("1{}", " + 1".repeat(n));
        let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
        assert!(parse_typed(&chain(400)).is_ok() && parse_typed(&nested(190)).is_ok());
        for text in [
            chain(100_000),
            nested(100_000),
            "!".repeat(100_000),
            "-".repeat(100_000),
            "{".repeat(100_000),
        ] {
            assert!(parse_typed(&text).is_err());
        }
        for text in [
            format!("a{}", "[0]".repeat(100_000)),
            format!("a{}", ".name".repeat(100_000)),
        ] {
            assert!(parse_typed(&text).is_err());
        }
        assert!(parse_typed(&format!("{}{}", nested(190), " + 1".repeat(400))).is_err());
    }

    #[test]
    fn long_programs_are_not_rejected_as_deep() {
        assert!(parse_typed(&"board[0][0].visible{1} ".repeat(5_000)).is_ok());
        assert!(parse_typed(&format!("if true {{ {} }}", "n{n + 1 * 2} ".repeat(5_000))).is_ok());
        assert!(parse_typed(&format!("def l{{{}}}", "1 + 1,".repeat(5_000))).is_ok());
        assert!(
            parse_typed(&format!(
                "if true {{}} {}",
                "elseif a.visible AND b[0] == 1 {} ".repeat(1_000)
            ))
            .is_ok()
        );
    }
}
