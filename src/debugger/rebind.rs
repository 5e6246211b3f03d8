//! Breakpoints in a changed program. One on a line remembers the function that the line is in and what it says: after
//! a change above it, a redefinition or a reload it looks for that, and tells where it has gone.

use super::breakpoint::{Breakpoint, Location, resolve};
use crate::code::{Function, FunctionKind, Program};
use crate::source::Sources;

/// What a line breakpoint belongs to.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    /// The function that its line is in.
    title: String,
    /// How many lines below where that one begins.
    below: u32,
    /// What the line says.
    text: String,
}

/// A line of a function at which one can stop.
struct StopLine {
    line: u32,
    text: String,
}

impl Breakpoint {
    /// Looks for its places in a program; says if it has moved.
    pub fn rebind(&mut self, program: &Program, sources: &Sources) -> Option<String> {
        let told = self
            .anchor
            .clone()
            .and_then(|home| self.follow(&home, program, sources));
        let lost = self
            .anchor
            .as_ref()
            .is_some_and(|home| self.is_away(home, program, sources));
        self.addresses = if lost {
            Vec::new()
        } else {
            resolve(&self.location, program, sources)
        };
        if let Some((home, at)) = self.found_home(program, sources) {
            self.anchor = Some(home);
            // A line without a stop means the next one that has any.
            if let Location::Line { line, .. } = &mut self.location {
                *line = at;
            }
        }
        told
    }

    /// Goes with its line, if that is elsewhere now.
    fn follow(&mut self, home: &Anchor, program: &Program, sources: &Sources) -> Option<String> {
        let Location::Line { source, line } = &self.location else {
            return None;
        };
        let (source, line) = (source.clone(), *line);
        let function = titled(program, &home.title)
            .or_else(|| alike(program, sources, &source, &home.text))?;
        let (now, first) = begins(function, sources)?;
        // Another file is another game, whatever its functions are called.
        if now != source && !now.starts_with("entry ") && !source.starts_with("entry ") {
            return None;
        }
        let lines = stop_lines(function, sources);
        let wanted = first + home.below;
        let same = lines
            .iter()
            .filter(|l| l.text == home.text)
            .min_by_key(|l| l.line.abs_diff(wanted));
        let near = lines.iter().find(|l| l.line >= wanted).or(lines.last());
        let to = same.or(near)?;
        if now == source && to.line == line && same.is_some() {
            return None;
        }
        let (number, old) = (self.number, self.text.clone());
        self.location = Location::Line {
            source: now.clone(),
            line: to.line,
        };
        if now == source && self.text.parse::<u32>().is_ok() {
            self.text = to.line.to_string();
        }
        let changed = if same.is_some() {
            ""
        } else {
            "; the text of its line has changed"
        };
        (now != source || to.line != line || !changed.is_empty()).then(|| {
            format!(
                "breakpoint {number} ({old}) moved with {} to {now}:{}{changed}",
                function.name, to.line
            )
        })
    }

    /// Whether what its line was in is not there any more.
    fn is_away(&self, home: &Anchor, program: &Program, sources: &Sources) -> bool {
        let Location::Line { source, .. } = &self.location else {
            return false;
        };
        let function =
            titled(program, &home.title).or_else(|| alike(program, sources, source, &home.text));
        function
            .and_then(|f| begins(f, sources))
            .is_none_or(|(now, _)| now != *source)
    }

    /// What it belongs to, from where it lies, and the line of that.
    fn found_home(&self, program: &Program, sources: &Sources) -> Option<(Anchor, u32)> {
        let (Location::Line { .. }, &(id, pc)) = (&self.location, self.addresses.first()?) else {
            return None;
        };
        let function = program.function(id)?;
        let (_, first) = begins(function, sources)?;
        let span = function.stop_point_at(pc)?.span;
        let source = sources.get(span.source)?;
        let (line, _) = source.line_column(span.start);
        let text = source.line(line).trim().to_string();
        Some((
            Anchor {
                title: function.name.to_string(),
                below: line.saturating_sub(first),
                text,
            },
            line,
        ))
    }
}

/// The function of a title as it is defined now.
fn titled<'p>(program: &'p Program, title: &str) -> Option<&'p Function> {
    let function = program
        .functions
        .iter()
        .find(|f| f.kind != FunctionKind::Entry && f.name.as_str() == title)?;
    (!function.stop_points.is_empty()).then_some(function)
}

/// The one function of a source with a line that says this: the function may have got another name.
fn alike<'p>(
    program: &'p Program,
    sources: &Sources,
    source: &str,
    text: &str,
) -> Option<&'p Function> {
    let here = |f: &&Function| begins(f, sources).is_some_and(|(name, _)| name == source);
    let says = |f: &&Function| stop_lines(f, sources).iter().any(|l| l.text == text);
    let mut found = program
        .functions
        .iter()
        .map(AsRef::as_ref)
        .filter(here)
        .filter(says);
    found.next().filter(|_| found.next().is_none())
}

/// The source and the line in which a function begins.
fn begins(function: &Function, sources: &Sources) -> Option<(String, u32)> {
    let span = function.stop_points.first()?.span;
    let source = sources.get(span.source)?;
    Some((source.origin.to_string(), source.line_column(span.start).0))
}

/// The lines of a function at which one can stop, in their order.
fn stop_lines(function: &Function, sources: &Sources) -> Vec<StopLine> {
    let mut lines: Vec<StopLine> = Vec::new();
    for stop in &function.stop_points {
        let Some(source) = sources.get(stop.span.source) else {
            continue;
        };
        let (line, _) = source.line_column(stop.span.start);
        if !lines.iter().any(|l| l.line == line) {
            lines.push(StopLine {
                line,
                text: source.line(line).trim().to_string(),
            });
        }
    }
    lines.sort_by_key(|l| l.line);
    lines
}
