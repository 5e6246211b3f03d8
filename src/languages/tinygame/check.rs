//! The checker: everything that can be found wrong before a program runs, with the error texts of
//! the language document.

use std::sync::Arc;

use super::ast::*;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean, has_errors};
use crate::language::{NameEntry, NameKind, Names, Namespace, Reporter};
use crate::source::{Source, Span};
use crate::value::SharedMap;

/// The declared entities, in order. Cloning shares them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Env {
    /// By the number of their declaration.
    entities: SharedMap<u32, Arc<DeclaredEntity>>,
    /// The number of each entity's declaration.
    numbers: SharedMap<Arc<str>, u32>,
    next_number: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredEntity {
    pub kind: EntityKind,
    pub name: Arc<str>,
    /// In order of declaration.
    pub properties: Vec<Arc<str>>,
    /// The name in the declaration.
    pub name_span: Span,
    /// The whole declaration.
    pub full_span: Span,
}

impl DeclaredEntity {
    pub fn has_property(&self, property: &str) -> bool {
        self.properties.iter().any(|p| **p == *property)
    }

    /// `player hero`
    pub fn title(&self) -> String {
        format!("{} {}", self.kind.as_str(), self.name)
    }
}

impl Env {
    /// The entities in the order of their declarations.
    pub fn entities(&self) -> impl Iterator<Item = &Arc<DeclaredEntity>> {
        self.entities.values()
    }

    pub fn entity_count(&self) -> usize {
        self.entities.len()
    }

    pub fn get(&self, name: &str) -> Option<&Arc<DeclaredEntity>> {
        self.entities.get(&self.number(name)?)
    }

    /// The number of an entity's declaration. Later ones are greater.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Adds an entity and returns the number of its declaration.
    fn declare(&mut self, entity: DeclaredEntity) -> u32 {
        let number = self.next_number;
        self.next_number += 1;
        self.numbers.insert(entity.name.clone(), number);
        self.entities.insert(number, Arc::new(entity));
        number
    }

    /// Removes an entity; returns whether it existed.
    pub fn forget(&mut self, name: &str) -> bool {
        let number = self.numbers.remove(name);
        number.is_some_and(|number| self.entities.remove(&number).is_some())
    }

    /// The error for a name that no entity has.
    pub fn unknown_entity(&self, name: &str, span: Span) -> Diagnostic {
        let suggestion = did_you_mean(name, self.entities().map(|e| &*e.name));
        let message = format!("{name} not declared{suggestion}");
        Diagnostic::error(Phase::Check, "TG101", span, message)
    }
}

/// The diagnostics, and the declared entities after the entry.
#[derive(Clone, Debug)]
pub struct CheckResult {
    pub diagnostics: Vec<Diagnostic>,
    pub env: Env,
}

impl CheckResult {
    pub fn has_errors(&self) -> bool {
        has_errors(&self.diagnostics)
    }
}

pub fn check(entry: &Entry, env: &Env) -> CheckResult {
    let declared = entry.entities().map(|entity| entity.name.clone());
    let mut checker = Checker::new(env.clone(), declared.collect());
    match entry {
        Entry::Items(items) => items.iter().for_each(|item| checker.item(item)),
        Entry::Query(query) => checker.query(query),
    }
    checker.finish()
}

/// Checks a single declaration or statement.
pub fn check_item(item: &Item, env: &Env) -> CheckResult {
    let mut checker = Checker::new(env.clone(), Vec::new());
    checker.item(item);
    checker.finish()
}

/// The entities and properties of a program, without the properties that moves change.
pub fn names(source: &Source, items: &[Item]) -> Vec<NameEntry> {
    let mut names = Names::new(source);
    for entity in items.iter().filter_map(Item::entity) {
        let Name { text, span } = &entity.name;
        names.define(Namespace::Pieces, NameKind::Piece, text, *span);
        for Name { text, span } in entity.properties.iter().map(|property| &property.name) {
            if !matches!(&**text, "x" | "y") {
                names.define(Namespace::Fields, NameKind::Field, text, *span);
            }
        }
    }
    let mut checker = Checker::new(Env::default(), Vec::new());
    checker.names = names;
    items.iter().for_each(|item| checker.item(item));
    checker.names.into_entries()
}

struct Checker<'s> {
    /// The entities declared so far.
    env: Env,
    /// Names declared anywhere in the entry, to tell "declared later" from "never declared".
    declared_in_entry: Vec<Name>,
    diagnostics: Vec<Diagnostic>,
    names: Names<'s>,
}

impl Reporter for Checker<'_> {
    fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl Checker<'_> {
    fn new(env: Env, declared_in_entry: Vec<Name>) -> Self {
        Checker {
            env,
            declared_in_entry,
            diagnostics: Vec::new(),
            names: Names::default(),
        }
    }

    fn finish(self) -> CheckResult {
        CheckResult {
            diagnostics: self.diagnostics,
            env: self.env,
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Entity(entity) => self.entity(entity),
            Item::Statement(statement) => self.statement(statement),
        }
    }

    fn query(&mut self, query: &Query) {
        match query {
            Query::Value(value) => self.expr(value),
            Query::Condition(condition) => {
                self.condition(condition);
                // `=` and `==` are the same operator; only the shorter one looks like an assignment.
                let operator_length = condition.operator_span.end - condition.operator_span.start;
                if matches!(condition.left.kind, ExprKind::Property(_))
                    && condition.operator == CompareOp::Equal
                    && operator_length == 1
                {
                    let message = "this compares the values; it does not assign";
                    self.warning("TG110", condition.operator_span, message)
                        .add_note("to assign, write `set` before it and `;` after it");
                }
            }
        }
    }

    fn entity(&mut self, entity: &Entity) {
        let name = &entity.name;
        if let Some(first) = self.env.get(&name.text).map(|e| e.name_span) {
            let Name { text, span } = name;
            let note =
                format!("rename this one, or delete the other with `:forget {text}` at the prompt");
            self.error("TG106", *span, format!("duplicate entity `{text}`"))
                .add_related(first, "first declared here")
                .add_note(note);
            // Check its values as well; its own name refers to the first declaration.
            let properties = entity.properties.iter();
            return properties.for_each(|property| self.expr(&property.value));
        }
        let declared = DeclaredEntity {
            kind: entity.kind,
            name: name.text.clone(),
            properties: vec![],
            name_span: name.span,
            full_span: entity.span,
        };
        let number = self.env.declare(declared);
        let mut earlier: Vec<&Name> = Vec::new();
        for property in &entity.properties {
            self.expr(&property.value);
            if self.check_property_name(&property.name, &earlier) {
                if let Some(declared) = self.env.entities.get_mut(&number) {
                    let name = property.name.text.clone();
                    Arc::make_mut(declared).properties.push(name);
                }
                earlier.push(&property.name);
            }
        }
    }

    /// Whether a property may be declared under this name; reports an error if not.
    fn check_property_name(&mut self, name: &Name, earlier: &[&Name]) -> bool {
        let Name { text, span } = name;
        if self.env.get(text).is_some() {
            let message = format!("cannot redeclare entity name {text} as a property");
            self.error("TG105", *span, message)
                .add_note("rename the property");
            return false;
        }
        if let Some(first) = earlier.iter().find(|p| p.text == *text) {
            self.error("TG107", *span, format!("duplicate property `{text}`"))
                .add_related(first.span, "first declared here");
            return false;
        }
        true
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Move { entity, amount, .. } => {
                self.check_move(entity);
                self.expr(amount);
            }
            StatementKind::Set { target, value } => {
                self.property_ref(target);
                self.expr(value);
            }
            StatementKind::If { condition, body } => {
                self.condition(condition);
                body.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::Print { .. } => {}
        }
    }

    /// `move` needs both coordinates, because its message prints the position.
    fn check_move(&mut self, entity: &Name) {
        let Some(found) = self.resolve_entity(entity) else {
            return;
        };
        let missing = match (found.has_property("x"), found.has_property("y")) {
            (true, true) => return,
            (false, false) => "x or y",
            (false, true) => "x",
            (true, false) => "y",
        };
        let Name { text, span } = entity;
        let title = found.title();
        let note = format!("declare it in the block, e.g. `{title} {{ x = 0; y = 0; }}`");
        let message = format!("{text} has no {missing}, so it cannot move");
        self.error("TG108", *span, message)
            .add_related(found.name_span, format!("declared here without {missing}"))
            .add_note(note);
    }

    fn resolve_entity(&mut self, name: &Name) -> Option<Arc<DeclaredEntity>> {
        let Name { text, span } = name;
        self.names.refer(Namespace::Pieces, text, *span);
        if let Some(found) = self.env.get(text) {
            return Some(found.clone());
        }
        let mut declared = self.declared_in_entry.iter();
        if let Some(later) = declared.find(|later| later.text == *text).cloned() {
            let message = format!("{text} not declared before its use");
            self.error("TG101", *span, message)
                .add_related(later.span, "declared here, after its use")
                .add_note("move the declaration before this use");
            return None;
        }
        let note = format!("declare it first, e.g. `player {text} {{ x = 0; }}`");
        let error = self.env.unknown_entity(text, *span);
        self.report(error.label("unknown entity").note(note));
        None
    }

    fn property_ref(&mut self, property_ref: &PropertyRef) {
        let Name { text, span } = &property_ref.property;
        self.names.refer(Namespace::Fields, text, *span);
        let Some(found) = self.resolve_entity(&property_ref.entity) else {
            return;
        };
        if found.has_property(text) {
            return;
        }
        let entity = &property_ref.entity.text;
        let suggestion = did_you_mean(text, found.properties.iter().map(|p| &**p));
        let message = format!("property {text} not declared in {entity}{suggestion}");
        let note = match found.properties.is_empty() {
            true => format!("{entity} has no properties"),
            false => format!("{entity} has {}", found.properties.join(", ")),
        };
        self.error("TG102", *span, message)
            .add_related(found.name_span, format!("{entity} is declared here"))
            .add_note(note);
    }

    fn condition(&mut self, condition: &Condition) {
        self.expr(&condition.left);
        self.expr(&condition.right);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Property(property_ref) => self.property_ref(property_ref),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                rest.iter().for_each(|link| self.chain_link(link));
            }
            ExprKind::BareName(name) => self.bare_name(name),
            ExprKind::String => {
                self.error("TG104", expr.span, "string not allowed, must be int")
                    .add_note("only `print` takes a string");
            }
        }
    }

    fn chain_link(&mut self, link: &ChainLink) {
        self.expr(&link.operand);
        if link.operator == ArithmeticOp::Divide && link.operand.kind == ExprKind::Number(0) {
            let span = link.operator_span.to(link.operand.span);
            self.warning("TG109", span, "this always divides by zero")
                .add_note("the program will stop with an error here");
        }
    }

    fn bare_name(&mut self, name: &Name) {
        self.names.refer(Namespace::Pieces, &name.text, name.span);
        let text = &name.text;
        let note = match self.env.get(text) {
            Some(entity) => match entity.properties.first() {
                Some(property) => format!(
                    "{text} is an entity; use one of its properties, e.g. `{text}.{property}`"
                ),
                None => format!("{text} is an entity without properties"),
            },
            None => match self.env.entities().find(|e| e.has_property(text)) {
                Some(owner) => format!("write `{}.{text}`", owner.name),
                None if matches!(&**text, "true" | "True") => "use 1 for true".to_string(),
                None if matches!(&**text, "false" | "False") => "use 0 for false".to_string(),
                None => "write the entity before it, e.g. `hero.x`".to_string(),
            },
        };
        let message = format!("standalone identifier {text} not allowed");
        self.error("TG103", name.span, message).add_note(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Start, parse};
    use crate::source::{Origin, SourceId};

    fn checked(text: &str, env: &Env) -> (Source, CheckResult) {
        let source = Source::new(SourceId(1), Origin::Entry(1), text);
        let entry = parse(&source, Start::Entry).unwrap();
        let checked = check(&entry, env);
        (source, checked)
    }

    const HERO: &str = "player hero { x = 0; y = 0; } ";

    #[test]
    fn documented_errors_underline_the_right_word() {
        for (text, code, marked, message) in [
            (
                "move ghost right 5;",
                "TG101",
                "ghost",
                "ghost not declared",
            ),
            (
                "set hero.power = 10;",
                "TG102",
                "power",
                "power not declared",
            ),
            (
                "if x > 5 { }",
                "TG103",
                "x",
                "standalone identifier x not allowed",
            ),
            (
                "set hero.x = \"hello\";",
                "TG104",
                "\"hello\"",
                "string not allowed, must be int",
            ),
            (
                "enemy orc { orc = 5; }",
                "TG105",
                "orc",
                "cannot redeclare entity name",
            ),
            ("enemy hero { x = 1; }", "TG106", "hero", "duplicate entity"),
            (
                "enemy orc { x = 1; x = 2; }",
                "TG107",
                "x",
                "duplicate property",
            ),
            (
                "enemy orc { k = 1; } move orc up 1;",
                "TG108",
                "orc",
                "orc has no x or y",
            ),
            (
                "enemy orc { x = 1; } move orc right 1;",
                "TG108",
                "orc",
                "orc has no y",
            ),
            (
                "set hero.x = orc.x; enemy orc { x = 1; }",
                "TG101",
                "orc",
                "orc not declared before its use",
            ),
            (
                "enemy orc { x = orc.y; y = 1; }",
                "TG102",
                "y",
                "property y not declared in orc",
            ),
        ] {
            let (source, checked) = checked(&format!("{HERO}{text}"), &Env::default());
            let diagnostics: Vec<_> = checked.diagnostics.iter().collect();
            assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
            assert_eq!(
                (
                    diagnostics[0].code,
                    source.slice(diagnostics[0].span.unwrap())
                ),
                (code, marked),
                "{text}"
            );
            assert!(
                diagnostics[0].message.contains(message),
                "{text}: {}",
                diagnostics[0].message
            );
        }
    }

    #[test]
    fn entries_share_declarations() {
        let (_, first) = checked(HERO, &Env::default());
        let (_, second) = checked("enemy orc { x = hero.x; y = orc.x + 1; }", &first.env);
        assert!(!second.has_errors(), "{:?}", second.diagnostics);
        let names: Vec<_> = second.env.entities().map(|e| &*e.name).collect();
        assert_eq!(names, ["hero", "orc"]);
        let (_, again) = checked("player hero { }", &second.env);
        assert_eq!(again.diagnostics[0].code, "TG106");
        let mut env = second.env.clone();
        assert!(env.forget("hero") && !env.forget("hero"));
        assert!(!checked("player hero { }", &env).1.has_errors());
    }

    #[test]
    fn comparison_that_looks_like_an_assignment_warns() {
        let (_, env) = checked(HERO, &Env::default());
        let (_, result) = checked("hero.x = 5", &env.env);
        assert_eq!(result.diagnostics[0].code, "TG110");
        assert!(!result.has_errors());
        assert!(checked("hero.x == 5", &env.env).1.diagnostics.is_empty());
    }

    #[test]
    fn division_by_literal_zero_warns() {
        let (_, env) = checked(HERO, &Env::default());
        let (_, result) = checked("set hero.x = hero.y / 0;", &env.env);
        assert_eq!(
            (result.diagnostics[0].code, result.has_errors()),
            ("TG109", false)
        );
    }
}
