//! Markup in names, texts, files and links stays text, and nothing leaves the machine.

use crate::Test;
use crate::browser::Browser;
use crate::site::Site;
use serde_json::json;

pub const TESTS: &[Test] = &[
    ("markup_stays_text", markup_stays_text),
    ("nothing_leaves_the_machine", nothing_leaves_the_machine),
    ("odd_files_are_refused", odd_files_are_refused),
];

const MARKUP: &str = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";

fn markup_stays_text(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    let program = format!(
        "board {{ dimensions {{2, 2}} image {{b.png}} }}\n\
         piece {{ name {{\"{MARKUP}\"}} image {{e.png}} onClick {{ print {{\"{MARKUP}\"}} display {{\"{MARKUP}\"}} }} }}\n\
         setup {{ place {{\"{MARKUP}\", 0, 0}} }}\n"
    );
    page.drop_files(&[(&format!("{MARKUP}.gl").replace('/', "_"), &program)]);
    page.click_cell(0, 0);
    page.enter(MARKUP);
    page.enter(&format!(":mark {MARKUP}"));
    page.enter(":why not click 0,0");
    page.press_button("Moves");
    page.press_button("Files");
    page.press("Escape");
    let session = format!("# {MARKUP}\n:note {MARKUP}\n{MARKUP}\n");
    page.drop_files(&[("x.session", &session)]);
    page.press("Escape");
    assert_eq!(page.js("window.hacked ?? null"), json!(null));
    assert_eq!(
        page.js(
            "document.querySelectorAll('img[src=x], body script:not([src]):not([type])').length"
        ),
        json!(0)
    );
    assert!(page.text("#log").contains("<img"), "{}", page.text("#log"));
}

fn nothing_leaves_the_machine(browser: &Browser, site: &Site) {
    let page = site.open(browser, "lesson=gridlok-2");
    page.press("Enter");
    page.press_button("Share");
    page.press("Escape");
    assert_eq!(page.foreign_requests(&site.base), Vec::<String>::new());
    // What the policy forbids does not run.
    page.js("(() => { const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s); \
        const d = document.createElement('div'); d.setAttribute('onclick', 'window.hacked = 1'); document.body.append(d); d.click(); })()");
    assert_eq!(page.js("window.hacked ?? null"), json!(null));
    let refused = page.js("fetch('https://example.com/').then(() => 'sent', () => 'refused')");
    assert_eq!(refused, json!("refused"));
}

fn odd_files_are_refused(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    for (name, text) in [
        ("a.session", "\u{0}\u{1}\u{2} not a session"),
        ("b.json", "{\"gridbug\": \"hand-in\", \"session\": 5}"),
        ("c.json", "[1, 2"),
        ("x.png", "no image"),
        ("d.session", ""),
    ] {
        page.drop_files(&[(name, text)]);
        assert!(
            !page.text("#toast").is_empty() || !page.text("#dialog").is_empty(),
            "{name}"
        );
        page.press("Escape");
    }
    // A deep program ends with a message, and the page goes on.
    let deep = format!(
        "game {{ fun f() {{ return {}1{} }} }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    page.drop_files(&[("deep.gl", &deep)]);
    page.drop_files(&[("own.tg", "player knight {\n    x = 0;\n    y = 0;\n}\n")]);
    assert_eq!(page.text("#language"), "TinyGame");
}
