//! The first lines at the prompt: what this is, and what to try.

use crate::session::{Line, Session, Style};

pub fn lines(session: &Session, sample: bool) -> Vec<Line> {
    let about = session.language().about();
    let name = Line::styled(Style::Strong, concat!("gridbug ", env!("CARGO_PKG_VERSION")));
    let typed = |line: Line, text: &str| line.with(Style::Strong, text.to_string());
    if !sample {
        let line = name.with(Style::Plain, format!(" speaks {}. ", about.title));
        let line = typed(line, ":help").with(Style::Plain, " lists the commands, ");
        let line = match about.keys {
            Some(_) => typed(line, ":play").with(Style::Plain, " plays, "),
            None => line,
        };
        return vec![typed(line, "Ctrl-D").with(Style::Plain, " leaves.")];
    }
    let first = name.with(Style::Plain, format!(" speaks {}, and has a game on the board. Try", about.title));
    let clicks = about.builtins.iter().find(|(_, help)| help.contains("{row, col}")).map(|(name, _)| *name);
    let mut second = Line::plain("  ");
    if let Some(click) = clicks {
        second = typed(second, &format!("{click}{{1,1}}")).with(Style::Plain, " to play, ");
    }
    second = typed(second, ":undo").with(Style::Plain, " to take back, ");
    second = typed(second, ":pieces").with(Style::Plain, " to look around,");
    let third = typed(Line::plain("  "), ":help").with(Style::Plain, " for all commands; ");
    let third = typed(third, "Tab").with(Style::Plain, " completes, ");
    vec![first, second, typed(third, "Ctrl-D").with(Style::Plain, " leaves.")]
}
