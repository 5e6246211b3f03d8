//! All that can be found wrong before a TinyGame program runs: the constraints of the document, in its words.

use std::collections::HashMap;
use std::sync::Arc;

use super::ast::*;
use crate::diagnostic::{Diagnostic, Phase, did_you_mean};
use crate::source::Span;

/// The entities that exist, in the order of their declaration. Cloning shares them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Env {
    entities: Arc<Vec<DeclaredEntity>>,
    /// Where each of them stands in the list.
    places: Arc<HashMap<Arc<str>, usize>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredEntity {
    pub kind: EntityKind,
    pub name: Arc<str>,
    /// In the order of their declaration.
    pub properties: Vec<Arc<str>>,
    /// Of the name, where it was declared.
    pub name_span: Span,
    /// All of the declaration.
    pub full_span: Span,
}

impl DeclaredEntity {
    pub fn has_property(&self, property: &str) -> bool {
        self.properties.iter().any(|p| **p == *property)
    }
}

impl Env {
    pub fn entities(&self) -> &[DeclaredEntity] {
        &self.entities
    }

    pub fn get(&self, name: &str) -> Option<&DeclaredEntity> {
        self.places.get(name).and_then(|&at| self.entities.get(at))
    }

    fn declare(&mut self, entity: DeclaredEntity) {
        Arc::make_mut(&mut self.places).insert(entity.name.clone(), self.entities.len());
        Arc::make_mut(&mut self.entities).push(entity);
    }

    /// Takes an entity away; whether there was one.
    pub fn forget(&mut self, name: &str) -> bool {
        let before = self.entities.len();
        Arc::make_mut(&mut self.entities).retain(|e| *e.name != *name);
        let all = self.entities.iter().enumerate();
        self.places = Arc::new(all.map(|(at, e)| (e.name.clone(), at)).collect());
        self.entities.len() < before
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.entities.iter().map(|e| &*e.name)
    }
}

/// What checking found, and the entities as they are after the entry.
#[derive(Clone, Debug)]
pub struct CheckResult {
    pub diagnostics: Vec<Diagnostic>,
    pub env: Env,
}

impl CheckResult {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

pub fn check(entry: &Entry, env: &Env) -> CheckResult {
    let mut checker = Checker {
        env: env.clone(),
        later: declarations(entry),
        told: Vec::new(),
    };
    match entry {
        Entry::Items(items) => items.iter().for_each(|item| checker.item(item)),
        Entry::Query(question) => checker.question(question),
    }
    CheckResult {
        diagnostics: checker.told,
        env: checker.env,
    }
}

/// One declaration or statement by itself.
pub fn check_item(item: &Item, env: &Env) -> CheckResult {
    let mut checker = Checker {
        env: env.clone(),
        later: Vec::new(),
        told: Vec::new(),
    };
    checker.item(item);
    CheckResult {
        diagnostics: checker.told,
        env: checker.env,
    }
}

/// Where the entities of a text are declared: to tell "later" from "never".
fn declarations(entry: &Entry) -> Vec<Name> {
    let items = match entry {
        Entry::Items(items) => &items[..],
        Entry::Query(_) => &[],
    };
    items
        .iter()
        .filter_map(|item| {
            if let Item::Entity(e) = item {
                Some(e.name.clone())
            } else {
                None
            }
        })
        .collect()
}

struct Checker {
    env: Env,
    later: Vec<Name>,
    told: Vec<Diagnostic>,
}

impl Checker {
    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.told
            .push(Diagnostic::error(Phase::Check, code, span, message));
        let last = self.told.len() - 1;
        &mut self.told[last]
    }

    fn warning(&mut self, code: &'static str, span: Span, message: &str, note: &str) {
        self.told
            .push(Diagnostic::warning(Phase::Check, code, span, message).note(note));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Entity(entity) => self.entity(entity),
            Item::Statement(statement) => self.statement(statement),
        }
    }

    fn question(&mut self, question: &Query) {
        match question {
            Query::Value(value) => self.expr(value),
            Query::Condition(condition) => {
                self.condition(condition);
                if let (ExprKind::Property(_), 1) = (
                    &condition.left.kind,
                    condition.operator_span.end - condition.operator_span.start,
                ) && condition.operator == CompareOp::Equal
                {
                    let note = "to change the property write `set` before it and `;` behind it";
                    self.warning(
                        "TG110",
                        condition.operator_span,
                        "this compares and changes nothing",
                        note,
                    );
                }
            }
        }
    }

    fn entity(&mut self, entity: &Entity) {
        let name = &entity.name;
        if let Some(first) = self.env.get(&name.text).map(|e| e.name_span) {
            let told = self.error(
                "TG106",
                name.span,
                format!("duplicate entity: {} is already declared", name.text),
            );
            told.related.push((first, "declared here".into()));
            let forget = format!(
                "give this one another name; at the prompt `:forget {}` takes the other away",
                name.text
            );
            told.notes.push(forget);
            // Its values are still looked at, against the entity that stays.
            return entity
                .properties
                .iter()
                .for_each(|property| self.expr(&property.value));
        }
        let (role, span, whole) = (entity.kind, name.span, entity.span);
        let declared = DeclaredEntity {
            kind: role,
            name: name.text.clone(),
            properties: vec![],
            name_span: span,
            full_span: whole,
        };
        let at = self.env.entities.len();
        self.env.declare(declared);
        let mut places: Vec<&Name> = Vec::new();
        for property in &entity.properties {
            self.expr(&property.value);
            if self.is_new(&property.name, &places) {
                Arc::make_mut(&mut self.env.entities)[at]
                    .properties
                    .push(property.name.text.clone());
                places.push(&property.name);
            }
        }
    }

    /// Whether a property may be declared under this name.
    fn is_new(&mut self, name: &Name, before: &[&Name]) -> bool {
        if self.env.get(&name.text).is_some() {
            let told = self.error(
                "TG105",
                name.span,
                format!("cannot redeclare entity name {} as a property", name.text),
            );
            told.notes.push("give the property another name".into());
            return false;
        }
        if let Some(first) = before.iter().find(|p| p.text == name.text) {
            let told = self.error(
                "TG107",
                name.span,
                format!("duplicate property: {} is already declared", name.text),
            );
            told.related.push((first.span, "declared here".into()));
            return false;
        }
        true
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Move { entity, amount, .. } => {
                self.moved(entity);
                self.expr(amount);
            }
            StatementKind::Set {
                target: place,
                value,
            } => {
                self.place(place);
                self.expr(value);
            }
            StatementKind::If { condition, body } => {
                self.condition(condition);
                body.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::Print { .. } => {}
        }
    }

    /// An entity that moves has a position, and the message shows all of it.
    fn moved(&mut self, entity: &Name) {
        let Some(found) = self.entity_of(entity) else {
            return;
        };
        let missing = match (found.has_property("x"), found.has_property("y")) {
            (true, true) => return,
            (false, false) => "x or y",
            (false, true) => "x",
            (true, false) => "y",
        };
        let (role, declared) = (found.kind.as_str(), found.name_span);
        let told = self.error(
            "TG108",
            entity.span,
            format!("{} has no {missing}, so it cannot move", entity.text),
        );
        told.related
            .push((declared, format!("declared here without {missing}")));
        told.notes.push(format!(
            "declare it in the block, such as `{role} {} {{ x = 0; y = 0; }}`",
            entity.text
        ));
    }

    fn entity_of(&mut self, name: &Name) -> Option<DeclaredEntity> {
        if let Some(found) = self.env.get(&name.text) {
            return Some(found.clone());
        }
        if let Some(later) = self
            .later
            .iter()
            .find(|l| l.text == name.text)
            .map(|l| l.span)
        {
            let told = self.error(
                "TG101",
                name.span,
                format!("{} not declared before its use", name.text),
            );
            told.related.push((later, "declared only here".into()));
            told.notes.push("put the declaration before it".into());
            return None;
        }
        let near = did_you_mean(&name.text, self.env.names());
        let told = self.error(
            "TG101",
            name.span,
            format!("{} not declared{near}", name.text),
        );
        told.label = "no entity has this name".into();
        told.notes.push(format!(
            "an entity is declared before its use, such as `player {} {{ x = 0; }}`",
            name.text
        ));
        None
    }

    fn place(&mut self, place: &PropertyRef) {
        let Some(found) = self.entity_of(&place.entity) else {
            return;
        };
        let (entity, property) = (&place.entity.text, &place.property);
        if found.has_property(&property.text) {
            return;
        }
        let near = did_you_mean(&property.text, found.properties.iter().map(|p| &**p));
        let message = format!("property {} not declared in {entity}{near}", property.text);
        let told = self.error("TG102", property.span, message);
        told.related
            .push((found.name_span, format!("{entity} is declared here")));
        told.notes.push(match found.properties.is_empty() {
            true => format!("{entity} has no properties"),
            false => format!("{entity} has {}", found.properties.join(", ")),
        });
    }

    fn condition(&mut self, condition: &Condition) {
        self.expr(&condition.left);
        self.expr(&condition.right);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Property(place) => self.place(place),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                rest.iter().for_each(|link| self.link(link));
            }
            ExprKind::BareName(name) => self.alone(name),
            ExprKind::String => {
                let told = self.error("TG104", expr.span, "string not allowed, must be int");
                told.notes.push("only `print` takes a text".into());
            }
        }
    }

    fn link(&mut self, link: &ChainLink) {
        self.expr(&link.operand);
        if link.operator == BinaryOp::Divide && link.operand.kind == ExprKind::Number(0) {
            let note = "the program will stop with an error here";
            self.warning(
                "TG109",
                link.operator_span.to(link.operand.span),
                "this is always a division by zero",
                note,
            );
        }
    }

    fn alone(&mut self, name: &Name) {
        let text = &name.text;
        let note = match self.env.get(text) {
            Some(entity) => match entity.properties.first() {
                Some(property) => {
                    format!(
                        "{text} is an entity; name one of its properties, such as `{text}.{property}`"
                    )
                }
                None => format!("{text} is an entity without properties"),
            },
            None => match self.env.entities.iter().find(|e| e.has_property(text)) {
                Some(owner) => format!("write `{}.{text}`", owner.name),
                None => "write the entity before it, such as `hero.x`".to_string(),
            },
        };
        let told = self.error(
            "TG103",
            name.span,
            format!("standalone identifier {text} not allowed"),
        );
        told.notes.push(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::tinygame::parse::{Start, parse};
    use crate::source::{Origin, Source, SourceId};

    fn checked(text: &str, env: &Env) -> (Source, CheckResult) {
        let source = Source::new(SourceId(1), Origin::Entry(1), text);
        let entry = parse(&source, Start::Entry).unwrap();
        let checked = check(&entry, env);
        (source, checked)
    }

    const HERO: &str = "player hero { x = 0; y = 0; } ";

    #[test]
    fn the_errors_of_the_document_are_found_at_their_word() {
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
            let told: Vec<_> = checked.diagnostics.iter().collect();
            assert_eq!(told.len(), 1, "{text}: {told:?}");
            assert_eq!(
                (told[0].code, source.slice(told[0].span.unwrap())),
                (code, marked),
                "{text}"
            );
            assert!(
                told[0].message.contains(message),
                "{text}: {}",
                told[0].message
            );
        }
    }

    #[test]
    fn an_entry_sees_what_was_declared_before_it_and_adds_to_it() {
        let (_, first) = checked(HERO, &Env::default());
        let (_, second) = checked("enemy orc { x = hero.x; y = orc.x + 1; }", &first.env);
        assert!(!second.has_errors(), "{:?}", second.diagnostics);
        let names: Vec<_> = second.env.entities().iter().map(|e| &*e.name).collect();
        assert_eq!(names, ["hero", "orc"]);
        let (_, again) = checked("player hero { }", &second.env);
        assert_eq!(again.diagnostics[0].code, "TG106");
        let mut env = second.env.clone();
        assert!(env.forget("hero") && !env.forget("hero"));
        assert!(!checked("player hero { }", &env).1.has_errors());
    }

    #[test]
    fn a_question_that_looks_like_an_assignment_is_told() {
        let (_, env) = checked(HERO, &Env::default());
        let (_, asked) = checked("hero.x = 5", &env.env);
        assert_eq!(asked.diagnostics[0].code, "TG110");
        assert!(!asked.has_errors());
        assert!(checked("hero.x == 5", &env.env).1.diagnostics.is_empty());
    }

    #[test]
    fn a_division_by_the_number_zero_warns() {
        let (_, env) = checked(HERO, &Env::default());
        let (_, asked) = checked("set hero.x = hero.y / 0;", &env.env);
        assert_eq!(
            (asked.diagnostics[0].code, asked.has_errors()),
            ("TG109", false)
        );
    }
}
