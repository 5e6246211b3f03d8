//! Rebinds breakpoints after the program has changed.
//!
//! A line breakpoint remembers its function and the text of its line. After an edit above it, a
//! redefinition or a reload, it moves to where that line is now.

use super::{Breakpoint, Location, resolve, resolve_in};
use crate::answer::{BindingChange, ReboundBreakpoint};
use crate::code::{Function, FunctionId, FunctionKind, Program};
use crate::source::Sources;
use std::rc::{Rc, Weak};

/// What a line breakpoint is attached to.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    /// The name of the function that contains the line.
    function: String,
    /// The line's offset from the first line of the function.
    line_offset: u32,
    /// The text of the line, trimmed.
    text: String,
}

/// Where a line breakpoint was before its function was redefined.
#[derive(Clone, Default, Debug)]
pub struct FormerBindings {
    /// The function that contains its line now.
    function: Weak<Function>,
    /// What it was bound to before redefinitions, oldest first.
    bindings: Vec<Binding>,
}

impl PartialEq for FormerBindings {
    /// Breakpoints are compared by what they stop at, not by where they were before.
    fn eq(&self, _: &FormerBindings) -> bool {
        true
    }
}

/// What a line breakpoint was bound to.
#[derive(Clone, Debug)]
struct Binding {
    function: Weak<Function>,
    location: Location,
    text: String,
    anchor: Anchor,
}

/// A line of a function that has a stop point. A function may consist of statements from several
/// sources, such as an event to which an entry has added something.
struct StopLine {
    source: String,
    line: u32,
    text: String,
}

/// The functions that differ between two programs, if these are only the code of entries and nothing
/// else differs that breakpoints depend on. That is so for most entries.
pub(crate) fn changed_entries(old: &Program, new: &Program) -> Option<Vec<FunctionId>> {
    let is_same = old.globals.len() == new.globals.len()
        && old.board_global == new.board_global
        && old.board_info.is_derived == new.board_info.is_derived;
    if !is_same {
        return None;
    }
    let mut changed = Vec::new();
    for index in new
        .functions
        .unshared_ranges(&old.functions)
        .into_iter()
        .flatten()
    {
        let (before, after) = (old.functions.get(index), new.functions.get(index));
        if let (Some(before), Some(after)) = (before, after)
            && Rc::ptr_eq(before, after)
        {
            continue;
        }
        if (before.into_iter().chain(after)).any(|f| f.kind != FunctionKind::Entry) {
            return None;
        }
        changed.push(FunctionId(index as u32));
    }
    Some(changed)
}

impl Breakpoint {
    /// Binds the breakpoint to `program`, in which only the code of these entries has changed. Returns
    /// false if [`Breakpoint::rebind`] has to do it.
    pub(crate) fn rebind_to_entries(
        &mut self,
        changed: &[FunctionId],
        program: &Program,
        sources: &Sources,
    ) -> bool {
        match &self.location {
            Location::Function(_) => true,
            Location::Line { source, .. } => !source.starts_with("entry "),
            Location::Event(..) | Location::Watch(..) | Location::Property(_) => {
                self.addresses.retain(|(id, _)| !changed.contains(id));
                let functions = changed
                    .iter()
                    .filter_map(|id| Some((*id, program.function(*id)?.as_ref())));
                let added = resolve_in(functions, &self.location, program, sources);
                self.addresses.extend(added);
                self.addresses.sort_unstable();
                true
            }
        }
    }

    /// Binds the breakpoint to `program`, and returns how it has moved if it has.
    pub fn rebind(&mut self, program: &Program, sources: &Sources) -> Option<ReboundBreakpoint> {
        self.return_to_former(program);
        let former = self.binding();
        let moved = self
            .anchor
            .clone()
            .and_then(|anchor| self.follow(&anchor, program, sources));
        if moved.is_some() {
            self.former.bindings.extend(former);
        }
        let is_lost = self
            .anchor
            .as_ref()
            .is_some_and(|anchor| self.has_lost_function(anchor, program, sources));
        self.addresses = if is_lost {
            Vec::new()
        } else {
            resolve(&self.location, program, sources)
        };
        if let Some((anchor, bound_line)) = self.current_anchor(program, sources) {
            let function = function_named(program, &anchor.function);
            self.former.function = function.map_or_else(Weak::new, Rc::downgrade);
            self.anchor = Some(anchor);
            // A line without a stop point means the next line that has one.
            if let Location::Line { line, .. } = &mut self.location {
                *line = bound_line;
            }
        }
        moved
    }

    /// Returns to the line it was on before the function was redefined, if the redefinition has been
    /// undone.
    fn return_to_former(&mut self, program: &Program) {
        let is_current = |binding: &Binding| {
            let function = function_named(program, &binding.anchor.function);
            function.is_some_and(|f| binding.function.as_ptr() == Rc::as_ptr(f))
        };
        if let Some(n) = self.former.bindings.iter().position(is_current)
            && let Some(former) = self.former.bindings.drain(n..).next()
        {
            self.location = former.location;
            self.text = former.text;
            self.anchor = Some(former.anchor);
            self.former.function = former.function;
        }
    }

    /// What it is bound to now, if it is bound to a line of a function.
    fn binding(&self) -> Option<Binding> {
        Some(Binding {
            function: self.former.function.clone(),
            location: self.location.clone(),
            text: self.text.clone(),
            anchor: self.anchor.clone()?,
        })
    }

    /// Moves the breakpoint to where its line is now. `None` if that changes nothing.
    fn follow(
        &mut self,
        anchor: &Anchor,
        program: &Program,
        sources: &Sources,
    ) -> Option<ReboundBreakpoint> {
        let Location::Line { source, line } = &self.location else {
            return None;
        };
        let (source, line) = (source.clone(), *line);
        let function = function_named(program, &anchor.function)
            .map(Rc::as_ref)
            .or_else(|| function_with_line(program, sources, &source, &anchor.text))?;
        let (start_source, first) = function_start(function, sources)?;
        let lines = stop_lines(function, sources);
        let expected_line = first + anchor.line_offset;
        let same_text = lines
            .iter()
            .filter(|l| l.text == anchor.text)
            .min_by_key(|l| (l.source != source, l.line.abs_diff(expected_line)));
        let mut in_start = lines.iter().filter(|l| l.source == start_source);
        let nearest = in_start
            .clone()
            .find(|l| l.line >= expected_line)
            .or_else(|| in_start.next_back());
        let new_line = same_text.or(nearest)?;
        let new_source = new_line.source.clone();
        // A function with the same name in another file is unrelated.
        if new_source != source
            && !new_source.starts_with("entry ")
            && !source.starts_with("entry ")
        {
            return None;
        }
        if new_source == source && new_line.line == line && same_text.is_some() {
            return None;
        }
        let (number, old) = (self.number, self.text.clone());
        self.location = Location::Line {
            source: new_source.clone(),
            line: new_line.line,
        };
        if new_source == source && self.text.parse::<u32>().is_ok() {
            self.text = new_line.line.to_string();
        }
        let is_text_changed = same_text.is_none();
        (new_source != source || new_line.line != line || is_text_changed).then(|| {
            ReboundBreakpoint {
                id: number,
                location: old,
                change: BindingChange::Moved {
                    function: function.name.to_string(),
                    from_file: source,
                    from_line: line,
                    file: new_source,
                    line: new_line.line,
                    is_text_changed,
                },
            }
        })
    }

    /// Whether the function that contained the line no longer exists in its source.
    fn has_lost_function(&self, anchor: &Anchor, program: &Program, sources: &Sources) -> bool {
        let Location::Line { source, .. } = &self.location else {
            return false;
        };
        let function = function_named(program, &anchor.function)
            .map(Rc::as_ref)
            .or_else(|| function_with_line(program, sources, source, &anchor.text));
        let is_in_source = |f: &Function| {
            let lines = stop_lines(f, sources);
            lines.iter().any(|l| l.source == *source)
        };
        !function.is_some_and(is_in_source)
    }

    /// The anchor for the breakpoint's current address, and the line of that address.
    fn current_anchor(&self, program: &Program, sources: &Sources) -> Option<(Anchor, u32)> {
        let (Location::Line { .. }, &(id, pc)) = (&self.location, self.addresses.first()?) else {
            return None;
        };
        let function = program.function(id)?;
        let (_, first) = function_start(function, sources)?;
        let span = function.stop_point_at(pc)?.span;
        let source = sources.get(span.source)?;
        let (line, _) = source.line_column(span.start);
        let text = source.line(line).trim().to_string();
        Some((
            Anchor {
                function: function.name.to_string(),
                line_offset: line.saturating_sub(first),
                text,
            },
            line,
        ))
    }
}

/// The current definition of a function, by name.
fn function_named<'p>(program: &'p Program, name: &str) -> Option<&'p Rc<Function>> {
    let function = program
        .functions
        .iter()
        .find(|f| f.kind != FunctionKind::Entry && f.name.as_str() == name)?;
    (!function.stop_points.is_empty()).then_some(function)
}

/// The function of a source that has a line with this text, if there is exactly one. It finds a
/// function that has been renamed.
fn function_with_line<'p>(
    program: &'p Program,
    sources: &Sources,
    source: &str,
    text: &str,
) -> Option<&'p Function> {
    let is_in_source =
        |f: &&Function| function_start(f, sources).is_some_and(|(name, _)| name == source);
    let has_line = |f: &&Function| stop_lines(f, sources).iter().any(|l| l.text == text);
    let mut candidates = program
        .functions
        .iter()
        .map(AsRef::as_ref)
        .filter(is_in_source)
        .filter(has_line);
    candidates.next().filter(|_| candidates.next().is_none())
}

/// The source and the first line of a function.
fn function_start(function: &Function, sources: &Sources) -> Option<(String, u32)> {
    let span = function.stop_points.first()?.span;
    let source = sources.get(span.source)?;
    Some((source.origin.to_string(), source.line_number(span.start)))
}

/// The lines of a function that have a stop point, in ascending order.
fn stop_lines(function: &Function, sources: &Sources) -> Vec<StopLine> {
    let mut lines: Vec<StopLine> = Vec::new();
    for stop in &function.stop_points {
        let Some(source) = sources.get(stop.span.source) else {
            continue;
        };
        let (line, _) = source.line_column(stop.span.start);
        let name = source.origin.to_string();
        if !lines.iter().any(|l| l.line == line && l.source == name) {
            lines.push(StopLine {
                source: name,
                line,
                text: source.line(line).trim().to_string(),
            });
        }
    }
    lines.sort_by_key(|l| l.line);
    lines
}
