//! `gridbug run FILE` at a terminal: the board stays in place, and keys, mouse clicks and typed
//! answers play the game. What they do is what the same entries would do at the prompt.

use super::full_screen::{FullScreen, leave_on_signal, return_after_stop};
use super::input::{Expected, Input, closed_line, line_meant};
use super::keys::Key;
use super::view::{
    DiagnosticDetail, LogListener, OutputLog, answer_lines, arrow_index, board_pane, last_rows,
    moved_cell, wrapped_rows,
};
use crate::analysis::inspect;
use crate::answer::Part;
use crate::code::Status;
use crate::command::{self, CompletionContext};
use crate::diagnostic::Diagnostic;
use crate::driver::Driver;
use crate::host::keyboard::restore_on_signal;
use crate::language::PlayEntry;
use crate::render::{Width, board_picture};
use crate::session::{Answer, BoardMarks, Line, Session, Style};
use crate::terminal::output::{Screen, escape_controls};
use crate::terminal::repl::interrupt::Interrupt;
use crate::terminal::repl::line_reader::{LineReader, ReadResult};
use crate::terminal::repl::opponent;
use std::io;
use std::process::ExitCode;

/// Rows of the open line editor: the question may wrap.
const EDITOR_ROWS: usize = 2;

/// Rows of output that stay visible below a large board.
const MIN_OUTPUT_ROWS: usize = 4;

/// The longest stretch of output that a small board leaves room for.
const MAX_OUTPUT_ROWS: usize = 12;

/// The characters that are keys.
const KEYS: &str = "qruUo?";

/// The keys, and what they do.
const HELP: &[(&str, &str)] = &[
    (
        "arrow keys",
        "move the cursor, or the player in games that are played with keys",
    ),
    (
        "Enter, Space",
        "play the chosen cell, play the next turn, or answer a question",
    ),
    ("mouse", "click a cell to play it"),
    (
        "text",
        "a question is answered by typing; elsewhere, `:` and any word open the prompt, Esc closes it",
    ),
    (
        "u, Ctrl-Z",
        "take back the last move or answer; U, Ctrl-Y give it again",
    ),
    ("o", "let the computer play the other side, or stop it"),
    ("r", "play again from the start"),
    (
        "d",
        "open this position at the prompt, to see why; not in games whose moves are letters",
    ),
    ("q, Ctrl-C", "leave"),
];

/// Columns of the keys in the list.
const HELP_KEY_COLUMNS: usize = 15;

/// The list of the keys on a screen of this width.
fn help_lines(width: usize) -> Vec<Line> {
    let text_columns = width.saturating_sub(HELP_KEY_COLUMNS);
    let rows = HELP.iter().flat_map(|(key, text)| {
        let rows = wrapped_rows(&[Line::plain(*text)], text_columns);
        rows.into_iter().enumerate().map(move |(n, row)| {
            let key = if n == 0 { *key } else { "" };
            Line::plain(format!("{key:<HELP_KEY_COLUMNS$}{}", row.text()))
        })
    });
    rows.collect()
}

/// A game that is played.
struct GamePlay {
    driver: Driver,
    session: Session,
    name: String,
    screen: Screen,
    reader: LineReader,
    interrupt: Interrupt,
    full_screen: FullScreen,
    log: OutputLog,
    /// The cell of the keyboard cursor, row and column counted from 0.
    cell: (u32, u32),
    phase: Phase,
    shows_help: bool,
    /// Whether `r` has asked if the game is to start again.
    asks_restart: bool,
    has_left: bool,
    /// Whether it goes on at the prompt.
    is_debugging: bool,
    /// The error that has stopped the game, as it was shown.
    error: Option<Vec<Line>>,
}

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// A move.
    Move,
    /// The next turn starts by itself: the last one asked the player something.
    NextTurn,
    /// The game has ended.
    Over,
}

/// How a game that was played ended.
pub enum PlayEnd {
    /// The user has left it, or it could not be started.
    Left(ExitCode),
    /// The user wants to look at this position at the prompt.
    Debug(Box<Session>, Screen),
}

/// Loads a game and plays it until the user leaves. The last board stays on the normal screen.
pub fn run(
    mut session: Session,
    file: &str,
    text: &str,
    opponents: &[String],
    screen: Screen,
    full_screen: FullScreen,
) -> io::Result<PlayEnd> {
    restore_on_signal(leave_on_signal, return_after_stop);
    let mut driver = Driver::new();
    let loaded = match opponent::start(&mut driver, &mut session, file, text, opponents) {
        Ok(loaded) => loaded,
        Err(failed) => {
            drop(full_screen);
            return Ok(PlayEnd::Left(failed.report()));
        }
    };
    let log = OutputLog::default();
    session.target.progress_listener = Some(Box::new(LogListener { log: log.clone() }));
    let reader = LineReader::new(CompletionContext::new(&session), screen.color)?;
    let interrupt = Interrupt::install(&session);
    let mut game = GamePlay {
        driver,
        session,
        name: file.rsplit('/').next().unwrap_or(file).to_string(),
        screen,
        reader,
        interrupt,
        full_screen,
        log,
        cell: (0, 0),
        phase: Phase::Move,
        shows_help: false,
        asks_restart: false,
        has_left: false,
        is_debugging: false,
        error: None,
    };
    game.update_size();
    game.show(&loaded);
    game.play()?;
    // The board stays on the terminal, without those before it.
    game.session.view_settings.reset_legend();
    let board = game.session.shown_board();
    let board = board_picture(&board, Width::of(game.screen.width));
    drop(game.full_screen);
    if game.is_debugging {
        return Ok(PlayEnd::Debug(Box::new(game.session), game.screen));
    }
    game.screen.print_lines(&board.lines)?;
    game.screen.print_lines(&game.error.unwrap_or_default())?;
    game.screen.flush()?;
    Ok(PlayEnd::Left(ExitCode::SUCCESS))
}

impl GamePlay {
    /// Plays until the user leaves.
    fn play(&mut self) -> io::Result<()> {
        self.begin()?;
        self.let_computer_play()?;
        loop {
            self.draw()?;
            let input = self.next_input()?;
            if self.shows_help && input != Input::Key(Key::Resized) {
                self.shows_help = false;
                if let Input::Key(Key::Escape | Key::Char(' ' | '?' | 'q')) = input {
                    continue;
                }
            }
            let is_restart_asked = std::mem::take(&mut self.asks_restart);
            match input {
                Input::Text(text) => self.read_line(&text)?,
                Input::Line(line) => {
                    self.reader.enter_line(line);
                    self.read_line("")?;
                }
                Input::Key(Key::Enter | Key::Char('y')) if is_restart_asked => self.restart()?,
                Input::Key(Key::Resized) => self.asks_restart = is_restart_asked,
                Input::Key(key) => self.handle_key(key)?,
            }
            if self.has_left {
                return Ok(());
            }
            self.play_turns()?;
        }
    }

    /// Waits for a key or the beginning of a text.
    fn next_input(&mut self) -> io::Result<Input> {
        let drawn = (self.screen.width, self.screen.height);
        let keys = if self.asks_restart { "y" } else { "" };
        let arrows = self.session.target.language().info().arrow_keys;
        let debug = if arrows.is_none() { "d" } else { "" };
        let expected = Expected::of(&self.session, &format!("{KEYS}{keys}{debug}"));
        let size = || self.reader.terminal_size();
        self.full_screen.next_input(&expected, size, drawn)
    }

    fn handle_key(&mut self, key: Key) -> io::Result<()> {
        match key {
            Key::Char('q') | Key::Interrupt | Key::Closed => self.has_left = true,
            Key::Char('d') => (self.has_left, self.is_debugging) = (true, true),
            Key::Char('?') => self.shows_help = true,
            Key::Char('r') if self.has_moves() => self.asks_restart = true,
            Key::Char('r') => self.restart()?,
            Key::Char('u') | Key::Undo => self.undo()?,
            Key::Char('U') | Key::Redo => self.run_line(":redo")?,
            Key::Char('o') => self.toggle_opponent()?,
            Key::Enter | Key::Char(' ') => self.enter()?,
            Key::Up | Key::Down | Key::Left | Key::Right => self.arrow(key)?,
            Key::Click { col, row } => self.click(col, row)?,
            _ => {}
        }
        Ok(())
    }

    /// Whether starting again would lose moves of a game that is not over.
    fn has_moves(&self) -> bool {
        let target = &self.session.target;
        self.phase != Phase::Over && target.machine.time() > target.timeline.game_start()
    }

    /// The computer plays the other side, or no side any more.
    fn toggle_opponent(&mut self) -> io::Result<()> {
        match command::opponent_toggle(&self.session) {
            Some(line) => self.run_line(&line),
            None => self.read_line(":opponent "),
        }
    }

    /// Starts a game that consists of one entry, as in BoGL.
    fn begin(&mut self) -> io::Result<()> {
        if let Some(PlayEntry::Game(entry)) = self.play_entry() {
            self.run_line(entry)?;
        }
        Ok(())
    }

    fn play_entry(&self) -> Option<PlayEntry> {
        let target = &self.session.target;
        target.language().play_entry(target.program())
    }

    fn restart(&mut self) -> io::Result<()> {
        self.session.end_input();
        self.log.clear();
        self.error = None;
        self.phase = Phase::Move;
        self.run_line(":restart")?;
        self.begin()
    }

    /// Takes back the last move or answer.
    fn undo(&mut self) -> io::Result<()> {
        let target = &self.session.target;
        if target.is_waiting_for_input() && !target.can_undo_answer() {
            self.hint("Nothing to take back");
            return Ok(());
        }
        self.run_line(":undo")
    }

    /// Plays turns as long as each of them asks the player something.
    fn play_turns(&mut self) -> io::Result<()> {
        while self.phase == Phase::NextTurn && !self.session.target.is_waiting_for_input() {
            match self.play_entry() {
                Some(PlayEntry::Turn(entry)) => self.run_line(entry)?,
                _ => self.phase = Phase::Move,
            }
        }
        Ok(())
    }

    fn enter(&mut self) -> io::Result<()> {
        let is_waiting = self.session.target.is_waiting_for_input();
        match (self.cell_line(), self.play_entry()) {
            _ if self.phase == Phase::Over => self.hint("The game is over; r plays again"),
            (Some(line), _) => return self.run_line(&line),
            _ if is_waiting => return self.read_line(""),
            (None, Some(PlayEntry::Turn(entry))) => return self.run_line(entry),
            _ => {}
        }
        Ok(())
    }

    fn arrow(&mut self, key: Key) -> io::Result<()> {
        let target = &self.session.target;
        if let Some(entries) = target.language().arrow_entries(target.program()) {
            return self.run_line(&entries[arrow_index(key)]);
        }
        if let Some(board) = target.board_outline() {
            self.cell = moved_cell(&board, self.cell, key);
        }
        Ok(())
    }

    fn click(&mut self, col: usize, row: usize) -> io::Result<()> {
        let (_, cells) = self.board();
        // The title is above the board.
        let cell = row.checked_sub(1).and_then(|row| cells?.cell_at(col, row));
        if let Some(cell) = cell {
            self.cell = cell;
            if self.cell_line().is_some() {
                return self.enter();
            }
        }
        Ok(())
    }

    /// What choosing the cell of the cursor means: an entry or an answer. `None` if cells cannot be
    /// chosen now.
    fn cell_line(&self) -> Option<String> {
        let target = &self.session.target;
        let accepts_cells = match target.question() {
            Some(question) => question
                .answer_type
                .is_some_and(|answer| target.language().is_cell_type(&answer)),
            None => true,
        };
        inspect::cell_entry(target, self.cell).filter(|_| accepts_cells)
    }

    /// Runs an entry or command, or answers the program's question. Then the computer replies, if it
    /// plays.
    fn run_line(&mut self, line: &str) -> io::Result<()> {
        self.interrupt.reset();
        let answer = self.driver.answer(&mut self.session, line);
        self.show_answer(line, &answer);
        self.has_left |= answer.is_quit();
        self.let_computer_play()
    }

    /// Makes the moves of the computer, as long as it is its turn.
    fn let_computer_play(&mut self) -> io::Result<()> {
        while self.driver.has_next(&self.session) {
            self.draw()?;
            let Some(answer) = self.driver.next(&mut self.session) else {
                break;
            };
            let played = answer.opponent_moves().next().map(|m| m.entry.clone());
            self.show_answer(&played.unwrap_or_default(), &answer);
        }
        Ok(())
    }

    /// Shows the answer to a line, and notes what the game waits for then.
    fn show_answer(&mut self, line: &str, answer: &Answer) {
        let is_turn = matches!(self.play_entry(), Some(PlayEntry::Turn(entry)) if entry == line);
        self.show(answer);
        self.note_error(answer);
        let target = &mut self.session.target;
        if target.is_stopped() {
            // An endless loop was interrupted: the move did not happen.
            target.abandon();
            self.phase = Phase::Move;
            self.hint("Interrupted; the move was cancelled");
            return;
        }
        let is_waiting = target.is_waiting_for_input();
        let is_over = target.progress().status != Status::Playing;
        let is_whole_game = matches!(self.play_entry(), Some(PlayEntry::Game(_)));
        self.phase = match self.phase {
            _ if is_over => Phase::Over,
            _ if is_waiting => Phase::NextTurn,
            _ if line == ":undo" => Phase::Move,
            // The only entry of the game has ended.
            Phase::NextTurn if is_whole_game => Phase::Over,
            _ if is_turn => Phase::Move,
            phase => phase,
        };
    }

    /// Keeps the runtime error that a move or an answer has led to. It stays until the game goes on.
    fn note_error(&mut self, answer: &Answer) {
        let is_stop = |d: &Diagnostic| d.is_error() && d.code.starts_with("RT");
        if answer.question.is_some() || !answer.diagnostics.iter().any(is_stop) {
            self.error = None;
            return;
        }
        let detail = DiagnosticDetail::Message;
        self.error = Some(answer_lines(&self.session, &self.screen, answer, detail));
    }

    /// Opens the line editor with `initial` in it, for a move or an answer, until all pasted lines
    /// were run.
    fn read_line(&mut self, initial: &str) -> io::Result<()> {
        self.read_and_run(initial)?;
        while self.reader.has_unfinished_input() && !self.has_left {
            self.read_and_run("")?;
        }
        Ok(())
    }

    fn read_and_run(&mut self, initial: &str) -> io::Result<()> {
        self.draw()?;
        let (session, reader) = (&self.session, &mut self.reader);
        let prompt = match session.target.question() {
            Some(question) => {
                let text = question.text.lines().last().unwrap_or_default();
                format!("{} ", escape_controls(text.trim_end()))
            }
            None => "move: ".to_string(),
        };
        let context = CompletionContext::new(session);
        reader.close_on_escape(true);
        let result = self
            .full_screen
            .with_line_editor(self.screen.height, EDITOR_ROWS, || {
                reader.read_answer_from(context, &prompt, initial)
            });
        reader.close_on_escape(false);
        self.screen.clear()?;
        // A search may take some time.
        self.draw()?;
        match result? {
            ReadResult::Entry(text) => match line_meant(&self.session, &text) {
                Some(line) => self.run_line(&line),
                None => Ok(()),
            },
            ReadResult::Closed(typed) => {
                self.log.push(closed_line(&typed));
                Ok(())
            }
            ReadResult::Cancelled | ReadResult::Discarded(_) | ReadResult::Eof => {
                self.log.push(closed_line(""));
                Ok(())
            }
        }
    }

    /// Adds an answer to the output.
    fn show(&mut self, answer: &Answer) {
        // Branches of the history are of no use without the prompt.
        let is_shown =
            |part: &&Part| !matches!(part, Part::Forked { .. } | Part::FutureKept { .. });
        let answer = &Answer {
            parts: answer.parts.iter().filter(is_shown).cloned().collect(),
            ..answer.clone()
        };
        let detail = DiagnosticDetail::Message;
        let lines = answer_lines(&self.session, &self.screen, answer, detail);
        self.log.extend(lines);
    }

    fn hint(&mut self, text: &str) {
        self.log.push(Line::styled(Style::Dim, text));
    }

    /// Draws the title, the board, the last output and what the keys do.
    fn draw(&mut self) -> io::Result<()> {
        if self.update_size() {
            self.screen.clear()?;
        }
        let height = self.screen.height;
        let title = format!(
            "{} ({})",
            self.name,
            self.session.target.language().info().title
        );
        let mut rows = vec![Line::styled(Style::Strong, title)];
        if self.shows_help {
            rows.extend(help_lines(self.screen.width));
            rows.push(Line::styled(Style::Dim, "-- any key closes"));
        } else {
            rows.extend(self.board().0);
            rows.truncate(height.saturating_sub(1));
            rows.push(Line::default());
            let room = height.saturating_sub(rows.len() + 1).min(MAX_OUTPUT_ROWS);
            let (lines, width) = (self.log.last(room), self.screen.width);
            let rows_needed = wrapped_rows(&lines, width).len();
            rows.extend(last_rows(&lines, width, rows_needed.min(room)));
        }
        rows.resize(height.saturating_sub(1), Line::default());
        rows.push(self.help_line());
        self.screen.draw_frame(&rows)
    }

    /// The part of the board that fits above the output.
    fn board(&mut self) -> (Vec<Line>, Option<crate::render::CellGrid>) {
        let marks = BoardMarks {
            selected: self.cell_line().map(|_| self.cell),
            ..BoardMarks::default()
        };
        let rows = self
            .screen
            .height
            .saturating_sub(MIN_OUTPUT_ROWS + 2)
            .max(4);
        let area = (self.screen.width, rows);
        board_pane(&mut self.session, marks, area)
    }

    /// The last row: the question, the end of the game, or what the keys do.
    fn help_line(&self) -> Line {
        let target = &self.session.target;
        if self.asks_restart {
            let keys = "   Enter plays again, any other key keeps this game";
            return Line::styled(Style::Strong, "Start again?").with(Style::Dim, keys);
        }
        if self.error.is_some() {
            let keys = "   r plays again, u takes the last move back, d opens the prompt, q leaves";
            return Line::styled(Style::Error, "Stopped by an error").with(Style::Dim, keys);
        }
        if self.phase == Phase::Over {
            let keys = "   r plays again, u takes the last move back, q leaves";
            return Line::styled(Style::Strong, "Game over").with(Style::Dim, keys);
        }
        if let Some(question) = target.question() {
            let text = question.text.lines().last().unwrap_or_default().trim_end();
            let keys = match self.cell_line() {
                Some(_) => "   Enter chooses the cell, or type an answer; Ctrl-C leave",
                None => "   type an answer; :undo, Ctrl-C leave",
            };
            return Line::styled(Style::Strong, text).with(Style::Dim, keys);
        }
        let has_arrows = target.language().arrow_entries(target.program()).is_some();
        let text = match (self.cell_line(), self.play_entry()) {
            (Some(_), _) => {
                "arrows choose a cell, Enter plays it; u undo, r again, ? keys, q leave"
            }
            (None, Some(PlayEntry::Turn(_))) => {
                "Enter plays the next turn; r again, ? keys, q leave"
            }
            _ if has_arrows => "arrows move; u undo, r again, ? keys, q leave",
            _ => "type a move; r again, ? keys, q leave",
        };
        Line::styled(Style::Dim, text)
    }

    /// Updates the terminal size. True if it has changed.
    fn update_size(&mut self) -> bool {
        let size = self.reader.terminal_size();
        let has_changed = size != (self.screen.width, self.screen.height);
        (self.screen.width, self.screen.height) = size;
        let settings = &mut self.session.view_settings;
        (settings.width, settings.height) = size;
        has_changed
    }
}
