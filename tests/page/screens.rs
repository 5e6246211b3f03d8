//! All screens, in all sizes and colors: for pictures to look at, and for axe-core.

use crate::Test;
use crate::browser::{Browser, DESKTOP, PHONE, PROJECTOR, Screen};
use crate::site::Site;
use crate::tab::Page;
use serde_json::json;
use std::path::PathBuf;

pub const TESTS: &[Test] = &[(
    "pictures_of_screens_are_taken",
    pictures_of_screens_are_taken,
)];

/// A screen: what the address asks for, and what is done then.
pub struct Shown {
    pub name: &'static str,
    fragment: &'static str,
    pub sizes: &'static [Screen],
    actions: fn(&Page),
}

const ALL: &[Screen] = &[DESKTOP, PROJECTOR, PHONE];

pub const SCREENS: &[Shown] = &[
    Shown {
        name: "start",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: |_| {},
    },
    Shown {
        name: "stop",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: stop,
    },
    Shown {
        name: "why",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: why,
    },
    Shown {
        name: "why-not",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: why_not,
    },
    Shown {
        name: "past",
        fragment: "game=minesweeper",
        sizes: ALL,
        actions: past,
    },
    Shown {
        name: "error",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: error,
    },
    Shown {
        name: "edit",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: edit,
    },
    Shown {
        name: "lesson",
        fragment: "lesson=gridlok-2",
        sizes: ALL,
        actions: prediction,
    },
    Shown {
        name: "exercise",
        fragment: "lesson=gridlok-6",
        sizes: ALL,
        actions: exercise,
    },
    Shown {
        name: "projector",
        fragment: "projector&game=tic-tac-toe",
        sizes: &[PROJECTOR, DESKTOP],
        actions: stop,
    },
    Shown {
        name: "projector-lesson",
        fragment: "projector&lesson=gridlok-2",
        sizes: &[PROJECTOR, DESKTOP],
        actions: prediction,
    },
    Shown {
        name: "bogl",
        fragment: "game=stones",
        sizes: ALL,
        actions: |page| page.press_button("Run result"),
    },
    Shown {
        name: "gridlang",
        fragment: "game=puddles",
        sizes: ALL,
        actions: |page| page.press_button("Next turn"),
    },
    Shown {
        name: "sgl2d",
        fragment: "game=garden",
        sizes: ALL,
        actions: |page| page.enter("right"),
    },
    Shown {
        name: "tinygame",
        fragment: "game=valley",
        sizes: ALL,
        actions: |page| page.enter(":why knight.health"),
    },
    Shown {
        name: "embed",
        fragment: "embed&lesson=gridlok-2",
        sizes: ALL,
        actions: prediction,
    },
    Shown {
        name: "lessons",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: |page| page.press_button("Lessons"),
    },
    Shown {
        name: "files",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: |page| page.press_button("Files"),
    },
    Shown {
        name: "keys",
        fragment: "game=tic-tac-toe",
        sizes: ALL,
        actions: |page| page.press("?"),
    },
    Shown {
        name: "values",
        fragment: "game=puddles",
        sizes: &[PHONE],
        actions: |page| page.press_button("Values"),
    },
];

fn stop(page: &Page) {
    page.click_cell(1, 1);
    page.click_cell(0, 0);
    type_line(page, ":break 36");
    page.click_cell(2, 2);
    for _ in 0..5 {
        page.press("e");
    }
}

/// Types a line where the prompt may be hidden, as on a phone.
fn type_line(page: &Page, line: &str) {
    page.js(
        "document.getElementById('prompt').closest('.pane').style.setProperty('display', 'flex')",
    );
    page.enter(line);
    page.js("document.getElementById('prompt').closest('.pane').style.removeProperty('display'); document.activeElement.blur()");
}

fn why(page: &Page) {
    for (row, col) in [(1, 1), (0, 0), (0, 1)] {
        page.click_cell(row, col);
    }
    page.press("u");
    page.press("u");
    page.click_cell(2, 2);
    type_line(page, ":mark corner");
    page.click_cell(0, 2);
    page.press("w");
    page.click_cell(2, 2);
}

fn why_not(page: &Page) {
    for (row, col) in [(1, 1), (0, 0), (0, 1), (2, 1)] {
        page.click_cell(row, col);
    }
    type_line(page, ":why not win");
}

fn past(page: &Page) {
    for (row, col) in [(2, 0), (3, 3), (1, 3)] {
        page.click_cell(row, col);
    }
    page.js("document.getElementById('slider').focus()");
    page.key("PageUp");
    page.idle();
    page.js("(() => { const s = document.getElementById('fine-slider'); s.value = +s.min + 40; s.dispatchEvent(new Event('input')); })()");
    page.idle();
}

fn error(page: &Page) {
    type_line(page, "turnCuont + 1");
    type_line(page, "board[7][7].name");
}

fn edit(page: &Page) {
    page.press_button("Edit");
    page.js("(() => { const area = document.querySelector('.editor textarea'); \
        area.value = area.value.replace('turn == \"x\"', 'trun == \"x\"'); area.dispatchEvent(new Event('input')); })()");
    page.wait("document.getElementById('problems').innerText.includes('trun')");
}

fn prediction(page: &Page) {
    for _ in 0..3 {
        page.press("Enter");
    }
}

fn exercise(page: &Page) {
    for _ in 0..40 {
        if page.js("Boolean(document.querySelector('.task'))") == json!(true) {
            break;
        }
        match page.js("Boolean(document.querySelector('.predict'))") == json!(true) {
            true => page.press_button("Skip"),
            false => page.press("Enter"),
        }
    }
    page.js("(() => { const a = document.querySelector('.task textarea'); \
        a.value = 'winCondition { win {board[0][0].name == \"cross\"} }'; a.dispatchEvent(new Event('input')); })()");
    page.press_button("Check");
}

/// A screen on a size, with what is done there. It fits, and nothing went wrong.
pub fn show_on(browser: &Browser, site: &Site, shown: &Shown, screen: Screen) -> Page {
    let page = site.open_on(browser, shown.fragment, screen);
    (shown.actions)(&page);
    let overflow = page.js("document.documentElement.scrollWidth - innerWidth");
    assert!(
        overflow.as_i64().unwrap() <= 0,
        "{} on {} is too wide",
        shown.name,
        screen.name
    );
    page.assert_no_errors();
    page
}

/// With `GRIDBUG_PICTURES`, every screen in every size and color as a picture in that directory. The
/// same screens are shown for axe-core.
fn pictures_of_screens_are_taken(browser: &Browser, site: &Site) {
    let Some(dir) = std::env::var_os("GRIDBUG_PICTURES").map(PathBuf::from) else {
        return;
    };
    let sizes = SCREENS
        .iter()
        .flat_map(|shown| shown.sizes.iter().map(move |size| (shown, *size)));
    for (shown, size) in sizes {
        for screen in [size, size.dark()] {
            let page = show_on(browser, site, shown, screen);
            // Messages go away, and changed cells come to rest.
            page.js("new Promise((done) => setTimeout(done, 400))");
            let name = format!("{}-{}-{}.png", shown.name, screen.name, screen.scheme);
            page.picture(&dir.join(name));
        }
    }
}
