//! The text of notices and settings.

use super::session::{resumable_text, warning};
use crate::answer::{Line, ListKind, Notice, OpponentSetting, Setting, Style};
use crate::text::{cancelled_message, count_noun, elide};

/// How much is shown of a part of a journal that is lost.
const MAX_LOST_COLUMNS: usize = 24;

fn dim(text: impl Into<String>) -> Line {
    Line::styled(Style::Dim, text)
}

/// The line of a notice: one sentence for each.
pub fn notice_line(notice: &Notice) -> Line {
    match notice {
        Notice::Empty { list, example } => dim(empty_text(*list, example.as_deref())),
        Notice::Language { message } => dim(message),
        Notice::Cancelled { entry } => cancelled_message(entry).into(),
        Notice::NothingChanged => dim("Nothing was changed"),
        Notice::Interrupted { unknown: None } => dim("interrupted: not everything was tried"),
        Notice::Interrupted {
            unknown: Some(ending),
        } => dim(format!(
            "interrupted: not everything was tried, and it is not known whether {ending} is reachable"
        )),
        Notice::ReportInterrupted => "Interrupted: the rest of the report is missing".into(),
        Notice::JournalProblem { message } => warning(message),
        Notice::Remark { text } => dim(format!("# {text}")),
        Notice::HistoryStart {
            is_game_start,
            without_hit,
        } => dim(history_start_text(*is_game_start, *without_hit)),
        Notice::Marked { name, time } => format!("marked time {time} as {name}").into(),
        Notice::DeletedBranch { branch } => format!("deleted branch {branch}").into(),
        Notice::SwitchedBranch { branch } => {
            format!("Switched to branch {branch}; the history you left is now branch {branch}")
                .into()
        }
        Notice::NoMove { player } => format!("{player} has no move").into(),
        Notice::NotMoved { player } => format!(
            "Interrupted: {player} has not moved; `:opponent` lets the computer think again, or play its move yourself"
        )
        .into(),
        Notice::IsVariable { word, command } => dim(format!(
            "{word} is a variable; `:{word}` runs the command {command}"
        )),
        Notice::IsMove { word, command } => dim(format!(
            "{word} is a move; `:{word}` runs the command {command}"
        )),
        Notice::IsCommand { command, entry } => dim(format!(
            "{command}  (for the move, type `{entry}` at a stop)"
        )),
        Notice::NoView => {
            "The view needs a terminal; `:list`, `:board`, `:vars` and `where` show the same".into()
        }
        Notice::NoArrowKeys { examples } => {
            let examples: Vec<String> = examples.iter().map(|e| format!("`{e}`")).collect();
            format!(
                "No arrow keys here: type the moves instead, e.g. {}",
                examples.join(" or ")
            )
            .into()
        }
        Notice::AnimationStopped { steps } => format!("{steps} steps; `play` continues").into(),
        Notice::OldCode { function } => Line::styled(
            Style::Warning,
            format!("  {function} was redefined; this call still runs the old code"),
        ),
        Notice::AtTime { time } => dim(format!("at time {time}")),
        Notice::AlreadyTrue { expression, value } => {
            format!("{expression} is already {value}; `:why {expression}` explains it").into()
        }
        Notice::StoppedIn { function } => format!("stopped in {function}").into(),
        Notice::Formatted { lines: 0 } => "The program is formatted already".into(),
        Notice::Formatted { lines } => {
            format!("Formatted {}", count_noun(*lines, "line", "lines")).into()
        }
        Notice::SwitchedLanguage {
            title, is_by_file, ..
        } => {
            let style = if *is_by_file { Style::Dim } else { Style::Plain };
            Line::styled(style, format!("This session is now in {title}"))
        }
        Notice::OpenedExample {
            name,
            language_title,
            about,
        } => format!("{name} ({language_title}): {about}").into(),
        Notice::OpensExample => dim("`:examples NAME` opens one"),
        Notice::DroppedLine { input, line } => {
            format!("`:save` leaves out {input}; `:history keep {line}` includes it again").into()
        }
        Notice::KeptLine { input } => format!("`:save` includes {input} again").into(),
        Notice::NotExact => warning("what is left does not lead to the current state of the game"),
        Notice::MissingToRun { missing } => dim(format!("`gridbug run` also needs {missing}")),
        Notice::UnsavedPrelude { path, names } => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "Not in it: {} of {path}; `:save {path}` writes that file",
                names.join(", ")
            )
            .into()
        }
        Notice::DamagedJournal {
            location,
            recovered_count,
            lost,
        } => warning(damage_text(location, *recovered_count, lost)),
        Notice::OldJournals { count, location } => dim(format!(
            "{} that ended unexpectedly, before the last 20, {} no longer listed; kept as {location}{}",
            count_noun(*count, "session", "sessions"),
            if *count == 1 { "is" } else { "are" },
            if *count == 1 { "" } else { " and beside it" },
        )),
        Notice::DeletedSession { session } => {
            format!("deleted: {}", resumable_text(session)).into()
        }
        Notice::RestoredSession { session } => {
            format!("restored: {}", resumable_text(session)).into()
        }
        Notice::RestoredDraft => dim("Your unfinished entry is at the prompt"),
        Notice::LeftTour { step, count } if step <= count => {
            format!("You left the tour at step {step} of {count}; `:tour` continues it").into()
        }
        Notice::LeftTour { .. } => "You left the tour; `:tour` starts it again".into(),
        Notice::EndedTour => dim("You left the tour"),
        Notice::OffTour { step } => dim(format!(
            "The game is not where the tour expects it; :tour {step} sets up this step again"
        )),
        Notice::TourReminder { step, input } => {
            dim(format!("The tour is at step {step}: type  ")).with(Style::Strong, *input)
        }
        Notice::OpensLesson { command } => dim(format!("`{command}` opens the first one")),
        Notice::LeftLesson => "You left the lesson; the game stays as it is".into(),
        Notice::BackInLesson => dim("Back in the lesson, as it was before what you typed"),
        Notice::LessonWritesNoFile => {
            dim("A lesson writes no files: type this line yourself to write the file")
        }
        Notice::NothingToCheck { definition: None } => {
            dim("Nothing to check yet: type your answer first")
        }
        Notice::NothingToCheck {
            definition: Some(name),
        } => dim(format!(
            "Nothing to check yet: type your definition first; `:edit {name}` opens an editor"
        )),
        Notice::QuestionWanted => "You are asked before the next step".into(),
        Notice::QuestionNotAsked => {
            warning("the question that was wanted has no answer here, so it was not asked")
        }
        Notice::NotRun { entry } => dim(format!("Not run: {entry}")),
        Notice::ExplainedBy { command } => dim(format!("`{command}` explains it")),
    }
}

fn empty_text(list: ListKind, example: Option<&str>) -> String {
    let example = example.unwrap_or_default();
    match list {
        ListKind::Variables => "No variables".into(),
        ListKind::Breakpoints => format!("No breakpoints; set one with `{example}`"),
        ListKind::Properties => format!("No properties; declare one, e.g. `{example}`"),
        ListKind::Displays => {
            format!("No expressions are displayed at stops; add one with `{example}`")
        }
        ListKind::Lesson => "No lesson is open; `:lesson list` lists the course, \
             `:lesson FILE.session` plays a session file"
            .into(),
    }
}

fn history_start_text(is_game_start: bool, without_hit: bool) -> String {
    let start = match is_game_start {
        true => "this is the start of the game",
        false => "this is the start of the history",
    };
    match without_hit {
        true => format!("No breakpoint was hit: {start}"),
        false => format!("T{}", &start[1..]),
    }
}

fn damage_text(location: &str, recovered_count: usize, lost: &[String]) -> String {
    let recovered = match recovered_count {
        0 => "nothing could be recovered".to_string(),
        n => format!(
            "{} recovered (`:resume list`)",
            count_noun(n, "entry", "entries")
        ),
    };
    let lost = match lost {
        [] => String::new(),
        [first, ..] => format!(
            ", {} left out (`{}`)",
            count_noun(lost.len(), "damaged part", "damaged parts"),
            elide(first, MAX_LOST_COLUMNS)
        ),
    };
    format!("a journal is damaged: {recovered}{lost}; kept as {location}")
}

/// The line of a setting.
pub(super) fn setting_line(setting: &Setting) -> Line {
    let on_off = |is_on: bool| if is_on { "on" } else { "off" };
    let text = match setting {
        Setting::Trace(is_on) => format!("Tracing is {}", on_off(*is_on)),
        Setting::Coverage(is_on) => format!("Coverage is {}", on_off(*is_on)),
        Setting::Rules(true) => "Steps go through the rules of the game".into(),
        Setting::Rules(false) => "Steps skip the rules of the game".into(),
        Setting::StopOnErrors(true) => "Errors stop the program".into(),
        Setting::StopOnErrors(false) => {
            "Errors no longer stop the program; `:break on error` stops at each of them".into()
        }
        Setting::Predict(true) => {
            "You are asked before each step, move and evaluation; Enter skips a question".into()
        }
        Setting::Predict(false) => "No more questions".into(),
        Setting::Skip(names) if names.is_empty() => {
            return dim(
                "No functions are skipped; `:skip NAME` steps over a function or handler every time",
            );
        }
        Setting::Skip(names) => format!("Steps skip {}", names.join(", ")),
        Setting::Display(expressions) => match expressions.len() {
            0 => "No expressions are displayed at stops".into(),
            1 => "1 expression is displayed at every stop".into(),
            n => format!("{n} expressions are displayed at every stop"),
        },
        Setting::Ignore { breakpoint, count } => match count {
            0 => format!("Breakpoint {breakpoint} is no longer ignored"),
            1 => format!("Breakpoint {breakpoint} will be ignored once"),
            n => format!("Breakpoint {breakpoint} will be ignored {n} times"),
        },
        Setting::Glyph { piece, glyph } => format!("{piece} is drawn as {glyph}"),
        Setting::Seed { seed, is_new: true } => format!("Random numbers restart from seed {seed}"),
        Setting::Seed { seed, .. } => format!("The seed is {seed}"),
        Setting::ScriptedDraws(draws) if draws.is_empty() => {
            "The next draws are random again".into()
        }
        Setting::ScriptedDraws(draws) => format!("The next draws will be {}", draws.join(", ")),
        Setting::Record { path: None, .. } => {
            "Not recording; `:record lesson.session` saves this session when it ends".into()
        }
        Setting::Record {
            path: Some(path),
            is_new: true,
        } => format!("Recording the whole session to {path} when it ends"),
        Setting::Record {
            path: Some(path), ..
        } => format!("Recording to {path} when the session ends; `:record off` saves it now"),
        Setting::Opponent(opponents) if opponents.is_empty() => "The computer plays nobody".into(),
        Setting::Opponent(opponents) => {
            let each: Vec<String> = opponents.iter().map(opponent_text).collect();
            format!("The computer plays {}", each.join(" and "))
        }
    };
    Line::plain(text)
}

fn opponent_text(opponent: &OpponentSetting) -> String {
    let limit = opponent
        .seconds
        .map(|seconds| format!(", at most {seconds} s per move"))
        .unwrap_or_default();
    format!("{} ({}{limit})", opponent.player, opponent.level)
}
