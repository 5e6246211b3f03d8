//! Commands for properties: conditions that have to hold after every action, or after some action.

use super::delete_numbers;
use crate::analysis::property;
use crate::answer::{CommandError, ListKind, Notice, Part, PropertyKind};
use crate::command::{Arguments, Command, example};
use crate::session::{Answer, Looks, Session};

type CommandResult = Result<Answer, CommandError>;

pub const COMMANDS: &[Command] = &[
    answering!(Breakpoints, Names; "always",
        &[],
        "E",
        "stop after every action after which a condition is false",
        ":always turnCount <= 9",
        |session, arguments| declare(session, arguments, PropertyKind::Always); takes_code()
    ),
    answering!(Breakpoints, Names; "never",
        &[],
        "E",
        "stop after every action after which a condition is true",
        ":never turnCount > 9",
        |session, arguments| declare(session, arguments, PropertyKind::Never); takes_code()
    ),
    answering!(Breakpoints, Names; "sometimes",
        &[],
        "E",
        "expect a condition to be true after some action",
        ":sometimes turnCount == 5",
        |session, arguments| declare(session, arguments, PropertyKind::Sometimes); takes_code()
    ),
    answering!(Breakpoints, crate::command::ArgumentCompletion::Words(&["delete"]); "properties",
        &[],
        "[delete N | delete all]",
        "list the properties and whether they hold, or delete some",
        ":properties",
        properties; looks(Looks::Alone)
    ),
];

fn declare(session: &mut Session, arguments: Arguments<'_>, kind: PropertyKind) -> CommandResult {
    let text = arguments.required(session, "a condition")?;
    let property = property::declare_property(&mut session.target, kind, text)?;
    Ok(Answer::of(Part::NewProperty(property)))
}

fn properties(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let (word, numbers) = arguments.first_word();
    match word {
        "" => Ok(list(session)),
        "delete" => delete(session, numbers),
        _ => Err(CommandError::new(format!(
            "`:properties` lists all properties; `:properties delete N` deletes one (got `{word}`)"
        ))),
    }
}

fn list(session: &mut Session) -> Answer {
    let properties = property::describe_properties(&mut session.target);
    if properties.is_empty() {
        return Answer::of(Notice::Empty {
            list: ListKind::Properties,
            example: Some(example(session, "always").to_string()),
        });
    }
    Answer::of(Part::Properties { properties })
}

fn delete(session: &mut Session, numbers: Arguments<'_>) -> CommandResult {
    let known = property::property_numbers(&session.target);
    let parse = |word: &str| match word.parse() {
        Ok(n) if known.contains(&n) => Ok(n),
        _ => Err(CommandError::new(format!("there is no property {word}"))
            .advise(":properties", "lists them")),
    };
    let numbers = match numbers.text() {
        "" => {
            return Err(CommandError::new(
                "`:properties delete` needs a number, e.g. `:properties delete 1`, or `all`",
            ));
        }
        "all" => known,
        _ => numbers
            .words()
            .into_iter()
            .map(parse)
            .collect::<Result<_, _>>()?,
    };
    let mut answer = Answer::of(Part::DeletedBreakpoints {
        breakpoints: delete_numbers(session, &numbers),
    });
    let properties = property::describe_properties(&mut session.target);
    if !properties.is_empty() {
        answer.parts.push(Part::Properties { properties });
    }
    Ok(answer)
}
