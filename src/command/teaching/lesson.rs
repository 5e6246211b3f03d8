//! `:lesson`: plays a session file step by step; `:note` adds a remark for one.

use crate::answer::{CommandError, ListKind, Notice, Part};
use crate::command::{
    ArgumentCompletion, Arguments, COMMAND_LINES, Command, CommandEffects, Topic,
};
use crate::languages;
use crate::session::{Answer, RecordedIf, Session, stop_on_errors};
use crate::teach::course::list_lessons;
use crate::teach::{lesson, lesson_exercise};

pub const COMMANDS: &[Command] = &[
    Command {
        name: "lesson",
        aliases: &[],
        usage: "[FILE | LANGUAGE N | list | next | back | N | off | check | hint | solution | try]",
        topic: Topic::Session,
        help: "play a session file step by step; Enter runs the next step",
        example: ":lesson",
        effects: CommandEffects::of(Topic::Session).must_be_typed(),
        completion: ArgumentCompletion::Files,
        run: lesson,
    },
    Command {
        name: "note",
        aliases: &[],
        usage: "TEXT",
        topic: Topic::Session,
        help: "add a remark, which `:save` writes and a lesson shows",
        example: ":note Now O must block the diagonal",
        effects: CommandEffects::of(Topic::Session)
            .saved(RecordedIf::Ok)
            .at_prediction(),
        completion: ArgumentCompletion::Nothing,
        run: note,
    },
];

type CommandResult = Result<Answer, CommandError>;

fn lesson(session: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    let listed_language = languages::by_name(arguments.text());
    if arguments.text() == "list" || listed_language.is_some() {
        let name = listed_language.unwrap_or(languages::ALL[0]).info().name;
        let mut answer = Answer::of(Part::LessonList(list_lessons(listed_language)));
        let command = format!(":lesson {name} 1");
        answer.push(Notice::OpensLesson { command });
        return Ok(answer);
    }
    let Some(open) = &session.lesson else {
        return match arguments.text() {
            "" => Ok(Answer::of(Notice::Empty {
                list: ListKind::Lesson,
                example: Some(":lesson list".to_string()),
            })),
            "next" | "back" | "off" | "check" | "hint" | "solution" | "try" => {
                let error = CommandError::new("no lesson is open");
                Err(error.advise(":lesson list", "lists the course"))
            }
            _ => lesson::open(COMMAND_LINES, session, arguments.file(session)?),
        };
    };
    let number = open.next_number();
    match arguments.text() {
        "" => Ok(Answer::of(lesson::current_step(open))),
        "next" => lesson::next(COMMAND_LINES, session),
        "check" => lesson_exercise::check(COMMAND_LINES, session, &open.as_ref().clone()),
        "hint" => lesson_exercise::hint(session, &open.as_ref().clone()),
        "solution" => lesson_exercise::show_solution(session, &open.as_ref().clone()),
        "try" => lesson_exercise::try_out(COMMAND_LINES, session, &open.as_ref().clone()),
        "back" if number == 1 => Err(CommandError::new("this is the first step")),
        "back" => lesson::go_to(COMMAND_LINES, session, number - 1),
        "off" => {
            let stops_on_errors = open.stopped_on_errors;
            session.lesson = None;
            stop_on_errors(session, stops_on_errors);
            Ok(Answer::of(Notice::LeftLesson))
        }
        _ => match arguments.number::<usize>() {
            Some(n) if (1..=open.step_count()).contains(&n) => {
                lesson::go_to(COMMAND_LINES, session, n)
            }
            Some(_) => Err(CommandError::new(format!(
                "the lesson has steps 1 to {}",
                open.step_count()
            ))),
            None => lesson::open(COMMAND_LINES, session, arguments.file(session)?),
        },
    }
}

/// Adds a remark to the session.
fn note(_: &mut Session, arguments: Arguments<'_>) -> CommandResult {
    match arguments.is_empty() {
        true => Err(CommandError::new(
            "`:note` needs a text, e.g. `:note Now O must block the diagonal`",
        )),
        false => Ok(Answer::of(Notice::Remark {
            text: arguments.text().to_string(),
        })),
    }
}
