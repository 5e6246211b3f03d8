//! The pictures of the documentation are drawn from real runs. `GRIDBUG_UPDATE=1` writes them; without
//! it, the test fails if one is out of date.

use crate::pty_session::PtySession;
use std::fmt::Write;
use std::path::Path;

/// Size of a character, in pixels.
const CELL_WIDTH: f32 = 8.4;
const CELL_HEIGHT: f32 = 18.0;
const MARGIN: f32 = 12.0;

/// The colors of the 256-color palette that gridbug uses, as on a white background.
fn css_color(color: vt100::Color) -> Option<String> {
    match color {
        vt100::Color::Default => None,
        vt100::Color::Idx(n @ 16..232) => {
            let levels = [0, 95, 135, 175, 215, 255];
            let n = usize::from(n) - 16;
            let [r, g, b] = [n / 36, n / 6 % 6, n % 6].map(|n| levels[n]);
            Some(format!("#{r:02x}{g:02x}{b:02x}"))
        }
        vt100::Color::Idx(n @ 232..) => {
            let level = 8 + 10 * (n - 232);
            Some(format!("#{level:02x}{level:02x}{level:02x}"))
        }
        other => panic!("no color for {other:?}"),
    }
}

/// Cells of a row that look the same.
#[derive(PartialEq, Clone)]
struct Look {
    color: Option<String>,
    background: Option<String>,
    is_bold: bool,
    is_dim: bool,
    is_inverse: bool,
}

/// The screen as SVG. Lines at the end that are blank are left out.
fn svg(screen: &vt100::Screen, title: &str) -> String {
    let (_, cols) = screen.size();
    let contents = screen.contents();
    let rows = contents.trim_end().lines().count() as u16;
    let width = f32::from(cols.get()) * CELL_WIDTH + 2.0 * MARGIN;
    let height = f32::from(rows) * CELL_HEIGHT + 2.0 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#fff\" stroke=\"#ccc\"/>\n",
        escape(title)
    );
    for row in 0..rows {
        let mut col = 0;
        while col < cols.get() {
            let look = look_at(screen, row, col);
            let mut text = String::new();
            let start = col;
            while col < cols.get() && look_at(screen, row, col) == look {
                let cell = screen.cell(row, col);
                let contents = cell.map_or("", |cell| cell.contents());
                text.push_str(if contents.is_empty() { " " } else { contents });
                col += 1;
            }
            draw_run(&mut out, row, start, &text, &look);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn look_at(screen: &vt100::Screen, row: u16, col: u16) -> Look {
    let cell = screen.cell(row, col);
    Look {
        color: cell.and_then(|cell| css_color(cell.fgcolor())),
        background: cell.and_then(|cell| css_color(cell.bgcolor())),
        is_bold: cell.is_some_and(|cell| cell.bold()),
        is_dim: cell.is_some_and(|cell| cell.dim()),
        is_inverse: cell.is_some_and(|cell| cell.inverse()),
    }
}

fn draw_run(out: &mut String, row: u16, col: u16, text: &str, look: &Look) {
    let x = MARGIN + f32::from(col) * CELL_WIDTH;
    let y = MARGIN + f32::from(row) * CELL_HEIGHT;
    let width = text.chars().count() as f32 * CELL_WIDTH;
    let color = look
        .color
        .as_deref()
        .unwrap_or(if look.is_dim { "#777" } else { "#111" });
    let background = match look.is_inverse {
        true => Some(color),
        false => look.background.as_deref(),
    };
    if let Some(fill) = background {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{CELL_HEIGHT}\" fill=\"{fill}\"/>"
        );
    }
    let trimmed = text.trim_end();
    if trimmed.trim().is_empty() {
        return;
    }
    let color = if look.is_inverse { "#fff" } else { color };
    let weight = if look.is_bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let length = trimmed.chars().count() as f32 * CELL_WIDTH;
    let baseline = y + 13.5;
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{baseline:.1}\" textLength=\"{length:.1}\" fill=\"{color}\"{weight} \
         xml:space=\"preserve\">{}</text>",
        escape(trimmed)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Compares a picture with its file, or writes the file.
fn check(terminal: &PtySession, name: &str, title: &str) {
    let picture = terminal.with_screen(|screen| svg(screen, title));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/pictures/{name}.svg"));
    if std::env::var_os("GRIDBUG_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, picture).unwrap();
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        stored,
        picture,
        "{} is out of date; GRIDBUG_UPDATE=1 cargo test --test cli pictures",
        path.display()
    );
}

/// A terminal with a game of tic-tac-toe.
fn start(name: &str) -> PtySession {
    PtySession::new(name, &["--seed", "1"], 80, 24)
}

#[test]
fn the_prompt() {
    let mut terminal = start("picture-prompt");
    terminal.type_line("click{1,1}");
    terminal.wait_for("(X)");
    terminal.wait_for_prompt();
    check(
        &terminal,
        "prompt",
        "The start screen, and a click on the board",
    );
}

#[test]
fn a_stop() {
    let mut terminal = start("picture-stop");
    for line in [":clear", ":break onClick", "click{0,0}"] {
        terminal.type_line(line);
    }
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line("step");
    terminal.wait_for_prompt();
    check(&terminal, "stop", "Stopped in the handler of a click");
}

#[test]
fn an_evaluation() {
    let mut terminal = start("picture-evaluation");
    for line in [
        "click{0,0}",
        ":clear",
        ":explain board[0][0] == board[1][1] OR turn == \"o\"",
    ] {
        terminal.type_line(line);
    }
    terminal.wait_for_prompt();
    check(
        &terminal,
        "evaluation",
        "An expression with the value of each part",
    );
}

#[test]
fn the_view() {
    let arguments = ["--seed", "1", "--theme", "light"];
    let mut terminal = PtySession::new("picture-view", &arguments, 100, 30);
    for line in ["click{1,1}", "click{0,0}", ":break 36", "click{2,2}"] {
        terminal.type_line(line);
    }
    terminal.wait_for_at_cursor("stopped> ");
    terminal.type_line(":view");
    terminal.wait_for("? keys");
    for part in 1..=5 {
        terminal.send_keys("e");
        terminal.wait_until("the next part", |terminal| {
            let screen = terminal.screen();
            let rows = screen.lines().filter(|row| row.contains("│ falling {"));
            rows.count() == part + 1
        });
    }
    check(
        &terminal,
        "view",
        "The view: source, board, an expression step by step, variables, calls and the time line",
    );
}
