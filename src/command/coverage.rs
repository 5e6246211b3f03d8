//! `:coverage`: how often the lines of the program ran.

use super::listing::program_listing;
use super::{ArgumentCompletion, Arguments, Command, Topic};
use crate::debugger::api::{
    Answer, CommandError, CoverageExtent, CoverageReport, CoveredLine, Part, ProgramLine,
};
use crate::debugger::{CoverageCounts, LineCounts};
use crate::session::{Session, ShownCoverage};

pub const COMMANDS: &[Command] = &[Command {
    name: "coverage",
    aliases: &[],
    usage: "[session | off]",
    topic: Topic::Inspecting,
    help: "show how often each line ran in this session, and how often conditions were true and false",
    example: ":coverage",
    completion: ArgumentCompletion::Words(&["session", "off"]),
    run: coverage,
}];

fn coverage(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    match arguments.text() {
        "" | "session" => {
            if !matches!(session.coverage, ShownCoverage::Session(_)) {
                session.coverage = ShownCoverage::Session(Default::default());
            }
        }
        "off" => {
            session.coverage = ShownCoverage::Off;
            return Ok(Answer::message("Coverage is off"));
        }
        other => {
            return Err(CommandError::new(format!(
                "unknown coverage `{other}`; use `:coverage session` or `:coverage off`"
            )));
        }
    }
    let mut answer = Answer::new("");
    let report = measure(session).map(|measured| report(session, measured));
    answer
        .parts
        .extend(report.map(|report| Part::Coverage(Box::new(report))));
    Ok(answer)
}

/// Counts, and what they are of.
struct Measured {
    counts: CoverageCounts,
    extent: CoverageExtent,
}

/// The counts that are shown, as of now. `None` if coverage is off, or if it was cancelled.
fn measure(session: &mut Session) -> Option<Measured> {
    match &mut session.coverage {
        ShownCoverage::Off => None,
        ShownCoverage::Session(known) => {
            let covered = session.target.session_coverage(known)?;
            Some(Measured {
                extent: CoverageExtent::Session {
                    entries: covered.entry_count,
                    known_since: covered.dropped.map(|dropped| dropped.known_since),
                },
                counts: covered.counts,
            })
        }
    }
}

/// The counts that `:list` and `:program` show. `None` if coverage is off.
pub(super) fn line_counts(session: &mut Session) -> Option<LineCounts> {
    let counts = measure(session)?.counts;
    Some(counts.lines(&session.target.sources))
}

fn report(session: &Session, Measured { counts, extent }: Measured) -> CoverageReport {
    let lines = counts.lines(&session.target.sources);
    let program = program_listing(session, Some(&lines));
    let to_line = |line: &ProgramLine| {
        let origin = line.origin.as_ref()?;
        Some(CoveredLine {
            file: origin.file.clone(),
            line: origin.line,
            count: line.coverage.clone()?,
        })
    };
    CoverageReport {
        extent,
        lines: program.lines.iter().filter_map(to_line).collect(),
        never_ran: session.target.unused_functions(&counts),
        program,
    }
}
