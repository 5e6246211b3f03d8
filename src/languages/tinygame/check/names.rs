//! Who uses which name.

use crate::language::{NameEntry, NameKind, Names, Namespace};
use crate::languages::tinygame::ast::*;
use crate::source::Source;

/// The properties that moves change.
const AXES: [&str; 2] = ["x", "y"];

/// The entities and properties of a program.
pub fn names(source: &Source, items: &[Item]) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    for item in items {
        if let Item::Entity(entity) = item {
            let name = &entity.name;
            names.define(Namespace::Pieces, NameKind::Piece, &name.text, name.span);
            for Property { name, .. } in &entity.properties {
                if !AXES.contains(&&*name.text) {
                    names.define(Namespace::Fields, NameKind::Field, &name.text, name.span);
                }
            }
        }
    }
    for item in items {
        match item {
            Item::Entity(entity) => {
                for property in &entity.properties {
                    expression(&mut names, &property.value);
                }
            }
            Item::Statement(item) => statement(&mut names, item),
        }
    }
    names.into_entries()
}

fn entity(names: &mut Names<'_>, name: &Name) {
    names.refer(Namespace::Pieces, &name.text, name.span);
}

fn property(names: &mut Names<'_>, property: &PropertyRef) {
    entity(names, &property.entity);
    let name = &property.property;
    names.refer(Namespace::Fields, &name.text, name.span);
}

fn statement(names: &mut Names<'_>, item: &Statement) {
    match &item.kind {
        StatementKind::Move {
            entity: moved,
            amount,
            ..
        } => {
            entity(names, moved);
            expression(names, amount);
        }
        StatementKind::Set { target, value } => {
            property(names, target);
            expression(names, value);
        }
        StatementKind::If { condition, body } => {
            expression(names, &condition.left);
            expression(names, &condition.right);
            for item in body {
                statement(names, item);
            }
        }
        StatementKind::Print { .. } => {}
    }
}

fn expression(names: &mut Names<'_>, expr: &Expr) {
    match &expr.kind {
        ExprKind::Property(reference) => property(names, reference),
        ExprKind::Chain { first, rest } => {
            expression(names, first);
            for link in rest {
                expression(names, &link.operand);
            }
        }
        ExprKind::BareName(name) => entity(names, name),
        ExprKind::Number(_) | ExprKind::String => {}
    }
}
