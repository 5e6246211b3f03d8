//! Formatting of values, and the board view: the part of the plane around the entities, with y
//! growing upward.
//!
//! ```text
//! program_items  the items of a program, as its file contains them
//! ```

pub mod program_items;

use super::TinyGame;
use super::check::DeclaredEntity;
use super::token::Token;
use crate::code::{Program, Status};
use crate::language::{
    BoardView, CellView, Definition, GameProgress, GameView, NamedValues, ProgramItem, TokenClass,
    Viewport, Views,
};
use crate::lower::scope::{Scope, full_name};
use crate::source::{Source, Sources};
use crate::value::{InternedStr, ObjectKind, Store, Unpacked, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The longest side of the drawn area. The plane is unbounded: if the entities are spread over a
/// larger area, only the surroundings of the first player are drawn.
const MAX_SIDE_CELLS: i128 = 400;
/// The most cells in the drawn area.
const MAX_AREA_CELLS: i128 = 40_000;
/// If there are more entities, only those that have changed are listed below the board.
const MAX_ENTITIES_LISTED: usize = 20;
/// Size of those surroundings: cells to the left and right, and up and down.
const SURROUNDINGS_CELLS: (i128, i128) = (20, 10);

impl Views for TinyGame {
    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        let Some(scope) = program.scope.downcast_ref::<Scope>() else {
            return GameView::default();
        };
        let entities = Entities { scope, store };
        let area = DrawnArea::around(entities.placed());
        let mut footer: Vec<String> = match viewport == Viewport::ALL || !has_many_entities(scope) {
            true => entities.all_lines(program),
            false => vec![format!(
                "{} entities; `:state` lists them",
                scope.env.entity_count()
            )],
        };
        footer.extend(
            area.as_ref()
                .and_then(|area| area.out_of_view_note(entities.placed())),
        );
        GameView {
            status: Status::Playing,
            footer,
            board: area.map(|area| board(&area, entities.placed(), viewport)),
            ..GameView::default()
        }
    }

    fn changed_lines(&self, program: &Program, store: &Store, globals: &[u32]) -> Vec<String> {
        let scope = program.scope.downcast_ref::<Scope>();
        let Some(scope) = scope.filter(|scope| has_many_entities(scope)) else {
            return Vec::new();
        };
        let entity_of = |&global: &u32| {
            let name = program.globals.get(global as usize)?.name.as_str();
            let (entity, _) = name.split_once('.')?;
            Some((scope.env.number(entity)?, scope.env.get(entity)?))
        };
        let changed: BTreeMap<u32, &Arc<DeclaredEntity>> =
            globals.iter().filter_map(entity_of).collect();
        let entities = Entities { scope, store };
        let listed = changed.values().take(MAX_ENTITIES_LISTED);
        let mut lines: Vec<String> = listed.filter_map(|e| entities.line(program, e)).collect();
        let more = changed.len().saturating_sub(MAX_ENTITIES_LISTED);
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        lines
    }

    fn board_outline(&self, program: &Program, store: &Store) -> Option<BoardView> {
        let scope = program.scope.downcast_ref::<Scope>()?;
        let area = DrawnArea::around(Entities { scope, store }.placed())?;
        Some(board(&area, std::iter::empty(), Viewport::NONE))
    }

    fn progress(&self, _: &Program, _: &Store) -> GameProgress {
        GameProgress::default()
    }

    /// Properties are numbers; conditions can be typed at the prompt.
    fn value_type(&self, _: &Program, _: &Store, value: Value) -> String {
        let name = match value.unpack() {
            Unpacked::Nothing => "no value",
            Unpacked::Bool(_) => "condition",
            Unpacked::String(_) => "string",
            Unpacked::Heap(handle) if handle.kind == ObjectKind::String => "string",
            _ => "number",
        };
        name.to_string()
    }

    /// The properties of all entities.
    fn named_values(&self, program: &Program, store: &Store) -> NamedValues {
        let Some(scope) = program.scope.downcast_ref::<Scope>() else {
            return NamedValues::default();
        };
        let entities = Entities { scope, store };
        let declared = scope.env.entities();
        let variables = declared.flat_map(|entity| {
            let values = entities.values(entity);
            values.map(|(property, value)| (full_name(&entity.name, property), value))
        });
        NamedValues {
            variables: variables.collect(),
            ..NamedValues::default()
        }
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        let env = &Scope::from_program(program).env;
        let definition = |e: &Arc<DeclaredEntity>| {
            Definition::new(&*e.name, e.kind.as_str(), e.title(), e.full_span)
        };
        env.entities().map(definition).collect()
    }

    fn program_items(&self, program: &Program, _: &Sources) -> Vec<ProgramItem> {
        program_items::program_items(&Scope::from_program(program))
    }

    fn typed_statements(&self, entry: &Source) -> Vec<ProgramItem> {
        program_items::typed_statements(entry)
    }
}

pub fn format_value(_: &Program, store: &Store, value: Value, quoted: bool) -> String {
    match value.unpack() {
        Unpacked::Nothing => "nothing".into(),
        Unpacked::Bool(truth) => truth.to_string(),
        _ => match (store.heap.as_int(value), store.heap.as_str(value)) {
            (Some(n), _) => n.to_string(),
            (None, Some(text)) if quoted => format!("\"{text}\""),
            (None, Some(text)) => text.to_string(),
            (None, None) => String::new(),
        },
    }
}

/// Whether there are too many entities to list them below every board.
fn has_many_entities(scope: &Scope) -> bool {
    scope.env.entity_count() > MAX_ENTITIES_LISTED
}

/// An entity with its x and y.
type PlacedEntity<'v> = (i64, i64, &'v DeclaredEntity);

struct Entities<'v> {
    scope: &'v Scope,
    store: &'v Store,
}

impl<'v> Entities<'v> {
    /// The properties that have a value already.
    fn values(&self, entity: &'v DeclaredEntity) -> impl Iterator<Item = (&'v str, Value)> {
        let properties = entity.properties.iter();
        properties.filter_map(|property| Some((&**property, self.value(entity, property)?)))
    }

    fn value(&self, entity: &DeclaredEntity, property: &str) -> Option<Value> {
        let slot = self.scope.slot(&entity.name, property)?;
        Some(self.store.global(slot)).filter(|value| *value != Value::NOTHING)
    }

    /// `player hero: x=5, y=3`
    fn line(&self, program: &Program, entity: &'v DeclaredEntity) -> Option<String> {
        let head = entity.title();
        if entity.properties.is_empty() {
            return Some(head);
        }
        let format = |value| format_value(program, self.store, value, true);
        let values = self.values(entity);
        let values = values.map(|(property, value)| format!("{property}={}", format(value)));
        let values: Vec<String> = values.collect();
        (!values.is_empty()).then(|| format!("{head}: {}", values.join(", ")))
    }

    /// The lines of all entities that have a value already.
    fn all_lines(&self, program: &Program) -> Vec<String> {
        let entities = self.scope.env.entities();
        entities.filter_map(|e| self.line(program, e)).collect()
    }

    /// All entities that have a position. Players first, so that they are drawn on top.
    fn placed(&self) -> impl Iterator<Item = PlacedEntity<'v>> {
        let store = self.store;
        let number = |global: u32| {
            let value = store.globals.get(global as usize)?;
            store.heap.as_int(*value)
        };
        let placed = self.scope.placed.values();
        placed.filter_map(move |e| Some((number(e.x)?, number(e.y)?, &*e.entity)))
    }
}

fn board<'v>(
    area: &DrawnArea,
    placed: impl Iterator<Item = PlacedEntity<'v>>,
    viewport: Viewport,
) -> BoardView {
    let mut entities_at: HashMap<(i64, i64), Vec<&DeclaredEntity>> = HashMap::new();
    for (x, y, entity) in placed.filter(|&(x, y, _)| area.contains(x, y)) {
        entities_at.entry((x, y)).or_default().push(entity);
    }
    let cell = |row: u32, col: u32| {
        let x = area.left.saturating_add(i64::from(col));
        let y = area.bottom.saturating_add(i64::from(row));
        let entities = entities_at.get(&(x, y));
        entities.map_or_else(CellView::default, |entities| cell_view(entities))
    };
    BoardView {
        origin: (area.bottom, area.left),
        is_y_up: true,
        is_unbounded: true,
        ..BoardView::clipped(area.rows, area.cols, viewport, cell)
    }
}

fn cell_view(entities: &[&DeclaredEntity]) -> CellView {
    let mut names = entities.iter().map(|e| InternedStr::new(&e.name));
    CellView {
        name: names.next(),
        visible: true,
        others: names.collect(),
        ..CellView::default()
    }
}

/// The part of the plane that is drawn.
struct DrawnArea {
    left: i64,
    bottom: i64,
    rows: u32,
    cols: u32,
}

impl DrawnArea {
    /// All entities with a margin of one cell, or the surroundings of the first one if they are too
    /// far apart.
    fn around<'v>(placed: impl Iterator<Item = PlacedEntity<'v>>) -> Option<DrawnArea> {
        let mut positions = placed.map(|(x, y, _)| (i128::from(x), i128::from(y)));
        let (x, y) = positions.next()?;
        let (mut left, mut right, mut bottom, mut top) = (x, x, y, y);
        for (x, y) in positions {
            (left, right) = (left.min(x), right.max(x));
            (bottom, top) = (bottom.min(y), top.max(y));
        }
        // A margin of one cell.
        (left, right, bottom, top) = (left - 1, right + 1, bottom - 1, top + 1);
        let (cols, rows) = (right - left + 1, top - bottom + 1);
        if cols > MAX_SIDE_CELLS || rows > MAX_SIDE_CELLS || cols * rows > MAX_AREA_CELLS {
            let (width, height) = SURROUNDINGS_CELLS;
            (left, right) = (left.max(x - width), right.min(x + width));
            (bottom, top) = (bottom.max(y - height), top.min(y + height));
        }
        // The margin must not leave the range of 64-bit coordinates.
        let (min, max) = (i128::from(i64::MIN), i128::from(i64::MAX));
        (left, right) = (left.max(min), right.min(max));
        (bottom, top) = (bottom.max(min), top.min(max));
        Some(DrawnArea {
            left: left as i64,
            bottom: bottom as i64,
            rows: (top - bottom + 1) as u32,
            cols: (right - left + 1) as u32,
        })
    }

    fn contains(&self, x: i64, y: i64) -> bool {
        let is_in_range = |value: i64, start: i64, cells: u32| {
            (0..i128::from(cells)).contains(&(i128::from(value) - i128::from(start)))
        };
        is_in_range(x, self.left, self.cols) && is_in_range(y, self.bottom, self.rows)
    }

    /// A note about the entities that are outside the drawn part.
    fn out_of_view_note<'v>(
        &self,
        placed: impl Iterator<Item = PlacedEntity<'v>>,
    ) -> Option<String> {
        let mut out_of_view = placed
            .filter(|&(x, y, _)| !self.contains(x, y))
            .map(|(.., e)| &*e.name);
        let names: Vec<&str> = out_of_view.by_ref().take(MAX_ENTITIES_LISTED).collect();
        let more = match out_of_view.count() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let named = names.join(", ");
        (!names.is_empty()).then(|| format!("too far away to draw: {named}{more}"))
    }
}

/// The class of a token for syntax highlighting, if its text does not tell.
pub fn token_class(token: Token, _: &str) -> Option<TokenClass> {
    match token {
        Token::Comment => Some(TokenClass::Comment),
        Token::UnterminatedString
        | Token::InvalidName(_)
        | Token::UnsupportedOperator(_)
        | Token::Invalid => Some(TokenClass::Invalid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::EntityKind;

    fn area(positions: &[(i64, i64)]) -> (i64, i64, u32, u32) {
        let name = "a".into();
        let entity = DeclaredEntity {
            kind: EntityKind::Player,
            name,
            properties: Vec::new(),
            name_span: Default::default(),
            full_span: Default::default(),
        };
        let placed = positions.iter().map(|&(x, y)| (x, y, &entity));
        DrawnArea::around(placed)
            .map(|area| (area.left, area.bottom, area.rows, area.cols))
            .unwrap()
    }

    #[test]
    fn all_entities_are_drawn_unless_too_far_apart() {
        assert_eq!(area(&[(0, 0)]), (-1, -1, 3, 3));
        assert_eq!(area(&[(0, 0), (4, -2)]), (-1, -3, 5, 7));
        assert_eq!(area(&[(0, 0), (1000, 0)]), (-1, -1, 3, 22));
        let (_, _, rows, cols) = area(&[(i64::MIN, i64::MAX), (i64::MAX, i64::MIN)]);
        assert!(rows < 30 && cols < 50);
    }
}
