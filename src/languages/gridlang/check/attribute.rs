//! The attributes of players and items: their types and which pieces have them.

use super::Checker;
use crate::diagnostic::did_you_mean;
use crate::language::{NameKind, Namespace, Reporter};
use crate::languages::gridlang::ast::{
    self, ArraySizes, AttributeDecl, ExprKind, Name, PlayerMember,
};
use crate::languages::gridlang::check::errors;
use crate::languages::gridlang::check::hir::{
    Attribute, AttributeOwners, AttributeRef, ItemKind, Type,
};
use crate::languages::gridlang::lower::scope::field;
use crate::source::Span;
use std::sync::Arc;

/// A declared attribute whose default value has not been checked yet.
#[derive(Clone, Debug)]
pub struct AttributeInfo {
    name: Arc<str>,
    ty: Type,
    sizes: Vec<i32>,
    default: Option<ast::Expr>,
    player_type: Option<Arc<str>>,
    span: Span,
}

const ITEM_ATTRIBUTES: [&str; 3] = ["position", "displayString", "Exists"];
const PLAYER_ATTRIBUTES: [&str; 5] = ["position", "displayString", "Exists", "win", "type"];

impl Checker<'_> {
    /// Collects the attributes of the `Player` block and of every kind of item.
    pub fn collect_attributes(&mut self) {
        if let Some(block) = self.env.player.clone() {
            let mut all = Vec::new();
            for member in &block.members {
                match member {
                    PlayerMember::Attribute(decl) => {
                        self.collect_attribute(decl, None, &PLAYER_ATTRIBUTES, &mut all)
                    }
                    PlayerMember::Type {
                        name, attributes, ..
                    } => {
                        self.env.player_types.insert(name.text.clone());
                        self.declared_player_types.insert(name.text.clone());
                        for decl in attributes {
                            self.collect_attribute(
                                decl,
                                Some(&name.text),
                                &PLAYER_ATTRIBUTES,
                                &mut all,
                            );
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
            format!(
                "`{}` is {} for one player type, but {} for another",
                name.text,
                other.ty.with_article(),
                ty.with_article()
            )
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
                _ => drop(self.error(
                    errors::ARRAY_SIZE,
                    size.span,
                    "the array size of an attribute must be a plain number",
                )),
            }
        }
        checked
    }

    /// The attribute `name` of a piece of type `ty`, with its type.
    pub fn resolve_attribute(&mut self, ty: &Type, name: &Name) -> Option<(AttributeRef, Type)> {
        let player = *ty == Type::Player;
        let built_in = match &*name.text {
            "position" => Some((AttributeRef::Position, Type::Coordinate)),
            "displayString" => Some((AttributeRef::DisplayString, Type::Text)),
            "Exists" | "exists" => Some((AttributeRef::Exists, Type::Bool)),
            "win" if player => Some((AttributeRef::Win, Type::Bool)),
            "type" if player => Some((AttributeRef::Type, Type::Text)),
            text if self.is_rules() => {
                field::named(text).map(|(item, ty)| (AttributeRef::Hidden(item), ty))
            }
            _ => None,
        };
        built_in.or_else(|| match ty {
            Type::Player => self.player_attribute(name),
            Type::Item(kind) => self.item_attribute(kind.as_ref(), name),
            _ => None,
        })
    }

    fn player_attribute(&self, name: &Name) -> Option<(AttributeRef, Type)> {
        let named: Vec<&AttributeInfo> = self
            .player_attributes
            .iter()
            .filter(|a| a.name == name.text)
            .collect();
        let ty = named.first()?.ty.clone();
        let types: Vec<Arc<str>> = named.iter().filter_map(|a| a.player_type.clone()).collect();
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
            all.iter()
                .find(|a| a.name == name.text)
                .map(|a| (k.clone(), a.ty.clone()))
        };
        if let Some(kind) = kind {
            let (_, ty) = self
                .item_attributes
                .get_key_value(kind)
                .and_then(find_in_kind)?;
            return Some((user_defined(name, AttributeOwners::All), ty));
        }
        let found: Vec<(Arc<str>, Type)> = self
            .item_attributes
            .iter()
            .filter_map(find_in_kind)
            .collect();
        let (first, ty) = found.first()?.clone();
        if let Some((other, other_ty)) = found.iter().find(|(_, t)| *t != ty) {
            let message = format!(
                "`{}` is {} in `{first}`, but {} in `{other}`",
                name.text,
                ty.with_article(),
                other_ty.with_article()
            );
            self.error(errors::UNKNOWN_ATTRIBUTE, name.span, message)
                .add_note(format!(
                    "assign the item to a variable of type `{first}` first"
                ));
            return Some((user_defined(name, AttributeOwners::All), Type::Unknown));
        }
        let owners = AttributeOwners::ItemKinds(found.into_iter().map(|(kind, _)| kind).collect());
        Some((user_defined(name, owners), ty))
    }

    pub fn unknown_attribute(&mut self, ty: &Type, name: &Name) {
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
        let mut known: Vec<Arc<str>> = declared.iter().map(|a| a.name.clone()).collect();
        match ty {
            Type::Player => known.extend(PLAYER_ATTRIBUTES.map(Arc::from)),
            Type::Item(_) | Type::AnyPiece => known.extend(ITEM_ATTRIBUTES.map(Arc::from)),
            Type::Coordinate => known.extend(["x", "y", "row", "col"].map(Arc::from)),
            Type::Cell => known.extend(["playerList", "itemList"].map(Arc::from)),
            _ => {}
        }
        let message = if known.is_empty() {
            format!("a value of type {ty} has no attributes")
        } else {
            format!(
                "unknown attribute `{}` of {ty}{}",
                name.text,
                did_you_mean(&name.text, known.iter().map(|k| &**k))
            )
        };
        let note = match ty {
            Type::Player => Some(format!(
                "declare it in the Player block: `Player {{ int {} }}`",
                name.text
            )),
            Type::Item(Some(kind)) => {
                Some(format!("declare it: `Item {kind} {{ int {} }}`", name.text))
            }
            Type::Array(..) | Type::List(_) if &*name.text == "length" => {
                Some("use `len(…)`".into())
            }
            _ => None,
        };
        self.error(errors::UNKNOWN_ATTRIBUTE, name.span, message)
            .notes
            .extend(note);
    }

    pub fn check_player_attributes(&mut self) -> Vec<Attribute> {
        let all = self.player_attributes.clone();
        self.check_attributes(&all)
    }

    pub fn check_item_kinds(&mut self) -> Vec<ItemKind> {
        let kinds = self.item_attributes.clone();
        kinds
            .into_iter()
            .map(|(name, all)| ItemKind {
                name,
                attributes: self.check_attributes(&all),
            })
            .collect()
    }

    fn check_attributes(&mut self, all: &[AttributeInfo]) -> Vec<Attribute> {
        let typed = |a: &AttributeInfo| Attribute {
            name: a.name.clone(),
            ty: a.ty.clone(),
            sizes: a.sizes.clone(),
            default: a.default.as_ref().map(|value| {
                let subject = format!("`{}` is", a.name);
                self.expect_type(value, &a.ty, errors::TYPE_MISMATCH, &subject)
            }),
            player_type: a.player_type.clone(),
            span: a.span,
        };
        all.iter().map(typed).collect()
    }
}

fn user_defined(name: &Name, owners: AttributeOwners) -> AttributeRef {
    AttributeRef::UserDefined {
        name: name.text.clone(),
        owners,
    }
}
