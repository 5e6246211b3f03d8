//! Accessibility: axe-core on every screen, where it is installed, and what it cannot see.

use crate::Test;
use crate::browser::{Browser, DESKTOP, PHONE};
use crate::screens::{SCREENS, Shown, show_on};
use crate::site::Site;
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;

pub const TESTS: &[Test] = &[
    (
        "axe_finds_nothing_on_any_screen",
        axe_finds_nothing_on_any_screen,
    ),
    ("targets_on_phones_are_large", targets_on_phones_are_large),
    (
        "motion_and_colors_can_be_forced",
        motion_and_colors_can_be_forced,
    ),
];

/// The text of axe-core, of the version that npm installed globally or in `target`.
fn axe() -> Option<String> {
    let global = Command::new("npm").args(["root", "-g"]).output().ok();
    let global = global.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    let roots = [
        global.map(PathBuf::from),
        Some("target/node_modules".into()),
    ];
    roots
        .into_iter()
        .flatten()
        .find_map(|root| std::fs::read_to_string(root.join("axe-core/axe.min.js")).ok())
}

fn axe_finds_nothing_on_any_screen(browser: &Browser, site: &Site) {
    let Some(axe) = axe() else {
        println!(
            "page: SKIPPED axe-core, it is not installed: npm install --prefix target axe-core"
        );
        return;
    };
    let mut found = Vec::new();
    let sizes = |screen: &'static Shown| {
        let last = screen.sizes.len() - 1;
        let ends = if last > 0 { vec![0, last] } else { vec![0] };
        ends.into_iter().map(move |i| (screen, screen.sizes[i]))
    };
    for (screen, size) in SCREENS.iter().flat_map(sizes) {
        let page = show_on(browser, site, screen, size);
        // Evaluated by the debugger, so the content security policy stays as it is.
        page.js(&format!("{axe}; null"));
        let violations = page.js(
            "axe.run().then((result) => result.violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} ${n.failureSummary}`).slice(0, 3).join(' | ')}`))",
        );
        for violation in violations.as_array().unwrap() {
            found.push(format!(
                "{} on {}: {}",
                screen.name,
                size.name,
                violation.as_str().unwrap()
            ));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn targets_on_phones_are_large(browser: &Browser, site: &Site) {
    let page = site.open_on(browser, "lesson=gridlok-2", PHONE);
    let small = page.js(
        "[...document.querySelectorAll('.transport button, .tabs button, .bar button, .lesson .buttons button, .under button')] \
         .filter((b) => b.checkVisibility()).filter((b) => b.getBoundingClientRect().height < 43.5).map((b) => b.outerHTML.slice(0, 80))",
    );
    assert_eq!(small, json!([]));
}

fn motion_and_colors_can_be_forced(browser: &Browser, site: &Site) {
    let page = site.open_on(browser, "game=tic-tac-toe", DESKTOP);
    page.emulate(&[("prefers-reduced-motion", "reduce")]);
    page.click_cell(1, 1);
    assert_eq!(
        page.js("getComputedStyle(document.querySelector('.cell.changed')).animationName"),
        json!("none")
    );
    page.emulate(&[("forced-colors", "active")]);
    page.settle();
    let outline = page.js("getComputedStyle(document.querySelector('.cell.changed')).outlineStyle");
    assert_eq!(outline, json!("solid"));
}
