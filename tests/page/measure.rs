//! Figures of `benches/README.md`: how large the page is and how fast. Nothing is compared with a limit
//! here, because other work on the machine counts, too.

use crate::browser::Browser;
use crate::site::Site;
use crate::tab::Page;
use std::path::Path;
use std::process::Command;

/// Times `act(i)` until the page is idle and laid out, and answers the median of several runs in ms.
const MEASURE: &str = "window.measure = async (count, act) => { \
    const idle = async () => { do { await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); }); } \
    while (document.body.dataset.busy); document.body.getBoundingClientRect(); }; \
    const times = []; for (let i = 0; i < count; i++) { await idle(); const start = performance.now(); await act(i); await idle(); times.push(performance.now() - start); } \
    times.sort((a, b) => a - b); return times[Math.floor(times.length / 2)]; }";

/// A program of which each entry can run for long: `spin{N}`.
const SPIN: &str = "board { dimensions {3, 3} image {b.png} }\n\
    piece { name {\"egg\"} image {e.png} onClick { changeType {\"frog\"} } }\n\
    piece { name {\"frog\"} image {f.png} onClick { changeType {\"egg\"} } }\n\
    setup { for r, c in board { place {\"egg\", r, c} } }\n\
    def n {0}\nfun spin(k) { for i(0, k) { n {n + 1} } return n }\n";

pub fn print_figures(browser: &Browser, served: &Site, file: Option<&Site>) {
    print_sizes();
    let sites = file.into_iter().map(|site| ("WebAssembly", site));
    for (engine, site) in sites.chain([("native", served)]) {
        println!("\n{engine}, {}", site.base);
        print_start(browser, site);
        print_clicks(browser, site);
        print_slider(browser, site);
        print_stop(browser, site);
    }
}

fn print_sizes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    for (name, path) in [
        (
            "engine",
            root.join("wasm32-unknown-unknown/web/gridbug.wasm"),
        ),
        ("one file", root.join("web/gridbug.html")),
    ] {
        let Ok(data) = std::fs::metadata(&path) else {
            println!("{name}: not built, run web/build");
            continue;
        };
        let gzip = compressed("gzip", &path);
        let brotli = compressed("brotli", &path);
        println!("{name}: {} bytes, gzip {gzip}, brotli {brotli}", data.len());
    }
}

fn compressed(program: &str, path: &Path) -> String {
    let output = Command::new(program).args(["-9", "-c"]).arg(path).output();
    output.map_or("not installed".to_string(), |o| o.stdout.len().to_string())
}

fn ms(page: &Page, expression: &str) -> f64 {
    page.js(expression).as_f64().unwrap_or(f64::NAN)
}

fn print_start(browser: &Browser, site: &Site) {
    let mut starts: Vec<(f64, f64)> = (0..5)
        .map(|_| {
            let page = site.open(browser, "game=tic-tac-toe");
            let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
            let ready = "performance.getEntriesByName('ready')[0].startTime";
            (ms(&page, paint), ms(&page, ready))
        })
        .collect();
    starts.sort_by(|a, b| a.1.total_cmp(&b.1));
    println!(
        "first paint {:.0} ms, ready {:.0} ms (median of 5)",
        starts[2].0, starts[2].1
    );
}

fn board(size: usize) -> String {
    SPIN.replace("{3, 3}", &format!("{{{size}, {size}}}"))
}

fn print_clicks(browser: &Browser, site: &Site) {
    for size in [3, 20, 1000] {
        let page = site.open(browser, "game=tic-tac-toe");
        page.drop_files(&[("board.gl", &board(size))]);
        page.js(&format!("{MEASURE}; null"));
        let click = ms(
            &page,
            "measure(31, (i) => document.querySelector(`#board .cell[data-r=\"${i % 3}\"][data-c=\"1\"]`).click())",
        );
        println!("click on {size} x {size}: {click:.1} ms");
        if size == 1000 {
            let scroll = ms(
                &page,
                "measure(61, (i) => { const w = document.getElementById('board-wrap'); w.scrollTop += 90; w.dispatchEvent(new Event('scroll')); })",
            );
            println!("scroll on {size} x {size}: {scroll:.1} ms per step of 90 px");
        }
    }
}

fn print_slider(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    page.drop_files(&[("spin.gl", SPIN)]);
    for _ in 0..5 {
        page.enter("spin{40000}");
    }
    page.js(&format!("{MEASURE}; null"));
    let spoken = page.js("document.getElementById('slider').getAttribute('aria-valuetext')");
    let position = ms(
        &page,
        "measure(121, (i) => { const s = document.getElementById('slider'); s.value = s.max * (0.1 + 0.007 * ((i * 37) % 121)); s.dispatchEvent(new Event('input')); })",
    );
    println!(
        "slider, five moves, the last one {spoken}: {position:.1} ms per position, {:.0} positions/s",
        1000.0 / position
    );
}

fn print_stop(browser: &Browser, site: &Site) {
    let page = site.open(browser, "game=tic-tac-toe");
    let mut times = Vec::new();
    for _ in 0..5 {
        page.js("document.getElementById('prompt').focus()");
        page.insert("for i(0, 2) { i {0} }");
        page.key("Enter");
        page.wait("document.getElementById('toast').checkVisibility() && document.getElementById('toast').innerText.includes('Running')");
        let stop = page.js(
            "(async () => { const start = performance.now(); document.querySelector('#toast button').click(); \
             while (document.body.dataset.busy) await new Promise((r) => setTimeout(r, 1)); return performance.now() - start; })()",
        );
        times.push(stop.as_f64().unwrap());
        page.enter(":abandon");
    }
    times.sort_by(f64::total_cmp);
    println!("Stop after pressing: {:.0} ms (median of 5)", times[2]);
}
