//! The attributes of players and items: their types and which pieces have them.

use super::definitions::Definitions;
use crate::ast::{self, ArraySizes, AttributeDecl, ExprKind, Name, PlayerMember};
use crate::check::errors;
use crate::check::hir::{Attribute, AttributeOwners, AttributeRef, Type};
use crate::diagnostic::did_you_mean;
use crate::language::{NameKind, Namespace, Reporter};
use crate::lower::scope::field;
use std::sync::Arc;

/// A declared attribute whose default value has not been checked yet.
pub type AttributeInfo = Attribute<ast::Expr>;

const ITEM_ATTRIBUTES: [&str; 3] = ["position", "displayString", "Exists"];
const PLAYER_ATTRIBUTES: [&str; 5] = ["position", "displayString", "Exists", "win", "type"];

impl Definitions<'_> {
    /// Collects the attributes of the `Player` block and of every kind of item.
    pub fn collect_attributes(&mut self) {
        if let Some(block) = self.env.player.clone() {
            let (mut all, built_in) = (Vec::new(), &PLAYER_ATTRIBUTES);
            for member in &block.members {
                match member {
                    PlayerMember::Attribute(decl) => {
                        self.collect_attribute(decl, None, built_in, &mut all)
                    }
                    PlayerMember::Type {
                        name, attributes, ..
                    } => {
                        self.env.player_types.insert(name.text.clone());
                        self.declared_player_types.insert(name.text.clone());
                        for decl in attributes {
                            self.collect_attribute(decl, Some(&name.text), built_in, &mut all);
                        }
                    }
                }
            }
            self.player_attributes = all;
        }
        for (kind, block) in self.env.items.clone() {
            let mut all = Vec::new();
            for decl in &block.attributes {
                self.collect_attribute(decl, None, &ITEM_ATTRIBUTES, &mut all);
            }
            self.item_attributes.insert(kind, all);
        }
    }

    fn collect_attribute(
        &mut self,
        decl: &AttributeDecl,
        player_type: Option<&Arc<str>>,
        built_in: &[&str],
        all: &mut Vec<AttributeInfo>,
    ) {
        let ty = self.resolve_type(&decl.ty);
        let sizes = self.attribute_sizes(&decl.ty);
        for declarator in &decl.declarators {
            let name = &declarator.name;
            self.names
                .define(Namespace::Fields, NameKind::Field, &name.text, name.span);
            if built_in.contains(&&*name.text) || &*name.text == "exists" {
                let message = format!("`{}` is a built-in attribute", name.text);
                self.error(errors::BUILTIN_ATTRIBUTE, name.span, message);
                continue;
            }
            self.check_attribute_clash(name, &ty, player_type, all);
            all.push(AttributeInfo {
                name: name.text.clone(),
                ty: ty.clone(),
                sizes: sizes.clone(),
                default: declarator.init.clone(),
                player_type: player_type.cloned(),
                span: name.span,
            });
        }
    }

    /// Two player types may have an attribute of the same name if it has the same type in both.
    fn check_attribute_clash(
        &mut self,
        name: &Name,
        ty: &Type,
        player_type: Option<&Arc<str>>,
        all: &[AttributeInfo],
    ) {
        let Some(other) = all.iter().find(|a| a.name == name.text) else {
            return;
        };
        let both_in_types = other.player_type.is_some() && player_type.is_some();
        let same_block = all
            .iter()
            .any(|a| a.name == name.text && a.player_type.as_ref() == player_type);
        let message = if !both_in_types || same_block {
            format!("duplicate attribute `{}`", name.text)
        } else if other.ty != *ty {
            let (name, first, second) = (&name.text, other.ty.with_article(), ty.with_article());
            format!("`{name}` is {first} for one player type, but {second} for another")
        } else {
            return;
        };
        let first_span = other.span;
        self.error(errors::DUPLICATE_DEFINITION, name.span, message)
            .add_related(first_span, "first defined here");
    }

    /// The array sizes of an attribute must be literals, because attributes are created with each
    /// piece.
    fn attribute_sizes(&mut self, ty: &ast::TypeName) -> Vec<i32> {
        let ArraySizes::Explicit(sizes) = &ty.sizes else {
            if ty.sizes != ArraySizes::NotArray {
                self.error(errors::ARRAY_SIZE, ty.span, "missing array size")
                    .add_note("e.g. `int[5]`");
            }
            return Vec::new();
        };
        let mut checked = Vec::new();
        for size in sizes {
            match size.kind {
                ExprKind::Int(n @ 0..=0x7fff_ffff) => checked.push(n as i32),
                _ => {
                    let message = "the array size of an attribute must be a plain number";
                    self.error(errors::ARRAY_SIZE, size.span, message);
                }
            }
        }
        checked
    }

    /// The attribute `name` of a piece of type `ty`, with its type.
    pub fn resolve_attribute(&mut self, ty: &Type, name: &Name) -> Option<(AttributeRef, Type)> {
        let has_all = *ty == Type::Player || self.is_rules();
        let text = match &*name.text {
            "exists" => "Exists",
            text => text,
        };
        let built_in = field::named(text)
            .filter(|(item, _)| has_all || !matches!(*item, field::WIN | field::TYPE))
            .map(|(item, ty)| (AttributeRef::Field(item), ty));
        built_in.or_else(|| match ty {
            Type::Player => self.player_attribute(name),
            Type::Item(kind) => self.item_attribute(kind.as_ref(), name),
            _ => None,
        })
    }

    fn player_attribute(&self, name: &Name) -> Option<(AttributeRef, Type)> {
        let attributes = self.player_attributes.iter();
        let named = attributes.filter(|a| a.name == name.text);
        let ty = named.clone().next()?.ty.clone();
        let types: Vec<Arc<str>> = named.filter_map(|a| a.player_type.clone()).collect();
        let owners = match types.is_empty() {
            true => AttributeOwners::All,
            false => AttributeOwners::PlayerTypes(types),
        };
        Some((user_defined(name, owners), ty))
    }

    /// If the kind is not known, the item may have the attributes of any kind.
    fn item_attribute(
        &mut self,
        kind: Option<&Arc<str>>,
        name: &Name,
    ) -> Option<(AttributeRef, Type)> {
        let find_in_kind = |(k, all): (&Arc<str>, &Vec<AttributeInfo>)| {
            let attribute = all.iter().find(|a| a.name == name.text)?;
            Some((k.clone(), attribute.ty.clone()))
        };
        if let Some(kind) = kind {
            let (_, ty) = find_in_kind(self.item_attributes.get_key_value(kind)?)?;
            return Some((user_defined(name, AttributeOwners::All), ty));
        }
        let found: Vec<_> = self
            .item_attributes
            .iter()
            .filter_map(find_in_kind)
            .collect();
        let (first, ty) = found.first()?.clone();
        if let Some((other, other_ty)) = found.iter().find(|(_, t)| *t != ty) {
            let (text, ty) = (&name.text, ty.with_article());
            let other_ty = other_ty.with_article();
            let message = format!("`{text}` is {ty} in `{first}`, but {other_ty} in `{other}`");
            let note = format!("assign the item to a variable of type `{first}` first");
            self.error(errors::UNKNOWN_ATTRIBUTE, name.span, message)
                .add_note(note);
            return Some((user_defined(name, AttributeOwners::All), Type::Unknown));
        }
        let owners = AttributeOwners::ItemKinds(found.into_iter().map(|(kind, _)| kind).collect());
        Some((user_defined(name, owners), ty))
    }

    pub fn unknown_attribute(&mut self, ty: &Type, name: &Name) {
        let built_in: &[&str] = match ty {
            Type::Player => &PLAYER_ATTRIBUTES,
            Type::Item(_) | Type::AnyPiece => &ITEM_ATTRIBUTES,
            Type::Coordinate => &["x", "y", "row", "col"],
            Type::Cell => &["playerList", "itemList"],
            _ => &[],
        };
        let declared: Vec<&AttributeInfo> = match ty {
            Type::Player => self.player_attributes.iter().collect(),
            Type::Item(Some(kind)) => self
                .item_attributes
                .get(kind)
                .into_iter()
                .flatten()
                .collect(),
            Type::Item(None) => self.item_attributes.values().flatten().collect(),
            _ => Vec::new(),
        };
        let declared = declared.iter().map(|a| &*a.name);
        let hint = did_you_mean(&name.text, declared.chain(built_in.iter().copied()));
        let message = match built_in.is_empty() {
            true => format!("a value of type {ty} has no attributes"),
            false => format!("unknown attribute `{}` of {ty}{hint}", name.text),
        };
        let name_text = &*name.text;
        let note = match ty {
            Type::Player | Type::Item(_) | Type::AnyPiece
                if matches!(name_text, "x" | "y" | "row" | "col") =>
            {
                Some(format!(
                    "it is a part of the position: `position.{name_text}`"
                ))
            }
            Type::Player => Some(format!(
                "declare it in the Player block: `Player {{ int {name_text} }}`"
            )),
            Type::Item(Some(kind)) => {
                Some(format!("declare it: `Item {kind} {{ int {name_text} }}`"))
            }
            Type::Array(..) | Type::List(_) if name_text == "length" => Some("use `len(…)`".into()),
            _ => None,
        };
        self.error(errors::UNKNOWN_ATTRIBUTE, name.span, message)
            .notes
            .extend(note);
    }
}

fn user_defined(name: &Name, owners: AttributeOwners) -> AttributeRef {
    AttributeRef::UserDefined {
        name: name.text.clone(),
        owners,
    }
}
