//! Read-only commands that show values and the state of the game.

use crate::analysis::inspect;
use crate::answer::{CommandError, ListKind, Notice, Part, Setting};
use crate::command::{ArgumentCompletion, Arguments, Command, example};
use crate::debugger::frame;
use crate::debugger::run;
use crate::debugger::value_to_json;
use crate::diagnostic::{Diagnostic, Phase};
use crate::session::{Answer, Looks, Session, Sets};

type CommandResult = Result<Answer, CommandError>;

pub const COMMANDS: &[Command] = &[
    answering!(Inspecting, Names; "print",
        &["p"],
        "E",
        "show the value of an expression, without side effects",
        "print turnCount + 1",
        print; takes_code(), only_shows()
    ),
    answering!(Inspecting, Nothing; "vars", &[], "", "list the variables in scope", ":vars", vars; at_prediction(), only_shows()),
    answering!(Inspecting, Names; "whatis", &["t", "type"], "X", "show what a name is, or the type of an expression", ":whatis turn", whatis; only_shows()),
    answering!(Inspecting, Names; "display",
        &[],
        "[E | off [N]]",
        "show an expression at every stop",
        ":display turnCount",
        display; takes_code(), looks(Looks::Alone), sets(Sets::Display)
    ),
    answering!(Inspecting, ArgumentCompletion::Words(&["on", "off"]); "trace",
        &[],
        "on | off",
        "print calls and events as they happen, indented",
        ":trace on",
        trace; looks(Looks::Alone), sets(Sets::Display)
    ),
    answering!(Inspecting, Nothing; "draws", &[], "", "list the random draws and where they happened", ":draws", |session, _| {
        Ok(Answer::of(Part::Draws(inspect::draws(&session.target))))
    }; only_shows()),
    answering!(Inspecting, Nothing; "state",
        &[],
        "",
        "show the whole game as text: status, turn, board, variables",
        ":state",
        state; at_prediction(), only_shows()
    ),
];

fn print(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let expression = arguments.expression(session)?;
    let result = session.target.eval(expression, |target, value| {
        let data = value_to_json(target.program(), &target.machine.store, value);
        (target.format_value(value), data)
    });
    // The expression is not kept as a source, so spans into it would dangle.
    let without_span = |d: Diagnostic| Diagnostic {
        span: None,
        related: Vec::new(),
        ..d
    };
    let (text, data) = result.map_err(|diagnostics| {
        CommandError::from(
            diagnostics
                .into_iter()
                .map(without_span)
                .collect::<Vec<_>>(),
        )
    })?;
    Ok(Answer {
        value: Some(text),
        data: Some(data),
        ..Answer::new("")
    })
}

fn vars(session: &mut Session, _: Arguments<'_>) -> CommandResult {
    let mut variables = frame::selected_locals(&session.target);
    variables.extend(frame::global_variables(&session.target));
    if variables.is_empty() {
        return Ok(Answer::of(Notice::Empty {
            list: ListKind::Variables,
            example: None,
        }));
    }
    Ok(Answer::of(Part::Variables { variables }))
}

fn whatis(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let text = arguments.required(session, "a name or an expression")?;
    let descriptions = inspect::describe_name(&mut session.target, text)
        .map_err(|errors| CommandError::new(errors.first().map_or("", |d| d.message.as_str())))?;
    let mut answer = Answer::new("");
    let parts = descriptions.into_iter().map(Part::Description);
    answer.parts.extend(parts);
    Ok(answer)
}

fn display(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let count = session.target.debugger.displays.len();
    match arguments.words().as_slice() {
        [] => return Ok(list_displays(session)),
        ["off"] => session.target.debugger.displays.clear(),
        ["off", n] => match n.parse::<usize>() {
            Ok(n) if (1..=count).contains(&n) => {
                drop(session.target.debugger.displays.remove(n - 1))
            }
            _ => {
                return Err(CommandError::new(format!("there is no display {n}"))
                    .advise(":display", "lists them"));
            }
        },
        _ => return Ok(add_display(session, arguments.expression(session)?)),
    }
    let displays = session.target.debugger.displays.clone();
    Ok(Answer::of(Setting::Display(displays)))
}

fn add_display(session: &mut Session, expression: &str) -> Answer {
    // An expression may be out of scope here, but it must compile in some function.
    if let Err(errors) = session.target.eval(expression, |_, _| ())
        && errors.iter().any(|d| d.phase != Phase::Runtime)
        && !session.target.compiles_elsewhere(expression)
    {
        let mut answer = Answer::new("");
        errors
            .into_iter()
            .for_each(|error| answer.error(error.message));
        return answer;
    }
    let displays = &mut session.target.debugger.displays;
    displays.push(expression.to_string());
    Answer::of(Part::Display {
        number: None,
        display: run::display(&mut session.target, expression),
    })
}

fn list_displays(session: &mut Session) -> Answer {
    let expressions = session.target.debugger.displays.clone();
    if expressions.is_empty() {
        return Answer::of(Notice::Empty {
            list: ListKind::Displays,
            example: Some(example(session, "display").to_string()),
        });
    }
    let mut answer = Answer::new("");
    for (n, expression) in expressions.iter().enumerate() {
        answer.parts.push(Part::Display {
            number: Some(n + 1),
            display: run::display(&mut session.target, expression),
        });
    }
    answer
}

fn trace(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let trace = &mut session.target.debugger.trace;
    match arguments.switch()? {
        Some(true) => drop(trace.get_or_insert_default()),
        Some(false) => *trace = None,
        None => {}
    }
    Ok(Answer::of(Setting::Trace(trace.is_some())))
}

fn state(session: &mut Session, _: Arguments<'_>) -> CommandResult {
    let state = inspect::game_state(&session.target);
    Ok(Answer::of(Part::State(Box::new(state))))
}
