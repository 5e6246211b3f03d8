//! Playing, stepping and typing, in all languages.

use crate::Test;
use crate::browser::{Browser, PHONE};
use crate::site::{Site, cell};
use serde_json::json;

pub const TESTS: &[Test] = &[
    ("a_click_plays", a_click_plays),
    ("all_languages_are_played", all_languages_are_played),
    (
        "breakpoints_stop_and_keys_step",
        breakpoints_stop_and_keys_step,
    ),
    (
        "conditions_and_messages_of_breakpoints",
        conditions_and_messages_of_breakpoints,
    ),
    (
        "the_board_is_played_by_keyboard",
        the_board_is_played_by_keyboard,
    ),
    (
        "the_prompt_completes_and_remembers",
        the_prompt_completes_and_remembers,
    ),
    ("an_error_offers_its_fix", an_error_offers_its_fix),
    ("an_endless_loop_is_stopped", an_endless_loop_is_stopped),
    (
        "a_click_inside_a_move_asks_once",
        a_click_inside_a_move_asks_once,
    ),
    ("an_edited_program_goes_on", an_edited_program_goes_on),
    ("a_large_board_scrolls", a_large_board_scrolls),
    (
        "slow_motion_steps_until_a_key",
        slow_motion_steps_until_a_key,
    ),
    ("pictures_of_pieces_are_shown", pictures_of_pieces_are_shown),
];

fn a_click_plays(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    assert_eq!(page.text("#caption"), "x to move");
    page.click_cell(1, 1);
    assert_eq!(page.text("#caption"), "o to move");
    assert_eq!(page.spoken_cell(1, 1), "row 1, column 1: X, changed");
    assert!(page.text("#status").contains("1 cell changed"));
    for (row, col) in [(0, 0), (0, 1), (2, 2), (2, 1)] {
        page.click_cell(row, col);
    }
    assert_eq!(page.text("#caption"), "Game over\nx has won");
    page.assert_no_errors();
}

fn all_languages_are_played(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=gridlok-minesweeper");
    assert!(page.spoken_cell(0, 0).ends_with("covered"));
    page.click_cell(2, 0);
    assert!(page.spoken_cell(2, 0).contains("clear"));
    page.assert_no_errors();

    let page = site.open(browser, "game=bogl-stones");
    page.press_button("Run result");
    assert_eq!(page.text("#caption"), "Your answer?");
    page.js("document.querySelector('.question input').focus()");
    page.insert("3");
    page.key("Enter");
    page.idle();
    assert!(
        page.spoken_cell(0, 12).contains("Gone"),
        "{}",
        page.spoken_cell(0, 12)
    );
    page.press("Escape");
    assert_ne!(page.text("#caption"), "Your answer?");
    page.assert_no_errors();

    let page = site.open(browser, "game=gridlang-puddles");
    assert_eq!(page.text("#caption"), "ann to move");
    page.press_button("Next turn");
    assert_eq!(page.text("#caption"), "bob to move");
    page.assert_no_errors();

    let page = site.open(browser, "game=sgl2d-garden");
    assert!(page.text("#header-lines").contains("Counter 2: 40"));
    page.js("document.querySelector('#board .cell[tabindex=\"0\"]').focus()");
    page.key("ArrowRight");
    page.idle();
    assert!(page.spoken_cell(3, 2).contains("player"));
    page.assert_no_errors();
    let phone = site.open_on(browser, "game=sgl2d-garden", PHONE);
    phone.press_button("right");
    assert!(phone.spoken_cell(3, 2).contains("player"));

    let page = site.open(browser, "game=tinygame-valley");
    assert!(page.text("#log").contains("The wolf bites!"));
    // Rows grow upward: the highest y is the first line.
    let first = page.js("document.querySelector('#board [role=row] .axis').textContent");
    let last =
        page.js("[...document.querySelectorAll('#board [role=row] .axis')].at(-1).textContent");
    let number = |text: &serde_json::Value| text.as_str().unwrap().parse::<i64>().unwrap();
    assert!(number(&first) > number(&last));
    page.press_button("Run again");
    page.assert_no_errors();
}

fn breakpoints_stop_and_keys_step(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.click("#code .row:nth-child(36) .gutter");
    page.idle();
    assert_eq!(
        page.js("document.querySelectorAll('.gutter[aria-pressed=true]').length"),
        json!(1)
    );
    page.click_cell(1, 1);
    assert!(page.text("#caption").starts_with("Paused\nwinCondition"));
    assert!(
        page.text("#code .row.now")
            .contains("falling {falling AND mine")
    );
    assert!(page.text("#calls").contains("winCondition"));
    assert!(page.text("#values").contains("falling"));
    page.press("n");
    assert!(page.text("#code .row.now").contains("rising {rising"));
    assert!(page.text("#values .changed").contains("falling"));
    page.press_button("Step back");
    assert!(
        page.text("#past-text").starts_with("In the"),
        "{} / {}",
        page.text("#caption"),
        page.text("#code .row.now")
    );
    assert!(!page.text("#code .row.now").contains("rising {rising"));
    page.press("r");
    assert!(page.text("#code .row.now").contains("falling {falling"));
    page.press("s");
    assert!(
        page.text("#caption").contains("mine"),
        "{}",
        page.text("#caption")
    );
    page.press("f");
    assert!(page.text("#caption").contains("winCondition"));
    // The breakpoint off, and on to the end of the move.
    page.click("#code .row:nth-child(36) .gutter");
    page.idle();
    page.press("c");
    assert_eq!(page.text("#caption"), "o to move");
    page.press("u");
    assert_eq!(page.text("#caption"), "x to move");
    page.press("U");
    assert_eq!(page.text("#caption"), "o to move");
    page.assert_no_errors();
}

fn conditions_and_messages_of_breakpoints(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.press_at("#code .row:nth-child(18) .gutter", "right");
    page.insert("turn == \"o\"");
    page.key("Enter");
    page.idle();
    page.click_cell(1, 1);
    assert_eq!(page.text("#caption"), "o to move");
    page.click_cell(0, 0);
    assert!(page.text("#caption").starts_with("Paused"));
    page.press("c");
    page.press_at("#code .row:nth-child(18) .gutter", "right");
    page.js("document.getElementById('breakpoint-message').value = 'turn of {turn}'");
    page.press_button("Save");
    while page.text("#caption").starts_with("Paused") {
        page.press("c");
    }
    page.click_cell(0, 1);
    page.click_cell(0, 2);
    assert!(
        page.text("#log").contains("turn of o"),
        "{}",
        page.text("#log")
    );
    page.assert_no_errors();
}

fn the_board_is_played_by_keyboard(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.js("document.querySelector('.skip').focus()");
    page.key("Enter");
    page.js("document.querySelector('#board .cell[tabindex=\"0\"]').focus()");
    for key in ["ArrowDown", "ArrowRight", "Enter"] {
        page.key(key);
        page.idle();
    }
    assert!(page.spoken_cell(1, 1).contains("X"));
    // The focus stays on the cell although everything was drawn again.
    assert_eq!(
        page.js("document.activeElement.dataset.r + document.activeElement.dataset.c"),
        json!("11")
    );
    // One tab stop in the whole grid.
    assert_eq!(
        page.js("document.querySelectorAll('#board .cell[tabindex=\"0\"]').length"),
        json!(1)
    );
    page.press("w");
    page.key("Enter");
    page.idle();
    assert!(page.text("#why").contains("Why is [1][1] X?"));
    page.press("Escape");
    assert_eq!(page.text("#why"), "");
    page.assert_no_errors();
}

fn the_prompt_completes_and_remembers(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.press(":");
    page.insert(":und");
    page.wait("!document.getElementById('completions').hidden");
    page.key("Tab");
    page.settle();
    assert_eq!(
        page.js("document.getElementById('prompt').value"),
        json!(":undo")
    );
    page.js("document.getElementById('prompt').value = ''");
    page.enter("1 + 1");
    assert!(page.text("#log").ends_with('2'), "{}", page.text("#log"));
    page.js("document.getElementById('prompt').focus()");
    page.key("ArrowUp");
    page.settle();
    assert_eq!(
        page.js("document.getElementById('prompt').value"),
        json!("1 + 1")
    );
    page.assert_no_errors();
}

fn an_error_offers_its_fix(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.enter("turnCuont + 1");
    assert!(
        page.text("#log .error").contains("turnCuont"),
        "{}",
        page.text("#log")
    );
    page.press_button("turnCount + 1");
    assert!(
        page.text("#log").trim_end().ends_with('1'),
        "{}",
        page.text("#log")
    );
    page.assert_no_errors();
}

fn an_endless_loop_is_stopped(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    for line in [
        "for i(0, 2) { i {0} }",
        "for i(0, 2) { i {0} print {\"again\"} }",
    ] {
        page.js("document.getElementById('prompt').focus()");
        page.insert(line);
        page.key("Enter");
        page.wait("document.getElementById('toast').checkVisibility() && document.getElementById('toast').innerText.includes('Running')");
        page.click("#toast button");
        page.idle();
        assert!(
            page.text("#caption").contains("Paused"),
            "{}",
            page.text("#caption")
        );
        page.enter(":abandon");
        assert_eq!(page.text("#caption"), "x to move");
    }
    page.assert_no_errors();
}

fn a_click_inside_a_move_asks_once(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.enter(":break winCondition");
    page.click_cell(1, 1);
    assert!(page.text("#caption").starts_with("Paused"));
    page.click_cell(0, 0);
    assert!(
        page.text("#question")
            .contains("click{1,1} is not finished"),
        "{}",
        page.text("#question")
    );
    page.press_button("Finish click{1,1} first");
    assert!(page.spoken_cell(1, 1).contains("X"));
    assert!(page.spoken_cell(0, 0).contains("O"));
    // It stopped again, inside the second move; the answer is remembered.
    assert!(page.text("#caption").starts_with("Paused"));
    page.click_cell(0, 1);
    assert!(page.spoken_cell(0, 1).contains("X"));
    page.assert_no_errors();
}

fn an_edited_program_goes_on(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.click_cell(1, 1);
    page.press_button("Edit");
    page.wait("document.getElementById('problems').innerText.includes('No problems')");
    page.js("(() => { const area = document.querySelector('.editor textarea'); \
        area.value = area.value.replace('turn == \"x\"', 'trun == \"x\"'); area.dispatchEvent(new Event('input')); })()");
    page.wait("document.getElementById('problems').innerText.includes('trun')");
    page.press_button("Write turn");
    page.wait("document.getElementById('problems').innerText.includes('No problems')");
    page.js("(() => { const area = document.querySelector('.editor textarea'); \
        area.value = area.value.replace('\"taken\"', '\"full\"'); area.dispatchEvent(new Event('input')); area.focus(); })()");
    page.key_with("Enter", 2);
    page.idle();
    assert!(
        page.text("#toast").contains("New rules"),
        "{}",
        page.text("#toast")
    );
    assert!(page.text("#code").contains("\"full\""));
    assert!(page.spoken_cell(1, 1).contains("X"));
    page.assert_no_errors();
}

fn a_large_board_scrolls(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    let program = "board { dimensions {300, 300} image {b.png} }\n\
        piece { name {\"egg\"} image {e.png} onClick { changeType {\"frog\"} } }\n\
        piece { name {\"frog\"} image {f.png} }\n\
        setup { place {\"egg\", 0, 0} place {\"egg\", 299, 299} }\n";
    page.drop_files(&[("large.gl", program)]);
    page.click_cell(0, 0);
    assert!(page.spoken_cell(0, 0).contains("frog"));
    assert!(
        page.js("document.querySelectorAll('#board .cell').length")
            .as_u64()
            .unwrap()
            < 1500
    );
    page.js("document.getElementById('board-wrap').scrollTo(1e6, 1e6)");
    page.wait(&format!(
        "document.querySelector('{}')?.getAttribute('aria-label')?.includes('egg')",
        cell(299, 299)
    ));
    page.click_cell(299, 299);
    assert!(page.spoken_cell(299, 299).contains("frog"));
    page.assert_no_errors();
}

fn slow_motion_steps_until_a_key(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.enter(":break winCondition");
    page.click_cell(1, 1);
    let line = page.text("#code .row.now");
    page.press("p");
    page.wait(&format!(
        "document.querySelector('#code .row.now')?.innerText !== {}",
        json!(line)
    ));
    page.press("x");
    page.idle();
    assert_eq!(
        page.js("document.getElementById('slow').getAttribute('aria-pressed')"),
        json!("false")
    );
    page.assert_no_errors();
}

fn pictures_of_pieces_are_shown(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    let program = "board { dimensions {1, 2} image {b.png} }\n\
        piece { name {\"egg\"} image {egg.svg} onClick { changeType {\"frog\"} } }\n\
        piece { name {\"frog\"} image {frog.svg} }\n\
        setup { place {\"egg\", 0, 0} place {\"egg\", 0, 1} }\n";
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8' onload='window.hacked=1'><circle r='4' cx='4' cy='4'/></svg>";
    page.drop_files(&[("pond.gl", program)]);
    page.drop_files(&[("egg.svg", picture), ("frog.svg", "no picture")]);
    let has_image = |col| {
        page.js(&format!(
            "Boolean(document.querySelector('{} img'))",
            cell(0, col)
        ))
    };
    page.wait(&format!("document.querySelector('{} img')", cell(0, 0)));
    page.click_cell(0, 0);
    // What is not an image is said, and its letter stays.
    assert_eq!((has_image(0), has_image(1)), (json!(false), json!(true)));
    assert!(page.spoken_cell(0, 1).contains("egg"));
    assert_eq!(page.js("window.hacked ?? null"), json!(null));
    page.assert_no_errors();
}
