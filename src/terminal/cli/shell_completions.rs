//! `gridbug completions SHELL`: completion scripts, generated from the same clap description as
//! `--help`.

use crate::languages;
use crate::terminal::Arguments;
use clap::{Arg, Command, CommandFactory, ValueEnum};

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// The completion script for a shell.
pub(crate) fn script(shell: Shell) -> String {
    let mut command = Arguments::command();
    command.build();
    match shell {
        Shell::Bash => bash(&command),
        Shell::Zsh => zsh(&command),
        Shell::Fish => fish(&command),
    }
}

/// A command-line option and its possible values.
struct OptionInfo {
    name: String,
    help: String,
    takes_value: bool,
    values: Vec<String>,
}

fn options(command: &Command) -> Vec<OptionInfo> {
    let option = |arg: &Arg| {
        let help = arg.get_help().map(|h| h.to_string()).unwrap_or_default();
        // A value that must follow `=` is not a separate word.
        let takes_value = arg.get_action().takes_values() && !arg.is_require_equals_set();
        Some(OptionInfo {
            name: format!("--{}", arg.get_long()?),
            help,
            takes_value,
            values: values(arg),
        })
    };
    command.get_arguments().filter_map(option).collect()
}

/// The possible values of an argument; empty if any value is accepted.
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

/// The possible positional arguments of a subcommand; empty if it takes files.
fn operands(subcommand: &Command) -> Vec<String> {
    subcommand.get_positionals().flat_map(values).collect()
}

fn bash(command: &Command) -> String {
    let names = |c: &Command| {
        options(c)
            .into_iter()
            .map(|o| o.name)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let subcommands: Vec<&Command> = command.get_subcommands().collect();
    let words: Vec<&str> = subcommands.iter().map(|c| c.get_name()).collect();
    let mut script = format!(
        "_gridbug() {{\n    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} word subcommand=\n    \
         COMPREPLY=()\n    for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n        \
         case $word in {}) subcommand=$word; break ;; esac\n    done\n    case $prev in\n",
        words.join("|")
    );
    let reply = |list: &str| format!("COMPREPLY=($(compgen -W '{list}' -- \"$cur\")); return ;;\n");
    for option in options(command).iter().filter(|o| o.takes_value) {
        script += &format!(
            "        {}) {}",
            option.name,
            reply(&option.values.join(" "))
        );
    }
    script += "    esac\n    case $subcommand:$cur in\n";
    script += &format!("        :-*) {}", reply(&names(command)));
    for subcommand in &subcommands {
        script += &format!(
            "        {}:-*) {}",
            subcommand.get_name(),
            reply(&names(subcommand))
        );
        if !operands(subcommand).is_empty() {
            script += &format!(
                "        {}:*) {}",
                subcommand.get_name(),
                reply(&operands(subcommand).join(" "))
            );
        }
    }
    // Anything else falls back to file names.
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
        "#compdef gridbug\n_gridbug_first() {\n    local -a subcommands\n    subcommands=(\n"
            .to_string();
    for subcommand in command.get_subcommands() {
        let about = subcommand
            .get_about()
            .map(|a| a.to_string())
            .unwrap_or_default();
        script += &format!("        '{}:{}'\n", subcommand.get_name(), quoted(&about));
    }
    script += "    )\n    _describe -t subcommands subcommand subcommands\n    _files\n}\n_gridbug() {\n    _arguments \\\n";
    let global_options = options(command);
    let is_local = |o: &OptionInfo| global_options.iter().all(|g| g.name != o.name);
    let local_options = command.get_subcommands().flat_map(options).filter(is_local);
    for option in options(command).into_iter().chain(local_options) {
        let value = match (option.takes_value, option.values.is_empty()) {
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
    for subcommand in command
        .get_subcommands()
        .filter(|c| !operands(c).is_empty())
    {
        script += &format!(
            "        {}) compadd {} ;;\n",
            subcommand.get_name(),
            operands(subcommand).join(" ")
        );
    }
    script + "        *) _files ;;\n    esac\n}\n_gridbug \"$@\"\n"
}

fn fish(command: &Command) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
    let line = |when: &str, o: &OptionInfo| {
        let value = match (o.takes_value, o.values.is_empty()) {
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
    let global_options = options(command);
    let mut script: String = global_options
        .iter()
        .map(|option| line("", option))
        .collect();
    for subcommand in command.get_subcommands() {
        let about = subcommand
            .get_about()
            .map(|a| a.to_string())
            .unwrap_or_default();
        let name = subcommand.get_name();
        script += &format!(
            "complete -c gridbug -n __fish_use_subcommand -a {name} -d '{}'\n",
            quoted(&about)
        );
        let when = format!(" -n '__fish_seen_subcommand_from {name}'");
        let local_options = options(subcommand)
            .into_iter()
            .filter(|o| global_options.iter().all(|g| g.name != o.name));
        script.extend(local_options.map(|option| line(&when, &option)));
        if !operands(subcommand).is_empty() {
            script += &format!(
                "complete -c gridbug{when} -x -a '{}'\n",
                operands(subcommand).join(" ")
            );
        }
    }
    script
}
