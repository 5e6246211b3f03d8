//! Tally, a language of a few lines: a counter walks over a grid and adds up what each move is worth.
//!
//! ```text
//! grid 2 3            rows and columns; the game is won in the last cell
//! right adds 1        what a move is worth
//! down adds 10
//! ```
//!
//! At the prompt, `right` and `down` move, a definition replaces the one before, and `total`, `row`
//! and `col` are values.

use gridbug::code::{
    Arithmetic, BoardInfo, Builder, CompareOp, Function, FunctionId, FunctionKind, Global, Instr,
    Program, Status, StopKind, ValueLoc,
};
use gridbug::diagnostic::{Diagnostic, Phase, did_you_mean};
use gridbug::language::syntax::{
    Expected, ExpectedWords, LalrpopError, Lexeme, ParserInput, Syntax, SyntaxCodes, SyntaxError,
    TokenStream, expected, quoted, tokenize,
};
use gridbug::language::{
    BoardView, CellView, Compiled, Definition, FrameScope, GameView, Language, LanguageInfo,
    ParsedEntry, Viewport, Views,
};
use gridbug::source::{Source, Span};
use gridbug::value::{InternedStr, Store, Value};
use lalrpop_util::ParseError;
use logos::Logos;
use std::rc::Rc;

pub struct Tally;

static INFO: LanguageInfo = LanguageInfo {
    name: "tally",
    title: "Tally",
    extensions: &["tally"],
    keywords: &["grid", "adds"],
    ..LanguageInfo::EMPTY
};

// Tokens, and what syntax errors say.

#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(skip r"[ \t\r\n]+")]
enum Token<'t> {
    #[token("grid")]
    Grid,
    #[token("adds")]
    Adds,
    #[regex("[a-z]+")]
    Name(&'t str),
    #[regex("[0-9]{1,4}", |lexer| lexer.slice().parse().ok())]
    Number(i32),
    Invalid,
}

const EXPECTED: &[Expected] = &[
    expected(&["number"], "a number"),
    quoted(&["adds"]),
    expected(&["name", "grid"], "a definition or a move"),
];

impl Syntax for Token<'_> {
    const CODES: SyntaxCodes = SyntaxCodes {
        unexpected_token: "TL001",
        unexpected_end: "TL002",
        unmatched_bracket: "TL001",
        keyword_as_name: "TL001",
        too_deep: "TL001",
        unknown_name: &[],
        missing_part: &[],
    };
    const EXPECTED: ExpectedWords = ExpectedWords {
        first: EXPECTED,
        any: &[],
        otherwise: &[],
        nothing: "the end of the entry",
    };

    fn is_comment(self) -> bool {
        false
    }

    fn mistake(_: &SyntaxError<'_, Self>) -> Option<Diagnostic> {
        None
    }

    fn needs_name(_: &SyntaxError<'_, Self>) -> bool {
        false
    }
}

// The parser: what lalrpop would generate.

#[derive(Clone, Copy, PartialEq)]
enum Item {
    Grid(i32, i32),
    /// The global that the move changes, and what it adds to the total.
    Move(Axis, i32, Span),
    Name(InternedStr, Span),
}

#[derive(Clone, Copy, PartialEq)]
enum Axis {
    Row,
    Col,
}

fn parse(source: &Source) -> ParsedEntry {
    let tokens = tokenize(&source.text, |_| Token::Invalid);
    let input = ParserInput::new(source, None, tokens);
    ParsedEntry::from_parser(&input, input.parse(|tokens| items(source, tokens)))
}

fn items<'t>(
    source: &Source,
    tokens: TokenStream<'_, Token<'t>>,
) -> Result<Vec<Item>, LalrpopError<Token<'t>>> {
    let tokens: Result<Vec<Lexeme<Token<'t>>>, _> = tokens.collect();
    let tokens = tokens.map_err(|error| ParseError::User { error })?;
    let (mut at, mut items) = (0, Vec::new());
    let unexpected = |at: usize, expected: &[&str]| {
        let expected = expected.iter().map(|e| format!("\"{e}\"")).collect();
        match tokens.get(at) {
            Some(&token) => ParseError::UnrecognizedToken { token, expected },
            None => ParseError::UnrecognizedEof {
                location: source.text.len(),
                expected,
            },
        }
    };
    let number = |at: usize| match tokens.get(at) {
        Some((_, Token::Number(n), _)) => Ok(*n),
        _ => Err(unexpected(at, &["number"])),
    };
    while let Some(&(start, token, end)) = tokens.get(at) {
        let is_definition = matches!(tokens.get(at + 1), Some((_, Token::Adds, _)));
        let item = match token {
            Token::Grid => Item::Grid(number(at + 1)?, number(at + 2)?),
            Token::Name(name) if is_definition => {
                let axis = if name == "down" { Axis::Row } else { Axis::Col };
                let span = source.span(start, tokens.get(at + 2).map_or(end, |token| token.2));
                Item::Move(axis, number(at + 2)?, span)
            }
            Token::Name(name) => Item::Name(InternedStr::new(name), source.span(start, end)),
            _ => return Err(unexpected(at, &["name", "grid"])),
        };
        at += if matches!(item, Item::Name(..)) { 1 } else { 3 };
        items.push(item);
    }
    Ok(items)
}

// Lowering. The scope of a program is the size of its grid.

const ROW: u32 = 0;
const COL: u32 = 1;
const TOTAL: u32 = 2;
const STATUS: u32 = 3;
const START: FunctionId = FunctionId(0);
const FUNCTIONS: [&str; 3] = ["start", "down", "right"];

impl Axis {
    fn function(self) -> FunctionId {
        FunctionId(1 + self as u32)
    }
}

fn size(program: &Program) -> (i32, i32) {
    *program.scope_of::<(i32, i32)>()
}

fn function(id: FunctionId, span: Span, body: impl FnOnce(&mut Builder)) -> Function {
    let (name, kind) = match FUNCTIONS.get(id.0 as usize) {
        Some(name) if id != START => (*name, FunctionKind::Function),
        Some(name) => (*name, FunctionKind::Setup),
        None => ("entry", FunctionKind::Entry),
    };
    let mut builder = Builder::new(InternedStr::new(name), kind, 0, span);
    body(&mut builder);
    builder.finish()
}

fn add(builder: &mut Builder, global: u32, value: i32, span: Span) {
    let (dst, src) = (builder.alloc_register(), builder.alloc_register());
    builder.emit(Instr::GetGlobal { dst, global }, span);
    builder.emit(
        Instr::AddInt {
            dst: src,
            a: dst,
            value,
        },
        span,
    );
    builder.record_value_before(span, ValueLoc::Write(src));
    builder.emit(Instr::SetGlobal { global, src }, span);
}

fn move_function(axis: Axis, adds: i32, (rows, cols): (i32, i32), span: Span) -> Function {
    function(axis.function(), span, |builder| {
        let (global, limit) = [(ROW, rows), (COL, cols)][axis as usize];
        builder.stop_point(StopKind::Statement, span);
        let (a, b) = (builder.alloc_register(), builder.alloc_register());
        builder.emit(Instr::GetGlobal { dst: a, global }, span);
        let equals = |a, value| CompareOp::Equal.jump_unless_small(a, value);
        let value = limit as i8 - 1;
        let on_grid = builder.emit_jump(equals(a, value), span);
        builder.emit_fail("this move leaves the grid", None, span);
        builder.patch_here(on_grid);
        add(builder, global, 1, span);
        add(builder, TOTAL, adds, span);
        let not_there = [(ROW, rows), (COL, cols)].map(|(global, limit)| {
            builder.emit(Instr::GetGlobal { dst: a, global }, span);
            let value = limit as i8 - 1;
            builder.emit_jump(equals(a, value), span)
        });
        builder.emit_constant(a, Value::int(Status::Won as i32), span);
        builder.emit_string(b, "", span);
        builder.emit(
            Instr::SetGlobal {
                global: STATUS,
                src: a,
            },
            span,
        );
        builder.emit(Instr::EndGame { how: a, winner: b }, span);
        builder.patch_all_here(not_there);
    })
}

fn compile(items: &[Item], source: &Source, old: &Program) -> Result<Compiled, Vec<Diagnostic>> {
    let (mut program, mut messages, mut calls, mut value) = (old.clone(), vec![], vec![], None);
    for item in items {
        match *item {
            Item::Grid(rows, cols) => program.scope = Rc::new((rows.max(1), cols.max(1))),
            Item::Move(axis, adds, span) => {
                let function = move_function(axis, adds, size(&program), span);
                messages.push(format!("defined {}", function.name));
                program.define(axis.function(), function);
            }
            Item::Name(name, span) => match program.global(name.as_str()) {
                Some(global) => value = Some((global, span)),
                None => match FUNCTIONS[1..].iter().position(|f| *f == name.as_str()) {
                    Some(n) => calls.push((FunctionId(n as u32 + 1), span)),
                    None => {
                        let known = ["right", "down", "total", "row", "col"];
                        let hint = did_you_mean(name.as_str(), known);
                        let message = format!("unknown name `{name}`{hint}");
                        return Err(vec![Diagnostic::error(
                            Phase::Check,
                            "TL003",
                            span,
                            message,
                        )]);
                    }
                },
            },
        }
    }
    let entry = function(
        FunctionId(FUNCTIONS.len() as u32),
        source.full_span(),
        |builder| {
            let base = builder.alloc_register();
            for &(function, span) in &calls {
                builder.stop_point(StopKind::Statement, span);
                builder.emit(Instr::BeginAction, span);
                builder.emit(Instr::Call { function, base }, span);
            }
            if let Some((global, span)) = value {
                builder.emit(Instr::GetGlobal { dst: base, global }, span);
                builder.emit(Instr::Return { src: base }, span);
            }
        },
    );
    let runs = !calls.is_empty() || value.is_some();
    let entry_point = runs.then(|| program.push_entry(entry));
    Ok(Compiled {
        messages,
        is_expression: value.is_some(),
        ..Compiled::entry(entry_point, program, old)?
    })
}

impl Language for Tally {
    fn info(&self) -> &'static LanguageInfo {
        &INFO
    }

    fn empty_program(&self) -> Program {
        let mut program = Program {
            board_info: BoardInfo {
                is_derived: true,
                ..BoardInfo::default()
            },
            start_function: Some(START),
            format_value: |_, _, value, _| {
                value.as_int().map_or_else(String::new, |n| n.to_string())
            },
            scope: Rc::new((1, 1)),
            ..Program::empty("tally", Arithmetic::Checked32)
        };
        for name in ["row", "col", "total"] {
            program
                .globals
                .push(Global::variable(name, Span::default()));
        }
        program.globals.push(Global::of_rules("@status"));
        let start = function(START, Span::default(), |builder| {
            let src = builder.alloc_register();
            builder.emit_constant(src, Value::int(0), Span::default());
            for global in [ROW, COL, TOTAL, STATUS] {
                builder.emit(Instr::SetGlobal { global, src }, Span::default());
            }
        });
        program.define(START, start);
        for axis in [Axis::Row, Axis::Col] {
            program.define(
                axis.function(),
                move_function(axis, 0, (1, 1), Span::default()),
            );
        }
        program
    }

    fn compile_file(&self, source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
        let items: Vec<Item> = parse(source).into_tree()?;
        let program = compile(&items, source, &self.empty_program())?.program;
        Compiled::game(program)
    }

    fn parse_entry(&self, source: &Source, _: &Program) -> ParsedEntry {
        parse(source)
    }

    fn compile_parsed(
        &self,
        entry: ParsedEntry,
        source: &Source,
        program: &Program,
        _: Option<&FrameScope>,
    ) -> Result<Compiled, Vec<Diagnostic>> {
        compile(&entry.into_tree::<Vec<Item>>()?, source, program)
    }
}

impl Views for Tally {
    fn view(&self, program: &Program, store: &Store, viewport: Viewport) -> GameView {
        let (rows, cols) = size(program);
        let [row, col, status] = [ROW, COL, STATUS].map(|global| store.global(global).as_int());
        let cell = |r: u32, c: u32| CellView {
            name: (row == Some(r.into()) && col == Some(c.into()))
                .then(|| InternedStr::new("counter")),
            visible: true,
            ..CellView::default()
        };
        GameView {
            status: match status {
                Some(1) => Status::Won,
                _ => Status::Playing,
            },
            board: Some(BoardView::clipped(rows as u32, cols as u32, viewport, cell)),
            ..GameView::default()
        }
    }

    fn value_type(&self, _: &Program, _: &Store, _: Value) -> String {
        "number".into()
    }

    fn definitions(&self, program: &Program) -> Vec<Definition> {
        let functions = program.functions.iter().take(FUNCTIONS.len()).skip(1);
        let definition = |f: &Rc<Function>| Definition {
            name: f.name.to_string(),
            kind: "move",
            signature: f.name.to_string(),
            span: f.span,
        };
        functions.map(definition).collect()
    }
}
