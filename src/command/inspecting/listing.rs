//! Commands that show source text and compiled instructions.

use super::coverage::line_counts;
use crate::analysis::LineCounts;
use crate::analysis::inspect;
use crate::answer::{
    CommandError, LineOrigin, Part, ProgramLine, ProgramListing, SourceLine, SourceRange,
};
use crate::command::{Arguments, Command};
use crate::debugger::breakpoint;
use crate::debugger::frame;
use crate::debugger::run;
use crate::session::{Answer, Session};
use crate::source::{SourceId, Span};

type CommandResult = Result<Answer, CommandError>;

pub const COMMANDS: &[Command] = &[
    answering!(Inspecting, Names; "list",
        &["l"],
        "[LINE | NAME | all | rules]",
        "show the source around the current line, another line, a definition, the whole program, or its built-in rules",
        ":list winCondition",
        list; at_prediction(), orients()
    ),
    answering!(Inspecting, Nothing; "program",
        &[],
        "",
        "show the whole program as it is now, with breakpoints and the current line",
        ":program",
        program; at_prediction(), orients()
    ),
    answering!(Inspecting, Locations; "listing",
        &[],
        "NAME",
        "show the compiled instructions of a function",
        ":listing winCondition",
        listing
    ),
];

/// Lines shown before and after the line that was asked for.
const CONTEXT_LINES: u32 = 5;

fn lines_around(session: &mut Session, around: Span, next: Option<Span>) -> Answer {
    let counts = line_counts(session);
    let lines = run::source_lines(&session.target, around, next, CONTEXT_LINES);
    Answer::of(source_part(around.source, lines, counts.as_ref()))
}

/// Source lines with their counts, if there are any.
fn source_part(source: SourceId, mut lines: Vec<SourceLine>, counts: Option<&LineCounts>) -> Part {
    for line in &mut lines {
        line.coverage = counts.and_then(|counts| counts.get(&(source, line.line)).cloned());
    }
    Part::Source {
        lines,
        is_cut: false,
    }
}

fn list(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let current = match session.target.is_stopped() {
        true => {
            let frame = session.target.debugger.selected_frame;
            run::frame_statement(&mut session.target, frame)
        }
        false => None,
    };
    if let Some(current) = current.filter(|_| arguments.is_empty()) {
        return Ok(lines_around(session, current.shown, current.next));
    }
    if let Some(line) = arguments.number::<u32>() {
        let span = span_of_line(session, line)?;
        let next = current.and_then(|current| current.next);
        return Ok(lines_around(session, span, next));
    }
    let definitions = inspect::definitions(&session.target);
    if arguments.is_empty() {
        return Ok(Answer::of(Part::Definitions { definitions }));
    }
    let sources = inspect::definition_source(&session.target, arguments.text());
    let rules = session.target.sources.get(SourceId::RULES);
    let rules = rules.filter(|rules| !rules.text.is_empty());
    if sources.is_empty() && arguments.text() == "all" {
        return Ok(whole_program(session));
    }
    if let Some(rules) = rules.filter(|_| sources.is_empty() && arguments.text() == "rules") {
        let (start, count) = (Span::new(SourceId::RULES, 0, 0), rules.line_count() as u32);
        let next = current.and_then(|current| current.next);
        return Ok(Answer::of(Part::Source {
            lines: run::source_lines(&session.target, start, next, count),
            is_cut: false,
        }));
    }
    if sources.is_empty() {
        let names = definitions.iter().map(|d| d.name.as_str());
        return Err(unknown_name(arguments.text(), names));
    }
    let counts = line_counts(session);
    let mut answer = Answer::new("");
    let sources = sources.into_iter();
    let parts = sources.map(|(source, lines)| source_part(source, lines, counts.as_ref()));
    answer.parts.extend(parts);
    Ok(answer)
}

fn program(session: &mut Session, _: Arguments<'_>) -> CommandResult {
    Ok(whole_program(session))
}

/// Where a line of the program comes from.
pub(crate) fn line_origin(
    session: &Session,
    origin: Option<(SourceId, u32)>,
) -> Option<LineOrigin> {
    let (id, line) = origin?;
    let file = session.target.sources.get(id)?.origin.to_string();
    Some(LineOrigin { file, line })
}

/// The program as `:save` would write it.
pub(crate) fn whole_program(session: &mut Session) -> Answer {
    let counts = line_counts(session);
    Answer::of(Part::Program(program_listing(session, counts.as_ref())))
}

/// The program as `:save` would write it, with the counts of its lines if there are any.
pub(crate) fn program_listing(session: &Session, counts: Option<&LineCounts>) -> ProgramListing {
    let path = session.program_file().path.as_deref();
    let program = session.program_text(path.unwrap_or("game"));
    let target = &session.target;
    let current = frame::frame_info(target, target.debugger.selected_frame)
        .filter(|_| target.is_stopped())
        .and_then(|frame| target.source_range(frame.span));
    let breakpoints = inspect::describe_breakpoints(target);
    let lines = program.text.lines().zip(program.line_origins).zip(1..);
    let to_line = |text: &str, place: Option<(SourceId, u32)>, line: u32| {
        let origin = line_origin(session, place);
        let is_here = |range: &SourceRange| {
            let here = origin.as_ref();
            here.is_some_and(|here| here.line == range.line && here.file == range.file)
        };
        let here = breakpoints.iter().filter(|b| b.ranges.iter().any(is_here));
        ProgramLine {
            line,
            text: text.replace('\t', "    "),
            is_next: current.as_ref().is_some_and(is_here),
            breakpoints: here.map(|b| b.id).collect(),
            coverage: place.and_then(|place| counts?.get(&place).cloned()),
            origin,
        }
    };
    ProgramListing {
        lines: match program.is_empty {
            true => Vec::new(),
            false => lines
                .map(|((text, origin), line)| to_line(text, origin, line))
                .collect(),
        },
        main_source: target.main_source.clone(),
        unsaved_count: session.unsaved_count(),
        preludes: session.programs.prelude_paths(&session.target),
    }
}

/// The start of a line of the current source.
fn span_of_line(session: &Session, line: u32) -> Result<Span, CommandError> {
    let name = breakpoint::current_source(&session.target);
    let mut sources = session.target.sources.iter().rev();
    let source = sources.find(|s| s.origin.to_string() == name);
    let source = source
        .filter(|s| line >= 1 && line <= s.line_count() as u32)
        .ok_or_else(|| CommandError::new(format!("there is no line {line}")))?;
    let range = source.line_range(line);
    Ok(source.span(range.start, range.start))
}

pub(crate) fn unknown_name<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> CommandError {
    CommandError::new(format!("unknown name `{name}`")).suggest(name, names)
}

fn listing(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let names = breakpoint::breakpoint_names(&session.target);
    if arguments.is_empty() && !session.target.is_stopped() {
        let name = names.first().map_or("NAME", String::as_str);
        return Err(CommandError::new(format!(
            "`:listing` needs a function, e.g. `:listing {name}`"
        )));
    }
    let function = inspect::compiled_function(&session.target, arguments.text());
    let function =
        function.ok_or_else(|| unknown_name(arguments.text(), names.iter().map(String::as_str)))?;
    Ok(Answer::of(Part::Listing(function)))
}
