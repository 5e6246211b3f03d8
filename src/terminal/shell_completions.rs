//! Completions for shells, from the same description of the command line that `--help` is written from.

use super::Arguments;
use crate::languages;
use clap::{Arg, Command, CommandFactory, ValueEnum};

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// The script that teaches a shell to complete the command line.
pub fn script(shell: Shell) -> String {
    let mut command = Arguments::command();
    command.build();
    match shell {
        Shell::Bash => bash(&command),
        Shell::Zsh => zsh(&command),
        Shell::Fish => fish(&command),
    }
}

/// An option, with what may stand behind it.
struct Choice {
    name: String,
    help: String,
    takes: bool,
    values: Vec<String>,
}

fn choices(command: &Command) -> Vec<Choice> {
    let choice = |arg: &Arg| {
        let help = arg.get_help().map(|h| h.to_string()).unwrap_or_default();
        // What stands behind a `=` is no word of its own.
        let takes = arg.get_action().takes_values() && !arg.is_require_equals_set();
        Some(Choice {
            name: format!("--{}", arg.get_long()?),
            help,
            takes,
            values: values(arg),
        })
    };
    command.get_arguments().filter_map(choice).collect()
}

/// What an argument may be, where that is known.
fn values(arg: &Arg) -> Vec<String> {
    if arg.get_id() == "lang" {
        return languages::ALL
            .iter()
            .map(|l| l.info().name.to_string())
            .collect();
    }
    let possible = if arg.get_action().takes_values() {
        arg.get_possible_values()
    } else {
        Vec::new()
    };
    possible.iter().map(|v| v.get_name().to_string()).collect()
}

/// What may stand behind a task, where that is known: otherwise files do.
fn operands(task: &Command) -> Vec<String> {
    task.get_positionals().flat_map(values).collect()
}

fn bash(command: &Command) -> String {
    let names = |c: &Command| {
        choices(c)
            .into_iter()
            .map(|o| o.name)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let tasks: Vec<&Command> = command.get_subcommands().collect();
    let words: Vec<&str> = tasks.iter().map(|t| t.get_name()).collect();
    let mut script = format!(
        "_gridbug() {{\n    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} word task=\n    \
         COMPREPLY=()\n    for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n        \
         case $word in {}) task=$word; break ;; esac\n    done\n    case $prev in\n",
        words.join("|")
    );
    let reply = |list: &str| format!("COMPREPLY=($(compgen -W '{list}' -- \"$cur\")); return ;;\n");
    for option in choices(command).iter().filter(|o| o.takes) {
        script += &format!(
            "        {}) {}",
            option.name,
            reply(&option.values.join(" "))
        );
    }
    script += "    esac\n    case $task:$cur in\n";
    script += &format!("        :-*) {}", reply(&names(command)));
    for task in &tasks {
        script += &format!("        {}:-*) {}", task.get_name(), reply(&names(task)));
        if !operands(task).is_empty() {
            script += &format!(
                "        {}:*) {}",
                task.get_name(),
                reply(&operands(task).join(" "))
            );
        }
    }
    // Where nothing fits, files are offered.
    script += &format!("        :*) {}", reply(&words.join(" ")));
    script + "    esac\n}\ncomplete -o default -o filenames -F _gridbug gridbug\n"
}

fn zsh(command: &Command) -> String {
    let quoted = |text: &str| {
        text.replace('\'', "'\\''")
            .replace('[', "\\[")
            .replace(']', "\\]")
            .replace(':', "\\:")
    };
    let mut script =
        "#compdef gridbug\n_gridbug_first() {\n    local -a tasks\n    tasks=(\n".to_string();
    for task in command.get_subcommands() {
        let about = task.get_about().map(|a| a.to_string()).unwrap_or_default();
        script += &format!("        '{}:{}'\n", task.get_name(), quoted(&about));
    }
    script += "    )\n    _describe -t tasks task tasks\n    _files\n}\n_gridbug() {\n    _arguments \\\n";
    let everywhere = choices(command);
    let is_own = |o: &Choice| everywhere.iter().all(|e| e.name != o.name);
    let own = command.get_subcommands().flat_map(choices).filter(is_own);
    for option in choices(command).into_iter().chain(own) {
        let value = match (option.takes, option.values.is_empty()) {
            (false, _) => String::new(),
            (true, true) => ":value: ".into(),
            (true, false) => format!(":value:({})", option.values.join(" ")),
        };
        script += &format!(
            "        '{}[{}]{value}' \\\n",
            option.name,
            quoted(&option.help)
        );
    }
    script += "        '1: :_gridbug_first' \\\n        '*: :_gridbug_rest'\n}\n_gridbug_rest() {\n    case $words[2] in\n";
    for task in command
        .get_subcommands()
        .filter(|t| !operands(t).is_empty())
    {
        script += &format!(
            "        {}) compadd {} ;;\n",
            task.get_name(),
            operands(task).join(" ")
        );
    }
    script + "        *) _files ;;\n    esac\n}\n_gridbug \"$@\"\n"
}

fn fish(command: &Command) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
    let line = |when: &str, o: &Choice| {
        let value = match (o.takes, o.values.is_empty()) {
            (false, _) => String::new(),
            (true, true) => " -x".into(),
            (true, false) => format!(" -x -a '{}'", o.values.join(" ")),
        };
        format!(
            "complete -c gridbug{when} -l {}{value} -d '{}'\n",
            o.name.trim_start_matches('-'),
            quoted(&o.help)
        )
    };
    let everywhere = choices(command);
    let mut script: String = everywhere.iter().map(|option| line("", option)).collect();
    for task in command.get_subcommands() {
        let about = task.get_about().map(|a| a.to_string()).unwrap_or_default();
        let name = task.get_name();
        script += &format!(
            "complete -c gridbug -n __fish_use_subcommand -a {name} -d '{}'\n",
            quoted(&about)
        );
        let when = format!(" -n '__fish_seen_subcommand_from {name}'");
        let own = choices(task)
            .into_iter()
            .filter(|o| everywhere.iter().all(|e| e.name != o.name));
        script.extend(own.map(|option| line(&when, &option)));
        if !operands(task).is_empty() {
            script += &format!(
                "complete -c gridbug{when} -x -a '{}'\n",
                operands(task).join(" ")
            );
        }
    }
    script
}
