//! Text for how games end.

use super::exploration::{assumption_lines, undecided};
use crate::debugger::api::{GameResult, Line, SearchStop, StatsResult, Style};
use crate::text::{large_count_noun, with_commas};

/// A number of games; those too large to be exact are rounded.
fn game_count(games: f64) -> String {
    /// Larger floats are not exact.
    const MAX_EXACT: f64 = (1u64 << 53) as f64;
    if games < MAX_EXACT {
        return with_commas(games as u64);
    }
    let exponent = games.log10().floor();
    format!("{:.1} x 10^{exponent}", games / 10f64.powf(exponent))
}

/// How games end.
pub(super) fn stats_lines(stats: &StatsResult) -> Vec<Line> {
    if stats.games == 0.0 && !stats.exact {
        let advice = "`:stats 100` plays 100 random games without searching first";
        return vec![
            Line::plain(undecided(&stats.extent)),
            Line::styled(Style::Dim, advice),
        ];
    }
    let games = game_count(stats.games);
    let mut lines = vec![Line::plain(match stats.exact {
        true if stats.games == 1.0 => "exact, over the only game".into(),
        true => format!("exact, over all {games} games with every move equally likely"),
        false => format!(
            "{games} random {} (seed {}){}, with 95 % intervals",
            if stats.games == 1.0 { "game" } else { "games" },
            stats.seed,
            match stats.cut_short {
                None => "",
                Some(SearchStop::Interrupt) => " until interrupted",
                Some(_) => " within the time limit",
            }
        ),
    })];
    lines.extend(result_lines(stats));
    let players: Vec<f64> = stats
        .results
        .iter()
        .filter(|r| r.is_player)
        .map(|r| r.rate)
        .collect();
    if let [first, second] = players.as_slice() {
        let points = (first - second) * 100.0;
        lines.push(Line::plain(format!(
            "  first-player advantage {points:.1} points"
        )));
    }
    let length = &stats.length;
    let range = match (length.min, length.max) {
        (min, max) if min == max => format!("always {}", with_commas(min as u64)),
        (min, max) => format!("{} to {}", with_commas(min as u64), with_commas(max as u64)),
    };
    lines.push(Line::plain(format!(
        "  length {} moves on average ({range})",
        decimal(length.mean)
    )));
    lines.push(Line::plain(format!(
        "  {} choices per move on average (at most {})",
        decimal(stats.choices.mean),
        with_commas(stats.choices.max as u64)
    )));
    if stats.dead_ends > 0 {
        let text = match stats.exact {
            true => large_count_noun(stats.dead_ends, "position", "positions"),
            false => large_count_noun(stats.dead_ends, "game", "games"),
        };
        lines.push(Line::plain(format!(
            "  dead ends: {text} without a move, although the game has not ended"
        )));
    }
    if stats.unfinished > 0 {
        let games = large_count_noun(stats.unfinished, "game", "games");
        lines.push(Line::plain(format!("  {games} did not end")));
    }
    lines.extend(assumption_lines(&stats.extent));
    lines
}

/// How often games end in each way: in a single line if the numbers are exact, otherwise with their
/// intervals, in columns.
fn result_lines(stats: &StatsResult) -> Vec<Line> {
    let label = |r: &GameResult| match (r.is_player, r.name.as_str()) {
        (true, name) => format!("{name} wins"),
        (false, "win") => "won".to_string(),
        (false, "over") => "over, without a winner".to_string(),
        (false, name) => name.to_string(),
    };
    if stats.exact {
        let results = stats.results.iter();
        let texts: Vec<String> = results
            .map(|r| format!("{} {}", label(r), percent(r.rate)))
            .collect();
        return vec![Line::plain(format!("  {}", texts.join("   ")))];
    }
    let columns = stats.results.iter().map(|r| label(r).chars().count());
    let columns = columns.max().unwrap_or(0);
    let line = |r: &GameResult| {
        let (rate, low, high) = (percent(r.rate), percent(r.low), percent(r.high));
        Line::plain(format!(
            "  {:<columns$} {rate:>7} ({low} to {high})",
            label(r)
        ))
    };
    stats.results.iter().map(line).collect()
}

/// A share in percent. What is possible is never shown as 0 %, nor what is not certain as 100 %.
fn percent(rate: f64) -> String {
    const MIN_SHOWN: f64 = 0.0005;
    match rate {
        rate if rate > 0.0 && rate < MIN_SHOWN => "< 0.1 %".into(),
        rate if (1.0 - MIN_SHOWN..1.0).contains(&rate) => "> 99.9 %".into(),
        rate => format!("{:.1} %", rate * 100.0),
    }
}

/// A number with one decimal: `1,923.5`.
fn decimal(number: f64) -> String {
    let tenths = (number * 10.0).round().max(0.0) as u64;
    format!("{}.{}", with_commas(tenths / 10), tenths % 10)
}
