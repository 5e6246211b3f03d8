//! What a command does to the session besides answering: the columns of the command table that the
//! transcript, the journal, the history, opponents, predictions and lessons go by.
//!
//! Each heading of `:help` has a default; a row states only where it differs.

/// The subject of a command; the headings of `:help`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// Steps and runs.
    Running,
    /// Goes through the history.
    TimeTravel,
    /// Says where the program stops.
    Breakpoints,
    /// Shows something.
    Inspecting,
    /// Searches the positions of the game.
    Exploring,
    /// Changes the game.
    Changing,
    /// About the session itself: files, help, lessons.
    Session,
    /// Makes lessons and games.
    Authoring,
}

impl Topic {
    /// All topics, in the order of `:help`.
    pub const ALL: [Topic; 8] = [
        Topic::Running,
        Topic::TimeTravel,
        Topic::Breakpoints,
        Topic::Inspecting,
        Topic::Exploring,
        Topic::Changing,
        Topic::Session,
        Topic::Authoring,
    ];

    /// The name shown by `:help` and accepted by `:help TOPIC`.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Running => "running",
            Topic::TimeTravel => "time travel",
            Topic::Breakpoints => "breakpoints",
            Topic::Inspecting => "inspecting",
            Topic::Exploring => "exploring",
            Topic::Changing => "changing",
            Topic::Session => "session",
            Topic::Authoring => "authoring",
        }
    }
}

/// A command as the layers below the table see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandInfo {
    /// The full name, without the colon.
    pub name: &'static str,
    /// Its heading in `:help`.
    pub topic: Topic,
    /// What it does to the session.
    pub effects: CommandEffects,
}

/// Where a line is recorded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Records {
    /// Nowhere: restoring the session does not need it.
    Never,
    /// In the journal, so that the session can be restored after a crash.
    JournalOnly,
    /// In the journal and in the files that `:save` writes.
    Saved,
}

/// What has to hold for a line to be recorded as its [`Records`] say. Otherwise, it is recorded one
/// degree less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedIf {
    /// Nothing.
    Always,
    /// The command succeeds.
    Ok,
    /// It adds definitions to the game, instead of starting another game.
    KeepsGame,
    /// It has an argument with a value, as in `:history drop 3`.
    HasValue,
}

/// Whether a command works while the program waits for input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtInput {
    /// No: the program must not run.
    Never,
    /// Yes: it only looks, or goes to a point in the history.
    Always,
    /// In the past, where it runs only what has run before.
    InPast,
    /// In the past, without arguments: with arguments, it runs something else.
    InPastAlone,
    /// If there is an answer, which it takes back.
    AfterAnswer,
    /// It cancels the line that asks.
    Cancels,
}

/// Whether it may be the computer's turn after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComputerMoves {
    /// If the game has changed.
    IfChanged,
    /// If the command succeeds: it says who plays.
    IfOk,
    /// No: the user looks at what was played.
    Never,
}

/// A setting that a command changes. Its effect does not depend on the point in the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sets {
    /// It changes none.
    None,
    /// Where the program stops.
    Stops,
    /// What is shown, or a name for a point in the history.
    Display,
}

/// Whether a command only looks: its answer can be had without a trace of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looks {
    /// No.
    Never,
    /// Without arguments; with them it sets something.
    Alone,
    /// Yes.
    Always,
}

/// What `:reload` does with a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnReload {
    /// It is left out: it changes nothing that is replayed.
    Skipped,
    /// It runs again.
    Replayed,
    /// It runs again, and its answers are compared.
    Compared,
}

/// Whether a command is a move when a saved game is played again on other rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plays {
    /// No: it only shows something.
    Never,
    /// If the program is stopped: a recorded Ctrl-C has stopped a move.
    AtStop,
    /// Yes.
    Always,
}

/// What a command does to the session besides answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandEffects {
    /// Where it is recorded.
    pub records: Records,
    /// What has to hold for that.
    pub recorded_if: RecordedIf,
    /// A history entry that it leads to is not one of its own: it was there before, or belongs to
    /// another game.
    pub moves_history: bool,
    /// A blank line at a stop repeats it. `continue` is not repeated: pressing Enter once too often
    /// would run past everything of interest.
    pub repeats: bool,
    /// It reads the program from files.
    pub loads_program: bool,
    /// It writes files, so a lesson does not run it.
    pub writes_files: bool,
    /// A breakpoint cannot run it: it reads or writes files.
    pub must_be_typed: bool,
    /// It works at the question of a prediction: it shows the present.
    pub at_prediction: bool,
    /// Whether it works while the program waits for input.
    pub at_input: AtInput,
    /// Whether it may be the computer's turn after it.
    pub computer_moves: ComputerMoves,
    /// The setting that it changes.
    pub setting: Sets,
    /// It only shows something: nothing else depends on whether it has run, so a replay of a journal leaves
    /// it out.
    pub only_shows: bool,
    /// It says where the user is; `:save clean` leaves it out.
    pub is_orientation: bool,
    /// Whether its answer can be had without a trace, by a query.
    pub looks: Looks,
    /// What `:reload` does with it.
    pub on_reload: OnReload,
    /// Whether it is a move of a saved game.
    pub plays: Plays,
    /// Its argument may start with an operator or a bracket, and is not taken for code.
    pub takes_code: bool,
}

impl CommandEffects {
    /// What the commands of a topic do, unless a row says otherwise.
    pub const fn of(topic: Topic) -> CommandEffects {
        CommandEffects {
            records: match topic {
                Topic::Session | Topic::Authoring => Records::JournalOnly,
                _ => Records::Saved,
            },
            recorded_if: RecordedIf::Always,
            moves_history: false,
            repeats: false,
            loads_program: false,
            writes_files: false,
            must_be_typed: false,
            at_prediction: false,
            at_input: match topic {
                Topic::Inspecting | Topic::Breakpoints | Topic::Exploring | Topic::TimeTravel => {
                    AtInput::Always
                }
                Topic::Running | Topic::Changing | Topic::Session | Topic::Authoring => {
                    AtInput::Never
                }
            },
            computer_moves: match topic {
                Topic::TimeTravel => ComputerMoves::Never,
                _ => ComputerMoves::IfChanged,
            },
            setting: match topic {
                Topic::Breakpoints => Sets::Stops,
                _ => Sets::None,
            },
            only_shows: false,
            is_orientation: false,
            looks: match topic {
                Topic::Inspecting | Topic::Exploring => Looks::Always,
                _ => Looks::Never,
            },
            on_reload: match topic {
                Topic::Running | Topic::Changing => OnReload::Compared,
                Topic::TimeTravel | Topic::Breakpoints => OnReload::Replayed,
                Topic::Inspecting | Topic::Exploring | Topic::Session | Topic::Authoring => {
                    OnReload::Skipped
                }
            },
            plays: match topic {
                Topic::Changing => Plays::Always,
                Topic::Running => Plays::AtStop,
                _ => Plays::Never,
            },
            takes_code: false,
        }
    }

    /// It is recorded nowhere.
    pub const fn unrecorded(self) -> CommandEffects {
        CommandEffects {
            records: Records::Never,
            ..self
        }
    }

    /// `:save` writes it, although it is about the session.
    pub const fn saved(self, recorded_if: RecordedIf) -> CommandEffects {
        CommandEffects {
            records: Records::Saved,
            recorded_if,
            ..self
        }
    }

    /// The journal has it only under a condition.
    pub const fn journaled(self, recorded_if: RecordedIf) -> CommandEffects {
        CommandEffects {
            records: Records::JournalOnly,
            recorded_if,
            ..self
        }
    }

    /// It goes to a point in the history, or starts another one.
    pub const fn moves_history(self) -> CommandEffects {
        CommandEffects {
            moves_history: true,
            ..self
        }
    }

    /// A blank line repeats it.
    pub const fn repeats(self) -> CommandEffects {
        CommandEffects {
            repeats: true,
            ..self
        }
    }

    /// It reads the program from files.
    pub const fn loads_program(self) -> CommandEffects {
        CommandEffects {
            loads_program: true,
            ..self
        }
    }

    /// It writes files.
    pub const fn writes_files(self) -> CommandEffects {
        CommandEffects {
            writes_files: true,
            ..self
        }
    }

    /// A breakpoint cannot run it.
    pub const fn must_be_typed(self) -> CommandEffects {
        CommandEffects {
            must_be_typed: true,
            ..self
        }
    }

    /// It works at the question of a prediction.
    pub const fn at_prediction(self) -> CommandEffects {
        CommandEffects {
            at_prediction: true,
            ..self
        }
    }

    /// When it works at an input prompt.
    pub const fn at_input(self, at_input: AtInput) -> CommandEffects {
        CommandEffects { at_input, ..self }
    }

    /// When it works at an input prompt: in the past.
    pub const fn at_input_in_past(self) -> CommandEffects {
        self.at_input(AtInput::InPast)
    }

    /// Whether it may be the computer's turn after it.
    pub const fn computer_moves(self, computer_moves: ComputerMoves) -> CommandEffects {
        CommandEffects {
            computer_moves,
            ..self
        }
    }

    /// It changes a setting.
    pub const fn sets(self, setting: Sets) -> CommandEffects {
        CommandEffects { setting, ..self }
    }

    /// It only shows something.
    pub const fn only_shows(self) -> CommandEffects {
        CommandEffects {
            only_shows: true,
            ..self
        }
    }

    /// Whether its answer can be had without a trace.
    pub const fn looks(self, looks: Looks) -> CommandEffects {
        CommandEffects { looks, ..self }
    }

    /// It says where the user is.
    pub const fn orients(self) -> CommandEffects {
        CommandEffects {
            is_orientation: true,
            ..self
        }
    }

    /// What `:reload` does with it.
    pub const fn on_reload(self, on_reload: OnReload) -> CommandEffects {
        CommandEffects { on_reload, ..self }
    }

    /// It is a move of a saved game.
    pub const fn plays(self) -> CommandEffects {
        CommandEffects {
            plays: Plays::Always,
            ..self
        }
    }

    /// Its argument may start like code.
    pub const fn takes_code(self) -> CommandEffects {
        CommandEffects {
            takes_code: true,
            ..self
        }
    }

    /// Where a line is recorded, if its condition holds or does not.
    pub fn records(&self, holds: bool) -> Records {
        match self.records {
            records if holds => records,
            Records::Saved => Records::JournalOnly,
            Records::JournalOnly | Records::Never => Records::Never,
        }
    }
}
