//! What a value can be: a base and a set of symbols beside it. Subtyping is "less can be in it".

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// How deep tuples may be nested in each other by way of names, and how many parts they may have in all: walking a type
/// recurses, and thirty pairs of pairs are a thousand million parts.
const DEEPEST_TUPLE: u32 = 200;
const LARGEST_TUPLE: u32 = 10_000;

#[derive(Clone, Debug)]
pub struct Type {
    pub base: Base,
    pub symbols: Arc<BTreeSet<Arc<str>>>,
    /// The name it was declared with, for messages: types are equal by what is in them.
    pub name: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    /// Only symbols.
    None,
    Int,
    Bool,
    Board,
    Tuple(Arc<Parts>),
}

#[derive(Debug)]
pub struct Parts {
    pub all: Vec<Type>,
    depth: u32,
    size: u32,
}

impl PartialEq for Parts {
    /// Types that came from one name share their parts.
    fn eq(&self, other: &Parts) -> bool {
        std::ptr::eq(self, other) || self.all == other.all
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        self.base == other.base && self.symbols == other.symbols
    }
}

/// What a signature gives a name.
#[derive(Clone, PartialEq, Debug)]
pub enum Signed {
    Value(Type),
    Function { argument: Type, result: Type },
}

impl Type {
    pub fn of(base: Base) -> Type {
        Type {
            base,
            symbols: Arc::default(),
            name: None,
        }
    }

    pub fn int() -> Type {
        Type::of(Base::Int)
    }

    pub fn bool() -> Type {
        Type::of(Base::Bool)
    }

    pub fn board() -> Type {
        Type::of(Base::Board)
    }

    pub fn tuple(all: Vec<Type>) -> Type {
        let depth = 1 + all.iter().map(Type::depth).max().unwrap_or(0);
        let size = all.iter().map(Type::size).fold(0, u32::saturating_add);
        Type::of(Base::Tuple(Arc::new(Parts { all, depth, size })))
    }

    pub fn symbols(symbols: impl IntoIterator<Item = Arc<str>>) -> Type {
        Type {
            base: Base::None,
            symbols: Arc::new(symbols.into_iter().collect()),
            name: None,
        }
    }

    pub fn named(self, name: &Arc<str>) -> Type {
        Type {
            name: Some(name.clone()),
            ..self
        }
    }

    /// The same with more symbols.
    pub fn with(&self, more: &Type) -> Type {
        let symbols = self.symbols.union(&more.symbols).cloned().collect();
        Type {
            base: self.base.clone(),
            symbols: Arc::new(symbols),
            name: None,
        }
    }

    fn depth(&self) -> u32 {
        match &self.base {
            Base::Tuple(parts) => parts.depth,
            _ => 0,
        }
    }

    fn size(&self) -> u32 {
        match &self.base {
            Base::Tuple(parts) => parts.size,
            _ => 1,
        }
    }

    pub fn is_too_large(&self) -> bool {
        self.depth() > DEEPEST_TUPLE || self.size() > LARGEST_TUPLE
    }

    /// Nothing but this base: an extended type is another one.
    pub fn is(&self, base: &Base) -> bool {
        self.symbols.is_empty() && self.base == *base
    }

    pub fn is_int(&self) -> bool {
        self.is(&Base::Int)
    }

    pub fn is_bool(&self) -> bool {
        self.is(&Base::Bool)
    }

    pub fn is_board(&self) -> bool {
        self.is(&Base::Board)
    }

    pub fn is_enumeration(&self) -> bool {
        self.base == Base::None
    }

    /// Its components, if it is a tuple and nothing else.
    pub fn parts(&self) -> Option<&[Type]> {
        self.components().filter(|_| self.symbols.is_empty())
    }

    /// The components of the tuples in it, be there symbols beside them or not.
    pub fn components(&self) -> Option<&[Type]> {
        match &self.base {
            Base::Tuple(parts) => Some(&parts.all),
            _ => None,
        }
    }

    pub fn has(&self, symbol: &str) -> bool {
        self.symbols.contains(symbol)
    }

    /// Whether a board can be somewhere in it.
    pub fn holds_board(&self) -> bool {
        match &self.base {
            Base::Board => true,
            Base::Tuple(parts) => parts.all.iter().any(Type::holds_board),
            _ => false,
        }
    }

    pub fn fits(&self, wider: &Type) -> bool {
        let base = match (&self.base, &wider.base) {
            (Base::None, _) => true,
            (Base::Tuple(a), Base::Tuple(b)) if Arc::ptr_eq(a, b) => true,
            (Base::Tuple(a), Base::Tuple(b)) => {
                a.all.len() == b.all.len() && a.all.iter().zip(&b.all).all(|(a, b)| a.fits(b))
            }
            (a, b) => a == b,
        };
        base && (self.symbols.is_empty() || self.symbols.is_subset(&wider.symbols))
    }

    /// The type of what can be either: the wider of the two, or the first of `declared` that has room for both.
    pub fn join(&self, other: &Type, declared: &[&Type]) -> Option<Type> {
        if self.fits(other) {
            return Some(other.clone());
        }
        if other.fits(self) {
            return Some(self.clone());
        }
        let base = match (&self.base, &other.base) {
            (Base::None, base) | (base, Base::None) => base.clone(),
            (Base::Tuple(a), Base::Tuple(b)) if a.all.len() == b.all.len() => {
                let parts: Option<Vec<Type>> = a
                    .all
                    .iter()
                    .zip(&b.all)
                    .map(|(a, b)| a.join(b, declared))
                    .collect();
                Type::tuple(parts?).base
            }
            (a, b) if a == b => a.clone(),
            _ => return None,
        };
        let both = Type {
            base,
            ..self.with(other)
        };
        match both.parts() {
            Some(_) => Some(both),
            None => declared
                .iter()
                .find(|wider| both.fits(wider))
                .map(|&wider| wider.clone()),
        }
    }

    /// What is in it, spelled out one level deep even if it has a name.
    pub fn spelled(&self) -> String {
        let symbols = self
            .symbols
            .iter()
            .map(|symbol| &**symbol)
            .collect::<Vec<_>>()
            .join(", ");
        let base = match &self.base {
            Base::None => return format!("{{{symbols}}}"),
            Base::Int => "Int".to_owned(),
            Base::Bool => "Bool".to_owned(),
            Base::Board => "Board".to_owned(),
            Base::Tuple(parts) => {
                format!(
                    "({})",
                    parts
                        .all
                        .iter()
                        .map(Type::to_string)
                        .collect::<Vec<_>>()
                        .join(",")
                )
            }
        };
        if symbols.is_empty() {
            base
        } else {
            format!("{base} & {{{symbols}}}")
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => f.write_str(&self.spelled()),
        }
    }
}

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signed::Value(own) => own.fmt(f),
            Signed::Function { argument, result } => write!(f, "{argument} -> {result}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Type {
        Type::symbols(text.split(' ').map(Arc::from))
    }

    #[test]
    fn less_fits_where_more_is_allowed() {
        let extended = Type::int().with(&set("X O"));
        assert!(set("X").fits(&set("X O")));
        assert!(set("X O").fits(&extended));
        assert!(Type::int().fits(&extended));
        assert!(!extended.fits(&Type::int()));
        assert!(!Type::bool().fits(&extended));
        assert!(
            Type::tuple(vec![set("X"), Type::int()]).fits(&Type::tuple(vec![set("X O"), extended]))
        );
    }

    #[test]
    fn two_types_join_only_in_a_declared_one() {
        let (x, o) = (set("X"), set("O"));
        assert_eq!(x.join(&o, &[]), None);
        let both = set("O X");
        assert_eq!(x.join(&o, &[&both]), Some(both.clone()));
        let pairs = (
            Type::tuple(vec![x, Type::int()]),
            Type::tuple(vec![o, Type::int()]),
        );
        assert_eq!(
            pairs.0.join(&pairs.1, &[&both]),
            Some(Type::tuple(vec![both.clone(), Type::int()]))
        );
        let position = Type::tuple(vec![Type::int(), Type::int()]);
        let maybe = position.with(&set("Nowhere"));
        assert_eq!(
            position.join(&set("Nowhere"), &[&maybe]),
            Some(maybe.clone())
        );
        assert_eq!(maybe.parts(), None);
    }

    #[test]
    fn a_type_prints_as_its_name_or_as_what_is_in_it() {
        let player = set("X O").named(&"Player".into());
        assert_eq!(player.to_string(), "Player");
        assert_eq!(player.spelled(), "{O, X}");
        assert_eq!(
            Type::tuple(vec![player, Type::int().with(&set("N"))]).to_string(),
            "(Player,Int & {N})"
        );
    }
}
