//! A reply on the screen.

use super::output::Screen;
use super::snippet;
use crate::session::{Line, Reply, Session, Style};
use std::io;

pub fn reply(screen: &mut Screen, session: &Session, reply: &Reply) -> io::Result<()> {
    screen.lines(reply.echo.as_slice())?;
    for output in &reply.output {
        screen.text(output)?;
    }
    screen.lines(&reply.lines)?;
    if let Some(value) = &reply.value {
        for (n, line) in value.split('\n').enumerate() {
            screen.line(&Line::styled(Style::Dim, if n == 0 { "= " } else { "  " }).with(Style::Plain, line))?;
        }
    }
    for diagnostic in &reply.diagnostics {
        let drawn = snippet::drawn(screen, &session.sources, diagnostic);
        screen.made(&drawn)?;
    }
    screen.lines(&reply.picture)?;
    screen.lines(&reply.hint)?;
    screen.flush()
}
