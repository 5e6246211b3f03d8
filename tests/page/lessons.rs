//! Lessons: steps, predictions, exercises, with the keyboard alone, and in front of a class.

use crate::Test;
use crate::browser::{Browser, PROJECTOR};
use crate::site::Site;
use crate::tab::Page;
use serde_json::json;

pub const TESTS: &[Test] = &[
    ("a_lesson_is_played", a_lesson_is_played),
    ("a_prediction_is_answered", a_prediction_is_answered),
    ("an_exercise_is_checked", an_exercise_is_checked),
    ("a_whole_lesson_by_keyboard", a_whole_lesson_by_keyboard),
    (
        "the_projector_waits_for_reveal",
        the_projector_waits_for_reveal,
    ),
    ("a_lesson_file_is_dropped", a_lesson_file_is_dropped),
    (
        "lessons_of_all_languages_open",
        lessons_of_all_languages_open,
    ),
];

fn step(page: &Page) -> String {
    page.text("#lesson .step")
        .trim()
        .trim_end_matches('✕')
        .trim()
        .to_string()
}

fn a_lesson_is_played(browser: &Browser, site: &Site) {
    let page = site.open(browser, "");
    page.press_button("Lessons");
    page.click(&page.button("1 Lamps"));
    page.idle();
    assert!(page.text("#lesson h2").contains("Lamps"));
    assert_eq!(step(&page), "1 / 10");
    page.press_button("Run this step");
    assert_eq!(step(&page), "2 / 10");
    page.press_button("Back");
    assert_eq!(step(&page), "1 / 10");
    page.press_button("Leave the lesson");
    assert_eq!(
        page.js("document.getElementById('lesson').hidden"),
        json!(true)
    );
    page.assert_no_errors();
}

fn to_prediction(page: &Page) {
    for _ in 0..20 {
        if page.js("Boolean(document.querySelector('.predict'))") == json!(true) {
            return;
        }
        page.press("Enter");
    }
    panic!("no question: {}", page.text("#lesson"));
}

fn a_prediction_is_answered(browser: &Browser, site: &Site) {
    let page = site.open(browser, "lesson=gridlok-2");
    to_prediction(&page);
    assert!(
        page.text(".predict h3").starts_with("What is on [0][0]"),
        "{}",
        page.text(".predict")
    );
    assert!(page.spoken_cell(0, 0).contains("asked"));
    let before = page.spoken_cell(0, 1);
    page.press("1");
    assert!(page.text(".verdict").contains("Not quite") || page.text(".verdict").contains("Right"));
    assert_eq!(page.spoken_cell(0, 1), before);
    page.assert_no_errors();
}

fn an_exercise_is_checked(browser: &Browser, site: &Site) {
    let page = site.open(browser, "lesson=gridlok-6");
    to_exercise(&page);
    let write = |text: &str| {
        page.js(&format!(
            "(() => {{ const a = document.querySelector('.task textarea'); a.value = {}; a.dispatchEvent(new Event('input')); }})()",
            json!(text)
        ));
        page.press_button("Check");
    };
    write("winCondition { win {board[0][0].name == \"cross\"} }");
    assert!(
        page.text(".checks")
            .contains("Three crosses on the diagonal win."),
        "{}",
        page.text(".task")
    );
    page.press_button("Show me on the board");
    page.press_button("Hint");
    assert!(!page.text(".hint").is_empty());
    write("winCondition { win {board[0][0].nme == } }");
    assert!(
        !page.text(".task .error").is_empty(),
        "{}",
        page.text(".task")
    );
    write(
        "winCondition { win {board[0][0].name == \"cross\" AND board[1][1].name == \"cross\" AND board[2][2].name == \"cross\"} }",
    );
    assert!(
        page.text("#lesson").contains("Everything is right") || step(&page) != "14 / 14",
        "{}",
        page.text("#lesson")
    );
    page.assert_no_errors();
}

fn to_exercise(page: &Page) {
    for _ in 0..40 {
        if page.js("Boolean(document.querySelector('.task'))") == json!(true) {
            return;
        }
        if page.js("Boolean(document.querySelector('.predict'))") == json!(true) {
            page.press_button("Skip");
        } else {
            page.press("Enter");
        }
    }
    panic!("no exercise: {}", page.text("#lesson"));
}

/// A whole lesson without a mouse: Enter for steps, digits for predictions, Tab to reach the rest.
fn a_whole_lesson_by_keyboard(browser: &Browser, site: &Site) {
    let page = site.open(browser, "lesson=gridlok-2");
    for _ in 0..60 {
        let [last, count] = step(&page)
            .split(" / ")
            .map(String::from)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let is_asked = page.js("Boolean(document.querySelector('.predict'))") == json!(true);
        if is_asked && page.js("Boolean(document.querySelector('.choices'))") == json!(true) {
            page.key("2");
        } else if is_asked {
            tab_to(&page, "[data-key=prediction]");
            page.insert("1");
            page.key("Enter");
        } else if page.js("Boolean(document.querySelector('.task'))") == json!(true) {
            tab_to(&page, "[data-key=draft]");
            page.insert("piece { name {\"frog\"} onClick { display {\"Croak!\"} } }");
            tab_to(&page, "[data-key=check]");
            page.key("Enter");
            return;
        } else if last == count {
            return;
        } else {
            page.js("document.activeElement?.matches('textarea, input, button') && document.activeElement.blur()");
            page.key("Enter");
        }
        page.idle();
    }
    panic!("the lesson did not end: {}", page.text("#lesson"));
}

/// Presses Tab until the keyboard is on an element.
fn tab_to(page: &Page, selector: &str) {
    for _ in 0..80 {
        if page.js(&format!(
            "document.activeElement?.matches({})",
            json!(selector)
        )) == json!(true)
        {
            return;
        }
        page.key("Tab");
    }
    panic!("{selector} cannot be reached with Tab");
}

fn the_projector_waits_for_reveal(browser: &Browser, site: &Site) {
    let page = site.open_on(browser, "projector&lesson=gridlok-2", PROJECTOR);
    to_prediction(&page);
    page.press("1");
    assert_eq!(page.text(".verdict"), "The answer is in.");
    page.press_button("Reveal");
    assert!(
        page.text(".verdict").contains("It is"),
        "{}",
        page.text(".verdict")
    );
    assert_eq!(
        page.js("getComputedStyle(document.documentElement).fontSize"),
        json!("20px")
    );
    page.press(":");
    assert_eq!(page.js("document.activeElement.id"), json!("prompt"));
    page.assert_no_errors();
}

fn a_lesson_file_is_dropped(browser: &Browser, site: &Site) {
    let page = site.open(browser, "");
    let text = std::fs::read_to_string("sessions/gridlok/exercise-row.session").unwrap();
    page.drop_files(&[("row.session", &text)]);
    page.press_button("Play as a lesson");
    assert_eq!(step(&page), "1 / 5", "{}", page.text("#toast"));
    page.assert_no_errors();
}

fn lessons_of_all_languages_open(browser: &Browser, site: &Site) {
    for language in ["bogl", "gridlang", "sgl2d", "tinygame"] {
        let page = site.open(browser, &format!("lesson={language}-1"));
        for _ in 0..4 {
            if page.js("Boolean(document.querySelector('.predict'))") == json!(true) {
                page.press_button("Skip");
            } else {
                page.press("Enter");
            }
        }
        assert!(
            !step(&page).starts_with("1 /"),
            "{language}: {}",
            page.text("#lesson")
        );
        page.assert_no_errors();
    }
}
