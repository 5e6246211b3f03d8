//! The parser: turns a file or an entry into a syntax tree.
//!
//! ```text
//! ast_builder   nodes of the tree, for the grammar
//! call_braces   calls in conditions and loop heads
//! depth         the limit on the depth of trees
//! syntax_error  what syntax errors say
//! ```

mod ast_builder;
mod call_braces;
mod depth;
mod syntax_error;

use std::ops::Range;

use lalrpop_util::lalrpop_mod;

use self::ast_builder::{AstBuilder, Start};
use self::depth::DepthLimiter;
use super::ast;
use super::token::{self, Token};
use crate::diagnostic::Diagnostic;
use crate::language::syntax::{ParseFailure, ParserInput, parse_file};
use crate::language::{Continuation, ParsedEntry};
use crate::source::{Origin, Source};

lalrpop_mod!(
    #[allow(clippy::all, unused_imports, unused_parens, dead_code)]
    grammar,
    "/gridlok.rs"
);

/// Parses a file. If that fails, `check` returns the errors of the parts that parsed.
pub fn parse_program(
    source: &Source,
    check: impl FnOnce(&ast::Program) -> Vec<Diagnostic>,
) -> Result<ast::Program, Vec<Diagnostic>> {
    let tokenize = |text| tokenize(source, text);
    let start = Some(Token::StartProgram);
    let check = |tree| match tree {
        Start::Program(program) => check(&program),
        Start::Entry(_) => Vec::new(),
    };
    match parse_file(source, start, tokenize, |input| run(source, input), check)? {
        Start::Program(program) => Ok(program),
        // Not reached: the start token selects which variant is returned.
        Start::Entry(_) => Ok(ast::Program::default()),
    }
}

/// Parses an entry.
#[cfg(test)]
pub fn parse_entry(source: &Source) -> Result<ast::Entry, Vec<Diagnostic>> {
    parse_prompt(source).into_tree()
}

/// Parses an entry, and tells whether more input could complete it.
pub fn parse_prompt(source: &Source) -> ParsedEntry {
    let tokens = tokenize(source, &source.text);
    let input = ParserInput::new(source, Some(Token::StartEntry), tokens);
    let result = run(source, &input).map(|tree| match tree {
        Start::Entry(entry) => entry,
        Start::Program(program) => ast::Entry::Game(program),
    });
    ParsedEntry::from_parser(&input, result).continued(|entry| continuation(source, entry))
}

/// The next line can go on with an `if` that has no `else`.
fn continuation(source: &Source, entry: &ast::Entry) -> Continuation {
    let ast::Entry::Parts(parts) = entry else {
        return Continuation::default();
    };
    match parts.last() {
        Some(ast::EntryPart::Statement(last)) => match &last.kind {
            ast::StatementKind::If {
                otherwise: None, ..
            } => Continuation {
                words: &["elseif", "else"],
                equation_of: None,
                is_likely: source.text.trim_end().contains('\n'),
            },
            _ => Continuation::default(),
        },
        _ => Continuation::default(),
    }
}

/// The tokens of a text. `@` names are only valid in the rules of play.
fn tokenize<'t>(source: &Source, text: &'t str) -> Vec<(Range<usize>, Token<'t>)> {
    let is_rules = matches!(source.origin, Origin::Rules(_));
    let mut tokens = token::tokenize(text);
    for (_, token) in &mut tokens {
        match *token {
            Token::RulesName(name) if is_rules => *token = Token::Name(name),
            Token::RulesName(_) => *token = Token::Invalid,
            _ => {}
        }
    }
    tokens
}

fn run<'i, 't>(
    source: &Source,
    input: &'i ParserInput<'_, Token<'t>>,
) -> Result<Start, ParseFailure<'i, Token<'t>>> {
    let builder = AstBuilder::new(source.id);
    let mut depth = DepthLimiter::new(source);
    let tree = input.parse(|tokens| {
        let limited = tokens.map(|token| token.and_then(|token| depth.check(token)));
        grammar::StartParser::new().parse(&builder, limited)
    })?;
    let errors = builder.into_errors();
    match errors.is_empty() {
        true => Ok(tree),
        false => Err(ParseFailure::Reported(errors)),
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
    fn a_call_in_a_condition_needs_no_parentheses() {
        for text in [
            "if near{0,0} == 3 { print{1} }",
            "if yes{1} { print{1} }",
            "if !yes{1} { print{1} }",
            "if yes{} {}",
            "if a AND yes{1} OR yes{2} { print{1} }",
            "if a { print{1} } elseif yes{f{1}, g{}} { print{2} } else { print{3} }",
            "if at{1}.name == \"x\" { print{1} }",
            "if all1{1}[0] - 1 == 2 { print{1} }",
            "if a + f{1} * g{2} < h{board[0][f{1}]} { print{1} }",
            "for p surrounding one{}, one{} { print{1} }",
            "for i, j surrounding one{} + 1, 2 - one{} { print{1} }",
            "for p surrounding one, two { print{1} }",
        ] {
            assert!(
                matches!(parse_typed(text), Ok(Entry::Parts(parts)) if parts.len() == 1),
                "{text}"
            );
        }
        // The brace opens the block if a statement follows it.
        for text in [
            "if a {b{1}} c{1}",
            "if a {1} !b",
            "if a { b{1} } if c { d{1} }",
            "if f{1} { a{1} } b{1}",
        ] {
            assert!(
                matches!(parse_typed(text), Ok(Entry::Parts(parts)) if parts.len() == 2),
                "{text}"
            );
        }
    }

    #[test]
    fn calls_with_parentheses_get_a_note_about_braces() {
        for (text, call) in [
            ("click(1,1)", "click{1,1}"),
            ("place(\"X\",1,1)", "place{\"X\",1,1}"),
            ("place('X',1,1)", "place{\"X\",1,1}"),
            ("endTurn()", "endTurn{}"),
            ("def y {rand(1,2) + 3}", "rand{1,2}"),
            ("fun f(a) { return g(a - 1, 2) }", "g{a - 1, 2}"),
            ("place(f{1}, 1, 2)", "place{…}"),
        ] {
            let notes = parse_typed(text).unwrap_err().remove(0).notes;
            let expected = [format!("call it with braces: `{call}`")];
            assert_eq!(notes, expected, "{text}");
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
            // Faulty, but what follows is the rest of it.
            "def 2nd{",
            "fum f() {\nprint{1}",
            "fum f(a,",
            "if a = 1 {\n} else {",
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
            "fum f() {\nprint{1}\n}",
            "fun f(a {\nprint{1}\n}",
            "(1 2",
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
        assert!(parse_program(&rules, |_| Vec::new()).is_ok());
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
