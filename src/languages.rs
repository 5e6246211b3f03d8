//! The supported languages: `gridlok`, `bogl`, `gridlang`, `tinygame` and `sgl2d`. Each is a module of
//! its own that implements [`Language`] and uses no other, with the same parts:
//!
//! ```text
//! token   lexer                         lower   typed tree or AST to bytecode, and what is defined
//! parse   parser, syntax errors         view    boards, values, lists of definitions
//! ast     syntax tree                   info    words, samples, guide and help
//! check   names and types               errors  error codes, and how to fix each of them
//! rules   the rules of play as a text that is compiled and run, if the language has any
//! ```

pub use gridbug_bogl as bogl;
pub use gridbug_gridlang as gridlang;
pub use gridbug_gridlok as gridlok;
pub use gridbug_sgl2d as sgl2d;
pub use gridbug_tinygame as tinygame;

use crate::language::Language;

/// All languages, the default one first.
pub static ALL: &[&dyn Language] = &[
    &gridlok::GridLok,
    &bogl::BoGL,
    &gridlang::GridLang,
    &tinygame::TinyGame,
    &sgl2d::Sgl2d,
];

/// Looks up a language by name, such as `gridlok`.
pub fn by_name(name: &str) -> Option<&'static dyn Language> {
    ALL.iter()
        .copied()
        .find(|l| l.info().name.eq_ignore_ascii_case(name))
}

/// The language of a file, by its extension. Downloads from BoGL's site end in `.bgl.txt`, so a
/// `.txt` after another extension does not count.
pub fn for_file(path: &str) -> Option<&'static dyn Language> {
    let (name, last) = path.rsplit_once('.')?;
    let extension = match last.eq_ignore_ascii_case("txt") {
        true => name.rsplit_once('.')?.1,
        false => last,
    };
    ALL.iter().copied().find(|l| {
        l.info()
            .extensions
            .iter()
            .any(|e| e.eq_ignore_ascii_case(extension))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_extension_selects_the_language() {
        let name = |path| super::for_file(path).map(|language| language.info().name);
        assert_eq!(name("dir.gl/nim.bgl"), Some("bogl"));
        assert_eq!(name("nim.bgl.txt"), Some("bogl"));
        assert_eq!(name("NIM.BGL.TXT"), Some("bogl"));
        assert_eq!(name("maze.sgl2d.txt"), Some("sgl2d"));
        assert_eq!(name("notes.txt"), None);
        assert_eq!(name("bgl.txt"), None);
        assert_eq!(name("nim"), None);
    }

    #[test]
    fn every_row_of_a_guide_has_two_parts() {
        for language in super::ALL {
            let info = language.info();
            let guide = &info.guide;
            for table in [
                guide.first_entries,
                guide.syntax_examples,
                guide.command_examples,
                guide.word_help,
                info.builtins,
            ] {
                let cut = table.iter().find(|(_, text)| text.is_empty());
                assert_eq!(cut, None, "{}", info.title);
            }
            assert!(guide.tour.len() > 10, "{}", info.title);
        }
    }
}
