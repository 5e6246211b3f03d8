//! The languages: each a folder with the same files.

pub mod bogl;
pub mod gridlang;
pub mod gridlok;
pub mod sgl2d;
pub mod tinygame;

use crate::language::Language;

/// All of them, the main one first.
pub static ALL: &[&dyn Language] =
    &[&gridlok::GridLok, &bogl::BoGL, &gridlang::GridLang, &tinygame::TinyGame, &sgl2d::Sgl2d];

/// The language of a name: `gridlok`.
pub fn named(name: &str) -> Option<&'static dyn Language> {
    ALL.iter().copied().find(|l| l.about().name.eq_ignore_ascii_case(name))
}

/// The language of a file, by its ending.
pub fn of_file(path: &str) -> Option<&'static dyn Language> {
    let ending = path.rsplit_once('.')?.1;
    ALL.iter().copied().find(|l| l.about().extensions.iter().any(|e| e.eq_ignore_ascii_case(ending)))
}
