//! `:uses`: where a name is defined and used.

use super::listing::{line_origin, unknown_name};
use crate::answer::{Answer, CommandError, NamePlace, NameUses, Part};
use crate::command::{ArgumentCompletion, Arguments, Command, CommandEffects, Topic};
use crate::language::{NameEntry, ProgramText};
use crate::session::Session;
use crate::source::{Origin, Source, SourceId, Span};

pub const COMMANDS: &[Command] = &[Command {
    name: "uses",
    aliases: &[],
    usage: "NAME",
    topic: Topic::Inspecting,
    help: "show where a name is defined and every place that uses it",
    example: ":uses mine",
    effects: CommandEffects::of(Topic::Inspecting).only_shows(),
    completion: ArgumentCompletion::Names,
    run: uses,
}];

fn uses(session: &mut Session, arguments: Arguments<'_>) -> Result<Answer, CommandError> {
    let name = arguments.text();
    if name.is_empty() {
        return Err(CommandError::new("`:uses` needs a name")
            .advise(":list", "shows what the program defines"));
    }
    let path = session.program_file().path.as_deref();
    let program = session.program_text(path.unwrap_or("game"));
    let source = Source::new(
        SourceId::default(),
        Origin::File("program".to_string()),
        program.text.as_str(),
    );
    let language = session.target.language();
    let entries = language.names(&source);
    let is_asked = |entry: &&NameEntry| entry.name == name.trim_matches('"');
    let names: Vec<NameUses> = entries
        .iter()
        .filter(is_asked)
        .map(|entry| describe(session, &program, entry))
        .collect();
    if names.is_empty() && language.info().is_reserved(name) {
        let title = language.info().title;
        return Err(CommandError::new(format!("`{name}` is part of {title}"))
            .advise(format!(":help {name}"), "explains it"));
    }
    if names.is_empty() {
        return Err(unknown_name(
            name,
            entries.iter().map(|entry| entry.name.as_str()),
        ));
    }
    Ok(Answer::of(Part::Uses {
        main_source: session.target.main_source.clone(),
        names,
    }))
}

fn describe(session: &Session, program: &ProgramText, entry: &NameEntry) -> NameUses {
    let to_place = |span: &Span, is_definition: bool| {
        let before = &program.text[..span.start as usize];
        let index = before.matches('\n').count();
        let line_start = before.rfind('\n').map_or(0, |n| n + 1);
        NamePlace {
            line: index as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            origin: line_origin(session, program.line_origins.get(index).copied().flatten()),
            text: program.text.lines().nth(index).unwrap_or("").to_string(),
            is_definition,
        }
    };
    let definitions = entry.definitions.iter().map(|span| to_place(span, true));
    let uses = entry.uses.iter().map(|span| to_place(span, false));
    let mut places: Vec<NamePlace> = definitions.chain(uses).collect();
    places.sort_by_key(|place| (place.line, place.column));
    NameUses {
        name: entry.name.clone(),
        stands_for: entry.kind.as_str(),
        places,
    }
}
