//! Files, saved sessions, and what the engine asks of the client.

use super::{Answer, ExerciseTask};
use gridbug_base::diagnostic::{Advice, Diagnostic};
use gridbug_base::language::TypedStatements;
use serde::Serialize;
use std::time::Duration;

/// A file that was written.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SavedFile {
    /// Its path.
    pub path: String,
    /// What it contains.
    #[serde(flatten)]
    pub file_type: FileType,
    /// How many entries it contains.
    pub entry_count: usize,
    /// How many lines `--clean` left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out_count: usize,
    /// Whether replaying it leads to the current state of the game.
    pub is_exact: bool,
}

/// What a file contains.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileType {
    /// A program, entries and replies.
    Session,
    /// A program.
    Program {
        /// How many lines it has.
        lines: usize,
        /// What became of statements typed at the prompt.
        typed: TypedStatements,
        /// Why the file cannot be loaded, if the program is not complete yet.
        error: Option<String>,
        /// The files of the preludes that it uses.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        preludes: Vec<String>,
    },
    /// A prelude that the program uses.
    Prelude {
        /// How many lines it has.
        lines: usize,
        /// Why the file cannot be loaded.
        error: Option<String>,
    },
}

/// A session file was replayed and is now the current session.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpenedSession {
    /// Its path.
    pub path: String,
    /// How many entries were replayed.
    pub entry_count: usize,
    /// How many replies differ from the recorded ones.
    pub mismatch_count: usize,
}

/// The result of replaying a session file and comparing the replies.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestResult {
    /// The path of the session file.
    pub path: String,
    /// How many entries it has. The loading of its program is compared as well.
    pub entry_count: usize,
    /// The replies that differ.
    pub mismatches: Vec<ReplyDiff>,
    /// Exercises whose solution fails, or that are solved without it.
    pub problems: Vec<String>,
}

/// The program was read again, and the entries were replayed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reloaded {
    /// The file of the program.
    pub path: String,
    /// How many entries there were.
    pub entry_count: usize,
    /// How many of them were replayed; fewer if the replay was interrupted.
    pub replayed_count: usize,
    /// Whether the replay was interrupted with Ctrl-C.
    pub is_interrupted: bool,
    /// The first reply that differs from the one before.
    pub first_difference: Option<NumberedDiff>,
    /// Where the program was before and is now, if that is not the same place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceChange>,
}

/// A replay has led to another place.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlaceChange {
    /// Where the program was.
    pub before: ReloadPlace,
    /// Where it is now.
    pub now: ReloadPlace,
}

/// Where the program is: at a stop, at a question, or at the prompt.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ReloadPlace {
    /// The function in which it is stopped or waiting; `null` at the prompt.
    pub function: Option<String>,
    /// The file or entry of the statement that runs next.
    pub file: Option<String>,
    /// Its line.
    pub line: Option<u32>,
    /// Whether it is waiting for input.
    pub is_waiting: bool,
    /// Whether it is a dry run.
    pub is_dry_run: bool,
    /// Whether there are later entries.
    pub is_in_past: bool,
}

/// A reply that differs, with the number of its entry.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NumberedDiff {
    /// The number of the entry.
    pub number: u32,
    /// How its reply differs.
    #[serde(flatten)]
    pub diff: ReplyDiff,
}

/// A reply that differs from the expected one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReplyDiff {
    /// The entry.
    pub input: String,
    /// The lines of both replies.
    pub lines: Vec<DiffLine>,
}

/// A line of a comparison.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DiffLine {
    /// Which of the replies has it.
    pub origin: DiffOrigin,
    /// The line.
    pub text: String,
}

/// Which of two replies a line is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffOrigin {
    /// In both.
    Both,
    /// Only in the expected reply.
    Expected,
    /// Only in the actual reply.
    Actual,
}

/// Lines that were typed in this session.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HistoryList {
    /// The oldest first.
    pub entries: Vec<ListedEntry>,
}

/// A line that was typed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedEntry {
    /// The number of the entry; `None` for a command or the answer to a question.
    pub number: Option<u32>,
    /// The text.
    pub input: String,
    /// Whether `:save` leaves it out, because it was dropped.
    #[serde(skip_serializing_if = "is_false")]
    pub is_dropped: bool,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The built-in games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExampleList {
    /// In the order of the languages.
    pub examples: Vec<ListedExample>,
}

/// A built-in game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedExample {
    /// The name of its language.
    pub language: &'static str,
    /// The language as shown to users.
    pub language_title: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
}

/// Earlier sessions that can be restored.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ResumableSessions {
    /// The newest first.
    pub sessions: Vec<ResumableSession>,
}

/// A session that can be restored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResumableSession {
    /// The number that `:resume` accepts.
    pub number: usize,
    /// The name of the program's file, or the language if there is none.
    pub name: String,
    /// The language.
    pub language: String,
    /// Whether it ended normally; false if it was killed or has crashed.
    pub has_ended: bool,
    /// How many entries it has.
    pub entry_count: usize,
    /// The time since its last entry.
    pub age_minutes: u64,
}

/// The next step of a lesson.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LessonProgress {
    /// The number of the step, from 1; one more than there are steps at the end.
    pub number: usize,
    /// How many steps there are.
    pub count: usize,
    /// What the lesson says before the step.
    pub remarks: Vec<String>,
    /// The input of the step; `None` at the end, and if the step is an exercise.
    pub next: Option<String>,
    /// The exercise, if the step is one.
    pub exercise: Option<ExerciseTask>,
    /// What `:lesson` accepts to open the lesson that follows in the course.
    pub following: Option<String>,
}

/// The current step of the guided tour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TourProgress {
    /// The number of the step, from 1.
    pub number: usize,
    /// How many steps there are.
    pub count: usize,
    /// The step; `None` if the tour is over.
    pub step: Option<TourText>,
}

/// A step of the guided tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TourText {
    /// What it shows.
    pub text: &'static str,
    /// The line to type.
    pub input: &'static str,
}

/// What the program asks at its input prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Question {
    /// The prompt.
    pub text: String,
    /// The type of the answer, as the language calls it; `None` if any text will do.
    #[serde(rename = "type")]
    pub answer_type: Option<String>,
    /// The boards in play besides the displayed one, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_boards: Vec<String>,
}

/// What the client has to do after it has shown an answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Control {
    /// Open an editor.
    Edit(EditRequest),
    /// Play with the arrow keys until Esc is pressed. Without a keyboard, only show the answer.
    PlayKeys,
    /// Step with a delay until a key is pressed.
    Animate {
        /// The time between two steps.
        #[serde(rename = "delay_ms", serialize_with = "serialize_milliseconds")]
        delay: Duration,
    },
    /// Show source, board, variables and call stack in panes that stay in place.
    OpenView {
        /// With space between the lines, for a projector.
        is_large: bool,
    },
    /// Nothing: it was interrupted with Ctrl-C before it had a result. It is not recorded.
    Cancelled,
    /// Offer this text at the next prompt: the first lines of an entry that is not finished.
    Prefill {
        /// The text.
        text: String,
    },
    /// Clear the screen.
    ClearScreen,
    /// End the session.
    Quit {
        /// How many definitions would be lost. The client may ask about them first.
        unsaved_count: usize,
    },
}

fn serialize_milliseconds<S: serde::Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_millis() as u64)
}

/// A text to open in the user's editor. The result is then handled like an entry.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EditRequest {
    /// The text to edit.
    pub text: String,
    /// The file to edit in place; `None` for a single definition.
    pub file: Option<String>,
    /// An entry to run before the edited text, which deletes the old definition.
    pub first_entry: Option<String>,
    /// The file extension of the language.
    pub extension: &'static str,
}

/// Why a command could not be carried out. Nothing was changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CommandError {
    /// What is wrong; empty if the diagnostics say it all.
    pub message: String,
    /// What to do about it.
    pub advice: Vec<Advice>,
    /// Errors in an expression that was an argument.
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> CommandError {
        CommandError {
            message: message.into(),
            ..CommandError::default()
        }
    }

    /// Adds a command and what it does: `:hint` "shows a best move".
    pub fn advise(self, command: impl Into<String>, effect: impl Into<String>) -> CommandError {
        self.with_advice(Advice::command(command, effect))
    }

    /// Adds a command with what to do with it, and what follows: "use" `:watch x` "to stop there".
    pub fn instruct(
        self,
        instruction: impl Into<String>,
        command: impl Into<String>,
        effect: impl Into<String>,
    ) -> CommandError {
        self.with_advice(Advice::Command {
            instruction: instruction.into(),
            command: command.into(),
            effect: effect.into(),
        })
    }

    /// Adds a line that is complete.
    pub fn example(self, command: impl Into<String>) -> CommandError {
        self.with_advice(Advice::Example {
            command: command.into(),
        })
    }

    /// Adds an option that is missing.
    pub fn option(
        self,
        option: impl Into<String>,
        example: Option<&str>,
        explanation: impl Into<String>,
    ) -> CommandError {
        self.with_advice(Advice::Option {
            option: option.into(),
            example: example.map(str::to_string),
            explanation: explanation.into(),
        })
    }

    /// Adds the candidate that was probably meant by a word, if there is one.
    pub fn suggest<'a>(
        self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> CommandError {
        match Advice::did_you_mean(word, candidates) {
            Some(advice) => self.with_advice(advice),
            None => self,
        }
    }

    /// Adds advice.
    pub fn with_advice(mut self, advice: Advice) -> CommandError {
        self.advice.push(advice);
        self
    }
}

impl From<String> for CommandError {
    fn from(message: String) -> CommandError {
        CommandError::new(message)
    }
}

impl From<CommandError> for Answer {
    fn from(error: CommandError) -> Answer {
        let mut answer = Answer::new("");
        answer.fail(error);
        answer
    }
}

impl From<Vec<Diagnostic>> for CommandError {
    fn from(diagnostics: Vec<Diagnostic>) -> CommandError {
        CommandError {
            diagnostics,
            ..CommandError::default()
        }
    }
}
