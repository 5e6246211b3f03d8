//! Frames of the view as text, without a terminal: what they show, and that nothing is lost on screens
//! of any size, in all five languages.

use super::layout::Layout;
use super::state::{Focus, ViewState};
use crate::driver::Driver;
use crate::languages;
use crate::session::{Line, Session};
use crate::terminal::output::Screen;
use crate::terminal::screen::canvas::Canvas;
use crate::terminal::screen::view::output_log::{DiagnosticDetail, answer_lines};

/// A session with its view.
struct Shown {
    driver: Driver,
    session: Session,
    state: ViewState,
    output: Vec<Line>,
    is_ascii: bool,
}

impl Shown {
    /// A session with a program, or with the sample game of the language.
    fn new(language: &str, program: &str, lines: &[&str]) -> Shown {
        let language = languages::by_name(language).unwrap();
        let mut session = Session::new(language, 1);
        let program = match program {
            "" => language.info().sample,
            program => program,
        };
        let answer = crate::session::start_session(&mut session, "game", program);
        assert!(answer.ok, "{answer:?}");
        let mut shown = Shown {
            state: ViewState::new(&mut session, false),
            driver: Driver::new(),
            session,
            output: Vec::new(),
            is_ascii: false,
        };
        shown.enter(lines);
        shown
    }

    fn enter(&mut self, lines: &[&str]) {
        for line in lines {
            let answer = self.driver.answer(&mut self.session, line);
            let answer = self.driver.finish(&mut self.session, answer);
            self.state.note_stop(&self.session, &answer);
            let screen = Screen::new(false, true);
            self.output.push(Line::plain(format!("> {line}")));
            let detail = DiagnosticDetail::Message;
            self.output
                .extend(answer_lines(&self.session, &screen, &answer, detail));
        }
    }

    fn canvas(&mut self, width: usize, height: usize, prompt_rows: usize) -> Canvas {
        (
            self.session.view_settings.width,
            self.session.view_settings.height,
        ) = (width, height);
        let output = self.output.clone();
        let size = (width, height);
        let scene = self
            .state
            .scene(&mut self.session, output, size, self.is_ascii);
        let layout = Layout::new(&scene, width, height, prompt_rows);
        for (n, (pane, area)) in layout.panes.iter().enumerate() {
            let is_inside = area.right() <= width && area.bottom() <= layout.prompt.top;
            assert!(is_inside, "{pane:?} {area:?} on {width} x {height}");
            for (other, b) in &layout.panes[n + 1..] {
                let is_beside = area.right() <= b.left || b.right() <= area.left;
                let is_above = area.bottom() <= b.top || b.bottom() <= area.top;
                assert!(
                    is_beside || is_above,
                    "{pane:?} and {other:?} on {width} x {height}"
                );
            }
        }
        scene.frame(width, height, prompt_rows)
    }

    fn rows(&mut self, width: usize, height: usize) -> Vec<String> {
        self.canvas(width, height, 1).rows()
    }

    fn text(&mut self, width: usize, height: usize) -> String {
        self.rows(width, height).join("\n")
    }
}

/// A stop in a condition.
fn stop() -> Shown {
    let lines = ["click{1,1}", "click{0,0}", ":break 36", "click{2,2}"];
    Shown::new("gridlok", "", &lines)
}

/// Sessions in all languages, at a start, at stops, in the past, at questions, with long output.
fn sessions() -> Vec<(&'static str, Shown)> {
    let mut steps = stop();
    steps.enter(&[":step sub", ":step sub", ":step sub"]);
    let mut past = stop();
    past.enter(&[":continue", ":goto start"]);
    let mut lesson = Shown::new("gridlok", "", &[":lesson gridlok 2", ":lesson 3"]);
    lesson.state.focus = Focus::Board;
    let lines = [":lesson gridlok 2", ":lesson 3", ":lesson next"];
    let prediction = Shown::new("gridlok", "", &lines);
    let exercise = Shown::new("gridlok", "", &[":lesson gridlok 6", ":lesson 14"]);
    let large = "board { dimensions {40, 60} } \
        piece { name {\"a rather long name\"} onClick { print{\"x\"} } } \
        setup { for r, c in board { place {\"a rather long name\", r, c} } }";
    let long = "print{\"a long line of output that will not fit into any pane, whatever happens\"}";
    vec![
        ("gridlok start", Shown::new("gridlok", "", &[])),
        ("gridlok stop", stop()),
        ("gridlok steps", steps),
        ("gridlok past", past),
        ("lesson", lesson),
        ("prediction", prediction),
        ("exercise", exercise),
        (
            "large board",
            Shown::new("gridlok", large, &["click{30,50}"]),
        ),
        ("error", Shown::new("gridlok", "", &["def n {1 / 0}", long])),
        ("bogl question", Shown::new("bogl", "", &["result"])),
        (
            "gridlang turn",
            Shown::new("gridlang", "", &[":step :turn", ":turn"]),
        ),
        (
            "tinygame stop",
            Shown::new("tinygame", "", &[":break 3", ":restart"]),
        ),
        ("sgl2d", Shown::new("sgl2d", "", &["right", "down"])),
    ]
}

/// Widths from 40 to 200 and heights from 12 to 60, denser where the layout changes.
fn sizes() -> impl Iterator<Item = (usize, usize)> {
    let widths = [40, 47, 55, 56, 63, 80, 95, 96, 110, 131, 132, 160, 200];
    let heights = [12, 15, 16, 20, 24, 30, 43, 60];
    widths
        .into_iter()
        .flat_map(move |width| heights.map(|height| (width, height)))
}

#[test]
fn nothing_is_lost_without_a_mark_on_any_screen() {
    for (name, mut shown) in sessions() {
        for (is_ascii, is_large) in [(false, false), (true, true)] {
            (shown.is_ascii, shown.state.is_large) = (is_ascii, is_large);
            for (width, height) in sizes() {
                let prompt_rows = if is_large { 8 } else { 1 };
                let canvas = shown.canvas(width, height, prompt_rows);
                let rows = canvas.rows();
                assert_eq!(rows.len(), height);
                assert!(
                    canvas.mistakes.is_empty(),
                    "{name} on {width} x {height}: {:#?}\n{}",
                    canvas.mistakes,
                    rows.join("\n")
                );
                for row in rows {
                    assert!(row.chars().count() <= width, "{name}: {row}");
                }
            }
        }
    }
}

#[test]
fn tiny_screens_are_drawn_too() {
    for (_, mut shown) in sessions() {
        for width in [1, 2, 3, 7, 20, 30] {
            for height in [1, 2, 3, 5, 8, 10] {
                assert_eq!(shown.rows(width, height).len(), height);
            }
        }
    }
}

#[test]
fn a_stop_shows_source_board_values_and_calls() {
    let text = stop().text(80, 24);
    for part in [
        "─ game ─",
        " Paused: breakpoint 1 in winCondition ─",
        "│● 36 ▸       falling {falling AND mine {board[i][i]}} ",
        "1  ·  X  ·",
        "│ falling  true",
        "▸ winCondition  line 36",
        "  click{2,2}    you",
        " start ━",
        "┿ click{1,1} ━",
        "━●\n",
        "→ step  ← back  n over",
        "? keys",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}
