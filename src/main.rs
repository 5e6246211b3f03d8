use std::io::Read;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let file = args.last().cloned().unwrap_or_default();
    let language = gridbug::languages::ALL[0];
    let mut session = gridbug::session::Session::new(language, 1);
    let reply = session.load(&file, &std::fs::read_to_string(&file).unwrap_or_default());
    println!("{}", gridbug::session::json_answer(&session, &reply));
    let mut text = String::new();
    let _ = std::io::stdin().read_to_string(&mut text);
    let mut entry = String::new();
    for line in text.lines() {
        if !entry.is_empty() { entry.push('\n'); }
        entry.push_str(line);
        if entry.trim().is_empty() { entry.clear(); continue; }
        let last = false; if !last && !line.trim().is_empty() && !entry.starts_with(':') && language.is_unfinished(&entry) { continue; }
        let reply = gridbug::command::perform(&mut session, &entry);
        println!("{}", gridbug::session::json_answer(&session, &reply));
        entry.clear();
    }
    if !entry.trim().is_empty() { let reply = gridbug::command::perform(&mut session, &entry); println!("{}", gridbug::session::json_answer(&session, &reply)); }
}
