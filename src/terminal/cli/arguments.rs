//! The command line as a clap parser. Doc comments in this file are the text of `--help`.

use super::shell_completions::Shell;
use crate::session::Trust;
use clap::{Parser, Subcommand, ValueEnum};

#[derive(Parser, Debug)]
#[command(
    name = "gridbug",
    version,
    about = "A REPL and step debugger for grid-game languages",
    long_about = LONG,
    after_long_help = AFTER,
    override_usage = USAGE,
    max_term_width = 100
)]
pub struct Arguments {
    /// Game to load (the extension selects the language), or a .session file to continue
    pub(crate) file: Option<String>,

    /// Let a session file read any file, not only those beside it
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// Language, e.g. gridlok or bogl; without FILE, start an empty session
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) lang: Option<String>,

    /// BoGL file without a `game` line, whose definitions the game uses; can be given several times
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) prelude: Vec<String>,

    /// Run this entry or command, then exit; can be given several times
    #[arg(long, value_name = "CODE")]
    pub(crate) eval: Vec<String>,

    /// Seed for random numbers [default: random at a terminal and for `run`, otherwise 1]
    #[arg(long, value_name = "N", global = true)]
    pub(crate) seed: Option<u64>,

    /// Instruction limit per entry, 0 for none [default: 0 at a terminal, otherwise 500000000]
    #[arg(long, value_name = "N", global = true)]
    pub(crate) steps: Option<u64>,

    /// Memory limit for the game, in MB [default: 512]; also for searches [default: 1024]
    #[arg(long, value_name = "MB", global = true, value_parser = clap::value_parser!(u64).range(1..1 << 30))]
    pub(crate) memory: Option<u64>,

    /// Memory limit for the history, in MB; older steps are dropped [default: 256]
    #[arg(long, value_name = "MB", global = true, value_parser = clap::value_parser!(u64).range(1..1 << 30))]
    pub(crate) history: Option<u64>,

    /// Threads of a search; its answer does not depend on their number
    #[arg(
        long,
        value_name = "N",
        global = true,
        hide = true,
        env = "GRIDBUG_THREADS",
        hide_env = true
    )]
    pub(crate) threads: Option<std::num::NonZeroUsize>,

    /// After each action, evaluate loops over the board in full instead of only what has changed
    #[arg(long, global = true, hide = true)]
    pub(crate) no_incremental: bool,

    /// Restore the last session that ended unexpectedly, or the Nth last with --resume=N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
        conflicts_with_all = ["file", "lang", "prelude", "eval", "json"])]
    pub(crate) resume: Option<String>,

    /// When to use color; `auto` means at a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, global = true)]
    pub(crate) color: ColorChoice,

    /// Colors of the view; `auto` asks the terminal for its background
    #[arg(long, value_name = "THEME", value_enum, default_value_t = ThemeChoice::Auto, global = true)]
    pub(crate) theme: ThemeChoice,

    /// Use only ASCII characters
    #[arg(long, global = true)]
    pub(crate) plain: bool,

    /// Start with source, board, variables and call stack in panes that stay in place
    #[arg(long, conflicts_with_all = ["eval", "json"])]
    pub(crate) view: bool,

    /// Answer to each entry with one line of JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) subcommand: Option<CliCommand>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum CliCommand {
    /// Play a game, without the prompt; in a pipe, only its own output and input
    Run {
        file: String,
        /// Let the computer play a player, as with `:opponent`, e.g. `--opponent o` or `--opponent 'o
        /// perfect'`
        #[arg(long, value_name = "P [LEVEL] [SECONDS]")]
        opponent: Vec<String>,
    },
    /// Write a small game with comments to a new file; the extension selects the language
    New { file: String },
    /// List the built-in games, or open one at the prompt
    Examples {
        name: Option<String>,
        /// Print the game instead of opening it
        #[arg(long, requires = "name")]
        print: bool,
    },
    /// Check programs for errors without running them
    Check {
        #[arg(required = true)]
        files: Vec<String>,
        /// Search all positions of the games, as `:check` does; exits with 1 if something goes wrong, 3 if a
        /// limit ended a search
        #[arg(long)]
        search: bool,
        /// Time limit of each search [default: 10]
        #[arg(
            long,
            value_name = "N",
            requires = "search",
            allow_negative_numbers = true,
            value_parser = parse_seconds
        )]
        seconds: Option<f64>,
    },
    /// Find a shortest line of moves to a goal, e.g. `find game.gl win`; exits with 0 if there is one, 1
    /// if there is none, 3 if a limit ended the search
    Find {
        /// Game to search
        file: String,
        /// As for `:find`: win, lose, draw, end, error, stuck, a condition, line N, a function
        #[arg(required = true)]
        goal: Vec<String>,
        /// Time limit [default: 10]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_seconds)]
        seconds: Option<f64>,
    },
    /// Report the moves of a game, what `:check` says, perfect play and statistics; exits with 3 if a
    /// part of it is not certain
    Explore {
        /// Game to explore
        file: String,
        /// Time limit of each search [default: 10]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_seconds)]
        seconds: Option<f64>,
        /// Whose move it is, where the rules do not say so: in BoGL, a variable such as `p`
        #[arg(long, value_name = "E")]
        turn: Option<String>,
    },
    /// Format programs: indentation, spaces and blank lines; `-` formats standard input
    Fmt {
        #[arg(required = true)]
        files: Vec<String>,
        /// Only report which files are not formatted
        #[arg(long)]
        check: bool,
    },
    /// Replay session files and compare the replies; a directory means all session files in it
    Test {
        #[arg(required = true)]
        paths: Vec<String>,
        /// Update the files with the new replies
        #[arg(long)]
        update: bool,
    },
    /// Replay saved sessions on the rules of a game: which end differently, from which move; exits with 3 if
    /// a limit left one undecided
    Rejudge {
        /// The game, or a session file that leads to it
        file: String,
        /// Session files; a directory means all session files in it
        #[arg(required = true)]
        sessions: Vec<String>,
        /// Time limit of the whole run; what is not judged by then is undecided [default: none]
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_seconds)]
        seconds: Option<f64>,
    },
    /// Play a lesson step by step, from its start or from where it was left; alone, list the course
    Lesson {
        /// A session file, or a lesson of the course, e.g. `gridlok 1`
        #[arg(value_name = "FILE | LANGUAGE N", num_args = 0..=2)]
        lesson: Vec<String>,
        /// Play it in panes that stay in place, with the step above the program
        #[arg(long)]
        view: bool,
        /// Write the questions of the lesson and the answers to a JSON file
        #[arg(long, value_name = "JSON")]
        score: Option<String>,
    },
    /// Open the page in a browser: prints a link to it, which works on this computer until gridbug ends
    #[cfg(feature = "serve")]
    Serve {
        /// A program or a session file to open
        file: Option<String>,
        /// The port; a free one if there is none
        #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
        port: u16,
        /// Start the browser
        #[arg(long)]
        open: bool,
    },
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the manual page
    Man,
}

impl Arguments {
    /// What session files may read.
    pub(crate) fn trust(&self) -> Trust {
        match self.trust {
            true => Trust::Full,
            false => Trust::Beside,
        }
    }
}

/// The argument of `--seconds`.
fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok();
    let valid = seconds.filter(|s| std::time::Duration::try_from_secs_f64(*s).is_ok());
    valid.ok_or_else(|| "expected a number of seconds, e.g. 10 or 0.5".to_string())
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The colors of screens that stay in place.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThemeChoice {
    Auto,
    Dark,
    Light,
}

const USAGE: &str = "gridbug [OPTIONS] [FILE]
       gridbug [OPTIONS] run FILE [--opponent P]…
       gridbug new FILE
       gridbug examples [NAME [--print]]
       gridbug [OPTIONS] check [--search [--seconds N]] FILE…
       gridbug [OPTIONS] fmt [--check] FILE…
       gridbug [OPTIONS] find [--seconds N] FILE GOAL
       gridbug [OPTIONS] explore [--seconds N] [--turn E] FILE
       gridbug [OPTIONS] test [--update] PATH…
       gridbug [OPTIONS] rejudge [--seconds N] FILE PATH…
       gridbug [OPTIONS] lesson [--view] [--score JSON] [FILE | LANGUAGE N]
       gridbug serve [--port N] [--open] [FILE]
       gridbug completions SHELL
       gridbug man";

const LONG: &str = "\
gridbug is a REPL and step debugger for small languages for writing board games.

Without FILE it starts with a game of tic-tac-toe. What you type runs at once: statements, expressions, clicks, \
new rules for the running game. Commands start with a colon; :help lists them.

If standard input is not a terminal, entries are read from it, without banner, prompt and color.";

const AFTER: &str = "\
Examples:
  gridbug                                  start with tic-tac-toe
  gridbug new mines.gl                     write a small game to start from
  gridbug run mines.gl                     play a game
  gridbug mines.gl --seed 7                load your own game, same random numbers each time
  gridbug mines.gl --eval 'click{0,0}'     run one entry and print the reply
  echo ':state' | gridbug --json mines.gl  JSON for other programs
  gridbug test sessions                    replay all session files

Exit code: 0 on success, 1 if an entry, a program or a test failed,
           2 for a wrong command line, 3 if a limit left something undecided.";
