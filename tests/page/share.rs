//! Nothing is lost, everything can be shared: storage, links, files, hand-ins, embedding.

use crate::Test;
use crate::browser::{Browser, DESKTOP};
use crate::site::Site;
use serde_json::json;

pub const TESTS: &[Test] = &[
    ("a_game_is_offered_again", a_game_is_offered_again),
    ("files_are_saved_and_dropped", files_are_saved_and_dropped),
    ("work_is_handed_in", work_is_handed_in),
    ("an_embedded_page_is_bare", an_embedded_page_is_bare),
    (
        "a_damaged_link_opens_a_new_game",
        a_damaged_link_opens_a_new_game,
    ),
    (
        "full_storage_offers_a_download",
        full_storage_offers_a_download,
    ),
    (
        "the_same_lines_give_the_same_session",
        the_same_lines_give_the_same_session,
    ),
];

/// Tests of links: the address of `gridbug serve` works only on one computer, so it makes none.
pub const ON_FILES: &[Test] = &[
    ("a_link_reopens_in_the_past", a_link_reopens_in_the_past),
    (
        "a_damaged_link_opens_a_new_game",
        a_damaged_link_opens_a_new_game,
    ),
    ("files_are_saved_and_dropped", files_are_saved_and_dropped),
    ("work_is_handed_in", work_is_handed_in),
    (
        "the_same_lines_give_the_same_session",
        the_same_lines_give_the_same_session,
    ),
];

/// The page and the engine itself agree on every entry, with breakpoints, time travel and branches.
fn the_same_lines_give_the_same_session(browser: &Browser, site: &Site) {
    let lines = [
        "click{1,1}",
        ":break 36",
        "click{0,0}",
        ":step",
        ":back",
        ":delete 1",
        ":continue",
        ":undo",
        "click{2,2}",
        ":mark corner",
        "fun twice(n) { return n + n }",
        "twice{4}",
        ":goto corner",
        "click{0,2}",
        "turnCuont",
    ];
    let page = site.open(browser, "game=tic-tac-toe");
    for line in lines {
        page.enter(line);
    }
    page.press_button("Files");
    page.press_button("Save the session");
    let (_, session) = page.last_download();

    let mut engine = gridbug::protocol::Connection::new();
    let mut ask = |request: serde_json::Value| engine.handle(&request.to_string());
    let catalog = ask(json!({"request": "catalog"}));
    let examples = catalog["examples"].as_array().unwrap();
    let game = examples
        .iter()
        .find(|e| e["name"] == json!("tic-tac-toe"))
        .unwrap();
    ask(
        json!({"request": "open", "language": "gridlok", "name": game["file"],
        "program": game["program"], "stops_on_errors": true}),
    );
    for line in lines {
        ask(json!({"request": "line", "text": line}));
    }
    let expected = ask(json!({"request": "session"}));
    assert_eq!(session, expected["session"].as_str().unwrap());
}

fn a_game_is_offered_again(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.click_cell(1, 1);
    page.click_cell(0, 0);
    let again = browser.open_in(&site.url(""), DESKTOP, &page.context);
    again.wait_ready();
    assert!(
        again.text("#banner").contains("tic-tac-toe.gl"),
        "{}",
        again.text("#banner")
    );
    again.press_button("Continue it");
    assert!(again.spoken_cell(0, 0).contains("O"));
    again.click_cell(2, 2);
    assert!(again.spoken_cell(2, 2).contains("X"));
    again.assert_no_errors();
}

fn files_are_saved_and_dropped(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=sgl2d-garden");
    page.enter("right");
    page.enter("right");
    page.press_button("Files");
    page.press_button("Save the session");
    let (name, text) = page.last_download();
    assert_eq!(name, "garden.session");
    let other = site.open(browser, "game=tic-tac-toe");
    other.drop_files(&[("garden.session", &text)]);
    assert_eq!(other.text("#language"), "SGL2D", "{}", other.text("#toast"));
    assert!(other.spoken_cell(3, 3).contains("player"));
    other.drop_files(&[(
        "own.tg",
        "player knight {\n    x = 0;\n    y = 0;\n}\nmove knight up 2;\n",
    )]);
    assert_eq!(other.text("#language"), "TinyGame");
    other.drop_files(&[("picture.txt", "hello")]);
    assert!(
        other
            .text("#toast")
            .contains("Cannot tell the language of picture.txt")
    );
    other.assert_no_errors();
}

fn work_is_handed_in(browser: &Browser, site: &Site) {
    let page = site.open(browser, "lesson=gridlok-2");
    for _ in 0..8 {
        if page.js("Boolean(document.querySelector('.choices'))") == json!(true) {
            page.press("2");
        } else {
            page.press("Enter");
        }
    }
    page.press_button("Files");
    page.press_button("Hand in…");
    page.insert("Mia Ä. <b>");
    page.press_button("Download the file");
    let (name, text) = page.last_download();
    assert_eq!(name, "gridlok-2-Mia-Ä-b.json");
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["name"], json!("Mia Ä. <b>"));
    assert!(
        file["score"]["totals"]["questions"].as_u64().unwrap() > 0,
        "{text}"
    );
    // The teacher drops it onto a page of their own.
    let other = site.open(browser, "");
    other.drop_files(&[(&name, &text)]);
    assert!(
        other.text("#toast").contains("The work of Mia"),
        "{}",
        other.text("#toast")
    );
    other.assert_no_errors();
}

fn an_embedded_page_is_bare(browser: &Browser, site: &Site) {
    let page = site.open(browser, "embed&lesson=gridlok-2");
    let is_visible = |selector: &str| {
        page.js(&format!(
            "document.querySelector('{selector}').checkVisibility()"
        ))
    };
    assert_eq!(is_visible(".tools"), json!(false));
    assert_eq!(is_visible("#prompt"), json!(false));
    assert_eq!(is_visible("#board"), json!(true));
    assert!(page.text("#lesson h2").contains("pond"));
    page.assert_no_errors();
}

fn a_damaged_link_opens_a_new_game(browser: &Browser, site: &Site) {
    for damaged in [
        "s=AAAA",
        "s=%00",
        "s=",
        "s=eyJ2IjoxfQ",
        "lesson=cobol-9",
        "game=nothing",
    ] {
        let page = site.open(browser, damaged);
        assert_eq!(page.text("#caption"), "x to move");
        assert!(!page.text("#toast").is_empty(), "{damaged}");
        page.assert_no_errors();
    }
}

fn a_link_reopens_in_the_past(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    for (row, col) in [(1, 1), (0, 0), (0, 1)] {
        page.click_cell(row, col);
    }
    page.js("document.getElementById('slider').focus()");
    page.key("PageUp");
    page.idle();
    page.press_button("Share");
    let link = page.js("document.querySelector('#dialog input').value");
    let link = link.as_str().unwrap();
    assert!(link.len() < 8192, "{}", link.len());
    let other = browser.open(link, DESKTOP);
    other.wait_ready();
    assert_eq!(
        other.text("#past-text"),
        "In the past · 1 move ahead",
        "{}",
        other.text("#toast")
    );
    other.click_cell(2, 2);
    assert!(
        other.text("#ticks").contains("branch 1"),
        "{}",
        other.text("#ticks")
    );
    other.assert_no_errors();
}

fn full_storage_offers_a_download(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.js("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; null");
    page.click_cell(1, 1);
    assert!(
        page.text("#banner")
            .contains("Download it before you leave"),
        "{}",
        page.text("#banner")
    );
    page.press_button("Download");
    let (name, text) = page.last_download();
    assert_eq!(name, "tic-tac-toe.session");
    assert!(text.contains("click{1,1}"));
}
