//! The command line, as clap reads it. What it says to `--help` is written to be read.

use super::shell_completions::Shell;
use clap::{Parser, Subcommand, ValueEnum};

#[derive(Parser, Debug)]
#[command(
    name = "gridbug",
    version,
    about = "A prompt and step debugger for grid-game languages",
    long_about = LONG,
    after_long_help = AFTER,
    override_usage = USAGE,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// A game, by its ending (.gl is GridLok), or a .session file to go on with
    pub file: Option<String>,

    /// The language, such as gridlok or bogl; without FILE a session in which nothing is defined yet
    #[arg(long, value_name = "NAME", global = true)]
    pub lang: Option<String>,

    /// Do this entry or command, and leave; may be given several times
    #[arg(long, value_name = "CODE")]
    pub eval: Vec<String>,

    /// Where random numbers begin [default: by chance at a terminal and for `run`, otherwise 1]
    #[arg(long, value_name = "N", global = true)]
    pub seed: Option<u64>,

    /// Stop an entry after this many steps, 0 for never [default: 0 at a terminal, otherwise 500000000]
    #[arg(long, value_name = "N", global = true)]
    pub steps: Option<u64>,

    /// Stop an entry that needs more than this many megabytes [default: 512]
    #[arg(long, value_name = "MB", global = true, value_parser = clap::value_parser!(u64).range(1..1 << 30))]
    pub memory: Option<u64>,

    /// Keep the past in this many megabytes; what is older can't be gone back to [default: 256]
    #[arg(long, value_name = "MB", global = true, value_parser = clap::value_parser!(u64).range(1..1 << 30))]
    pub history: Option<u64>,

    /// Take up the last session that did not end properly, or the Nth last with --resume=N
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
        conflicts_with_all = ["file", "lang", "eval", "json"])]
    pub resume: Option<String>,

    /// Colours: auto is for terminals, and honours NO_COLOR
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, global = true)]
    pub color: ColorChoice,

    /// Draw with ASCII only
    #[arg(long, global = true)]
    pub plain: bool,

    /// Answer each entry with one line of JSON
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub subcommand: Option<CliCommand>,
}

#[derive(Subcommand, Debug)]
pub enum CliCommand {
    /// Play a program without a prompt: its output, its input, nothing else
    Run { file: String },
    /// Tell what is wrong with programs, without running them
    Check {
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Replay session files and compare the answers; a folder means all in it
    Test {
        #[arg(required = true)]
        paths: Vec<String>,
        /// Write what is answered now into the files
        #[arg(long)]
        update: bool,
    },
    /// Write completions for a shell to standard output
    Completions { shell: Shell },
    /// Write the manual page to standard output
    Man,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

pub(super) const USAGE: &str = "gridbug [OPTIONS] [FILE]
       gridbug [OPTIONS] run FILE
       gridbug [OPTIONS] check FILE…
       gridbug [OPTIONS] test [--update] PATH…
       gridbug completions SHELL
       gridbug man";

const LONG: &str = "\
gridbug is a prompt and step debugger for small languages in which board games are written.

Without FILE it starts with a game of tic-tac-toe on the board. What you type is done at once: statements, \
expressions, clicks, new rules for the game that is going on. Commands start with a colon; :help lists them.

Entries from standard input that is no terminal work like typed ones, without banner, prompt and colour.";

const AFTER: &str = "\
Examples:
  gridbug                                  tic-tac-toe, and a prompt
  gridbug mines.gl --seed 7                your own game, the same chance each time
  gridbug mines.gl --eval 'click{0,0}'     one entry, and its answer
  echo ':state' | gridbug --json mines.gl  for other programs
  gridbug test sessions                    are all lessons still right?

Exit code: 0 if all went well, 1 if an entry, a program or a test failed,
           2 if the command line was wrong.";
