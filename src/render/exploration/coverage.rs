//! The counts of `:coverage`, alone and beside source lines.

use super::assumption_lines;
use crate::answer::{
    CoverageExtent, CoverageReport, CoveredLine, Line, LineCount, SearchStop, Style,
};
use crate::render::stopped::listing::program_lines;
use crate::text::{large_count_noun, with_commas};

/// Lines and functions below the program are listed up to this number.
const MAX_LISTED: usize = 8;
/// Larger counts are shown in thousands.
const MAX_EXACT_COUNT: u64 = 99_999;

/// The gutter beside source lines: how often each ran, and how often its condition was true and false.
pub(crate) struct Gutter {
    count_width: usize,
    /// The columns before and after the slash.
    outcome_widths: (usize, usize),
}

const COUNT_HEADING: &str = "runs";
const TRUE_HEADING: &str = "t";
const FALSE_HEADING: &str = "f";

impl Gutter {
    /// A gutter for lines with these counts; `None` if no line has any.
    pub(crate) fn of<'c>(counts: impl Iterator<Item = &'c LineCount> + Clone) -> Option<Gutter> {
        counts.clone().next()?;
        let count_width = counts.clone().map(|c| number(c.count).len()).max();
        let mut outcome_widths = (TRUE_HEADING.len(), FALSE_HEADING.len());
        for (t, f) in counts.filter_map(outcomes) {
            outcome_widths.0 = outcome_widths.0.max(t.len());
            outcome_widths.1 = outcome_widths.1.max(f.len());
        }
        Some(Gutter {
            count_width: count_width.unwrap_or(0).max(COUNT_HEADING.len()),
            outcome_widths,
        })
    }

    /// How many columns it takes.
    pub(crate) fn width(&self) -> usize {
        self.columns("", None).len()
    }

    /// The headings of the columns.
    pub(crate) fn heading(&self) -> Line {
        let headings = Some((TRUE_HEADING.to_string(), FALSE_HEADING.to_string()));
        let text = self.columns(COUNT_HEADING, headings);
        Line::styled(Style::Dim, text.trim_end())
    }

    /// A line with its counts before it. A line without code has none.
    pub(crate) fn beside(&self, count: Option<&LineCount>, line: Line) -> Line {
        let (style, text) = match count {
            None => (Style::Plain, self.columns("", None)),
            Some(count) if count.count == 0 => (Style::Warning, self.columns("-", None)),
            Some(count) => {
                let text = self.columns(&number(count.count), outcomes(count));
                let is_one_sided = outcome_counts(count).is_some_and(|(t, f)| t == 0 || f == 0);
                (
                    if is_one_sided {
                        Style::Warning
                    } else {
                        Style::Dim
                    },
                    text,
                )
            }
        };
        let mut with_counts = Line::styled(style, text);
        with_counts.0.extend(line.0);
        with_counts
    }

    fn columns(&self, count: &str, outcomes: Option<(String, String)>) -> String {
        let (count_width, (t_width, f_width)) = (self.count_width, self.outcome_widths);
        let outcomes = match outcomes {
            Some((t, f)) => format!("{t:>t_width$}/{f:<f_width$}"),
            None => " ".repeat(t_width + 1 + f_width),
        };
        format!(" {count:>count_width$}  {outcomes} ")
    }
}

fn outcome_counts(count: &LineCount) -> Option<(u64, u64)> {
    count.true_count.zip(count.false_count)
}

/// How often a condition was true and false; `-` stands for never.
fn outcomes(count: &LineCount) -> Option<(String, String)> {
    let shown = |n: u64| if n == 0 { "-".to_string() } else { number(n) };
    let (t, f) = outcome_counts(count).filter(|(t, f)| t + f > 0)?;
    Some((shown(t), shown(f)))
}

/// A count in at most six characters, up to 99,999 million.
fn number(count: u64) -> String {
    match count {
        0..=MAX_EXACT_COUNT => with_commas(count),
        100_000..=9_999_999 => format!("{}k", with_commas(count / 1000)),
        _ => format!("{}M", with_commas(count / 1_000_000)),
    }
}

/// The program with the counts of its lines, and a summary.
pub(crate) fn coverage_lines(report: &CoverageReport, width: usize) -> Vec<Line> {
    let extent = extent_text(&report.extent);
    if report.lines.is_empty() {
        let text = format!("The program has no code to count ({extent})");
        return vec![Line::styled(Style::Dim, text)];
    }
    let ran = report.lines.iter().filter(|line| line.count.count > 0);
    let ran = ran.count();
    let mut lines = vec![Line::plain(format!(
        "{} of {} ran {extent}",
        with_commas(ran as u64),
        large_count_noun(report.lines.len(), "line", "lines")
    ))];
    if let Some(time) = known_since(&report.extent) {
        lines.push(crate::render::stopped::timeline::known_since_line(time));
    }
    lines.extend(program_lines(&report.program, Some(width)));
    lines.extend(one_sided_line(report));
    lines.extend(unused_line(report));
    let legend = "runs: how often the line ran, - never; t/f: its condition was true/false";
    lines.push(Line::styled(Style::Dim, legend));
    lines.extend(assumption_lines(assumed(&report.extent)));
    lines
}

/// What was assumed about the game.
fn assumed(extent: &CoverageExtent) -> &[String] {
    match extent {
        CoverageExtent::Session { .. } => &[],
        CoverageExtent::Search { assumed, .. } | CoverageExtent::Games { assumed, .. } => assumed,
    }
}

/// `in this session (12 entries)`
fn extent_text(extent: &CoverageExtent) -> String {
    match extent {
        CoverageExtent::Session { entries, .. } => {
            let entries = large_count_noun(*entries, "entry", "entries");
            format!("in this session ({entries})")
        }
        CoverageExtent::Search {
            positions,
            depth,
            complete,
            stopped_by,
            ..
        } => {
            let (positions, depth) = (with_commas(*positions as u64), with_commas(*depth as u64));
            match (complete, stopped_by) {
                (true, _) if positions == "1" => "in the only position".to_string(),
                (true, _) => format!("in all {positions} positions"),
                (false, stopped_by) => {
                    let noun = if positions == "1" {
                        "position"
                    } else {
                        "positions"
                    };
                    let until = match stopped_by {
                        Some(SearchStop::Interrupt) => "until interrupted",
                        _ => "before the limit was reached",
                    };
                    format!("in {positions} {noun}, up to depth {depth}, {until}")
                }
            }
        }
        CoverageExtent::Games {
            games,
            unfinished,
            seed,
            stopped_by,
            ..
        } => {
            let games = large_count_noun(*games, "random game", "random games");
            let unfinished = match unfinished {
                0 => String::new(),
                n => format!(", {} of them unfinished", with_commas(*n as u64)),
            };
            let until = match stopped_by {
                None => "",
                Some(SearchStop::Interrupt) => ", until interrupted",
                Some(_) => ", before the limit was reached",
            };
            format!("in {games} (seed {seed}){unfinished}{until}")
        }
    }
}

fn known_since(extent: &CoverageExtent) -> Option<u64> {
    match extent {
        CoverageExtent::Session { known_since, .. } => *known_since,
        CoverageExtent::Search { .. } | CoverageExtent::Games { .. } => None,
    }
}

/// `never false: line 12; never true: line 20, line 31`
fn one_sided_line(report: &CoverageReport) -> Option<Line> {
    let main = report.program.main_source.as_deref();
    let lines_where = |is_meant: fn(u64, u64) -> bool| {
        let meant = report.lines.iter().filter(|line| {
            let counts = outcome_counts(&line.count);
            counts.is_some_and(|(t, f)| is_meant(t, f))
        });
        listed(meant.map(|line| place(main, line)).collect())
    };
    let never_true = lines_where(|t, f| t == 0 && f > 0);
    let never_false = lines_where(|t, f| f == 0 && t > 0);
    let parts = [("never true", never_true), ("never false", never_false)];
    let parts = parts.iter().filter(|(_, places)| !places.is_empty());
    let parts: Vec<String> = parts
        .map(|(what, places)| format!("{what}: {places}"))
        .collect();
    (!parts.is_empty()).then(|| Line::plain(parts.join("; ")))
}

fn place(main_source: Option<&str>, line: &CoveredLine) -> String {
    match main_source == Some(line.file.as_str()) {
        true => format!("line {}", line.line),
        false => format!("{}:{}", line.file, line.line),
    }
}

/// `never ran: ghost.onClick, lose`
fn unused_line(report: &CoverageReport) -> Option<Line> {
    let names = report.never_ran.iter().map(|f| f.name.clone());
    let names = listed(names.collect());
    (!names.is_empty()).then(|| Line::plain(format!("never ran: {names}")))
}

/// The first names of a list, and how many more there are.
fn listed(mut names: Vec<String>) -> String {
    let omitted = names.len().saturating_sub(MAX_LISTED);
    names.truncate(MAX_LISTED);
    match omitted {
        0 => names.join(", "),
        _ => format!("{} and {omitted} more", names.join(", ")),
    }
}
