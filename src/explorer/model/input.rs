//! The answers to try at a question of the program.

use crate::answer::CommandError;
use crate::code::flow::{Globals, Summary};
use crate::code::{Function, FunctionId, FunctionKind, Instr, Program};
use crate::debugger::Target;
use crate::language::{CellNotation, InputShape};
use crate::value::{InternedStr, Object, Store, Unpacked, Value};
use std::collections::BTreeSet;

/// At most this many answers to one question are tried.
const MAX_CANDIDATES: usize = 100_000;

/// The answers to try, chosen by the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputRange {
    /// All integers from the first to the second.
    Range(i64, i64),
    /// These lines.
    Lines(Vec<String>),
}

/// The answers to try at questions of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    pub answers: Vec<Candidate>,
    /// What was assumed about the answers, if they are not all that are possible.
    pub assumed: Option<String>,
    /// They are a guess: others, which the user did not rule out, may lead elsewhere.
    pub is_guess: bool,
    /// Some answers matter and cannot be tried, so that nothing can be said to be impossible.
    pub has_untried: bool,
}

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// What the user would type.
    pub line: String,
    value: InputValue,
}

/// A value that does not belong to a heap.
#[derive(Clone, Debug)]
enum InputValue {
    Plain(u64, InputKind),
    Int(i64),
    Float(f64),
    Coordinate(i32, i32),
    String(String),
    Tuple(Vec<InputValue>),
}

#[derive(Clone, Copy, Debug)]
enum InputKind {
    Bool,
    Symbol,
}

impl InputValue {
    fn of(store: &Store, value: Value) -> Option<InputValue> {
        Some(match value.unpack() {
            Unpacked::Bool(b) => InputValue::Plain(b.into(), InputKind::Bool),
            Unpacked::Int(n) => InputValue::Int(n),
            Unpacked::Float(x) => InputValue::Float(x),
            Unpacked::Symbol(word) => InputValue::Plain(word.index().into(), InputKind::Symbol),
            Unpacked::String(word) => InputValue::String(word.to_string()),
            Unpacked::Coordinate(row, col) => InputValue::Coordinate(row, col),
            Unpacked::Heap(handle) => match store.heap.object(handle)? {
                Object::Int(n) => InputValue::Int(*n),
                Object::String(text) => InputValue::String(text.to_string()),
                Object::Tuple(items) => {
                    let items = items.iter().map(|item| InputValue::of(store, *item));
                    InputValue::Tuple(items.collect::<Option<_>>()?)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn to_value(&self, store: &mut Store) -> Value {
        match self {
            InputValue::Plain(bits, InputKind::Bool) => Value::bool(*bits != 0),
            InputValue::Plain(bits, InputKind::Symbol) => {
                Value::symbol(InternedStr::from_index(*bits as u32))
            }
            InputValue::Int(n) => store.heap.alloc_int(*n),
            InputValue::Float(x) => Value::float(*x),
            InputValue::Coordinate(row, col) => {
                Value::coordinate(*row, *col).unwrap_or(Value::NOTHING)
            }
            InputValue::String(text) => store.heap.alloc_string(text),
            InputValue::Tuple(items) => {
                let items = items.iter().map(|item| item.to_value(store)).collect();
                store.heap.alloc_tuple(items)
            }
        }
    }
}

impl Candidate {
    /// The value of the answer, in the store of a machine.
    pub fn to_value(&self, store: &mut Store) -> Value {
        self.value.to_value(store)
    }
}

impl Candidates {
    /// Whether the same answers are tried.
    pub fn are_same(&self, other: &Candidates) -> bool {
        let lines = self.answers.iter().map(|answer| &answer.line);
        lines.eq(other.answers.iter().map(|answer| &answer.line))
    }

    /// The answers to questions of a kind: those that the user chose, or else all that the type allows.
    pub fn new(
        target: &Target,
        program: &Program,
        summary: &Summary,
        kind: u8,
        chosen: &Option<InputRange>,
    ) -> Result<Candidates, CommandError> {
        let shape = target
            .language()
            .input_shape(program, &target.machine.store, kind);
        let (mut has_untried, mut is_guess) = (false, false);
        let (lines, assumed) = match chosen {
            Some(InputRange::Range(low, high)) => {
                let lines = (*low..=*high).take(MAX_CANDIDATES + 1);
                let assumed = format!("answers are {low} to {high}");
                (lines.map(|n| n.to_string()).collect(), Some(assumed))
            }
            Some(InputRange::Lines(lines)) => {
                let assumed = format!("answers are {}", lines.join(", "));
                (lines.clone(), Some(assumed))
            }
            None => {
                let mut guess = Guess::new(target, program, summary);
                let lines = guess.lines_of(&shape);
                (has_untried, is_guess) = (guess.has_untried, guess.is_incomplete);
                let assumed = guess.assumed.join(", and ");
                (lines, (!assumed.is_empty()).then_some(assumed))
            }
        };
        if lines.len() > MAX_CANDIDATES {
            return Err(CommandError::new(format!(
                "there are more than {MAX_CANDIDATES} answers to try; `inputs A..B` chooses some"
            )));
        }
        let mut store = Store::default();
        let mut answers = Vec::new();
        for line in lines {
            match (program.parse_input)(program, &mut store, kind, &line) {
                Ok(value) => answers
                    .extend(InputValue::of(&store, value).map(|value| Candidate { line, value })),
                // Another question may accept it, or nobody can type it.
                Err(_) if chosen.is_some() || is_guess => {}
                Err(message) => {
                    let message = message.split(" | ").next().unwrap_or_default();
                    return Err(CommandError::new(format!("`{line}`: {message}")));
                }
            }
        }
        Ok(Candidates {
            answers,
            assumed,
            is_guess,
            has_untried,
        })
    }
}

/// Answers that are likely to matter, from the program and the board.
struct Guess {
    /// The integers to try: the numbers in the program and their neighbors, and all from 0 to the largest
    /// of them or one more than the side of the board.
    ints: Vec<i64>,
    /// The texts to try: those in the program, and one that is none of them.
    texts: Vec<String>,
    /// What was assumed about the answers.
    assumed: Vec<String>,
    /// Whether there are answers that cannot be tried.
    has_untried: bool,
    /// Whether there are answers that are not tried, although the type allows them.
    is_incomplete: bool,
}

/// Stands for every text that the program does not mention.
const OTHER_TEXT: &str = "?";
/// Not all integers up to larger numbers are tried, only those near the numbers in the program.
const MAX_RANGE: i64 = 100;
/// At most this many integers are tried, the smallest ones.
const MAX_INTS: usize = 1_000;
/// More ranges of integers than this are not listed.
const MAX_RANGES_LISTED: usize = 6;

impl Guess {
    fn new(target: &Target, program: &Program, summary: &Summary) -> Guess {
        let mut literals = Literals::default();
        // What variables start with is set before the search starts.
        let start = program.start_function.map(|f| Summary::of(program, [f]));
        let start = start.iter().flat_map(|start| &start.functions);
        // The rules built into the language are no part of the program.
        let code = |id: &FunctionId| {
            let function = program.function(*id);
            function.filter(|f| f.kind != FunctionKind::Rules)
        };
        for function in summary.functions.iter().filter_map(code) {
            literals.add_ints(function);
            literals.add_texts(function);
        }
        // The texts there are names of pieces and players; those of variables follow.
        for function in start.filter_map(code) {
            literals.add_ints(function);
        }
        // Variables that never change in play are numbers of the program, too.
        let values = target.machine.store.globals.as_slice().iter();
        let globals = (0..).zip(program.globals.iter().zip(values));
        for (id, (global, value)) in globals {
            let is_written = match &summary.globals_written {
                Globals::All => true,
                Globals::Only(written) => written.contains(&id),
            };
            if global.name.as_str().starts_with('@') {
                continue;
            }
            literals.ints.extend(value.as_int().filter(|_| !is_written));
            if let Unpacked::String(text) = value.unpack() {
                literals.texts.insert(text.to_string());
            }
        }
        let side = target
            .board_outline()
            .map_or(0, |b| i64::from(b.rows.max(b.cols)) + 1);
        Guess {
            ints: ints_near(&literals.ints, side),
            texts: literals.into_texts(),
            assumed: Vec::new(),
            has_untried: false,
            is_incomplete: false,
        }
    }

    /// Notes an assumption that leaves answers out.
    fn assume(&mut self, what: String) {
        self.is_incomplete = true;
        self.assumed.retain(|known| *known != what);
        self.assumed.push(what);
    }

    /// The lines of a form. Notes what is assumed.
    fn lines_of(&mut self, shape: &InputShape) -> Vec<String> {
        match shape {
            InputShape::Int | InputShape::Float => {
                let whole = match shape {
                    InputShape::Float => "whole numbers, ",
                    _ => "",
                };
                self.assume(format!("numbers are {whole}{}", ranges_text(&self.ints)));
                self.ints.iter().map(i64::to_string).collect()
            }
            InputShape::Text => {
                self.assume("texts are those of the program, or others (`?`)".into());
                self.texts.clone()
            }
            InputShape::Cell {
                notation,
                columns,
                rows,
            } => {
                let mut lines = Vec::new();
                for row in rows.0..=rows.1 {
                    for column in columns.0..=columns.1 {
                        lines.push(match notation {
                            CellNotation::ColumnRow => format!("({column},{row})"),
                            CellNotation::RowColumn => format!("({row},{column})"),
                        });
                        if lines.len() > MAX_CANDIDATES {
                            return lines;
                        }
                    }
                }
                let assumed = "positions are cells of the board".to_string();
                self.assumed.retain(|known| *known != assumed);
                self.assumed.push(assumed);
                lines
            }
            InputShape::OneOf(lines) => lines.clone(),
            InputShape::AnyOf(shapes) => shapes
                .iter()
                .flat_map(|shape| self.lines_of(shape))
                .collect(),
            InputShape::Tuple(parts) => {
                let mut lines = vec![String::new()];
                for (n, part) in parts.iter().enumerate() {
                    let part = self.lines_of(part);
                    if lines.len() * part.len() > MAX_CANDIDATES {
                        return vec![String::new(); MAX_CANDIDATES + 1];
                    }
                    let comma = if n > 0 { "," } else { "" };
                    let joined = lines.iter().flat_map(|line| {
                        part.iter().map(move |part| format!("{line}{comma}{part}"))
                    });
                    lines = joined.collect();
                }
                lines.into_iter().map(|line| format!("({line})")).collect()
            }
            InputShape::Unbounded => {
                self.has_untried = true;
                Vec::new()
            }
        }
    }
}

/// Numbers and texts that a program mentions.
#[derive(Default)]
struct Literals {
    ints: BTreeSet<i64>,
    texts: BTreeSet<String>,
}

impl Literals {
    fn add_ints(&mut self, function: &Function) {
        let code = function.code.iter();
        let in_code = code.clone().filter_map(immediate_int);
        let constants = function.constants.iter();
        let mut ints: Vec<i64> = in_code
            .chain(constants.filter_map(|v| v.as_int()))
            .collect();
        if code.clone().any(|i| matches!(i, Instr::Negate { .. })) {
            let negative: Vec<i64> = ints.iter().filter_map(|n| n.checked_neg()).collect();
            ints.extend(negative);
        }
        self.ints.extend(ints);
    }

    fn add_texts(&mut self, function: &Function) {
        for (k, value) in (0..).zip(function.constants.iter()) {
            if let Unpacked::String(text) = value.unpack() {
                let text = text.to_string();
                if !is_phrase(&text) || !is_only_shown(function, k) {
                    self.texts.insert(text);
                }
            }
        }
    }

    /// The texts that can be typed in a line, single words first, and one that is none of them.
    fn into_texts(self) -> Vec<String> {
        let can_be_typed = |text: &String| !text.is_empty() && !text.contains(['\n', '\r']);
        let texts = self.texts.into_iter().filter(can_be_typed);
        let (words, phrases): (Vec<String>, Vec<String>) = texts.partition(|text| !is_phrase(text));
        let mut texts = words;
        if !texts.iter().any(|text| text == OTHER_TEXT) {
            texts.push(OTHER_TEXT.into());
        }
        texts.extend(phrases);
        texts
    }
}

/// Whether a text is more than a word: such texts are often questions and messages.
fn is_phrase(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

/// Whether a constant of a function is only printed, asked or put together with other texts.
fn is_only_shown(function: &Function, constant: u16) -> bool {
    let loads = function.code.iter().enumerate();
    let mut loads = loads.filter_map(|(pc, instr)| match instr {
        Instr::Constant { dst, k } if *k == constant => Some((pc, *dst)),
        _ => None,
    });
    loads.all(|(pc, register)| {
        let mut rest = function.code[pc + 1..].iter();
        let user = rest.find(|instr| {
            let flow = instr.flow();
            flow.reads.contains(register)
                || flow.may_write().any(|written| written == register)
                || flow.runs_code()
                || !flow.continues()
        });
        user.is_some_and(|instr| {
            instr.flow().reads.contains(register)
                && matches!(
                    instr,
                    Instr::Output { .. } | Instr::Ask { .. } | Instr::Concat { .. }
                )
        })
    })
}

/// The integers near those of a program and up to a side of the board: small ones first, then negative ones.
fn ints_near(literals: &BTreeSet<i64>, side: i64) -> Vec<i64> {
    let largest = literals.last().copied().unwrap_or(0).min(MAX_RANGE);
    let mut ints: BTreeSet<i64> = (0..=largest.saturating_add(1).max(side)).collect();
    for n in literals {
        ints.extend([n.saturating_sub(1), *n, n.saturating_add(1)]);
    }
    let mut ints: Vec<i64> = ints.into_iter().collect();
    ints.sort_by_key(|n| (n.unsigned_abs(), *n < 0));
    ints.truncate(MAX_INTS);
    ints.sort_by_key(|n| (*n < 0, n.unsigned_abs()));
    ints
}

/// `-6 to -4, 0 to 7`
fn ranges_text(ints: &[i64]) -> String {
    let mut sorted = ints.to_vec();
    sorted.sort_unstable();
    let ranges = sorted.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let mut texts: Vec<String> = ranges
        .filter_map(|range| match (range.first()?, range.last()?) {
            (first, last) if first == last => Some(first.to_string()),
            (first, last) => Some(format!("{first} to {last}")),
        })
        .collect();
    if texts.len() > MAX_RANGES_LISTED {
        texts.truncate(MAX_RANGES_LISTED);
        texts.push("and others near numbers of the program".into());
    }
    texts.join(", ")
}

/// The number in an instruction.
fn immediate_int(instr: &Instr) -> Option<i64> {
    match *instr {
        Instr::Int { value, .. }
        | Instr::AddInt { value, .. }
        | Instr::SubtractInt { value, .. }
        | Instr::MultiplyInt { value, .. }
        | Instr::DivideInt { value, .. }
        | Instr::RemainderInt { value, .. } => Some(i64::from(value)),
        Instr::JumpUnlessLessInt { value, .. }
        | Instr::JumpUnlessGreaterInt { value, .. }
        | Instr::JumpUnlessEqualInt { value, .. } => Some(i64::from(value)),
        _ => None,
    }
}
