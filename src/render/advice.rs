//! The text of advice: all of it at the prompt, and in a shell what can be done there.

use crate::answer::{Audience, Note, Subcommand};
use crate::diagnostic::Advice;

/// A message, and what to do about it.
pub fn advised(message: &str, advice: &[Advice], audience: Audience) -> String {
    with_advice(message, "; ", advice, audience)
}

/// A remark, and what shows more about it.
pub(super) fn advised_note(note: &Note, audience: Audience) -> String {
    with_advice(&note.text, ": ", &note.advice, audience)
}

fn with_advice(message: &str, separator: &str, advice: &[Advice], audience: Audience) -> String {
    let mut text = message.to_string();
    let shown = advice.iter().filter(|advice| is_shown(advice, audience));
    let shown: Vec<&Advice> = shown.collect();
    let mut clauses = 0;
    for (n, advice) in shown.iter().enumerate() {
        let previous = n.checked_sub(1).map(|n| shown[n]);
        let next = shown.get(n + 1).copied();
        match advice {
            Advice::Command {
                instruction,
                command,
                effect,
            } => {
                let command = command_text(command, audience);
                if previous.is_some_and(|previous| is_alternative(previous, advice)) {
                    let has_more = next.is_some_and(|next| is_alternative(advice, next));
                    text.push_str(if has_more { ", " } else { " or " });
                } else {
                    text.push_str(match (clauses, previous) {
                        (0, _) => separator,
                        _ if instruction.is_empty() => ", ",
                        (_, Some(Advice::Option { .. })) => ", or ",
                        _ => "; ",
                    });
                    if !instruction.is_empty() {
                        text.push_str(instruction);
                        text.push(' ');
                    }
                    clauses += 1;
                }
                text.push_str(&command);
                let effect = without_shared_verb(effect, previous);
                if !effect.is_empty() {
                    text.push(' ');
                    text.push_str(effect);
                }
            }
            Advice::Example { command } => {
                text.push_str(", e.g. ");
                text.push_str(&command_text(command, audience));
            }
            Advice::Option {
                option,
                example,
                explanation,
            } => {
                text.push_str(if clauses == 0 { separator } else { ", or " });
                text.push_str(&format!("add {}", option_text(option, audience)));
                if let Some(example) = example {
                    text.push_str(&format!(", e.g. {}", option_text(example, audience)));
                }
                if !explanation.is_empty() {
                    text.push_str(&format!(", {explanation}"));
                }
                clauses += 1;
            }
            Advice::Replacement { text: meant, .. } => {
                text.push_str(&format!("; did you mean `{meant}`?"));
            }
        }
    }
    text
}

/// Whether the audience can do it.
fn is_shown(advice: &Advice, audience: Audience) -> bool {
    let Audience::Shell(subcommand) = audience else {
        return true;
    };
    match advice {
        Advice::Command { command, .. } | Advice::Example { command } => {
            subcommand == Subcommand::Find && command.starts_with(FIND)
        }
        Advice::Replacement { text, .. } => !text.starts_with(':'),
        Advice::Option { .. } => true,
    }
}

/// Whether two commands in a row are for the same purpose: "use `:view` or `:view large`".
fn is_alternative(first: &Advice, second: &Advice) -> bool {
    match (first, second) {
        (
            Advice::Command {
                instruction,
                effect,
                ..
            },
            Advice::Command {
                instruction: other, ..
            },
        ) => effect.is_empty() && instruction == other,
        _ => false,
    }
}

/// The effect of a command after another one: "`:hint` shows a best move, `:solve` a best line".
fn without_shared_verb<'e>(effect: &'e str, previous: Option<&Advice>) -> &'e str {
    match (previous, effect.split_once(' ')) {
        (Some(Advice::Command { effect: other, .. }), Some((verb, rest)))
            if other.split(' ').next() == Some(verb) =>
        {
            rest
        }
        _ => effect,
    }
}

/// What a command of the prompt starts with that is a subcommand as well.
const FIND: &str = ":find ";

fn command_text(command: &str, audience: Audience) -> String {
    match (audience, command.strip_prefix(FIND)) {
        // The quotes around a text that is printed have to be protected from the shell.
        (Audience::Shell(_), Some(goal)) if goal.starts_with("print \"") => {
            format!("`gridbug find FILE '{goal}'`")
        }
        (Audience::Shell(_), Some(goal)) => format!("`gridbug find FILE {goal}`"),
        _ => format!("`{command}`"),
    }
}

/// An option, alone or in a whole line.
fn option_text(option: &str, audience: Audience) -> String {
    match audience {
        _ if option.starts_with(':') => command_text(option, audience),
        Audience::Shell(Subcommand::Explore) => format!("`--{option}`"),
        _ => format!("`{option}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::{advised, advised_note};
    use crate::answer::{Audience, CommandError, Note, Subcommand};

    const FIND: Audience = Audience::Shell(Subcommand::Find);
    const EXPLORE: Audience = Audience::Shell(Subcommand::Explore);
    const OTHER: Audience = Audience::Shell(Subcommand::Other);

    fn text(error: &CommandError, audience: Audience) -> String {
        advised(&error.message, &error.advice, audience)
    }

    #[test]
    fn commands_are_left_out_in_a_shell() {
        let error = CommandError::new("nobody to play against")
            .advise(":hint", "shows a best move")
            .advise(":solve", "shows a best line");
        assert_eq!(
            text(&error, Audience::Prompt),
            "nobody to play against; `:hint` shows a best move, `:solve` a best line"
        );
        for audience in [FIND, EXPLORE, OTHER] {
            assert_eq!(text(&error, audience), "nobody to play against");
        }
        let error = CommandError::new("a win is possible; no sooner");
        assert_eq!(text(&error, OTHER), "a win is possible; no sooner");
    }

    #[test]
    fn a_goal_is_an_argument_in_a_shell() {
        let error = CommandError::new("quotes").example(":find print \"a\"");
        assert_eq!(
            text(&error, Audience::Prompt),
            "quotes, e.g. `:find print \"a\"`"
        );
        assert_eq!(
            text(&error, FIND),
            "quotes, e.g. `gridbug find FILE 'print \"a\"'`"
        );
        let note = Note::advising("o can lose", ":find lose".into(), "shows a way");
        assert_eq!(
            advised_note(&note, Audience::Prompt),
            "o can lose: `:find lose` shows a way"
        );
        assert_eq!(
            advised_note(&note, FIND),
            "o can lose: `gridbug find FILE lose` shows a way"
        );
    }

    #[test]
    fn an_option_of_a_report_is_a_flag() {
        let error = CommandError::new("whose move?").option("turn E", Some("turn p"), "a variable");
        for (audience, expected) in [
            (
                Audience::Prompt,
                "whose move?; add `turn E`, e.g. `turn p`, a variable",
            ),
            (FIND, "whose move?; add `turn E`, e.g. `turn p`, a variable"),
            (
                EXPLORE,
                "whose move?; add `--turn E`, e.g. `--turn p`, a variable",
            ),
        ] {
            assert_eq!(text(&error, audience), expected);
        }
        let error = CommandError::new("who wins?")
            .option("turn E", Some(":find win turn p"), "")
            .instruct("name the value to find, such as", ":find X", "");
        assert_eq!(
            text(&error, FIND),
            "who wins?; add `turn E`, e.g. `gridbug find FILE win turn p`, \
             or name the value to find, such as `gridbug find FILE X`"
        );
    }

    #[test]
    fn commands_for_the_same_purpose_are_alternatives() {
        let error = CommandError::new("unknown view")
            .instruct("use", ":board", "")
            .instruct("use", ":board truth", "")
            .instruct("use", ":board at R,C", "");
        assert_eq!(
            text(&error, Audience::Prompt),
            "unknown view; use `:board`, `:board truth` or `:board at R,C`"
        );
        let error = CommandError::new("needs a number")
            .example(":drop 1")
            .advise(":branches", "lists them");
        assert_eq!(
            text(&error, Audience::Prompt),
            "needs a number, e.g. `:drop 1`; `:branches` lists them"
        );
        let error = CommandError::new("unknown name `trun`").suggest("trun", ["turn", "x"]);
        assert_eq!(
            text(&error, OTHER),
            "unknown name `trun`; did you mean `turn`?"
        );
    }
}
