//! Text for how games end.

use super::{assumption_lines, undecided};
use crate::answer::{Audience, GameResult, Line, ResultKind, SearchStop, StatsResult, Style};
use crate::explorer::MAX_GAME_MOVES;
use crate::render::Width;
use crate::text::{join_rows, large_count_noun, with_commas};

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
pub(crate) fn stats_lines(stats: &StatsResult, width: Width) -> Vec<Line> {
    if stats.games == 0.0 && !stats.exact {
        return without_games(stats, width.audience);
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
    lines.extend(result_lines(stats, width.screen));
    if let Some(advantage) = stats.advantage {
        // Adding 0 turns -0 into 0.
        let points = (advantage * 1000.0).round() / 10.0 + 0.0;
        lines.push(Line::plain(format!(
            "  first-player advantage {points:.1} points"
        )));
    }
    let length = &stats.length;
    let range = match (length.min, length.max) {
        (min, max) if min == max => format!("always {}", with_commas(min as u64)),
        (min, max) => format!("{} to {}", with_commas(min as u64), with_commas(max as u64)),
    };
    if stats.unfinished as f64 != stats.games {
        lines.push(Line::plain(format!(
            "  length {} moves on average ({range})",
            decimal(length.mean)
        )));
    }
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
        lines.push(Line::plain(format!(
            "  {games} did not end within {} moves",
            with_commas(MAX_GAME_MOVES as u64)
        )));
    }
    lines.extend(assumption_lines(&stats.extent.assumed));
    lines
}

/// What is known if not a single game could be played to its end.
fn without_games(stats: &StatsResult, audience: Audience) -> Vec<Line> {
    if stats.extent.positions == 0 && stats.cut_short == Some(SearchStop::Memory) {
        return vec![Line::plain(undecided(&stats.extent))];
    }
    let why = match stats.cut_short {
        Some(SearchStop::Interrupt) => "interrupted",
        _ => "time limit",
    };
    let moves = large_count_noun(stats.open_game_moves, "move", "moves");
    let open_game = format!("the first random game had not ended after {moves}");
    if !stats.has_searched {
        return vec![Line::plain(format!("undecided: {open_game} ({why})"))];
    }
    let positions = large_count_noun(stats.extent.positions, "position", "positions");
    let headline = match stats.extent.complete {
        true => format!("undecided: found all of {positions}, but played no game ({why})"),
        false => undecided(&stats.extent),
    };
    let advice = "`:stats 100` plays 100 random games without searching first";
    let second = match stats.open_game_moves {
        0 if audience != Audience::Prompt => None,
        0 => Some(Line::styled(Style::Dim, advice)),
        _ => Some(Line::plain(format!("  {open_game}"))),
    };
    [Line::plain(headline)].into_iter().chain(second).collect()
}

/// How often games end in each way: one after the other if the numbers are exact, otherwise with their
/// intervals, in columns.
fn result_lines(stats: &StatsResult, width: usize) -> Vec<Line> {
    if stats.exact {
        // That a game can be won or lost is of interest even if it never is; the rest is not.
        let is_shown =
            |r: &&GameResult| r.rate > 0.0 || r.kind == ResultKind::Winner || r.name == "win";
        let results = stats.results.iter().filter(is_shown);
        let texts = results.map(|r| format!("{} {}", r.label(), percent(r.rate)));
        return spaced_lines(texts, width);
    }
    let label = GameResult::label;
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

/// Texts one after the other, as many as fit into a line.
fn spaced_lines(texts: impl Iterator<Item = String>, width: usize) -> Vec<Line> {
    let texts: Vec<String> = texts.collect();
    let rows = join_rows(&texts, "   ", ["  ", "  "], width);
    rows.into_iter().map(Line::plain).collect()
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
