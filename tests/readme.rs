//! Promise: the transcript that README.md begins with is what happens, but for the times.

use gridbug::command::{exchange, open_sample};
use gridbug::languages;
use gridbug::session::{Session, told};

/// Times change whenever a rule is lowered otherwise.
fn timeless(line: &str) -> String {
    let words = line.split(' ').collect::<Vec<_>>();
    let is_time = |n: usize| n > 0 && words[n - 1] == "time";
    let kept = words.iter().enumerate().map(|(n, w)| if is_time(n) { "N" } else { w });
    kept.collect::<Vec<_>>().join(" ").trim_end().to_string()
}

#[test]
fn the_transcript_is_real() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().skip_while(|l| !l.starts_with("    gridlok> ")).collect();
    let block: Vec<&str> = lines.iter().map_while(|l| l.strip_prefix("    ")).collect();
    assert!(block.len() > 20, "there is a transcript");
    let mut session = Session::new(languages::ALL[0], 1);
    open_sample(&mut session);
    let mut got = Vec::new();
    for line in &block {
        if let Some(typed) = line.strip_prefix("gridlok> ").or(line.strip_prefix("stopped> ")) {
            let prompt = if session.is_stopped() { "stopped>" } else { "gridlok>" };
            let reply = exchange(&mut session, typed);
            got.push(format!("{prompt} {typed}"));
            got.extend(told(&session, &reply).iter().map(|l| timeless(l)));
        }
    }
    let wanted: Vec<String> = block.iter().map(|l| timeless(l)).collect();
    assert_eq!(got.join("\n"), wanted.join("\n"));
}
