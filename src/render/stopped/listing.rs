//! The text of definitions, compiled functions and random draws.

use super::stop::MIN_SOURCE_WIDTH;
use crate::answer::{
    CompiledFunction, DefinitionInfo, Description, Draws, Line, NamePlace, NameUses, ProgramLine,
    ProgramListing, SourceRange, Style,
};
use crate::render::exploration::coverage::Gutter;
use crate::text::{count_noun, elide};

/// Longer signatures move only their own location to the right.
const MAX_SIGNATURE_COLUMNS: usize = 48;

/// Kind, signature and location of each definition.
pub(crate) fn definition_lines(definitions: &[DefinitionInfo]) -> Vec<Line> {
    let width = definitions
        .iter()
        .map(|d| signature(d).chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_SIGNATURE_COLUMNS);
    let files = definitions.iter().filter(|d| d.is_in_file);
    let mut files = files.filter_map(|d| Some(&d.range.as_ref()?.file));
    let first = files.next();
    let has_several_files = files.any(|file| Some(file) != first);
    let to_line = |d: &DefinitionInfo| {
        let location = match &d.range {
            Some(range) if d.is_in_file && has_several_files => {
                format!("  {}:{}", range.file, range.line)
            }
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

/// Where names are defined and used, a line each.
pub(crate) fn uses_lines(main_source: Option<&str>, names: &[NameUses]) -> Vec<Line> {
    let mut lines = Vec::new();
    for uses in names {
        let heading = format!("{} {}", uses.stands_for, uses.name);
        lines.push(Line::styled(Style::Strong, heading));
        let mut places = uses.places.clone();
        places.sort_by_key(|place| (!place.is_definition, place.line));
        places.dedup_by_key(|place| (place.is_definition, place.line));
        let location = |place: &NamePlace| match &place.origin {
            Some(origin) if Some(origin.file.as_str()) != main_source => {
                format!("{}:{}", origin.file, origin.line)
            }
            Some(origin) => format!("line {}", origin.line),
            None => format!("line {}", place.line),
        };
        let width = places.iter().map(|p| location(p).chars().count()).max();
        let width = width.unwrap_or(0);
        let mut last_is_definition = None;
        for place in &places {
            let label = match (place.is_definition, last_is_definition) {
                (is_definition, Some(last)) if is_definition == last => "",
                (true, _) => "defined",
                (false, _) => "used",
            };
            last_is_definition = Some(place.is_definition);
            let location = location(place);
            lines.push(
                Line::styled(Style::Dim, format!("  {label:<7}  {location:<width$}  "))
                    .with(Style::Plain, place.text.trim()),
            );
        }
        if places.iter().all(|place| place.is_definition) {
            lines.push(Line::styled(Style::Dim, "  not used"));
        }
    }
    lines
}

/// Columns for a breakpoint and an arrow before the number of a line.
const MARK_WIDTH: usize = 5;
/// Between the number of a line and its text.
const NUMBER_GAP: &str = "  ";

/// The whole program with its line numbers, breakpoints and the current line. Lines are cut to `max_width`
/// columns.
pub(crate) fn program_lines(program: &ProgramListing, max_width: Option<usize>) -> Vec<Line> {
    if program.lines.is_empty() {
        let uses = match program.preludes.is_empty() {
            true => String::new(),
            false => format!(", except in {}", program.preludes.join(", ")),
        };
        let text = format!("Nothing is defined yet{uses}");
        return vec![Line::styled(Style::Dim, text)];
    }
    let number = |line: &ProgramLine| match &line.origin {
        Some(origin) if Some(&origin.file) == program.main_source.as_ref() => {
            origin.line.to_string()
        }
        Some(origin) => format!("{}:{}", origin.file, origin.line),
        None => String::new(),
    };
    let numbers: Vec<String> = program.lines.iter().map(number).collect();
    let width = numbers.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    let gutter = Gutter::of(
        program
            .lines
            .iter()
            .filter_map(|line| line.coverage.as_ref()),
    );
    let is_marked = |line: &ProgramLine| line.is_next || !line.breakpoints.is_empty();
    // Beside counts, there is no room for marks that no line has.
    let has_marks = gutter.is_none() || program.lines.iter().any(is_marked);
    let width = if has_marks { width.max(3) } else { width };
    let columns = gutter.as_ref().map_or(0, Gutter::width)
        + if has_marks { MARK_WIDTH } else { 1 }
        + width
        + NUMBER_GAP.len();
    let text_width = max_width.map(|max| max.saturating_sub(columns).max(MIN_SOURCE_WIDTH));
    let to_line = |(line, number): (&ProgramLine, &String)| {
        let breakpoint = if line.breakpoints.is_empty() {
            ' '
        } else {
            '*'
        };
        let (style, text_style, arrow) = match line.is_next {
            true => (Style::Current, Style::Strong, "=>"),
            false => (Style::Dim, Style::Plain, "  "),
        };
        let marks = match has_marks {
            true => Line::styled(Style::Changed, breakpoint.to_string())
                .with(style, format!(" {arrow} ")),
            false => Line::plain(" "),
        };
        let text = elide(&line.text, text_width.unwrap_or(usize::MAX));
        let shown = marks
            .with(style, format!("{number:>width$}{NUMBER_GAP}"))
            .with(text_style, text);
        match &gutter {
            Some(gutter) => gutter.beside(line.coverage.as_ref(), shown),
            None => shown,
        }
    };
    let mut lines: Vec<Line> = gutter.iter().map(Gutter::heading).collect();
    lines.extend(program.lines.iter().zip(&numbers).map(to_line));
    let has_breakpoints = program
        .lines
        .iter()
        .any(|line| !line.breakpoints.is_empty());
    let preludes = program.preludes.join(", ");
    let note = [
        (!preludes.is_empty()).then(|| format!("uses {preludes}")),
        has_breakpoints.then(|| "* breakpoint".to_string()),
        (program.unsaved_count > 0).then(|| {
            let count = count_noun(program.unsaved_count, "definition is", "definitions are");
            format!("{count} not saved")
        }),
    ];
    let note: Vec<String> = note.into_iter().flatten().collect();
    if !note.is_empty() {
        lines.push(Line::styled(Style::Dim, note.join("; ")));
    }
    lines
}

/// The signature without the kind, which has its own column: `cross` for `piece cross`.
fn signature(d: &DefinitionInfo) -> &str {
    let rest = d.signature.strip_prefix(d.kind);
    rest.and_then(|rest| rest.strip_prefix(' '))
        .unwrap_or(&d.signature)
}

/// What a name or an expression is.
pub(crate) fn description_line(description: &Description) -> Line {
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
pub(crate) fn compiled_lines(function: &CompiledFunction) -> Vec<Line> {
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
pub(crate) fn draw_lines(draws: &Draws) -> Vec<Line> {
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
