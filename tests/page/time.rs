//! Time: the slider, the steps of a move, hovering, branches.

use crate::Test;
use crate::browser::Browser;
use crate::site::Site;
use crate::tab::Page;
use serde_json::json;

pub const TESTS: &[Test] = &[
    (
        "the_slider_shows_the_past_and_snaps",
        the_slider_shows_the_past_and_snaps,
    ),
    ("the_slider_is_moved_by_keys", the_slider_is_moved_by_keys),
    (
        "the_second_line_has_the_steps_of_a_move",
        the_second_line_has_the_steps_of_a_move,
    ),
    (
        "playing_in_the_past_keeps_a_branch",
        playing_in_the_past_keeps_a_branch,
    ),
    (
        "pointing_at_a_line_shows_that_time",
        pointing_at_a_line_shows_that_time,
    ),
    ("looking_leaves_no_trace", looking_leaves_no_trace),
];

fn played(browser: &Browser, site: &Site) -> Page {
    let page = site.open(browser, "game=tic-tac-toe");
    for (row, col) in [(1, 1), (0, 0), (0, 1)] {
        page.click_cell(row, col);
    }
    page
}

/// Drags the slider to a share of its length.
fn drag(page: &Page, share: f64, is_released: bool) {
    let at = page.js("(() => { const r = document.getElementById('line').getBoundingClientRect(); return [r.x, r.width, r.y + 9]; })()");
    let number = |i: usize| at[i].as_f64().unwrap();
    let (x, y) = (number(0) + number(1) * share, number(2));
    let mouse = |kind: &str, x: f64| {
        page.call(
            "Input.dispatchMouseEvent",
            json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}),
        )
    };
    let start = page.js("(() => { const s = document.getElementById('slider'); const r = s.getBoundingClientRect(); \
        return r.x + 10 + (r.width - 20) * s.value / s.max; })()");
    mouse("mousePressed", start.as_f64().unwrap());
    mouse("mouseMoved", (start.as_f64().unwrap() + x) / 2.0);
    mouse("mouseMoved", x);
    if is_released {
        mouse("mouseReleased", x);
    }
    page.idle();
}

fn the_slider_shows_the_past_and_snaps(browser: &Browser, site: &Site) {
    let page = played(browser, site);
    assert_eq!(
        page.js("document.querySelectorAll('.seg').length"),
        json!(4)
    );
    drag(&page, 0.6, true);
    // The nearest end of a move is that of the first one.
    assert_eq!(page.text("#past-text"), "In the past · 2 moves ahead");
    assert_eq!(page.text("#caption"), "o to move");
    assert!(page.spoken_cell(1, 1).contains("X"));
    assert!(page.spoken_cell(0, 0).contains("free"));
    assert_eq!(
        page.js("document.querySelectorAll('.seg.ahead').length"),
        json!(2)
    );
    page.press_button("Return to now");
    assert!(page.spoken_cell(0, 1).contains("X"));
    assert_eq!(
        page.js("document.getElementById('past').hidden"),
        json!(true)
    );
    page.assert_no_errors();
}

fn the_slider_is_moved_by_keys(browser: &Browser, site: &Site) {
    let page = played(browser, site);
    page.js("document.getElementById('slider').focus()");
    page.key("PageUp");
    page.idle();
    assert_eq!(page.text("#past-text"), "In the past · 1 move ahead");
    page.key("Home");
    page.idle();
    assert_eq!(page.text("#past-text"), "In the past · 4 moves ahead");
    page.key("End");
    page.idle();
    assert!(page.spoken_cell(0, 1).contains("X"));
    assert!(
        page.js("document.getElementById('slider').getAttribute('aria-valuetext')")
            .as_str()
            .unwrap()
            .starts_with("click{0,1}, step ")
    );
    page.assert_no_errors();
}

fn the_second_line_has_the_steps_of_a_move(browser: &Browser, site: &Site) {
    let page = played(browser, site);
    page.js("document.getElementById('slider').focus()");
    page.key("PageUp");
    page.idle();
    assert!(page.text("#fine-text").starts_with("step "));
    page.js("(() => { const s = document.getElementById('fine-slider'); s.value = (+s.min + +s.max) / 2; s.dispatchEvent(new Event('input')); })()");
    page.idle();
    assert!(
        page.text("#caption").contains("In the past"),
        "{}",
        page.text("#caption")
    );
    assert_eq!(
        page.js("document.querySelectorAll('#code .row.now').length"),
        json!(1)
    );
    page.assert_no_errors();
}

fn playing_in_the_past_keeps_a_branch(browser: &Browser, site: &Site) {
    let page = played(browser, site);
    page.js("document.getElementById('slider').focus()");
    page.key("PageUp");
    page.key("PageUp");
    page.idle();
    page.click_cell(2, 2);
    assert_eq!(page.text(".fork button"), "branch 1 · 2 moves");
    assert!(page.spoken_cell(2, 2).contains("O"));
    page.click(".fork button");
    page.idle();
    assert!(
        page.spoken_cell(0, 0).contains("O"),
        "{}",
        page.spoken_cell(0, 0)
    );
    page.assert_no_errors();
}

fn pointing_at_a_line_shows_that_time(browser: &Browser, site: &Site) {
    let page = played(browser, site);
    page.point_at("#log .in:nth-of-type(1)");
    page.wait("document.getElementById('caption').innerText.includes('As it was then')");
    assert!(page.spoken_cell(0, 0).contains("free"));
    page.point_at("#caption");
    page.wait("!document.getElementById('caption').innerText.includes('As it was then')");
    assert!(page.spoken_cell(0, 1).contains("X"));
    // The same by keyboard.
    page.js("document.querySelector('#log .in').focus()");
    page.press("Tab");
    page.assert_no_errors();
}

fn looking_leaves_no_trace(browser: &Browser, site: &Site) {
    let page = played(browser, site);
    page.press_button("Files");
    page.press_button("Save the session");
    let before = page.last_download();
    drag(&page, 0.4, true);
    page.press_button("Return to now");
    page.point_at("#log .in");
    page.wait("document.getElementById('caption').innerText.includes('As it was then')");
    page.point_at("#caption");
    page.idle();
    page.press_button("Moves");
    page.press("w");
    page.click_cell(1, 1);
    page.press_button("Coverage");
    page.press_button("Files");
    page.press_button("Save the session");
    assert_eq!(page.last_download(), before);
    page.assert_no_errors();
}
