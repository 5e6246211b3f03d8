//! Expressions, loops, why, why not, coverage, what a search finds.

use crate::Test;
use crate::browser::Browser;
use crate::site::{Site, cell};
use crate::tab::Page;
use serde_json::json;

pub const TESTS: &[Test] = &[
    (
        "an_expression_is_reduced_step_by_step",
        an_expression_is_reduced_step_by_step,
    ),
    (
        "why_has_the_same_numbers_everywhere",
        why_has_the_same_numbers_everywhere,
    ),
    (
        "why_of_a_value_goes_to_its_moment",
        why_of_a_value_goes_to_its_moment,
    ),
    (
        "why_not_draws_what_is_missing",
        why_not_draws_what_is_missing,
    ),
    ("coverage_counts_lines", coverage_counts_lines),
    ("found_moves_are_buttons", found_moves_are_buttons),
    ("a_long_search_is_cancelled", a_long_search_is_cancelled),
    ("the_computer_plays", the_computer_plays),
    ("rounds_of_a_loop", rounds_of_a_loop),
];

/// A text that is only drawn.
fn drawn(page: &Page, selector: &str) -> String {
    let text = page.js(&format!(
        "document.querySelector({}).dataset.text",
        json!(selector)
    ));
    text.as_str().unwrap_or_default().to_string()
}

fn an_expression_is_reduced_step_by_step(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.click_cell(1, 1);
    page.click_cell(0, 0);
    page.enter(":break 36");
    page.click_cell(2, 2);
    for _ in 0..5 {
        page.press("e");
    }
    assert_eq!(
        page.js("document.querySelectorAll('.ladder li').length"),
        json!(6)
    );
    assert_eq!(page.text(".ladder li.last"), "↳\nfalling {true AND false}");
    // The cell that was read is marked.
    assert_eq!(
        page.js(&format!(
            "document.querySelector('{}').classList.contains('read')",
            cell(0, 0)
        )),
        json!(true)
    );
    page.assert_no_errors();
}

fn why_has_the_same_numbers_everywhere(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.click_cell(1, 1);
    page.click_cell(2, 2);
    page.press_button("Ask why");
    page.click_cell(2, 2);
    assert!(
        page.text("#why").contains("Why is [2][2] O?"),
        "{}",
        page.text("#why")
    );
    assert_eq!(drawn(&page, &format!("{} .badge", cell(2, 2))), "1");
    assert_eq!(drawn(&page, "#code .row:nth-child(8) .gutter .num"), "2");
    assert!(
        page.text("#why .chain li:nth-child(2)")
            .contains("changeType {\"O\"}")
    );
    assert!(page.spoken_cell(2, 2).contains("reason 1"));
    // The right button, or a long press, asks too.
    page.press_at(&cell(1, 1), "right");
    page.idle();
    assert!(page.text("#why").contains("Why is [1][1] X?"));
    page.assert_no_errors();
}

fn why_of_a_value_goes_to_its_moment(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tinygame-valley");
    page.click("#values [data-key=\"value:knight.health\"]");
    page.idle();
    assert!(
        page.text("#why").contains("changed from 20 to 14"),
        "{}",
        page.text("#why")
    );
    page.press_button("Go to that moment");
    assert!(page.text("#past-text").len() > 4);
    assert!(
        page.text("#code .row.now").contains("knight.health"),
        "{}",
        page.text("#code .row.now")
    );
    page.assert_no_errors();
}

fn why_not_draws_what_is_missing(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    for (row, col) in [(1, 1), (0, 0), (0, 1), (2, 1)] {
        page.click_cell(row, col);
    }
    page.enter(":why not win");
    assert!(
        page.text("#why")
            .contains("It would be true with X on [2][1]"),
        "{}",
        page.text("#why")
    );
    assert_eq!(drawn(&page, &format!("{} .ghost", cell(2, 1))), "X");
    assert!(page.spoken_cell(2, 1).contains("would have to be X"));
    assert_eq!(
        page.js("document.querySelectorAll('.cell.failing').length > 0"),
        json!(true)
    );
    page.press_button("Keep as a branch");
    assert!(
        page.text(".fork button").contains("3 moves"),
        "{}",
        page.text("#ticks")
    );
    page.assert_no_errors();
}

fn coverage_counts_lines(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.click_cell(1, 1);
    page.press_button("Coverage");
    assert!(
        page.text("#code .row:nth-child(8)").contains("ran 1×"),
        "{}",
        page.text("#code .row:nth-child(8)")
    );
    assert!(
        page.js("document.querySelectorAll('.row.never').length")
            .as_u64()
            .unwrap()
            > 0
    );
    page.press_button("Coverage");
    assert_eq!(
        page.js("document.querySelectorAll('.row.never').length"),
        json!(0)
    );
    page.assert_no_errors();
}

fn found_moves_are_buttons(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.press_button("Moves");
    assert!(page.text("#found").starts_with("9 moves from here"));
    page.press_button("click{0,2}");
    assert!(page.spoken_cell(0, 2).contains("X"));
    assert_eq!(page.text("#found"), "");
    page.press_button("Way to win");
    page.wait("document.getElementById('found').innerText.startsWith('In ')");
    page.press_button("Statistics");
    page.wait("document.getElementById('found').innerText.includes('moves on average')");
    page.assert_no_errors();
}

fn a_long_search_is_cancelled(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=connect-four");
    page.click(&page.button("Way to win"));
    page.wait("document.querySelector('#found .progress')");
    page.click("#found .progress button");
    page.idle();
    page.wait("!document.querySelector('#found .progress')");
    // The session is as it was, and goes on.
    page.click_cell(0, 0);
    page.press("u");
    page.assert_no_errors();
}

fn the_computer_plays(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.js("(() => { const s = document.getElementById('opponent'); s.value = ':opponent o 1'; s.dispatchEvent(new Event('change')); })()");
    page.idle();
    page.click_cell(1, 1);
    assert_eq!(page.text("#caption"), "x to move");
    assert!(
        page.text("#log").contains("o plays"),
        "{}",
        page.text("#log")
    );
    page.assert_no_errors();
}

fn rounds_of_a_loop(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.enter(":break 36");
    page.click_cell(1, 1);
    page.press("n");
    page.press("t");
    assert!(
        page.text("#steps").contains("Rounds of"),
        "{}",
        page.text("#steps")
    );
    page.press("t");
    assert_eq!(page.text("#steps"), "");
    page.assert_no_errors();
}
