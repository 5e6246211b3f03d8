//! The types of GridLang.

use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Float,
    Text,
    Bool,
    Coordinate,
    Void,
    Player,
    /// An item of the given kind, or of any kind.
    Item(Option<Arc<str>>),
    /// A player or an item: the element type of a list whose kind is only known at run time.
    AnyPiece,
    /// The element type and the number of dimensions (one or two).
    Array(Box<Type>, usize),
    /// Read-only and of varying length: the list of a cell, the result of `traverse`,
    /// `playerOrder`.
    List(Box<Type>),
    Cell,
    /// The type of an erroneous expression. It is compatible with every type, so that one mistake
    /// is reported only once.
    Unknown,
}

impl Type {
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int | Type::Float | Type::Unknown)
    }

    /// Whether a declaration of this type creates players.
    pub fn has_players(&self) -> bool {
        match self {
            Type::Array(element, _) => element.has_players(),
            other => *other == Type::Player,
        }
    }

    /// Players and items have reference semantics and are created by their declaration.
    pub fn is_piece(&self) -> bool {
        matches!(self, Type::Player | Type::Item(_) | Type::AnyPiece)
    }

    /// The element type of an array or list.
    pub fn element_type(&self) -> Option<&Type> {
        match self {
            Type::Array(element, _) | Type::List(element) => Some(element),
            _ => None,
        }
    }

    /// The type with its article, for messages: `an int`, `a Player[]`.
    pub fn with_article(&self) -> String {
        let name = self.to_string();
        let article = match name.chars().next().map(|c| c.to_ascii_lowercase()) {
            Some('a' | 'e' | 'i' | 'o' | 'u') => "an",
            _ => "a",
        };
        format!("{article} {name}")
    }

    /// The type of a list of elements of this type.
    pub fn into_list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// The type of a one-dimensional array of this type.
    pub fn into_array(self) -> Type {
        Type::Array(Box::new(self), 1)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Float => f.write_str("float"),
            Type::Text => f.write_str("string"),
            Type::Bool => f.write_str("boolean"),
            Type::Coordinate => f.write_str("coordinate"),
            Type::Void => f.write_str("void"),
            Type::Player => f.write_str("Player"),
            Type::Item(None) => f.write_str("Item"),
            Type::Item(Some(kind)) => f.write_str(kind),
            Type::AnyPiece => f.write_str("Player or Item"),
            Type::Array(element, 2) => write!(f, "{element}[,]"),
            Type::Array(element, _) => write!(f, "{element}[]"),
            Type::List(element) => write!(f, "list of {element}"),
            Type::Cell => f.write_str("cell of the grid"),
            Type::Unknown => f.write_str("unknown"),
        }
    }
}
