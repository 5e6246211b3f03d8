//! Helpers: sessions with a game, searches without limits.

use gridbug::explorer::{Exploration, Scope, SearchControl, SearchLimits, StoppedBy};
use gridbug::languages;
use gridbug::render::AnswerText;
use gridbug::session::Session;
use std::time::{Duration, Instant};

/// A walk along four cells, with answers that are words.
pub const WALK: &str = r#"
Player {
    int steps
}

Layout(1, 4)
{
    Player ann
    ann.position = (0,0)
    playerOrder = ['ann']
}

gameLoop()
{
    string way = prompt("which way? ", string)
    if (way == "east") p.position.col++
    else if (way == "west") p.position.col--
    else {
        print("unknown way")
        repeat
    }
}

checkGameEnd()
{
    if (ann.position == (0,3))
        ann.win = true
    return ann.win
}
"#;

/// A session in which a game has been loaded.
pub fn session(language: &str, text: &str) -> Session {
    let language = languages::ALL
        .iter()
        .find(|l| l.info().name == language)
        .unwrap();
    let mut session = Session::new(*language, 1);
    let answer = session.load("game", text);
    assert!(answer.ok, "{answer:?}");
    session
}

/// Explores with these limits.
pub fn explore_with(exploration: &mut Exploration, limits: SearchLimits) -> Option<StoppedBy> {
    let start = Instant::now();
    let now = || start.elapsed();
    let mut report = |_| {};
    let mut control = SearchControl::new(limits, &now, Default::default(), &mut report);
    exploration.expand_all(&mut control)
}

/// Finds all positions of the current game.
pub fn explore(session: &Session) -> Exploration {
    let mut exploration = Exploration::of(&session.target, &Scope::default()).unwrap();
    let limits = SearchLimits {
        time: Duration::from_secs(600),
        threads: 1,
        ..SearchLimits::default()
    };
    assert_eq!(explore_with(&mut exploration, limits), None);
    exploration
}

/// The answer to a line typed at the prompt.
pub fn answer(session: &mut Session, line: &str) -> gridbug::session::Answer {
    gridbug::command::handle_line(session, line)
}

/// What a search has found.
pub fn find(session: &mut Session, goal: &str) -> gridbug::answer::FindResult {
    let answer = answer(session, &format!(":find {goal}"));
    let found = answer.parts.iter().find_map(|part| match part {
        gridbug::answer::Part::Find(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{goal}: {answer:?}"))
}

/// What `:check` has found.
pub fn check(session: &mut Session, options: &str) -> gridbug::answer::CheckResult {
    let answer = answer(session, &format!(":check {options}"));
    let found = answer.parts.iter().find_map(|part| match part {
        gridbug::answer::Part::Check(result) => Some((**result).clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{answer:?}"))
}

/// What a question about a game must not change.
pub struct Fingerprint {
    pub state: gridbug::machine::Checkpoint,
    /// The number of the next entry, how many entries there are in all branches, and the branches.
    pub history: (u64, usize, String),
}

/// The state of a game and its history.
pub fn fingerprint(session: &mut Session) -> Fingerprint {
    let branches = answer(session, ":branches").text();
    let target = &mut session.target;
    let number = u64::from(target.next_entry_number());
    Fingerprint {
        history: (number, target.timeline.all_entries().len(), branches),
        state: target.machine.checkpoint(),
    }
}

/// The moves of a line as they are typed.
pub fn entries(result: &gridbug::answer::FindResult) -> Vec<&str> {
    result.moves.iter().map(|m| m.entry.as_str()).collect()
}

/// The sample game of a language.
pub fn sample(language: &str) -> Session {
    let info = languages::by_name(language).unwrap().info();
    session(language, info.sample)
}

/// The games that come with gridbug, and some whose turns draw a number before they ask: the language, the
/// file and the text of each. Games of TinyGame have no moves.
pub fn corpus() -> Vec<(&'static str, String, String)> {
    let mut games = Vec::new();
    for language in languages::ALL {
        let info = language.info();
        games.push((
            info.name,
            format!("{} sample", info.name),
            info.sample.to_string(),
        ));
        let folder = format!("{}/sessions/{}", env!("CARGO_MANIFEST_DIR"), info.name);
        let files = std::fs::read_dir(folder).unwrap();
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if languages::for_file(&name).is_some_and(|l| l.info().name == info.name) {
                games.push((info.name, name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let early_draws = crate::early_draws::GAMES.iter();
    games.extend(early_draws.map(|(name, text)| ("gridlang", name.to_string(), text.to_string())));
    assert!(games.len() >= 20);
    games
}
