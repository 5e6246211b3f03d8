//! The answers to try at a question of the program.

use crate::code::flow::Summary;
use crate::code::{Instr, Program};
use crate::debugger::Target;
use crate::debugger::api::CommandError;
use crate::language::{CellNotation, InputShape};
use crate::value::{InternedStr, Object, Store, Unpacked, Value};

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
pub(super) struct Candidates {
    pub answers: Vec<Candidate>,
    /// What was assumed about the answers, if they are not all that are possible.
    pub assumed: Option<String>,
    /// Some answers matter and cannot be tried, so that nothing can be said to be impossible.
    pub has_untried: bool,
}

/// One answer.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
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
        let mut has_untried = false;
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
                has_untried = guess.has_untried;
                (lines, guess.assumed)
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
                // Another question may accept it.
                Err(_) if chosen.is_some() => {}
                Err(message) => {
                    let message = message.split(" | ").next().unwrap_or_default();
                    return Err(CommandError::new(format!("`{line}`: {message}")));
                }
            }
        }
        Ok(Candidates {
            answers,
            assumed,
            has_untried,
        })
    }
}

/// Answers that are likely to matter, from the program and the board.
struct Guess {
    /// The integers to try: 0 to the largest number in the program, or one more than the side of the
    /// board.
    ints: (i64, i64),
    /// The texts to try: the words in the program, and one that is none of them.
    texts: Vec<String>,
    /// What was assumed about the answers.
    assumed: Option<String>,
    /// Whether there are answers that cannot be tried.
    has_untried: bool,
}

/// Stands for every text that the program does not mention.
const OTHER_TEXT: &str = "?";

impl Guess {
    fn new(target: &Target, program: &Program, summary: &Summary) -> Guess {
        /// Numbers above this one are hardly moves.
        const MAX_LITERAL: i64 = 100;
        let functions = summary
            .functions
            .iter()
            .filter_map(|f| program.function(*f));
        let constants = || functions.clone().flat_map(|f| f.constants.iter());
        let in_code = functions
            .clone()
            .flat_map(|f| f.code.iter())
            .filter_map(immediate_int);
        let literals = in_code.chain(constants().filter_map(|v| v.as_int()));
        let largest = literals.filter(|n| *n <= MAX_LITERAL).max().unwrap_or(0);
        let side = target
            .board_outline()
            .map_or(0, |b| i64::from(b.rows.max(b.cols)) + 1);
        let words = constants().filter_map(|v| match v.unpack() {
            Unpacked::String(word) => Some(word.to_string()),
            _ => None,
        });
        // Longer texts and those with spaces are questions and messages, not answers.
        let is_answer = |word: &String| !word.is_empty() && !word.contains(char::is_whitespace);
        let mut texts: Vec<String> = words.filter(is_answer).collect();
        texts.push(OTHER_TEXT.into());
        texts.sort();
        texts.dedup();
        Guess {
            ints: (0, largest.max(side)),
            texts,
            assumed: None,
            has_untried: false,
        }
    }

    /// The lines of a form. Notes what is assumed.
    fn lines_of(&mut self, shape: &InputShape) -> Vec<String> {
        match shape {
            InputShape::Int | InputShape::Float => {
                let (low, high) = self.ints;
                let whole = match shape {
                    InputShape::Float => "whole numbers, ",
                    _ => "",
                };
                self.assumed = Some(format!("numbers are {whole}{low} to {high}"));
                (low..=high).map(|n| n.to_string()).collect()
            }
            InputShape::Text => {
                self.assumed = Some("texts are words of the program, or others (`?`)".into());
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
                self.assumed = Some("positions are cells of the board".into());
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
