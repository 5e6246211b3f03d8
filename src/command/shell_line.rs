//! Lines that were meant for the shell: `gridbug lesson gridlok 1` is `:lesson gridlok 1` inside gridbug.

use super::is_defined;
use crate::answer::CommandError;
use crate::languages;
use crate::session::Session;

/// The error for a line that starts gridbug, unless the program defines that name.
pub(super) fn error(session: &Session, line: &str) -> Option<CommandError> {
    let rest = line
        .trim()
        .trim_start_matches("$ ")
        .strip_prefix("gridbug")?;
    let is_call = rest.is_empty() || rest.starts_with(char::is_whitespace);
    if !is_call || is_defined(session, "gridbug") {
        return None;
    }
    let error = CommandError::new("this is a line for the shell, and gridbug is running already");
    Some(error.instruct("here, type", command_for(rest), ""))
}

/// The command that does the same at the prompt.
fn command_for(arguments: &str) -> String {
    let mut words = arguments.split_whitespace();
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let command = match first {
        "lesson" | "examples" | "find" | "test" | "fmt" | "rejudge" => first,
        "run" => return with_arguments("load", &rest[..rest.len().min(1)]),
        "check" => return ":check".to_string(),
        "explore" => return ":moves".to_string(),
        "new" => return with_arguments("save", &rest),
        "--lang" => "lang",
        "--resume" => "resume",
        "--view" => return ":view".to_string(),
        _ if languages::for_file(first).is_some() || first.ends_with(".session") => {
            return with_arguments("load", &[first]);
        }
        _ => return ":help".to_string(),
    };
    let rest = match first {
        // `gridbug find FILE GOAL`, `gridbug fmt FILE`: the game is here.
        "find" => &rest[rest.len().min(1)..],
        "fmt" => &[],
        _ => &rest[..],
    };
    with_arguments(command, rest)
}

fn with_arguments(command: &str, arguments: &[&str]) -> String {
    format!(":{command} {}", arguments.join(" "))
        .trim_end()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_the_shell_name_the_command() {
        let cases = [
            (" lesson gridlok 1", ":lesson gridlok 1"),
            (" game.gl", ":load game.gl"),
            (" run game.gl --opponent x", ":load game.gl"),
            (" find game.gl win", ":find win"),
            (" check game.gl", ":check"),
            (" fmt game.gl", ":fmt"),
            (" examples", ":examples"),
            ("", ":help"),
            (" --help", ":help"),
        ];
        for (arguments, command) in cases {
            assert_eq!(command_for(arguments), command, "gridbug{arguments}");
        }
    }
}
