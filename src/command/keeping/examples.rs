//! The built-in games: `:examples` lists and opens them, `:lang` switches to another language.

use super::files::start_without_file;
use crate::answer::{CommandError, ExampleList, ListedExample, Notice, Part};
use crate::command::teaching::tour;
use crate::command::{Arguments, Command, open_sample};
use crate::diagnostic::did_you_mean;
use crate::language::{ExampleGame, Language};
use crate::languages;
use crate::session::{Answer, Looks, Session, new_session, replace_session};

pub const COMMANDS: &[Command] = &[
    answering!(Session, Examples; "examples", &[], "[NAME]", "list the built-in games, or open one", ":examples maze", examples; looks(Looks::Alone), must_be_typed()),
    answering!(Session, Languages; "lang", &["language"], "NAME [empty]", "switch to another language, with its sample game or an empty one", ":lang bogl", lang; must_be_typed()),
];

/// Ends an argument to say that unsaved changes may be lost.
const DISCARD_FLAG: &str = "!";

/// A built-in game and its language.
#[derive(Clone, Copy)]
pub struct Example {
    pub language: &'static dyn Language,
    pub game: &'static ExampleGame,
}

impl Example {
    /// The name of a file for the game: `race.grid`.
    pub fn file_name(self) -> String {
        format!("{}.{}", self.game.name, extension(self.language))
    }

    /// The name with its language: `gridlang/race`.
    pub fn full_name(self) -> String {
        format!("{}/{}", self.language.info().name, self.game.name)
    }
}

/// All built-in games, in the order of the languages.
pub fn all_examples() -> impl Iterator<Item = Example> {
    languages::ALL.iter().flat_map(|language| {
        let games = language.info().guide.examples.iter();
        games.map(|game| Example {
            language: *language,
            game,
        })
    })
}

/// Finds a game by `NAME` or `LANGUAGE/NAME`. If several languages have it, that of `preferred` is
/// chosen.
pub fn find_example(name: &str, preferred: Option<&dyn Language>) -> Result<Example, String> {
    let found: Vec<Example> = all_examples()
        .filter(|e| e.game.name == name || e.full_name() == name || e.file_name() == name)
        .collect();
    let is_preferred =
        |e: &&Example| preferred.is_some_and(|p| p.info().name == e.language.info().name);
    match (found.as_slice(), found.iter().find(is_preferred)) {
        ([example], _) | (_, Some(example)) => Ok(*example),
        ([], _) => {
            let names: Vec<&str> = all_examples().map(|e| e.game.name).collect();
            let suggestion = did_you_mean(name, names);
            Err(format!(
                "unknown example `{name}`{suggestion}; list them without a name"
            ))
        }
        (several, _) => {
            let names: Vec<String> = several.iter().map(|e| e.full_name()).collect();
            Err(format!(
                "several languages have `{name}`: choose {}",
                names.join(" or ")
            ))
        }
    }
}

/// The built-in games as part of an answer.
pub fn list_examples() -> ExampleList {
    let examples = all_examples().map(|example| ListedExample {
        language: example.language.info().name,
        language_title: example.language.info().title,
        name: example.game.name,
        about: example.game.about,
    });
    ExampleList {
        examples: examples.collect(),
    }
}

/// Starts a session with a built-in game. The game has no file yet.
pub fn open_example(session: &mut Session, example: Example) -> Answer {
    start_without_file(session, &example.file_name(), example.game.text)
}

fn examples(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    if arguments.is_empty() {
        let mut answer = Answer::of(Part::Examples(list_examples()));
        answer.push(Notice::OpensExample);
        return Ok(answer);
    }
    let name = keep_unsaved(session, ":examples", arguments.text())?;
    let example = find_example(name, Some(session.target.language()))?;
    let mut answer = Answer::of(Notice::OpenedExample {
        name: example.game.name,
        language_title: example.language.info().title,
        about: example.game.about,
    });
    answer.absorb(switch_session(session, example.language, |new| {
        open_example(new, example)
    }));
    Ok(answer)
}

fn lang(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let names = || languages::ALL.iter().map(|l| l.info().name);
    let all = names().collect::<Vec<_>>().join(", ");
    if arguments.is_empty() {
        let title = session.target.language().info().title;
        let error = CommandError::new(format!("this is {title}; choose one of {all}"));
        return Err(error.example(":lang bogl"));
    }
    let words = keep_unsaved(session, ":lang", arguments.text())?;
    let (name, is_empty) = match words.strip_suffix(" empty") {
        Some(name) => (name.trim_end(), true),
        None => (words, false),
    };
    let language = languages::by_name(name).ok_or_else(|| {
        let suggestion = did_you_mean(name, names());
        CommandError::new(format!(
            "unknown language `{name}`{suggestion}; choose one of {all}"
        ))
    })?;
    let mut answer = Answer::of(Notice::SwitchedLanguage {
        language: language.info().name,
        title: language.info().title,
        is_by_file: false,
    });
    answer.absorb(switch_session(session, language, |new| match is_empty {
        true => Answer::new(""),
        false => open_sample(new),
    }));
    Ok(answer)
}

/// The argument without its `!`. An error if the user's program has changes that would be lost.
fn keep_unsaved<'a>(
    session: &Session,
    command: &str,
    argument: &'a str,
) -> Result<&'a str, CommandError> {
    let discard = || format!("{command} {argument}{DISCARD_FLAG}");
    match argument.strip_suffix(DISCARD_FLAG) {
        Some(rest) => Ok(rest.trim_end()),
        None if session.tour.is_active => match tour::own_session(session).unsaved_count() {
            0 => Ok(argument),
            _ => Err(CommandError::new(
                "your changes to the program before the tour are not saved",
            )
            .advise(":tour off", "returns to it")
            .advise(discard(), "discards them")),
        },
        None if session.unsaved_count() > 0 => Err(CommandError::new(
            "your changes to the program are not saved",
        )
        .advise(":save FILE", "keeps them")
        .advise(discard(), "discards them")),
        None => Ok(argument),
    }
}

/// Replaces the session by one that `open` starts.
fn switch_session(
    session: &mut Session,
    language: &'static dyn Language,
    open: impl FnOnce(&mut Session) -> Answer,
) -> Answer {
    let has_left_tour = tour::end(session);
    let seed = session.target.machine.rng.seed();
    let mut new = new_session(session, language, seed);
    let opened = open(&mut new);
    let (_, mut answer) = replace_session(session, new);
    answer.notices(has_left_tour.then_some(Notice::EndedTour));
    answer.absorb(opened);
    answer
}

/// The preferred file extension of a language.
pub(crate) fn extension(language: &dyn Language) -> &'static str {
    language.info().extensions.first().copied().unwrap_or("txt")
}
