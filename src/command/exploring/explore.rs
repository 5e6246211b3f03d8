//! Commands that search the positions of the game: `:moves`, `:find`, `:solve`, `:hint`, `:stats`.

use crate::answer::{CommandError, Part};
use crate::command::{ArgumentCompletion, Arguments, Command};
use crate::explorer::{
    FindRequest, InputRange, Scope, SearchControl, SearchLimits, SearchProgress, goal_example,
    locate_growth, require_moves, turn_example,
};
use crate::language::Actions;
use crate::session::{Answer, OnReload, Session};
use crate::text::with_commas;
use std::time::Duration;

pub const COMMANDS: &[Command] = &[
    answering!(Exploring, ArgumentCompletion::Words(&["all"]); "moves", &[], "[all]", "list the moves that are possible now, and what each would do", ":moves", moves; only_shows()),
    answering!(Exploring, ArgumentCompletion::Words(&["win", "lose", "draw", "end", "error", "stuck", "line", "print"]); "find", &[], "GOAL [within N] [for P] [count N] [inputs A..B] [ignoring X] [turn E] [in GAME]", "find a shortest line of moves to a goal: win, lose, draw, end, error, stuck, a condition, line N, a function, print \"text\"", ":find win", find; on_reload(OnReload::Replayed)),
    answering!(Exploring, ArgumentCompletion::Words(&["moves", "turn", "inputs", "ignoring", "in"]); "solve", &[], "[moves] [turn E] [inputs A..B] [ignoring X] [in GAME]", "perfect play from here: who wins, a best line, and the value of every move; `moves` lists each with its value", ":solve", solve; only_shows()),
    answering!(Exploring, Nothing; "hint", &[], "[turn E] [inputs A..B] [ignoring X] [in GAME]", "show one best move", ":hint", hint; only_shows()),
    answering!(Exploring, Nothing; "stats", &[], "[N] [turn E] [inputs A..B] [ignoring X] [in GAME]", "how games end if every move is equally likely: exactly, or from N random games", ":stats", stats; only_shows()),
];

/// More random games would not be finished.
pub(crate) const MAX_RANDOM_GAMES: usize = 1_000_000_000;

/// The progress of a search is shown after this time, and then as often.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Runs a search with the session's limits, clock and Ctrl-C flag.
pub(crate) fn with_control<R>(
    session: &mut Session,
    search: impl FnOnce(&mut Session, &mut SearchControl<'_>) -> R,
) -> R {
    let limits = session.explorer.limits;
    with_limits(session, limits, search)
}

/// The same with other limits.
pub(crate) fn with_limits<R>(
    session: &mut Session,
    limits: SearchLimits,
    search: impl FnOnce(&mut Session, &mut SearchControl<'_>) -> R,
) -> R {
    let host = session.host().clone();
    let now = || host.now();
    let flag = session.target.machine.interrupt_flag();
    let mut listener = session.target.progress_listener.take();
    let mut next_report = now() + PROGRESS_INTERVAL;
    let mut has_shown = false;
    let result = {
        let mut report = |progress: SearchProgress| {
            if now() >= next_report
                && let Some(listener) = &mut listener
            {
                next_report = now() + PROGRESS_INTERVAL;
                has_shown = true;
                let count = |n: usize| with_commas(n as u64);
                let text = match progress {
                    _ if progress.games > 0 => format!("{} random games", count(progress.games)),
                    _ if progress.start_values > 0 => {
                        format!("{} start values", count(progress.start_values))
                    }
                    _ => {
                        let positions = count(progress.positions);
                        format!("{positions} positions, depth {}", count(progress.depth))
                    }
                };
                listener.show_search(&format!("{text} (Ctrl-C stops)"));
            }
        };
        let mut control = SearchControl::new(limits, &now, flag, &mut report);
        search(session, &mut control)
    };
    if has_shown && let Some(listener) = &mut listener {
        listener.show_search("");
    }
    session.target.progress_listener = listener;
    session.target.machine.take_interrupt();
    result
}

fn moves(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let all = match arguments.text() {
        "" => false,
        "all" => true,
        other => {
            return Err(CommandError::new(format!(
                "`:moves` takes nothing or `all` (got `{other}`)"
            )));
        }
    };
    let list = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        let scope = explorer.default_scope();
        explorer.moves(target, all, &scope, control)
    })?;
    Ok(Answer::of(Part::Moves(list)))
}

fn find(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let text = arguments.text();
    if text.is_empty() {
        require_moves(&session.target, &session.explorer.default_scope())?;
        let example = find_example(session).unwrap_or_else(|| ":find end".into());
        return Err(CommandError::new("`:find` needs a goal").example(example));
    }
    let request = find_request(session, text)?;
    let mut result = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        explorer.find(target, &request, control)
    })?;
    remember_turn(session, request.scope);
    locate_growth(&session.target, &mut result.extent);
    Ok(Answer::of(Part::Find(Box::new(result))))
}

/// A line that finds something in the loaded game; `None` if there is nothing to search.
pub(crate) fn find_example(session: &Session) -> Option<String> {
    goal_example(&session.target).map(|goal| format!(":find {goal}"))
}

fn solve(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let (words, scope) = scope_options(session, arguments.text())?;
    let lists_moves = match words.as_str() {
        "" => false,
        "moves" => true,
        other => {
            return Err(CommandError::new(format!(
                "`:solve` takes nothing or `moves` before its options (got `{other}`)"
            )));
        }
    };
    let mut result = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        explorer.solve(target, &scope, control)
    })?;
    result.lists_moves = lists_moves;
    remember_turn(session, scope);
    locate_growth(&session.target, &mut result.extent);
    Ok(Answer::of(Part::Solve(Box::new(result))))
}

fn hint(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let (words, scope) = scope_options(session, arguments.text())?;
    if !words.is_empty() {
        require_moves(&session.target, &scope)?;
        return Err(CommandError::new(format!(
            "`:hint` takes only the options {} (got `{words}`)",
            scope_options_text(session)
        )));
    }
    let mut hint = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        explorer.hint(target, &scope, control)
    })?;
    remember_turn(session, scope);
    locate_growth(&session.target, &mut hint.extent);
    Ok(Answer::of(Part::Hint(hint)))
}

fn stats(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let (words, scope) = scope_options(session, arguments.text())?;
    let games = match words.parse() {
        _ if words.is_empty() => None,
        Ok(games) if (1..=MAX_RANDOM_GAMES).contains(&games) => Some(games),
        Ok(0) => return Err(CommandError::new("`:stats` needs at least 1 game")),
        _ if is_large_number(&words) => {
            return Err(CommandError::new(format!(
                "`:stats {words}` is too large; the most are {} games",
                with_commas(MAX_RANDOM_GAMES as u64)
            )));
        }
        _ => {
            return Err(CommandError::new(format!(
                "`:stats` takes a number of games, e.g. `:stats 1000` (got `{words}`)"
            )));
        }
    };
    let mut stats = with_control(session, |session, control| {
        let Session {
            explorer, target, ..
        } = session;
        explorer.stats(target, games, &scope, control)
    })?;
    remember_turn(session, scope);
    locate_growth(&session.target, &mut stats.extent);
    Ok(Answer::of(Part::Stats(Box::new(stats))))
}

/// The options of a search, and the words after which their arguments follow.
const OPTIONS: &[&str] = &["within", "for", "count", "inputs", "ignoring", "turn", "in"];
/// Those of commands without a goal.
const SCOPE_OPTIONS: &[&str] = &["inputs", "ignoring", "turn", "in"];

/// The options of commands without a goal, as far as the loaded game has a use for them.
fn scope_options_text(session: &Session) -> &'static str {
    let language = session.target.language();
    match language.move_model(session.target.program()).actions {
        Actions::None => "`turn E`, `inputs A..B`, `ignoring X` and `in GAME`",
        _ => "`inputs A..B` and `ignoring X`",
    }
}

/// The words before the options of a search, and what the options say. An expression after `turn` in an
/// earlier command still holds.
pub(crate) fn scope_options(
    session: &Session,
    text: &str,
) -> Result<(String, Scope), CommandError> {
    let words = words_with_positions(text);
    let first = words.iter().find(|(_, word)| SCOPE_OPTIONS.contains(word));
    let first = first.map_or(text.len(), |(at, _)| *at);
    let mut request = FindRequest {
        scope: session.explorer.default_scope(),
        ..FindRequest::default()
    };
    set_options(session, &mut request, &text[first..], SCOPE_OPTIONS)?;
    Ok((text[..first].trim().to_string(), request.scope))
}

/// What was said about the turns also holds for the commands that follow.
pub(crate) fn remember_turn(session: &mut Session, scope: Scope) {
    session.explorer.turn = scope.turn;
}

/// Splits a goal and its options. An option is recognized by its word; the goal comes before the first.
fn find_request(session: &Session, text: &str) -> Result<FindRequest, CommandError> {
    let mut request = FindRequest {
        count: 1,
        scope: session.explorer.default_scope(),
        ..FindRequest::default()
    };
    let words: Vec<(usize, &str)> = words_with_positions(text);
    let first = words
        .iter()
        .skip(1)
        .find(|(_, word)| OPTIONS.contains(word))
        .map_or(text.len(), |(at, _)| *at);
    request.goal = text[..first].trim().to_string();
    set_options(session, &mut request, &text[first..], OPTIONS)?;
    if let Some(player) = &request.player
        && !matches!(request.goal.as_str(), "win" | "lose")
    {
        return Err(CommandError::new(format!(
            "`for {player}` needs the goal `win` or `lose`: a player wins or loses (got `{}`)",
            request.goal
        )));
    }
    Ok(request)
}

/// What a search covers, for a command that takes options but no goal.
pub(crate) fn search_scope(
    session: &Session,
    text: &str,
    command: &str,
) -> Result<Scope, CommandError> {
    let mut request = FindRequest::default();
    let options = ["inputs", "ignoring", "in"];
    match text.split_whitespace().next() {
        Some(word) if !options.contains(&word) => {
            return Err(CommandError::new(format!(
                "`:{command}` takes the options `inputs`, `ignoring` and `in` (got `{word}`)"
            )));
        }
        _ => set_options(session, &mut request, text, &options)?,
    }
    Ok(request.scope)
}

/// Reads options, each with its argument.
fn set_options(
    session: &Session,
    request: &mut FindRequest,
    text: &str,
    options: &[&str],
) -> Result<(), CommandError> {
    let mut rest = text;
    let mut given = Vec::new();
    while !rest.trim().is_empty() {
        let trimmed = rest.trim_start();
        let (option, after) = trimmed
            .split_once(char::is_whitespace)
            .unwrap_or((trimmed, ""));
        // The game is an expression, so it is the last option.
        let end = match option {
            "in" => after.len(),
            _ => words_with_positions(after)
                .iter()
                .skip(1)
                .find(|(_, word)| OPTIONS.contains(word))
                .map_or(after.len(), |(at, _)| *at),
        };
        if !options.contains(&option) {
            return Err(CommandError::new(format!(
                "unknown option `{option}`; there are {}",
                options.join(", ")
            )));
        }
        if given.contains(&option) {
            return Err(CommandError::new(format!(
                "`{option}` is given twice; write it only once"
            )));
        }
        given.push(option);
        require_use(session, option)?;
        set_option(session, request, option, after[..end].trim())?;
        rest = &after[end..];
    }
    Ok(())
}

/// An error if an option has no meaning in the loaded game.
fn require_use(session: &Session, option: &str) -> Result<(), CommandError> {
    let model = session
        .target
        .language()
        .move_model(session.target.program());
    match (option, model.actions) {
        (_, Actions::None) => Ok(()),
        ("turn", _) => Err(CommandError::new(
            "`turn` has no effect: the rules of this game say whose move it is",
        )),
        ("in", _) => Err(CommandError::new(
            "`in` has no effect: this game is not an expression; `within 5` limits the number of moves",
        )),
        _ => Ok(()),
    }
}

fn words_with_positions(text: &str) -> Vec<(usize, &str)> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| (start(word), word))
        .collect()
}

fn set_option(
    session: &Session,
    request: &mut FindRequest,
    option: &str,
    value: &str,
) -> Result<(), CommandError> {
    let number = || match value.parse::<usize>() {
        Ok(number) => Ok(number),
        Err(_) if is_large_number(value) => Err(CommandError::new(format!(
            "`{option} {value}` is too large; the largest number is {}",
            with_commas(usize::MAX as u64)
        ))),
        Err(_) => Err(CommandError::new(format!(
            "`{option}` needs a number, e.g. `{option} 5`"
        ))),
    };
    let required = |what: &str, example: &str| match value {
        "" => Err(CommandError::new(format!(
            "`{option}` needs {what}, e.g. `{option} {example}`"
        ))),
        value => Ok(value.to_string()),
    };
    match option {
        "within" => request.within = Some(number()?),
        "count" => match number()? {
            0 => {
                return Err(CommandError::new(
                    "`count` needs at least 1, e.g. `count 3`",
                ));
            }
            count => request.count = count,
        },
        "for" => {
            let players = session.explorer.players(&session.target, &request.scope);
            let first = players.ok().and_then(|players| players.into_iter().next());
            let name = required("a player", first.as_deref().unwrap_or("x"))?;
            request.player = Some(name.trim_matches('"').to_string());
        }
        "inputs" => request.scope.inputs = Some(input_range(value)?),
        "ignoring" => {
            let names = required("a variable", "steps")?;
            let names = names.split([',', ' ']).filter(|name| !name.is_empty());
            request.scope.ignored = names.map(str::to_string).collect();
        }
        "turn" => {
            let target = &session.target;
            let example = turn_example(target.language(), target.program());
            let example = example.as_deref().unwrap_or("p");
            let expression = required("an expression that names a player", example)?;
            request.scope.turn = Some(expression);
        }
        _ => request.scope.game = Some(required("an expression", "play(X, empty)")?),
    }
    Ok(())
}

/// Whether a text is a whole number, however large.
pub(crate) fn is_large_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// `0..3`, or answers separated by commas outside of parentheses.
fn input_range(text: &str) -> Result<InputRange, CommandError> {
    if let Some((low, high)) = text.split_once("..")
        && let (Ok(low), Ok(high)) = (low.trim().parse(), high.trim().parse())
    {
        if low > high {
            return Err(CommandError::new(format!(
                "`inputs {low}..{high}` is empty; write the smaller number first"
            )));
        }
        return Ok(InputRange::Range(low, high));
    }
    if text.is_empty() {
        return Err(CommandError::new(
            "`inputs` needs answers to try, e.g. `inputs 0..3` or `inputs a,b,c`",
        ));
    }
    let (mut lines, mut line, mut depth) = (Vec::new(), String::new(), 0);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                lines.push(std::mem::take(&mut line).trim().to_string());
                continue;
            }
            _ => {}
        }
        line.push(c);
    }
    lines.push(line.trim().to_string());
    Ok(InputRange::Lines(lines))
}
