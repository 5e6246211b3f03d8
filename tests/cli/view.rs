//! `:view`: the panes that stay in place, with keys, mouse and the prompt at the bottom.

use crate::pty_session::PtySession;

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const DOWN: &str = "\x1b[B";
const TAB: &str = "\t";

/// Moves with which x wins tic-tac-toe.
const WIN_FOR_X: &str = "click{0,0} click{1,0} click{0,1} click{1,1} click{0,2}";

/// Starts gridbug in the view.
fn view(name: &str, arguments: &[&str], cols: u16, rows: u16) -> PtySession {
    let mut terminal = PtySession::new(name, arguments, cols, rows);
    terminal.type_line(":view");
    terminal.wait_for("? keys");
    terminal
}

/// Presses the left mouse button where `text` is on the screen.
fn click_on(terminal: &mut PtySession, text: &str) {
    let screen = terminal.screen();
    let (row, col) = screen
        .lines()
        .enumerate()
        .find_map(|(row, line)| {
            let at = line.find(text)?;
            Some((row, line[..at].chars().count()))
        })
        .unwrap_or_else(|| panic!("no {text:?} on the screen:\n{screen}"));
    terminal.send_keys(&format!(
        "\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m",
        col + 1,
        row + 1
    ));
}

/// Types a command after the key `:`.
fn enter_command(terminal: &mut PtySession, command: &str) {
    terminal.send_keys(":");
    terminal.wait_for_at_cursor("> :");
    terminal.send_keys(command);
    terminal.wait_for_at_cursor(&format!("> :{command}"));
    terminal.send_keys("\r");
}

/// Opens the prompt and deletes the colon.
fn open_prompt(terminal: &mut PtySession) {
    terminal.send_keys(":");
    terminal.wait_for_at_cursor("> :");
    terminal.send_keys("\x7f");
    terminal.wait_for_prompt();
}

/// Types an entry in the language of the game.
fn enter_code(terminal: &mut PtySession, code: &str) {
    open_prompt(terminal);
    terminal.type_line(code);
}

#[test]
fn keys_play_break_step_and_step_back() {
    let mut terminal = view("view-keys", &["--plain"], 80, 24);
    terminal.wait_until("the alternate screen with mouse reports", |terminal| {
        terminal.is_full_screen() && terminal.has_mouse()
    });
    // The board has the focus: the arrows move the cursor, Enter plays the cell.
    terminal.wait_for("| 0 |< . >|  .  |  .  |");
    terminal.send_keys(DOWN);
    terminal.wait_for("| 1 |< . >|  .  |  .  |");
    terminal.send_keys("\r");
    terminal.wait_for("| 1 |< X*>|  .  |  .  |");
    terminal.wait_for("- o to move -");
    // In the source, a breakpoint on line 9 stops the next click.
    terminal.send_keys(TAB);
    terminal.wait_for("b break");
    for _ in 1..9 {
        terminal.send_keys(DOWN);
    }
    terminal.wait_for("|   9 - ");
    terminal.send_keys("b");
    terminal.wait_for("|*  9 - ");
    terminal.send_keys(TAB);
    terminal.wait_for("Enter plays");
    terminal.send_keys(RIGHT);
    terminal.send_keys("\r");
    terminal.wait_for("|*  9 > ");
    terminal.wait_for("- Paused: breakpoint 1 in free.onClick at [1][1] -");
    terminal.wait_for("[1][1] free => O");
    // Step into the win condition, and back to where it was.
    terminal.send_keys(RIGHT);
    terminal.wait_for("|  23 > ");
    terminal.send_keys(RIGHT);
    terminal.wait_for("|  24 > ");
    terminal.send_keys(LEFT);
    terminal.wait_for("|  23 > ");
    terminal.send_keys("b");
    terminal.wait_for("|* 23 > ");
    terminal.send_keys("b");
    terminal.wait_for("|  23 > ");
    // `q` returns to the prompt, where the stop is shown.
    terminal.send_keys("q");
    terminal.wait_until("the normal screen", |terminal| {
        !terminal.is_full_screen() && !terminal.has_mouse()
    });
    terminal.wait_for_at_cursor("> ");
    terminal.type_line("where");
    terminal.wait_for("winCondition");
    // Everything was run as if typed.
    terminal.type_line(":history");
    terminal.wait_for("click{1,0}");
    terminal.wait_for("click{1,1}");
}

#[test]
fn mouse_clicks_play_cells_and_set_breakpoints() {
    let mut terminal = view("view-mouse", &["--plain"], 100, 30);
    click_on(&mut terminal, "<   .   >");
    terminal.wait_for("|<   X*  >|");
    click_on(&mut terminal, " 9 ");
    terminal.wait_for("|*  9 - ");
    click_on(&mut terminal, " 9 ");
    terminal.wait_for("|   9 - ");
    // The text of a line only selects it.
    click_on(&mut terminal, "players {");
    terminal.wait_for("|   4 - ");
}

#[test]
fn the_prompt_opens_below_the_panes_and_survives_resizing() {
    let mut terminal = view("view-prompt", &["--plain"], 80, 24);
    open_prompt(&mut terminal);
    assert!(!terminal.has_mouse());
    let panes = |terminal: &PtySession| -> Vec<String> {
        terminal
            .screen()
            .lines()
            .take(15)
            .map(str::to_string)
            .collect()
    };
    let before = panes(&terminal);
    assert!(before[0].contains("sample.gl"), "{before:?}");
    // An entry of several lines, completion and clearing the screen stay below the panes.
    terminal.type_line("fun add(a, b) {");
    terminal.wait_for_at_cursor("... ");
    terminal.send_keys("retu\t\x0c");
    terminal.wait_for_at_cursor("... return");
    assert_eq!(panes(&terminal), before);
    terminal.resize(100, 34);
    terminal.wait_until("the panes in the new size", |terminal| {
        let screen = terminal.screen();
        let rows: Vec<&str> = screen.lines().collect();
        rows.len() == 34 && rows[0].contains("sample.gl") && rows[23].contains(" 22 ")
    });
    terminal.send_keys(" a + b\r");
    terminal.type_line("}");
    terminal.wait_for("defined function add");
    terminal.wait_for("? keys");
    terminal.wait_until("the mouse is back", PtySession::has_mouse);
    enter_code(&mut terminal, "add{20, 22}");
    terminal.wait_for("= 42");
    // Ctrl-C closes the prompt, not the view.
    terminal.send_keys(":");
    terminal.wait_for_at_cursor("> :");
    terminal.send_keys("\x03");
    terminal.wait_for("? keys");
    assert!(terminal.is_full_screen());
}

#[test]
fn long_answers_are_shown_page_by_page() {
    let mut terminal = view("view-pages", &["--plain"], 80, 24);
    terminal.send_keys("?");
    terminal.wait_for("any key closes");
    terminal.wait_for("larger cells");
    terminal.send_keys("\x1b");
    terminal.wait_for("? keys");
    enter_code(&mut terminal, "fun { }");
    terminal.wait_for("error[");
    terminal.wait_for("any key closes");
    // A key of the view closes the message and does what it does otherwise.
    terminal.send_keys("l");
    terminal.wait_for("|<   .   >|");
}

#[test]
fn ctrl_c_stops_an_endless_loop_and_keeps_the_view() {
    let mut terminal = view("view-endless", &["--plain"], 80, 24);
    enter_code(&mut terminal, "for i(0, 2) { i{0} print{\"hello\"} }");
    std::thread::sleep(std::time::Duration::from_millis(300));
    terminal.send_keys("\x03");
    terminal.wait_for("interrupt");
    terminal.wait_for("hello");
    assert!(terminal.is_full_screen());
    enter_command(&mut terminal, "abandon");
    terminal.wait_for("Enter plays");
}

#[test]
fn slow_motion_is_drawn_in_place() {
    let mut terminal = view("view-slow", &["--plain"], 80, 24);
    enter_command(&mut terminal, "step winCondition");
    terminal.wait_for("|  23 > ");
    enter_command(&mut terminal, "play 50");
    terminal.wait_for("|  26 > ");
    terminal.send_keys("x");
    terminal.wait_for("? keys");
    terminal.send_keys("q");
    terminal.wait_for_at_cursor("> ");
}

#[test]
fn games_with_arrow_keys_are_played_in_the_view() {
    let file = format!("{}/view-arrows.sgl2d", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(
        &file,
        "environment > x=4 y=3\nplayer > x=0 y=0\ngoal > x=3 y=2\n",
    )
    .unwrap();
    let mut terminal = view("view-arrows", &["--plain", &file], 80, 24);
    terminal.send_keys(RIGHT);
    terminal.wait_for("| 0 |  .* |  @* |  .  |  .  |");
    terminal.send_keys("u");
    terminal.wait_for("| 0 |  @* |  .* |  .  |  .  |");
}

#[test]
fn the_terminal_is_restored_when_the_process_ends() {
    let terminal = view("view-killed", &["--plain"], 80, 24);
    let status = std::process::Command::new("kill")
        .arg(terminal.process_id().to_string())
        .status()
        .unwrap();
    assert!(status.success());
    let mut terminal = terminal;
    terminal.wait_until("the normal screen", |terminal| {
        !terminal.is_full_screen() && !terminal.has_mouse() && !terminal.has_hidden_cursor()
    });
}

#[test]
fn it_can_be_read_without_color() {
    let mut terminal = view("view-plain", &["--plain", "--color", "never"], 80, 24);
    enter_command(&mut terminal, "step winCondition");
    terminal.wait_for("|  23 > ");
    assert_eq!(terminal.colors(), []);
}

#[test]
fn it_can_be_resized_to_almost_nothing() {
    let mut terminal = PtySession::new("view-tiny", &["--plain"], 40, 8);
    terminal.type_line(":view");
    terminal.wait_for("0 <.>");
    terminal.resize(20, 4);
    terminal.resize(120, 40);
    terminal.wait_until("forty rows", |terminal| {
        terminal.screen().lines().count() == 40
    });
    terminal.send_keys("q");
    terminal.wait_for_at_cursor("> ");
}

#[test]
fn a_click_answers_a_question_of_the_program() {
    let file = format!("{}/view-question.bgl", env!("CARGO_TARGET_TMPDIR"));
    let game = "game Question\ntype Board = Array (3,3) of {X, Empty}\ntype Input = (Int,Int)\n\n\
        blank : Board\nblank!(x,y) = Empty\n\n\
        play : Board -> Board\nplay(b) = place(X, b, input)\n";
    std::fs::write(&file, game).unwrap();
    let mut terminal = view("view-question", &["--plain", &file], 80, 24);
    enter_code(&mut terminal, "play(blank)");
    terminal.wait_for("Enter answers");
    // The first row is drawn at the top or at the bottom, the first column on the left.
    terminal.send_keys(RIGHT);
    terminal.send_keys("\r");
    terminal.wait_for("X");
    terminal.wait_for("? keys");
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gridbug"))
        .args(["--eval", ":view"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("The view needs a terminal"), "{text}");
}

#[test]
fn questions_are_asked_before_the_panes_show_the_result() {
    let mut terminal = PtySession::new("view-predict", &["--plain"], 80, 24);
    terminal.type_line(":predict cell 1,1");
    terminal.wait_for("before the next step");
    terminal.type_line(":view");
    terminal.wait_for("? keys");
    terminal.wait_for("| 0 |< . >|  .  |  .  |");
    terminal.send_keys(DOWN);
    terminal.send_keys(RIGHT);
    terminal.wait_for("| 1 |  .  |< . >|  .  |");
    terminal.send_keys("\r");
    terminal.wait_for("? What is on [1][1] after `click{1,1}`?");
    terminal.wait_for("1 free   2 X   3 O   4 empty");
    terminal.wait_for("|  .  |< ? >|  .  |");
    terminal.send_keys("2");
    terminal.wait_for("Right: X");
    terminal.wait_for("< X*>");
}

#[test]
fn messages_are_shown_whole() {
    let mut terminal = view("view-messages", &["--plain"], 80, 24);
    // The message wraps: it fits into the output pane, or is shown over the panes.
    enter_command(&mut terminal, "vary");
    terminal.wait_for("0..3 turnCount == 2`");
    terminal.send_keys("\x1b");
    terminal.wait_for("? keys");
    // Of an error that is longer than the pane, the message stays when it is closed.
    enter_code(&mut terminal, WIN_FOR_X);
    terminal.wait_for("x has won");
    terminal.send_keys("\r");
    terminal.wait_for("any key closes");
    terminal.wait_for("the game is over; the click has no effect");
    terminal.send_keys("\x1b");
    terminal.wait_for("? keys");
    terminal.wait_for("warning: the game is over; the click has no effect");
}

#[test]
fn w_explains_the_last_change() {
    let mut terminal = view("view-why", &["--plain"], 80, 24);
    terminal.wait_for("| 0 |< . >|");
    terminal.send_keys("\r");
    terminal.wait_for("| 0 |< X*>|");
    terminal.send_keys("w");
    terminal.wait_for("[0][0]: free => X");
    terminal.wait_for("any key closes");
}

#[test]
fn a_line_after_the_colon_key_is_a_command() {
    let mut terminal = view("view-colon", &["--plain"], 80, 24);
    enter_command(&mut terminal, "find lose");
    terminal.wait_for("a loss is impossible");
    // The colon may be typed again, and alone it does nothing.
    enter_command(&mut terminal, ":when");
    terminal.wait_for("after :load sample.gl");
    enter_command(&mut terminal, "");
    terminal.wait_for("? keys");
    terminal.send_keys(TAB);
    terminal.wait_for("b break");
    // In the source, Enter opens the prompt for the language.
    terminal.send_keys("\r");
    terminal.wait_for_prompt();
    terminal.type_line("20 + 22");
    terminal.wait_for("= 42");
    // A key that closes a message also does what it does otherwise.
    terminal.send_keys("?");
    terminal.wait_for("any key closes");
    terminal.send_keys(":");
    terminal.wait_for_at_cursor("> :");
    terminal.send_keys("\x03");
    terminal.wait_for("? keys");
    terminal.send_keys("?");
    terminal.wait_for("any key closes");
    terminal.send_keys("\r");
    terminal.wait_for_prompt();
}

#[test]
fn a_question_is_asked_again_after_leaving() {
    let file = format!(
        "{}/sessions/bogl/tic-tac-toe.bgl",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut terminal = PtySession::new("view-asked", &["--plain", &file], 80, 24);
    terminal.type_line("result");
    terminal.wait_for_at_cursor("input : (Int,Int)");
    terminal.send_keys(":view\r");
    terminal.wait_for("Enter answers");
    terminal.send_keys("\x03");
    terminal.wait_until("the normal screen", |t| !t.is_full_screen());
    terminal.wait_for_at_cursor("input : (Int,Int)");
    terminal.send_keys("(3,1)\r");
    terminal.wait_for("   1  .  . (X)");
    terminal.wait_for_at_cursor("input : (Int,Int)");
}

#[test]
fn the_legend_is_above_the_status_until_the_end() {
    let mut terminal = view("view-legend", &["--plain"], 80, 24);
    let legend_row = |terminal: &PtySession, text: &str| {
        let screen = terminal.screen();
        let lines: Vec<&str> = screen.lines().collect();
        let row = |text: &str| lines.iter().rposition(|line| line.contains(text));
        assert!(row(text) > row(". free x"), "{screen}");
    };
    terminal.wait_for(". free x 9");
    enter_code(&mut terminal, WIN_FOR_X);
    terminal.wait_for("x has won");
    legend_row(&terminal, "  x has won ");
}

#[test]
fn a_long_search_shows_its_progress() {
    let file = format!(
        "{}/sessions/gridlok/connect-four.gl",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut terminal = view("view-search", &["--plain", &file], 80, 24);
    enter_command(&mut terminal, "solve");
    terminal.wait_for("(Ctrl-C stops)");
    // The panes stay in place.
    terminal.wait_for("connect-four.gl");
    terminal.send_keys("\x03");
    terminal.wait_for("(interrupted)");
    terminal.wait_for("? keys");
    let screen = terminal.screen();
    assert!(!screen.contains("Ctrl-C stops"), "{screen}");
}

#[test]
fn a_lesson_is_played_in_the_view() {
    let program = env!("CARGO_BIN_EXE_gridbug");
    let arguments = ["lesson", "--view", "--plain", "gridlok", "2"];
    // Without what an earlier run remembers.
    let _ = std::fs::remove_dir_all(crate::pty_session::home("view-lesson"));
    let mut terminal = PtySession::spawn("view-lesson", program, &arguments, 100, 30);
    // The step stays above the source; Enter is the lesson's although the board has the keys.
    terminal.wait_for("+- lesson gridlok 2  1/12 -");
    terminal.wait_for("| Enter runs  :program");
    terminal.send_keys("\r");
    terminal.wait_for("any key closes");
    terminal.send_keys("\x1b");
    terminal.wait_for("| Enter runs  click{0,0}");
    terminal.send_keys("\r");
    terminal.wait_for("+- lesson gridlok 2  3/12 -");
    // Space plays a cell; then the lesson continues from where it was.
    terminal.send_keys(RIGHT);
    terminal.send_keys(" ");
    terminal.wait_for("t tadpole x 2");
    terminal.send_keys("\r");
    terminal.wait_for("? What is on [0][0] after `click{0,0}`?");
    terminal.wait_for("1 egg   2 tadpole   3 frog   4 empty");
    terminal.send_keys("3");
    terminal.wait_for("Right: frog");
    terminal.wait_for("+- lesson gridlok 2  4/12 -");
    // How far it is, is remembered although the view was not left.
    drop(terminal);
    let mut terminal = PtySession::spawn("view-lesson", program, &arguments, 100, 30);
    terminal.wait_for("+- lesson gridlok 2  4/12 -");
}

#[test]
fn e_edits_the_definition_of_the_selected_line() {
    let mut terminal = view("view-edit", &["--plain"], 100, 30);
    terminal.send_keys(TAB);
    terminal.wait_for("e edit");
    for _ in 1..17 {
        terminal.send_keys(DOWN);
    }
    terminal.wait_for("|  17 - ");
    terminal.send_keys("e");
    terminal.wait_for("Enter replaces the definition");
    terminal.wait_for_at_cursor("}");
    // What is wrong is shown, changes nothing, and is offered again.
    terminal.send_keys(" }\r");
    terminal.wait_for("error");
    terminal.send_keys("\x1b");
    terminal.wait_for("? keys");
    terminal.send_keys("e");
    terminal.wait_for("Enter replaces the definition");
    terminal.wait_for_at_cursor("}");
    terminal.send_keys("\x7f\x7f\x1b[A\x1b[F // the other\r");
    terminal.wait_for("replaced function mine");
    // The program is shown as it is now, and a breakpoint is set in the new text.
    terminal.wait_for("// the other");
    terminal.send_keys("b");
    terminal.wait_for("no code to stop at on line 17");
    terminal.send_keys(DOWN);
    terminal.wait_for("|  18 - ");
    terminal.send_keys("b");
    terminal.wait_for("|* 18 - ");
}
