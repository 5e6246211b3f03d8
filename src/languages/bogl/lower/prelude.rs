//! Preludes: files without a `game` line, whose definitions games use.

use crate::check::env::Prelude;
use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::language::{Compiled, FrameScope, PreludeSupport, explain_foreign_syntax};
use crate::lower::scope::Scope;
use crate::source::{Origin, Source, SourceId, Span};
use crate::view::program_items::keys_in_preludes;
use crate::{BoGL, check, info::INFO, lower, parse};
use std::collections::HashMap;
use std::sync::Arc;

type Diagnostics = Vec<Diagnostic>;

impl PreludeSupport for BoGL {
    fn is_prelude(&self, text: &str) -> bool {
        parse::starts_with_definition(text)
    }

    fn compile(
        &self,
        preludes: &[Arc<Source>],
        game: Option<&Source>,
    ) -> Result<Compiled, Diagnostics> {
        let parsed: Result<Vec<Prelude>, Diagnostics> = preludes.iter().map(parse).collect();
        let parsed = Arc::new(parsed?);
        let checked = match game {
            Some(game) => parse::parse_program(game, |tree| {
                let checked = check::check_program(parsed.clone(), tree);
                checked.into_result().err().unwrap_or_default()
            })
            .map_err(|errors| explain_foreign_syntax(&INFO, game, errors))
            .map(|tree| check::check_program(parsed, &tree))?,
            None => check::check_preludes(parsed),
        };
        let sources = preludes.iter().map(|source| &**source).chain(game);
        let checked = checked
            .into_result()
            .map_err(|errors| explain(sources, errors))?;
        lower::load(game, checked)
    }

    fn add(
        &self,
        prelude: &Arc<Source>,
        program: &Program,
        frame: Option<&FrameScope>,
    ) -> Result<Compiled, Diagnostics> {
        let scope = Scope::of(program);
        let prelude = parse(prelude)?;
        let is_in_file = |span: Span| {
            let source = scope.sources.get(&span.source);
            source.is_some_and(|source| matches!(source.origin, Origin::File(_)))
        };
        let checked = check::check_prelude(prelude.clone(), &scope.env, is_in_file);
        let checked = checked
            .into_result()
            .map_err(|errors| explain([&*prelude.source], errors))?;
        lower::prelude(
            &prelude,
            checked,
            program,
            &scope.frame_context(program, frame),
        )
    }

    fn preludes(&self, program: &Program) -> Vec<SourceId> {
        let scope = Scope::of(program);
        let preludes = scope.env.preludes.iter();
        preludes.map(|prelude| prelude.source.id).collect()
    }

    fn item_keys(&self, program: &Program) -> HashMap<String, SourceId> {
        keys_in_preludes(&Scope::of(program))
    }
}

fn parse(source: &Arc<Source>) -> Result<Prelude, Diagnostics> {
    let items = parse::parse_prelude(source)
        .map_err(|errors| explain_foreign_syntax(&INFO, source, errors))?;
    Ok(Prelude {
        source: source.clone(),
        items,
    })
}

/// Explains the first error if a construct of another language caused it.
fn explain<'s>(sources: impl IntoIterator<Item = &'s Source>, errors: Diagnostics) -> Diagnostics {
    let first = errors.iter().find(|error| error.is_error());
    let id = first.and_then(|error| error.span).map(|span| span.source);
    let source = sources.into_iter().find(|source| Some(source.id) == id);
    match source {
        Some(source) => explain_foreign_syntax(&INFO, source, errors),
        None => errors,
    }
}
