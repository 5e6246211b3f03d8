//! The text of definitions, compiled functions and random draws.

use crate::debugger::api::{
    CompiledFunction, DefinitionInfo, Description, Draws, Line, SourceRange, Style,
};
use crate::text::count_noun;

/// Longer signatures move only their own location to the right.
const MAX_SIGNATURE_COLUMNS: usize = 48;

/// Kind, signature and location of each definition.
pub(super) fn definition_lines(definitions: &[DefinitionInfo]) -> Vec<Line> {
    let width = definitions
        .iter()
        .map(|d| signature(d).chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_SIGNATURE_COLUMNS);
    let to_line = |d: &DefinitionInfo| {
        let location = match &d.range {
            Some(range) if d.is_in_file => format!("  line {}", range.line),
            Some(range) => format!("  {}", range.file),
            None => String::new(),
        };
        Line::plain(format!("  {:<10} ", d.kind))
            .with(Style::Strong, format!("{:<width$}", signature(d)))
            .with(Style::Dim, location)
    };
    definitions.iter().map(to_line).collect()
}

/// The signature without the kind, which has its own column: `cross` for `piece cross`.
fn signature(d: &DefinitionInfo) -> &str {
    let rest = d.signature.strip_prefix(d.kind);
    rest.and_then(|rest| rest.strip_prefix(' '))
        .unwrap_or(&d.signature)
}

/// What a name or an expression is.
pub(super) fn description_line(description: &Description) -> Line {
    match description {
        Description::Builtin { help } => Line::plain(*help),
        Description::Definition(d) => {
            let range = d.range.as_ref();
            let location = range.map_or_else(String::new, |r| format!("   {}", file_and_line(r)));
            Line::plain(format!("{} {}", d.kind, d.name)).with(Style::Dim, location)
        }
        Description::Keyword { language } => Line::plain(format!("keyword of {language}")),
        Description::Expression { type_name, value } => {
            Line::plain(format!("{type_name}: {value}"))
        }
    }
}

/// `board.gl:30`
fn file_and_line(range: &SourceRange) -> String {
    format!("{}:{}", range.file, range.line)
}

/// The instructions of a function. The first one of a statement has its line.
pub(super) fn compiled_lines(function: &CompiledFunction) -> Vec<Line> {
    let head = Line::plain(format!(
        "{}: {}",
        function.function,
        count_noun(function.register_count, "register", "registers")
    ));
    let instructions = function.instructions.iter().map(|instruction| {
        let range = instruction.range.as_ref();
        let line = range.map_or_else(String::new, |r| format!("line {}", r.line));
        Line::styled(Style::Dim, format!("  {line:>9} {:>5}  ", instruction.pc))
            .with(Style::Plain, instruction.text.as_str())
    });
    [head].into_iter().chain(instructions).collect()
}

/// Random draws, and the scripted ones to come.
pub(super) fn draw_lines(draws: &Draws) -> Vec<Line> {
    let mut lines = Vec::new();
    if draws.draws.is_empty() {
        lines.push(Line::styled(Style::Dim, "No random draws yet"));
    }
    if draws.omitted > 0 {
        let earlier = count_noun(draws.omitted, "earlier draw", "earlier draws");
        lines.push(Line::styled(Style::Dim, format!("  … {earlier}")));
    }
    lines.extend(draws.draws.iter().map(|draw| {
        let range = draw.range.as_ref();
        let location = range.map_or_else(String::new, file_and_line);
        let scripted = if draw.is_scripted { "   scripted" } else { "" };
        Line::plain(format!(
            "  {:>3}  {:>6}  from {} to {}",
            draw.number, draw.value, draw.low, draw.high
        ))
        .with(
            Style::Dim,
            format!("   time {}   {location}{scripted}", draw.time),
        )
    }));
    if !draws.scripted.is_empty() {
        lines.push(Line::plain(format!(
            "  scripted next: {}",
            draws.scripted.join(", ")
        )));
    }
    lines
}
