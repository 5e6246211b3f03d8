//! The text of breakpoints.

use crate::answer::{
    Access, BindingChange, BreakpointInfo, BreakpointKind, HitCondition, Line, NewBreakpoint,
    ReboundBreakpoint, Style,
};

/// The command that sets a breakpoint like this one.
fn command(b: &BreakpointInfo) -> &'static str {
    if let Some(property) = b.property {
        return property.name();
    }
    match (&b.log_message, b.access) {
        (Some(_), _) => "log",
        (None, Some(Access::Change)) => "watch",
        (None, Some(Access::Read)) => "rwatch",
        (None, Some(Access::Both)) => "awatch",
        (None, None) if b.is_temporary => "tbreak",
        (None, None) => "break",
    }
}

/// `deleted 1: break zero.onClick`
pub(crate) fn deleted_line(b: &BreakpointInfo) -> Line {
    let text = format!("deleted {}: {} {}", b.id, command(b), b.location);
    Line::styled(Style::Dim, text)
}

/// `1  break zero.onClick   board.gl:30   if pieceRow == 2   hit 3 times`
pub(crate) fn breakpoint_line(b: &BreakpointInfo) -> Line {
    let command = command(b);
    let line =
        Line::plain(format!("  {:<2} {command} ", b.id)).with(Style::Strong, b.location.clone());
    let line = match b.kind {
        BreakpointKind::Event | BreakpointKind::Watch | BreakpointKind::Property => line,
        BreakpointKind::Line | BreakpointKind::Function => {
            line.with(Style::Dim, resolved_location(b))
        }
    };
    line.with(Style::Dim, options(b))
}

/// `   board.gl:30 and 2 more`
fn resolved_location(b: &BreakpointInfo) -> String {
    match b.ranges.as_slice() {
        [] => "   (pending)".to_string(),
        [only] => format!("   {}:{}", only.file, only.line),
        [first, more @ ..] => format!("   {}:{} and {} more", first.file, first.line, more.len()),
    }
}

fn options(b: &BreakpointInfo) -> String {
    let times = |n: u64| match n {
        1 => "once".to_string(),
        n => format!("{n} times"),
    };
    let mut text = String::new();
    if let Some(message) = &b.log_message {
        text.push_str(&format!("   \"{message}\""));
    }
    if let Some(condition) = &b.condition {
        text.push_str(&format!("   if {condition}"));
    }
    match b.hit_condition {
        Some(HitCondition::Nth(n)) => text.push_str(&format!("   hits {n}")),
        Some(HitCondition::Every(n)) => text.push_str(&format!("   hits %{n}")),
        None => {}
    }
    if let Some(command) = &b.command {
        text.push_str(&format!("   do {command}"));
    }
    if b.ignore_count > 0 {
        text.push_str(&format!("   ignored {} more", times(b.ignore_count)));
    }
    if b.hits > 0 {
        text.push_str(&format!("   hit {}", times(b.hits)));
    }
    if !b.is_enabled {
        text.push_str("   (disabled)");
    }
    text
}

/// The lines about a breakpoint that has just been set.
pub(crate) fn new_breakpoint_lines(new: &NewBreakpoint) -> Vec<Line> {
    let mut lines = vec![breakpoint_line(&new.breakpoint)];
    if new.breakpoint.is_pending {
        lines.push(Line::styled(
            Style::Warning,
            "  nothing has that name yet; the breakpoint activates when it is defined",
        ));
    }
    if let Some(problem) = &new.condition_problem {
        lines.push(Line::styled(
            Style::Warning,
            format!("  cannot evaluate the condition there, so it will always stop: {problem}"),
        ));
    }
    lines
}

/// What has become of a breakpoint in a changed program.
pub(crate) fn rebound_line(rebound: &ReboundBreakpoint) -> Line {
    let ReboundBreakpoint { id, location, .. } = rebound;
    let change = match &rebound.change {
        BindingChange::Moved {
            function,
            file,
            line,
            is_text_changed,
            ..
        } => {
            let suffix = if *is_text_changed {
                "; the text of its line has changed"
            } else {
                ""
            };
            format!("moved with {function} to {file}:{line}{suffix}")
        }
        BindingChange::Pending => "is pending: its code is gone".to_string(),
        BindingChange::Active => "is active now".to_string(),
    };
    Line::styled(Style::Dim, format!("breakpoint {id} ({location}) {change}"))
}
