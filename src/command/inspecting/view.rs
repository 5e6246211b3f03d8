//! `:view`: the panes that stay in place.

use crate::answer::{CommandError, Control, Notice};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::session::{Answer, Looks, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "view",
    aliases: &[],
    usage: "[large]",
    topic: Topic::Inspecting,
    help: "show source, board, variables and call stack in place; large is for a projector",
    example: ":view",
    effects: CommandEffects::of(Topic::Inspecting)
        .at_prediction()
        .looks(Looks::Never),
    completion: ArgumentCompletion::Words(&["large"]),
    run: view,
}];

/// Asks the terminal for the view; other front ends print the answer, which says what to use.
fn view(_: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let is_large = match arguments.text() {
        "" => false,
        "large" => true,
        other => {
            return Err(CommandError::new(format!("unknown view `{other}`"))
                .instruct("use", ":view", "")
                .instruct("use", ":view large", ""));
        }
    };
    let mut answer = Answer::of(Notice::NoView);
    answer.control = Some(Control::OpenView { is_large });
    Ok(answer)
}
