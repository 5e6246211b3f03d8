//! BoGL's types: a base type extended with a set of symbols. A type is a subtype of another if
//! every value of it is a value of the other.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

// Limits on tuple types. Tuples nest through type names: thirty levels of pairs already have a
// billion components, and functions on types recurse.
const MAX_TUPLE_DEPTH: u32 = 200;
const MAX_TUPLE_SIZE: u32 = 10_000;

#[derive(Clone, Debug)]
pub struct Type {
    pub base: BaseType,
    pub symbols: Arc<BTreeSet<Arc<str>>>,
    /// The name it was declared with, used in messages. Types are compared by structure, not by
    /// name.
    pub name: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum BaseType {
    /// No base type: symbols only.
    None,
    Int,
    Bool,
    Board,
    Tuple(Arc<TupleType>),
}

#[derive(Debug)]
pub struct TupleType {
    pub components: Vec<Type>,
    /// Levels of nested tuples.
    depth: u32,
    /// Number of components that are not tuples, counting those of nested tuples.
    size: u32,
}

impl PartialEq for TupleType {
    /// Comparing pointers first is fast: types resolved from the same name share their components.
    fn eq(&self, other: &TupleType) -> bool {
        std::ptr::eq(self, other) || self.components == other.components
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        self.base == other.base && self.symbols == other.symbols
    }
}

/// The type that a signature gives to a name.
#[derive(Clone, PartialEq, Debug)]
pub enum SignatureType {
    Value(Type),
    Function { argument: Type, result: Type },
}

impl Type {
    pub fn from_base(base: BaseType) -> Type {
        Type {
            base,
            symbols: Arc::default(),
            name: None,
        }
    }

    pub fn int() -> Type {
        Type::from_base(BaseType::Int)
    }

    pub fn bool() -> Type {
        Type::from_base(BaseType::Bool)
    }

    pub fn board() -> Type {
        Type::from_base(BaseType::Board)
    }

    pub fn tuple(components: Vec<Type>) -> Type {
        let depth = 1 + components.iter().map(Type::depth).max().unwrap_or(0);
        let sizes = components.iter().map(Type::size);
        let size = sizes.fold(0, u32::saturating_add);
        Type::from_base(BaseType::Tuple(Arc::new(TupleType {
            components,
            depth,
            size,
        })))
    }

    /// The only one of these types, or a tuple of them if there are several.
    pub fn one_or_tuple(components: Vec<Type>) -> Type {
        match <[Type; 1]>::try_from(components) {
            Ok([only]) => only,
            Err(several) => Type::tuple(several),
        }
    }

    pub fn enumeration(symbols: impl IntoIterator<Item = Arc<str>>) -> Type {
        Type {
            symbols: Arc::new(symbols.into_iter().collect()),
            ..Type::from_base(BaseType::None)
        }
    }

    pub fn with_name(self, name: &Arc<str>) -> Type {
        Type {
            name: Some(name.clone()),
            ..self
        }
    }

    /// This type with additional symbols.
    pub fn with_symbols(&self, more: &Type) -> Type {
        let symbols = self.symbols.union(&more.symbols).cloned().collect();
        Type {
            symbols: Arc::new(symbols),
            ..Type::from_base(self.base.clone())
        }
    }

    fn depth(&self) -> u32 {
        match &self.base {
            BaseType::Tuple(tuple) => tuple.depth,
            _ => 0,
        }
    }

    fn size(&self) -> u32 {
        match &self.base {
            BaseType::Tuple(tuple) => tuple.size,
            _ => 1,
        }
    }

    pub fn is_too_large(&self) -> bool {
        self.depth() > MAX_TUPLE_DEPTH || self.size() > MAX_TUPLE_SIZE
    }

    /// True if the type is exactly this base, not extended with symbols.
    pub fn is(&self, base: &BaseType) -> bool {
        self.symbols.is_empty() && self.base == *base
    }

    pub fn is_int(&self) -> bool {
        self.is(&BaseType::Int)
    }

    pub fn is_board(&self) -> bool {
        self.is(&BaseType::Board)
    }

    pub fn is_enumeration(&self) -> bool {
        self.base == BaseType::None
    }

    /// The components of a tuple type that is not extended with symbols.
    pub fn as_tuple(&self) -> Option<&[Type]> {
        self.components().filter(|_| self.symbols.is_empty())
    }

    /// The components of a tuple type, extended or not.
    pub fn components(&self) -> Option<&[Type]> {
        match &self.base {
            BaseType::Tuple(tuple) => Some(&tuple.components),
            _ => None,
        }
    }

    pub fn has_symbol(&self, symbol: &str) -> bool {
        self.symbols.contains(symbol)
    }

    /// True if values of this type may contain a board.
    pub fn contains_board(&self) -> bool {
        match &self.base {
            BaseType::Board => true,
            BaseType::Tuple(tuple) => tuple.components.iter().any(Type::contains_board),
            _ => false,
        }
    }

    pub fn is_subtype_of(&self, wider: &Type) -> bool {
        let base_matches = match (&self.base, &wider.base) {
            (BaseType::None, _) => true,
            (BaseType::Tuple(a), BaseType::Tuple(b)) if Arc::ptr_eq(a, b) => true,
            (BaseType::Tuple(a), BaseType::Tuple(b)) => {
                let mut pairs = a.components.iter().zip(&b.components);
                a.components.len() == b.components.len() && pairs.all(|(a, b)| a.is_subtype_of(b))
            }
            (a, b) => a == b,
        };
        base_matches && (self.symbols.is_empty() || self.symbols.is_subset(&wider.symbols))
    }

    /// A common supertype: the wider of the two, or the first of `declared` that contains both.
    /// Tuples are joined component by component.
    pub fn join(&self, other: &Type, declared: &[&Type]) -> Option<Type> {
        if self.is_subtype_of(other) {
            return Some(other.clone());
        }
        if other.is_subtype_of(self) {
            return Some(self.clone());
        }
        let base = match (&self.base, &other.base) {
            (BaseType::None, base) | (base, BaseType::None) => base.clone(),
            (BaseType::Tuple(a), BaseType::Tuple(b))
                if a.components.len() == b.components.len() =>
            {
                let pairs = a.components.iter().zip(&b.components);
                let parts = pairs.map(|(a, b)| a.join(b, declared));
                Type::tuple(parts.collect::<Option<_>>()?).base
            }
            (a, b) if a == b => a.clone(),
            _ => return None,
        };
        let both = Type {
            base,
            ..self.with_symbols(other)
        };
        match both.as_tuple() {
            Some(_) => Some(both),
            None => {
                let mut declared = declared.iter();
                let wider = declared.find(|wider| both.is_subtype_of(wider));
                wider.map(|&wider| wider.clone())
            }
        }
    }

    /// The name and the structure of the type, if it has a name that does not tell its structure.
    pub fn expansion(&self) -> Option<(&Arc<str>, String)> {
        let expanded = self.expanded();
        let name = self.name.as_ref().filter(|name| ***name != *expanded)?;
        Some((name, expanded))
    }

    /// The structure of the type, expanded one level even if it has a name.
    pub fn expanded(&self) -> String {
        let symbols: Vec<&str> = self.symbols.iter().map(|symbol| &**symbol).collect();
        let symbols = symbols.join(", ");
        let base = match &self.base {
            BaseType::None => return format!("{{{symbols}}}"),
            BaseType::Int => "Int".to_owned(),
            BaseType::Bool => "Bool".to_owned(),
            BaseType::Board => "Board".to_owned(),
            BaseType::Tuple(tuple) => {
                let components = tuple.components.iter().map(Type::to_string);
                format!("({})", components.collect::<Vec<_>>().join(","))
            }
        };
        match symbols.is_empty() {
            true => base,
            false => format!("{base} & {{{symbols}}}"),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => f.write_str(&self.expanded()),
        }
    }
}

impl fmt::Display for SignatureType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureType::Value(ty) => ty.fmt(f),
            SignatureType::Function { argument, result } => write!(f, "{argument} -> {result}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Type {
        Type::enumeration(text.split(' ').map(Arc::from))
    }

    #[test]
    fn subtyping_follows_the_sets_of_values() {
        let extended = Type::int().with_symbols(&set("X O"));
        assert!(set("X").is_subtype_of(&set("X O")));
        assert!(set("X O").is_subtype_of(&extended));
        assert!(Type::int().is_subtype_of(&extended));
        assert!(!extended.is_subtype_of(&Type::int()));
        assert!(!Type::bool().is_subtype_of(&extended));
        assert!(
            Type::tuple(vec![set("X"), Type::int()])
                .is_subtype_of(&Type::tuple(vec![set("X O"), extended]))
        );
    }

    #[test]
    fn two_types_join_only_in_a_declared_type() {
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
        let maybe = position.with_symbols(&set("Nowhere"));
        assert_eq!(
            position.join(&set("Nowhere"), &[&maybe]),
            Some(maybe.clone())
        );
        assert_eq!(maybe.as_tuple(), None);
    }

    #[test]
    fn a_type_is_displayed_as_its_name_or_structure() {
        let player = set("X O").with_name(&"Player".into());
        assert_eq!(player.to_string(), "Player");
        assert_eq!(player.expanded(), "{O, X}");
        assert_eq!(
            Type::tuple(vec![player, Type::int().with_symbols(&set("N"))]).to_string(),
            "(Player,Int & {N})"
        );
    }
}
