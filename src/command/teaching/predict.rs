//! `:predict`: switches questions about what will happen on and off, and shows the score.

use crate::answer::{CommandError, Notice, Part, Setting};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::debugger::breakpoint;
use crate::session::{Answer, Looks, PredictionRequest, PredictionTopic, Session};

pub const COMMANDS: &[Command] = &[Command {
    name: "predict",
    aliases: &[],
    usage: "[on | off | winner | error | line | cell CELL | value [E]]",
    topic: Topic::Session,
    help: "ask what will happen before each step, or before the next one; alone, show the score",
    example: ":predict on",
    effects: CommandEffects::of(Topic::Session)
        .at_prediction()
        .looks(Looks::Alone),
    completion: ArgumentCompletion::Words(&[
        "on", "off", "winner", "error", "line", "cell", "value",
    ]),
    run: predict,
}];

fn predict(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let predictions = &mut session.predictions;
    match arguments.text() {
        "" => Ok(Answer::of(Part::PredictionScore(predictions.score()))),
        "on" => {
            predictions.is_on = true;
            Ok(Answer::of(Setting::Predict(true)))
        }
        "off" => {
            (predictions.is_on, predictions.request) = (false, None);
            Ok(Answer::of(Setting::Predict(false)))
        }
        text => {
            let request = PredictionRequest::parse(text).ok_or_else(|| {
                CommandError::new(format!(
                    "cannot ask about `{text}`; use `winner`, `error`, `line`, `cell {}`, `value` or `value EXPRESSION`",
                    session.target.program().board_info.coord_usage()
                ))
            })?;
            if let PredictionRequest::About(PredictionTopic::Cell(cell)) = &request {
                breakpoint::resolve_cell(&session.target, cell)?;
            }
            session.predictions.request = Some(request);
            Ok(Answer::of(Notice::QuestionWanted))
        }
    }
}
