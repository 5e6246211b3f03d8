//! What to say about a goal that is not understood, and examples of goals that the program has.

use crate::answer::CommandError;
use crate::code::Program;
use crate::debugger::Target;
use crate::diagnostic::{Advice, Phase};
use crate::language::{Actions, FrameScope, Language};
use crate::source::{Origin, Source, SourceId};

/// Goals that every game has.
const GOAL_WORDS: &[&str] = &["win", "lose", "draw", "end", "error", "stuck"];

/// What can follow a goal.
const OPTION_WORDS: &[&str] = &["within", "for", "count", "inputs", "ignoring", "turn", "in"];

/// A goal of the loaded game, for examples; `None` if there is nothing to search.
pub fn goal_example(target: &Target) -> Option<String> {
    let model = target.language().move_model(target.program());
    match model.actions {
        Actions::None => {
            model.game_entry?;
            let symbols = game_symbols(target.language(), target.program());
            let symbol = symbols.into_iter().next();
            Some(symbol.unwrap_or_else(|| "end".to_string()))
        }
        _ => Some("win".to_string()),
    }
}

/// The symbols that the game can have as its value, where it is an expression.
pub(crate) fn game_symbols(language: &dyn Language, program: &Program) -> Vec<String> {
    let model = language.move_model(program);
    let symbols = |entry: &str| {
        let source = Source::new(SourceId(u32::MAX - 1), Origin::Expression, entry);
        language.expression_symbols(&source, program, &FrameScope::default())
    };
    model.game_entry.map(symbols).unwrap_or_default()
}

/// The error about a goal that cannot be compiled. What compilers say about a line of code would send
/// users to definitions and statements.
pub(crate) fn not_a_goal(target: &Target, text: &str, error: CommandError) -> CommandError {
    if let Some(printed) = text.strip_prefix("print")
        && !printed.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    {
        let is_around = |c: char| c.is_whitespace() || "\"'{}()".contains(c);
        let printed = match printed.trim_matches(is_around) {
            "" => "text",
            printed => printed,
        };
        return CommandError::new("`print` needs a text in quotes")
            .example(format!(":find print \"{printed}\""));
    }
    if let Some((word, rest)) = text.split_once(char::is_whitespace)
        && let (true, Some(option)) = (GOAL_WORDS.contains(&word), rest.split_whitespace().next())
    {
        let message = format!("unknown option `{option}`");
        let advice = Advice::did_you_mean(option, OPTION_WORDS.iter().copied());
        return match advice {
            Some(advice) => CommandError::new(message).with_advice(advice),
            None => CommandError::new(format!(
                "{message}; the options are {}",
                OPTION_WORDS.join(", ")
            )),
        };
    }
    let is_name = |c: char| c.is_alphanumeric() || "_.' ".contains(c);
    if text.chars().all(is_name) && !text.starts_with(|c: char| c.is_ascii_digit()) {
        let names = goal_names(target);
        let message = format!("unknown goal `{text}`");
        return match Advice::did_you_mean(text, names.iter().map(String::as_str)) {
            Some(advice) => CommandError::new(message).with_advice(advice),
            None => CommandError::new(format!("{message}; {}", goal_forms(target))),
        };
    }
    let mut error = error;
    if let Some(diagnostic) = error.diagnostics.iter_mut().find(|d| d.is_error())
        && diagnostic.phase == Phase::Parse
    {
        diagnostic.notes.push(goal_forms(target));
    }
    error
}

/// Everything that can be a goal and has a name.
fn goal_names(target: &Target) -> Vec<String> {
    let program = target.program();
    let functions = program.functions.iter().map(|f| f.name.to_string());
    let functions = functions.filter(|name| !name.starts_with('@'));
    let handlers = program.functions.iter().filter_map(|f| {
        let (_, event) = f.name.as_str().rsplit_once('.')?;
        Some(event.to_string())
    });
    let globals = program.globals.iter().filter(|g| g.is_user_defined);
    let words = GOAL_WORDS.iter().map(|word| word.to_string());
    words
        .chain(functions)
        .chain(handlers)
        .chain(globals.map(|g| g.name.to_string()))
        .chain(game_symbols(target.language(), program))
        .collect()
}

/// What a goal can be in this game.
fn goal_forms(target: &Target) -> String {
    let model = target.language().move_model(target.program());
    let symbols = game_symbols(target.language(), target.program());
    let endings = match (model.actions, symbols.first()) {
        (Actions::None, Some(symbol)) => format!("a value of the game such as `{symbol}`"),
        (Actions::None, None) => "a value of the game".to_string(),
        _ => "`win`, `lose`, `draw`".to_string(),
    };
    format!(
        "a goal is {endings}, `end`, `error`, `stuck`, a condition, `line 12`, a function, or `print \"text\"`"
    )
}
