//! Checks a single definition: its equations must have the form the signature requires, and their
//! expressions must type-check.

use std::collections::BTreeSet;

use crate::ast::{BoardEquation, Body, Definition, IndexPattern, Name, Signature};
use crate::check::builtin::Builtin;
use crate::check::env::Env;
use crate::check::infer::Checker;
use crate::check::resolution::{CellRange, Resolution};
use crate::check::type_error::{Expectation, with_article};
use crate::check::type_table::BoardType;
use crate::check::types::{SignatureType, Type};
use crate::diagnostic::{Diagnostic, Phase};
use crate::language::Reporter;
use crate::source::Span;
use crate::text::count_noun;

/// The error code for a board with unset cells.
pub(super) const INCOMPLETE_BOARD_CODE: &str = "BG050";

/// Returns what lowering needs to know about a definition, and its errors and warnings.
pub(super) fn check_definition(
    env: &Env,
    definition: &Definition,
    signature: &Signature,
    signature_type: &SignatureType,
) -> (Resolution, Vec<Diagnostic>) {
    let mut checker = Checker::new(env);
    let name = &definition.name;
    match (&definition.body, signature_type) {
        (Body::Value(expr), SignatureType::Value(ty)) => {
            let expected = Expectation::declared(&name.text, "must be", ty, signature.span);
            let first = checker.diagnostics.len();
            checker.check(expr, &expected);
            if let Some(error) = checker.diagnostics.get_mut(first).filter(|_| ty.is_board())
                && error.span == Some(expr.span)
            {
                let note = format!(
                    "write an equation for its cells: `{}!(x, y) = …`",
                    name.text
                );
                error.notes.push(note);
            }
        }
        (Body::Function { parameters, expr }, SignatureType::Function { argument, result }) => {
            if checker.check_parameters(name, parameters, argument, signature.span) {
                let types = argument
                    .as_tuple()
                    .map_or_else(|| vec![argument.clone()], <[Type]>::to_vec);
                checker.bind_parameters(parameters, &types, signature.span);
                let expected =
                    Expectation::declared(&name.text, "must return", result, signature.span);
                checker.check(expr, &expected);
            }
        }
        (Body::Board(equations), SignatureType::Value(ty)) if ty.is_board() => {
            checker.check_board(name, equations)
        }
        (body, signature_type) => checker.diagnostics.push(wrong_equation_kind(
            definition,
            body,
            signature_type,
            signature,
        )),
    }
    checker.finish()
}

fn wrong_equation_kind(
    definition: &Definition,
    body: &Body,
    signature_type: &SignatureType,
    signature: &Signature,
) -> Diagnostic {
    let name = &definition.name.text;
    let (span, kind, note) = match body {
        Body::Value(expr) => {
            let note = format!("give the function its parameters: `{name}(x) = …`");
            (expr.span, "a value equation", note)
        }
        Body::Function { parameters, expr } => {
            let span = parameters.first().map_or(expr.span, |first| first.span);
            let note = format!("give it a function type: `{name} : Int -> {signature_type}`");
            (span, "a function equation", note)
        }
        Body::Board(equations) => {
            let first = equations.first();
            let span = first.map_or(definition.span, |first| first.span);
            let note = "only a `Board` has board equations".to_owned();
            (span, "a board equation", note)
        }
    };
    let message = format!("`{name}` is declared as `{signature_type}`, but this is {kind}");
    Diagnostic::error(Phase::Type, "BG051", span, message)
        .related(signature.span, "declared here")
        .note(note)
}

/// The error for defining a reserved name; `None` if the name is not reserved.
pub(super) fn reserved_name_error(name: &Name) -> Option<Diagnostic> {
    Builtin::find(&name.text).filter(|builtin| builtin.is_reserved())?;
    let message = format!("`{}` is built in and cannot be defined", name.text);
    let diagnostic = Diagnostic::error(Phase::Check, "BG031", name.span, message);
    Some(diagnostic.note("parameters and `let … in` may use this name"))
}

impl Checker<'_> {
    /// Checks that there is one parameter per component of the argument, all with different names.
    fn check_parameters(
        &mut self,
        name: &Name,
        parameters: &[Name],
        argument: &Type,
        signature: Span,
    ) -> bool {
        for (index, parameter) in parameters.iter().enumerate() {
            let mut earlier = parameters[..index].iter();
            if let Some(first) = earlier.find(|first| first.text == parameter.text) {
                let message = format!("duplicate parameter `{}`", parameter.text);
                let error = Diagnostic::error(Phase::Check, "BG032", parameter.span, message);
                self.report(error.related(first.span, "first used here"));
                return false;
            }
        }
        let count = argument.as_tuple().map_or(1, <[Type]>::len);
        if count == parameters.len() {
            return true;
        }
        let count_text = |n: usize| count_noun(n, "parameter", "parameters");
        let message = format!(
            "`{}` needs {} for {}, found {}",
            name.text,
            count_text(count),
            with_article(argument),
            count_text(parameters.len())
        );
        let spans = parameters.iter().map(|parameter| parameter.span);
        let span = spans.reduce(Span::to).unwrap_or(name.span);
        let diagnostic = self.error("BG044", span, message);
        diagnostic.add_related(signature, format!("`{}` is declared here", name.text));
        if parameters.len() == 1 && count > 1 {
            let names = ["x", "y", "z", "u", "v", "w"];
            let names = names.iter().take(count).copied().collect::<Vec<_>>();
            if names.len() == count {
                diagnostic.add_note(format!(
                    "write a parameter for each component: `{}({}) = …`",
                    name.text,
                    names.join(", ")
                ));
            }
        }
        if argument.components().is_some() && argument.as_tuple().is_none() {
            diagnostic.add_note("a tuple type extended with symbols is passed as one parameter");
        }
        false
    }

    fn check_board(&mut self, name: &Name, equations: &[BoardEquation]) {
        let board = self.env.types.board();
        let expected = Expectation::cell(&board.content, board.span);
        for equation in equations {
            self.check_cells(equation, &board);
            let patterns = [&equation.x, &equation.y].into_iter();
            let wildcards = patterns.filter_map(IndexPattern::wildcard);
            self.wildcards = wildcards.cloned().collect();
            self.check(&equation.expr, &expected);
        }
        if let Some((column, row)) = missing_cell(&self.resolution.equation_cells, &board) {
            let Name { text: name, span } = name;
            let message =
                format!("board `{name}` is incomplete: no equation sets cell ({column}, {row})");
            let label = format!("the board is {} x {}", board.width, board.height);
            let note = format!("start with an equation for all cells: `{name}!(x, y) = …`");
            self.error(INCOMPLETE_BOARD_CODE, *span, message)
                .add_related(board.span, label)
                .add_note(note);
        }
    }

    fn check_cells(&mut self, equation: &BoardEquation, board: &BoardType) {
        if let (IndexPattern::Wildcard(x), IndexPattern::Wildcard(y)) = (&equation.x, &equation.y)
            && x.text == y.text
        {
            let message = format!(
                "`{}` cannot be used for both the column and the row",
                x.text
            );
            let error = Diagnostic::error(Phase::Check, "BG034", y.span, message)
                .related(x.span, "first used here")
                .note("write `b!(x, y) = …` for all cells; a diagonal needs one equation per cell");
            self.report(error);
        }
        let mut index_range = |pattern: &IndexPattern, size: u32, what: &str| match pattern {
            IndexPattern::Wildcard(_) => 1..=size,
            IndexPattern::Fixed(index) if index.value >= 1 && index.value <= i64::from(size) => {
                index.value as u32..=index.value as u32
            }
            IndexPattern::Fixed(index) => {
                let sizes = count_noun(size as usize, what, &format!("{what}s"));
                let message = format!("{what} {} is off the board, which has {sizes}", index.value);
                self.error("BG049", index.span, message)
                    .add_related(board.span, "the board is declared here")
                    .add_note("positions are (column, row), starting at (1, 1)");
                // Counts as every column (or row), so the board is not also reported as incomplete.
                1..=size
            }
        };
        let columns = index_range(&equation.x, board.width, "column");
        let rows = index_range(&equation.y, board.height, "row");
        self.resolution
            .equation_cells
            .push(CellRange { columns, rows });
    }
}

/// The first cell, row by row, that no equation sets. Does not visit every cell: a board may have
/// millions.
pub(super) fn missing_cell(equations: &[CellRange], board: &BoardType) -> Option<(u32, u32)> {
    let is_full = |range: &std::ops::RangeInclusive<u32>, size: u32| {
        *range.start() == 1 && *range.end() == size
    };
    let (mut columns, mut rows, mut single) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for cells in equations {
        match (
            is_full(&cells.columns, board.width),
            is_full(&cells.rows, board.height),
        ) {
            (true, true) => return None,
            (false, true) => drop(columns.insert(*cells.columns.start())),
            (true, false) => drop(rows.insert(*cells.rows.start())),
            (false, false) => drop(single.insert((*cells.rows.start(), *cells.columns.start()))),
        }
    }
    // Skips at most as many cells as there are single-cell equations.
    let open_columns: Vec<u32> = (1..=board.width)
        .filter(|column| !columns.contains(column))
        .collect();
    let rows = (1..=board.height).filter(|row| !rows.contains(row));
    let mut cells = rows.flat_map(|row| open_columns.iter().map(move |&column| (column, row)));
    cells.find(|&(column, row)| !single.contains(&(row, column)))
}
