//! From text to syntax tree: a whole file, or what was typed at the prompt.

mod depth;
mod explain;
pub mod tree;

use lalrpop_util::{ParseError, lalrpop_mod};

use self::depth::Depth;
use self::explain::Place;
use self::tree::{Maker, Start};
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
type Lexeme<'t> = (usize, Token<'t>, usize);

/// Why there is no tree.
struct Failure {
    problems: Vec<Diagnostic>,
    /// More text might mend it.
    unfinished: bool,
}

/// Parses a whole file.
pub fn program(source: &Source) -> Result<ast::Program, Vec<Diagnostic>> {
    match parse(source, Token::StartProgram) {
        Ok(Start::Program(program)) => Ok(program),
        // The marker before the tokens decides which of the two comes back.
        Ok(Start::Entry(_)) => Ok(ast::Program::default()),
        Err(failure) => Err(failure.problems),
    }
}

/// Parses what was typed at the prompt.
pub fn entry(source: &Source) -> Result<ast::Entry, Vec<Diagnostic>> {
    match parse(source, Token::StartEntry) {
        Ok(Start::Entry(entry)) => Ok(entry),
        Ok(Start::Program(program)) => Ok(ast::Entry::Game(program)),
        Err(failure) => Err(failure.problems),
    }
}

/// Whether all that is wrong with an entry is that it ends too early.
pub fn is_unfinished(text: &str) -> bool {
    let source = Source::new(SourceId::default(), Origin::Entry(0), text);
    parse(&source, Token::StartEntry).is_err_and(|failure| failure.unfinished)
}

fn parse(source: &Source, start: Token<'static>) -> Result<Start, Failure> {
    let lexemes = lexemes(source);
    let maker = Maker::new(source.id);
    let mut depth = Depth::new(source);
    let fed = lexemes.iter().map(|&lexeme| depth.watch(lexeme).map(|()| lexeme));
    let result = grammar::StartParser::new().parse(&maker, std::iter::once(Ok((0, start, 0))).chain(fed));
    let problems = maker.problems();
    match result {
        Ok(tree) if problems.is_empty() => Ok(tree),
        Ok(_) => Err(Failure { problems, unfinished: false }),
        Err(error) => Err(failure(source, &lexemes, error)),
    }
}

/// The tokens that count for the grammar. Names that begin with `@` belong to the rules of play alone.
fn lexemes(source: &Source) -> Vec<Lexeme<'_>> {
    let rules = matches!(source.origin, Origin::Rules(_));
    let counts = |token: Token<'_>| token != Token::Comment;
    let known = token::tokens(&source.text).into_iter().filter(|(_, token)| counts(*token));
    known
        .map(|(range, token)| match token {
            Token::RulesName(name) if rules => (range.start, Token::Name(name), range.end),
            Token::RulesName(_) => (range.start, Token::Bad, range.end),
            token => (range.start, token, range.end),
        })
        .collect()
}

fn failure(source: &Source, lexemes: &[Lexeme<'_>], error: ParseError<usize, Token<'_>, Diagnostic>) -> Failure {
    let (at, expected) = match error {
        ParseError::User { error } => return Failure { problems: vec![error], unfinished: false },
        ParseError::UnrecognizedToken { token, expected } => (Some(token.0), expected),
        ParseError::ExtraToken { token } => (Some(token.0), Vec::new()),
        ParseError::UnrecognizedEof { expected, .. } => (None, expected),
        ParseError::InvalidToken { location } => (Some(location), Vec::new()),
    };
    let index = at.map_or(lexemes.len(), |at| lexemes.partition_point(|lexeme| lexeme.0 < at));
    let place = Place::new(source, lexemes, index, &expected);
    let unfinished = matches!(place.found(), None | Some(Token::OpenComment));
    Failure { problems: vec![place.explain()], unfinished }
}
