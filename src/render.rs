//! Turns answers into lines of text. Nothing else knows the width of a screen.
//!
//! ```text
//! advice       the text of advice, for the prompt and for a shell
//! board        draws the board as lines of styled text
//! explanation  the text of an explanation
//! exploration  what the answers of all searches have in common
//! help         the text of `:help` and of explained error codes
//! notice       the text of notices and settings
//! lesson       lessons: the next step, and the lessons of the course
//! session      the text of answers about files and sessions
//! stopped      a stop and what is around it
//! ```

mod advice;
mod board;
mod explanation;
mod exploration;
mod help;
mod lesson;
mod notice;
mod session;
pub(crate) mod stopped;

pub use advice::advised;
pub use board::cell_grid::CellGrid;
pub(crate) use board::glyph::{GlyphRules, assigned_glyph, is_single_width};
pub use board::panel::render_panel as panel_line;
pub use board::tile::{Tile, tile};
pub use board::view_settings::ViewSettings;
pub use board::{
    BoardPicture, board_picture, board_status, game_result, shown_board_lines, shown_game_result,
};
pub use lesson::lesson_list_lines;
pub use lesson::rejudge::rejudge_lines;
pub use notice::notice_line;
pub use session::{example_lines, mismatch_lines, resumable_name};
pub use stopped::changes::{MAX_CHANGES_SHOWN, change_texts};
pub use stopped::stop::{source_lines, stop_head};
pub use stopped::value_columns::value_columns;

use crate::answer::{Answer, Line, Part, SourceRange, Style};
pub use crate::answer::{Audience, Subcommand, Width};
use board::piece;
use explanation::why_not;
use exploration::{check, coverage, find, moves, solve, stats, vary};
use lesson::{exercise, predict};
use std::rc::Rc;
use stopped::{
    breakpoint, changes, evaluation, frame, listing, loop_table, property, run, stop, timeline,
    value_columns, variables,
};

/// The width of text that is not shown on a screen.
pub const DEFAULT_WIDTH: Width = Width::of(80);

/// The boards in play besides the displayed one, at a question of the program.
pub fn other_board_lines(answer: &Answer) -> Vec<Line> {
    let boards = answer.question.iter().flat_map(|q| &q.other_boards);
    boards
        .flat_map(|board| {
            let rows = board.lines().map(|row| Line::plain(format!("     {row}")));
            std::iter::once(Line::styled(Style::Dim, "the other board:")).chain(rows)
        })
        .collect()
}

/// The lines of an answer, without the program's output, its value and diagnostics. They are rendered
/// once for a width.
pub fn lines(answer: &Answer, width: Width) -> Rc<[Line]> {
    answer.parts.rendered(width, |parts| {
        let lines = parts.iter().flat_map(|part| part_lines(part, width));
        lines.collect()
    })
}

/// The lines before everything else: what was entered on the user's behalf.
pub fn echo_lines(answer: &Answer, width: Width) -> Vec<Line> {
    let echo = answer.echo.iter();
    echo.flat_map(|part| part_lines(part, width)).collect()
}

/// The lines of the suggestions for what to do next.
pub fn hint_lines(answer: &Answer, width: Width) -> Vec<Line> {
    let hints = answer.hints.iter();
    hints.flat_map(|part| part_lines(part, width)).collect()
}

/// The lines of the board that the answer shows below or beside its text; none if it shows no
/// board.
pub fn board_lines(answer: &Answer, width: Width) -> Vec<Line> {
    let board = answer.board.iter();
    board.flat_map(|b| shown_board_lines(b, width)).collect()
}

/// The lines without styles, joined with newlines.
pub fn text(answer: &Answer, width: Width) -> String {
    let mut text = String::new();
    for (n, line) in lines(answer, width).iter().enumerate() {
        if n > 0 {
            text.push('\n');
        }
        line.append_to(&mut text);
    }
    text
}

fn part_lines(part: &Part, width: Width) -> Vec<Line> {
    match part {
        Part::Line(line) => vec![line.clone()],
        Part::Notice(notice) => vec![notice_line(notice)],
        Part::Setting(setting) => vec![notice::setting_line(setting)],
        Part::Error { message, advice } => {
            let text = advised(message, advice, width.audience);
            vec![Line::styled(Style::Error, "error: ").with(Style::Plain, text)]
        }
        Part::Heading { text, is_first } => {
            let space = (!is_first).then(Line::default);
            let heading = Line::styled(Style::Strong, text);
            space.into_iter().chain([heading]).collect()
        }
        Part::Echo { input } => {
            let input = input.replace('\n', "\n. ");
            vec![Line::styled(Style::Strong, format!("> {input}"))]
        }
        Part::Value { text, .. } => vec![Line::plain(format!("= {text}"))],
        Part::OpponentMove(played) => vec![session::opponent_move_line(played)],
        Part::LoopTables(loops) => loop_table::loop_table_lines(loops, width),
        Part::Stop(stop) => stop::stop_lines(stop, width.stop),
        Part::Source { lines, is_cut } => {
            stop::source_lines(lines, is_cut.then(|| stop::source_width(width.stop)))
        }
        Part::Program(program) => listing::program_lines(program, None),
        Part::Log { .. }
        | Part::ConditionError { .. }
        | Part::Trace { .. }
        | Part::TraceOmitted { .. }
        | Part::Info { .. }
        | Part::Forked { .. }
        | Part::FutureKept { .. }
        | Part::NoEffect { .. }
        | Part::Finished { .. }
        | Part::DryRunStarted => run::run_lines(part),
        Part::Returned(returned) => vec![evaluation::returned_line(returned)],
        Part::Evaluation(evaluation) => evaluation::evaluation_lines(evaluation, width.screen),
        Part::ExplainedExpression(explained) => {
            value_columns::value_columns(explained, width.screen)
                .into_iter()
                .map(Line::plain)
                .collect()
        }
        Part::Explanation(explanation) => explanation::explanation_lines(explanation, width.screen),
        Part::Outputs { outputs } => explanation::output_lines(outputs, width.screen),
        Part::Frames(stack) => frame::call_stack_lines(stack, width.screen),
        Part::Variables { variables } => variables::variable_lines(variables),
        Part::Breakpoints { breakpoints } => breakpoints
            .iter()
            .map(breakpoint::breakpoint_line)
            .collect(),
        Part::DeletedBreakpoints { breakpoints } => {
            breakpoints.iter().map(breakpoint::deleted_line).collect()
        }
        Part::NewBreakpoint(new) => breakpoint::new_breakpoint_lines(new),
        Part::Properties { properties } => property::property_lines(properties),
        Part::NewProperty(property) => vec![property::new_property_line(property)],
        Part::ReboundBreakpoint(rebound) => vec![breakpoint::rebound_line(rebound)],
        Part::Uses { main_source, names } => listing::uses_lines(main_source.as_deref(), names),
        Part::Definitions { definitions } => listing::definition_lines(definitions),
        Part::Listing(function) => listing::compiled_lines(function),
        Part::Description(description) => vec![listing::description_line(description)],
        Part::Draws(draws) => listing::draw_lines(draws),
        Part::Cell(cell) => vec![piece::cell_line(cell)],
        Part::Pieces(pieces) => piece::piece_lines(pieces),
        Part::Board(board) => shown_board_lines(board, width),
        Part::State(state) => variables::state_lines(state),
        Part::Timeline {
            subject,
            timeline: history,
        } => timeline::timeline_lines(*subject, history),
        Part::Position { entry, .. } => vec![timeline::position_line(entry)],
        Part::KnownSince { time } => vec![timeline::known_since_line(*time)],
        Part::NextChange(change) => vec![timeline::next_change_line(change)],
        Part::Undone { entries } => timeline::entry_lines("undone", entries),
        Part::Redone { entries } => timeline::entry_lines("redone", entries),
        Part::Diff(diff) => changes::diff_lines(diff),
        Part::DryRunFinished {
            changes,
            discards_entries,
        } => vec![changes::dry_run_line(changes, *discards_entries)],
        Part::Display {
            number: None,
            display,
        } => vec![stop::display_line(display)],
        Part::Display {
            number: Some(n),
            display,
        } => {
            let text = stop::display_line(display).text();
            vec![Line::styled(Style::Dim, format!("{n:>2}")).with(Style::Plain, text)]
        }
        Part::Help(topic) => help::help_lines(topic, width.screen),
        Part::ErrorHelp(error) => help::error_lines(error),
        Part::Tour(progress) => session::tour_lines(progress),
        Part::ExerciseHelp(help) => exercise::help_lines(help),
        Part::ExerciseReport(report) => exercise::report_lines(report, width),
        Part::Lesson(progress) => lesson::progress_lines(progress),
        Part::LessonList(list) => lesson::lesson_list_lines(list),
        Part::Prediction(question) => predict::question_lines(question, width.screen),
        Part::PredictionResult(result) => predict::result_lines(result),
        Part::PredictionScore(score) => predict::score_lines(score),
        Part::SavedFile(saved) => session::saved_lines(saved),
        Part::OpenedSession(opened) => vec![session::opened_line(opened)],
        Part::TestResult(result) => session::test_lines(result),
        Part::Reloaded(reloaded) => session::reloaded_lines(reloaded),
        Part::HistoryList(list) => session::history_lines(list),
        Part::Examples(list) => session::example_lines(list),
        Part::ResumableSessions(list) => session::resumable_lines(list),
        Part::Moves(list) => moves::move_lines(list, width),
        Part::Find(result) => find::find_lines(result, width),
        Part::Solve(result) => solve::solve_lines(result, width.screen),
        Part::Hint(hint) => solve::hint_lines(hint),
        Part::Stats(stats) => stats::stats_lines(stats, width),
        Part::Check(result) => check::check_lines(result, width.screen),
        Part::Reachability(reachability) => find::reachability_lines(reachability, width.screen),
        Part::Vary(result) => vary::vary_lines(result),
        Part::WhyNot(why_not) => why_not::why_not_lines(why_not, width.screen),
        Part::Coverage(report) => coverage::coverage_lines(report, width.screen),
        Part::Rejudged { sessions } => rejudge_lines(sessions, width.screen),
    }
}

/// A location as short as possible: `line 30` in the game's own file, `entry 5:2` in an entry.
fn short_location(range: Option<&SourceRange>, game_file: Option<&str>) -> String {
    match range {
        None => String::new(),
        Some(range) if game_file == Some(range.file.as_str()) => format!("line {}", range.line),
        Some(range) => format!("{}:{}", range.file, range.line),
    }
}

/// An answer as text for a screen of 80 columns.
pub trait AnswerText {
    /// Its text, without the program's output, its value and diagnostics.
    fn text(&self) -> String;

    /// The board that it shows.
    #[cfg(feature = "internals")]
    fn board_lines(&self) -> Vec<Line>;

    /// The lines of [`AnswerText::text`], with styles.
    fn text_lines(&self) -> Vec<Line>;
}

impl AnswerText for Answer {
    fn text(&self) -> String {
        text(self, DEFAULT_WIDTH)
    }

    #[cfg(feature = "internals")]
    fn board_lines(&self) -> Vec<Line> {
        board_lines(self, DEFAULT_WIDTH)
    }

    fn text_lines(&self) -> Vec<Line> {
        lines(self, DEFAULT_WIDTH).to_vec()
    }
}
