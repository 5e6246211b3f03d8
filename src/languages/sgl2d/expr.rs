//! SGL2D has no expressions, but a person who debugs a game wants to ask: `counter1`, `player.x == 3`, `lava.counter < 2`.

use super::lower::{VARIABLES, sprite_counter_global};
use super::scope::Scope;
use crate::code::{Local, Reg};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// One value, or the comparison of two.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub left: Operand,
    pub right: Option<(CompareOp, Operand)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    Number(i32),
    Bool(bool),
    /// A name of the frame that the debugger stands in.
    Local(Reg),
    /// A variable by its number, and where it is named.
    Variable(u32, Span),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Longer signs first.
const SIGNS: [(&str, CompareOp); 7] = [
    ("==", CompareOp::Equal),
    ("!=", CompareOp::NotEqual),
    ("<=", CompareOp::LessEqual),
    (">=", CompareOp::GreaterEqual),
    ("<", CompareOp::Less),
    (">", CompareOp::Greater),
    ("=", CompareOp::Equal),
];

/// The question, if all of the text is one: anything else is read as a line.
pub fn parse(source: &Source, scope: &Scope, locals: &[Local]) -> Option<Expr> {
    let names = Names {
        source,
        scope,
        locals,
    };
    let text = source.text.as_str();
    let signed = |&(sign, relation): &(&'static str, CompareOp)| {
        text.find(sign).map(|at| (at, sign, relation))
    };
    let Some((at, sign, relation)) = SIGNS.iter().find_map(signed) else {
        let left = names
            .operand(0, text.len())
            .filter(|o| !matches!(o, Operand::Number(_)))?;
        return Some(Expr { left, right: None });
    };
    let (left, right) = (
        names.operand(0, at)?,
        names.operand(at + sign.len(), text.len())?,
    );
    Some(Expr {
        left,
        right: Some((relation, right)),
    })
}

pub const EXPR_HELP: &str = "a question is a name or compares two: `player.x`, `counter1 == 3`";

/// What may be asked, for whoever has typed something that is neither a line nor a question.
pub fn add_help(told: &mut Diagnostic, source: &Source, scope: &Scope) {
    let word = source
        .text
        .split(|c: char| !c.is_ascii_alphabetic() && c != '_')
        .next()
        .unwrap_or("")
        .to_ascii_lowercase();
    told.notes.push(match scope.sprites.contains_key(word.as_str()) {
        true => format!("`{word}` is a sprite: `{word}.counter` is its counter, `:whatis {word}` tells of it"),
        false => EXPR_HELP.into(),
    });
}

/// Whether a text begins as a question and goes on as something that is none.
pub fn starts_with_operand(source: &Source, scope: &Scope, locals: &[Local]) -> bool {
    let text = source.text.as_str();
    let start = text.len() - text.trim_start().len();
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
    let end = text[start..].find(ends).map_or(text.len(), |at| start + at);
    let names = Names {
        source,
        scope,
        locals,
    };
    matches!(
        names.operand(start, end),
        Some(Operand::Variable(..) | Operand::Local(_))
    )
}

struct Names<'n> {
    source: &'n Source,
    scope: &'n Scope,
    locals: &'n [Local],
}

impl Names<'_> {
    fn operand(&self, start: usize, end: usize) -> Option<Operand> {
        let part = self.source.text.get(start..end)?;
        let word = part.trim();
        let from = start + (part.len() - part.trim_start().len());
        let span = self.source.span(from, from + word.len());
        let lower = word.to_ascii_lowercase();
        if let Some(register) = self
            .locals
            .iter()
            .rposition(|l| l.name.as_str().eq_ignore_ascii_case(word))
        {
            return Some(Operand::Local(register as Reg));
        }
        match lower.as_str() {
            "true" => return Some(Operand::Bool(true)),
            "false" => return Some(Operand::Bool(false)),
            _ => {}
        }
        if let Ok(number) = word.parse() {
            return Some(Operand::Number(number));
        }
        let known = VARIABLES
            .iter()
            .position(|name| *name == lower)
            .map(|n| n as u32);
        let own = || {
            lower
                .strip_suffix(".counter")
                .and_then(|name| self.scope.sprites.get(name))
                .map(sprite_counter_global)
        };
        known
            .or_else(own)
            .map(|global| Operand::Variable(global, span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Origin, SourceId};

    fn asked(text: &str) -> Option<Expr> {
        parse(
            &Source::new(SourceId(0), Origin::Entry(1), text),
            &Scope::default(),
            &[],
        )
    }

    #[test]
    fn names_and_comparisons_are_questions_and_lines_are_not() {
        for text in [
            "counter1",
            " Player.X ",
            "counter2 <= 3",
            "win == false",
            "3 < moves",
        ] {
            assert!(asked(text).is_some(), "{text}");
        }
        for text in [
            "player > x=3",
            "counter counter1 > true 3",
            "right 3",
            "7",
            "ghost.counter",
            "",
            "goal >",
        ] {
            assert!(asked(text).is_none(), "{text}");
        }
    }
}
