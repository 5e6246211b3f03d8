//! `:coverage`: how often the lines of the program ran.

use super::listing::program_listing;
use crate::analysis::coverage;
use crate::analysis::{CoverageCounts, LineCounts};
use crate::answer::{
    Answer, CommandError, CoverageExtent, CoverageReport, CoveredLine, Part, ProgramLine, Setting,
};
use crate::command::exploring::explore::{MAX_RANDOM_GAMES, is_large_number, with_control};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::diagnostic::Advice;
use crate::explorer::{DEFAULT_RANDOM_GAMES, Scope};
use crate::session::{Session, ShownCoverage};
use crate::text::with_commas;

pub const COMMANDS: &[Command] = &[Command {
    name: "coverage",
    aliases: &[],
    usage: "[session | search | N games | off]",
    topic: Topic::Inspecting,
    help: "show how often each line ran, and how often conditions were true and false: in this session, if every move is tried in every position, or in N random games",
    example: ":coverage",
    effects: CommandEffects::of(Topic::Inspecting),
    completion: ArgumentCompletion::Words(&["session", "search", "games", "off"]),
    run: coverage,
}];

fn coverage(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    match arguments.words().as_slice() {
        [] | ["session"] => {
            if !matches!(session.coverage, ShownCoverage::Session(_)) {
                session.coverage = ShownCoverage::Session(Default::default());
            }
        }
        ["search"] => search(session, None)?,
        ["games"] => search(session, Some(DEFAULT_RANDOM_GAMES))?,
        [count, "games" | "game"] => {
            let games = count.parse().ok();
            let games = games.filter(|games| (1..=MAX_RANDOM_GAMES).contains(games));
            let games = games.ok_or_else(|| {
                CommandError::new(match count.parse() {
                    Ok(0) => "`:coverage` needs at least 1 game".to_string(),
                    _ if is_large_number(count) => format!(
                        "`{count} games` is too large; the most are {} games",
                        with_commas(MAX_RANDOM_GAMES as u64)
                    ),
                    _ => format!(
                        "expected a number of games, found `{count}`, e.g. `:coverage 100 games`"
                    ),
                })
            })?;
            search(session, Some(games))?;
        }
        ["off"] => {
            session.coverage = ShownCoverage::Off;
            return Ok(Answer::of(Setting::Coverage(false)));
        }
        _ => {
            return Err(CommandError::new(format!(
                "unknown coverage `{}`; use `:coverage session`, `search`, `100 games` or `off`",
                arguments.text()
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

/// Counts what runs in all positions, or in random games.
fn search(session: &mut Session, games: Option<usize>) -> Result<(), CommandError> {
    let scope = Scope::default();
    let coverage = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        match games {
            None => explorer.coverage_of_positions(target, &scope, control),
            Some(games) => explorer.coverage_of_games(target, games, &scope, control),
        }
    });
    let coverage = coverage.map_err(|mut error| {
        // The advice of other searches leads back here.
        if !error.message.is_empty() {
            let advice = Advice::command(":coverage session", "counts what has run");
            error.advice = vec![advice];
        }
        error
    })?;
    session.coverage = ShownCoverage::Search(coverage);
    Ok(())
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
        ShownCoverage::Search(coverage) => Some(Measured {
            extent: coverage.extent.clone(),
            counts: coverage.counts.clone(),
        }),
        ShownCoverage::Session(known) => {
            let covered = coverage::session_coverage(&mut session.target, known)?;
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
pub(crate) fn line_counts(session: &mut Session) -> Option<LineCounts> {
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
        never_ran: coverage::unused_functions(&session.target, &counts),
        program,
    }
}
