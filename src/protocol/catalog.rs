//! The request `catalog`: what there is to open.

use super::PROTOCOL_VERSION;
use crate::answer::ListedLesson;
use crate::command::{all_examples, list_lessons};
use crate::language::Language;
use crate::languages;
use serde::Serialize;

/// The answer to `catalog`.
#[derive(Serialize)]
pub struct CatalogAnswer {
    /// True.
    ok: bool,
    /// The version of the protocol.
    protocol: u32,
    /// The version of gridbug.
    version: &'static str,
    /// The languages.
    languages: Vec<CatalogLanguage>,
    /// The built-in games, in the order of the languages.
    examples: Vec<CatalogExample>,
    /// The lessons of the built-in course, in the order of the languages.
    lessons: Vec<CatalogLesson>,
}

/// A language.
#[derive(Serialize)]
pub struct CatalogLanguage {
    /// The name that requests use.
    name: &'static str,
    /// The name shown to users.
    title: &'static str,
    /// The extensions of its files without the dot, the preferred one first.
    extensions: &'static [&'static str],
    /// The entries that the arrow keys type (up, down, left, right), if games are played with them.
    arrow_keys: Option<[&'static str; 4]>,
    /// The line that plays a turn, if the language has turns that run on their own.
    turn_entry: Option<String>,
    /// The name of the sample's file.
    sample_name: String,
    /// The sample game.
    sample: &'static str,
}

/// A built-in game.
#[derive(Serialize)]
pub struct CatalogExample {
    /// The name of its language.
    language: &'static str,
    /// Its name.
    name: &'static str,
    /// What it is about.
    about: &'static str,
    /// The name of its file.
    file: String,
    /// The program.
    program: &'static str,
}

/// A lesson of the built-in course.
#[derive(Serialize)]
pub struct CatalogLesson {
    /// The lesson.
    #[serde(flatten)]
    lesson: ListedLesson,
    /// What `:lesson` accepts to open it.
    argument: String,
}

/// What there is to open.
pub fn catalog() -> CatalogAnswer {
    let lessons = list_lessons(None).lessons.into_iter();
    CatalogAnswer {
        ok: true,
        protocol: PROTOCOL_VERSION,
        version: env!("CARGO_PKG_VERSION"),
        languages: languages::ALL.iter().map(|l| describe(*l)).collect(),
        examples: all_examples()
            .map(|example| CatalogExample {
                language: example.language.info().name,
                name: example.game.name,
                about: example.game.about,
                file: example.file_name(),
                program: example.game.text,
            })
            .collect(),
        lessons: lessons
            .map(|lesson| CatalogLesson {
                argument: format!("{} {}", lesson.language, lesson.number),
                lesson,
            })
            .collect(),
    }
}

fn describe(language: &dyn Language) -> CatalogLanguage {
    let info = language.info();
    let mut commands = info.commands.iter();
    CatalogLanguage {
        name: info.name,
        title: info.title,
        extensions: info.extensions,
        arrow_keys: info.arrow_keys,
        turn_entry: commands
            .find(|(name, ..)| *name == "turn")
            .map(|(name, ..)| format!(":{name}")),
        sample_name: format!("sample.{}", info.extensions.first().unwrap_or(&"txt")),
        sample: info.sample,
    }
}
