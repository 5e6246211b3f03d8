//! The items of a GridLang program, as its file contains them.

use crate::ast;
use crate::check::hir::{Stmt, StmtKind};
use crate::language::{Definition, ProgramItem};
use crate::lower::scope::Scope;
use crate::parse::{Start, parse};
use crate::source::{Origin, Source, Sources, Span};
use crate::view::definitions;

/// Where variables are declared in a file: after the pieces, before `Layout`.
const VARIABLE_SECTION: u8 = 2;

const LAYOUT_SECTION: u8 = VARIABLE_SECTION + 1;

/// Where variables are declared that were typed after `Layout` had run.
const LATER_VARIABLE_SECTION: u8 = LAYOUT_SECTION + 1;

/// Everything a file of the program contains.
pub fn program_items(scope: &Scope, sources: &Sources) -> Vec<ProgramItem> {
    let is_declared = |definition: &Definition| definition.kind != "variable";
    let definitions = definitions(scope).into_iter().filter(is_declared);
    let blocks = definitions.map(|definition| {
        let section = section(&definition.name, definition.kind);
        let key = format!("{} {}", definition.kind, definition.name);
        ProgramItem::new(key, section, definition.span)
    });
    let (before, after) = (
        scope.declarations_before_layout.in_order(),
        scope.declarations_after_layout.in_order(),
    );
    let before = before.iter().map(|s| (s, VARIABLE_SECTION));
    let after = after.iter().map(|s| (s, LATER_VARIABLE_SECTION));
    let variables = before
        .chain(after)
        .filter_map(|(statement, section)| variable_item(statement, section, sources));
    blocks.chain(variables).collect()
}

fn section(name: &str, kind: &str) -> u8 {
    match (kind, name) {
        ("block", "Player") => 0,
        ("item", _) => 1,
        ("block", "Layout") => LAYOUT_SECTION,
        ("function", _) => LATER_VARIABLE_SECTION + 1,
        ("block", "gameLoop") => LATER_VARIABLE_SECTION + 2,
        ("handler", _) => LATER_VARIABLE_SECTION + 3,
        ("condition", _) => LATER_VARIABLE_SECTION + 4,
        _ => LATER_VARIABLE_SECTION + 5,
    }
}

fn variable_item(statement: &Stmt, section: u8, sources: &Sources) -> Option<ProgramItem> {
    let StmtKind::Declare { name, span, .. } = &statement.kind else {
        return None;
    };
    Some(ProgramItem {
        key: match section {
            LATER_VARIABLE_SECTION => format!("later variable {name}"),
            _ => format!("variable {name}"),
        },
        section,
        span: statement.span,
        text: declaration_of_one(statement.span, *span, sources),
    })
}

/// `int b = 2` of the statement `int a = 1, b = 2`; `None` if it declares only one variable.
fn declaration_of_one(statement: Span, declarator: Span, sources: &Sources) -> Option<String> {
    let text = sources.slice(statement);
    let source = Source::new(statement.source, Origin::Entry(0), text);
    let tree = parse(&source, Start::Entry).ok()?;
    let ast::TopLevel::Statement(parsed) = tree.top_level.first()? else {
        return None;
    };
    match &parsed.kind {
        ast::StmtKind::Declare { ty, declarators } if declarators.len() > 1 => {
            let (ty, declarator) = (source.slice(ty.span), sources.slice(declarator));
            Some(format!("{} {declarator}", ty.trim_end()))
        }
        _ => None,
    }
}
