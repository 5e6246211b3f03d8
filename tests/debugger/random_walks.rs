//! Random GridLok programs and random navigation through their history: each time has exactly one
//! state, no matter how it is reached, and stepping back reverses stepping forward.

use gridbug::command::handle_line;
use gridbug::languages;
use gridbug::machine::Checkpoint;
use gridbug::session::{Answer, Session};
use proptest::prelude::*;
use std::collections::HashMap;

/// A numeric expression: variables, the parameter, the board, a draw, a call with a smaller
/// argument.
fn number() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-3..9i32).prop_map(|n| n.to_string()),
        (0..3u8).prop_map(|n| format!("n{n}")),
        Just("k".to_string()),
        Just("turnCount".to_string()),
        Just("rows".to_string()),
        Just("rand {0, 5}".to_string()),
        (0..3u8).prop_map(|f| format!("f{f} {{k - 1}}")),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        (inner.clone(), prop_oneof!["\\+", "-", "\\*"], inner)
            .prop_map(|(a, op, b)| format!("({a} {op} {b}) % 97"))
    })
}

fn condition() -> impl Strategy<Value = String> {
    let cell = (0..4u8, 0..4u8).prop_map(|(r, c)| format!("(board[{r}][{c}].name == \"a\")"));
    let compared = (number(), prop_oneof!["==", "!=", "<", ">="], number())
        .prop_map(|(a, op, b)| format!("(({a}) {op} ({b}))"));
    let leaf = prop_oneof![cell, compared, Just("(turn == \"x\")".to_string())];
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            (inner.clone(), prop_oneof!["AND", "OR"], inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.prop_map(|a| format!("(!{a})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let kind = prop_oneof![Just("a"), Just("b")];
    let cell = (0..4u8, 0..4u8).prop_map(|(r, c)| format!("{r}, {c}"));
    let simple = prop_oneof![
        4 => (0..3u8, number()).prop_map(|(n, e)| format!("n{n} {{{e}}}")),
        2 => number().prop_map(|e| format!("bag {{{e}}}")),
        1 => Just("bag {1, 2,}".to_string()),
        1 => Just("bag[0] {}".to_string()),
        2 => (kind.clone(), cell.clone()).prop_map(|(k, c)| format!("place {{\"{k}\", {c}}}")),
        1 => cell.clone().prop_map(|c| format!("removePiece {{{c}}}")),
        2 => cell.clone().prop_map(|c| format!("click {{{c}}}")),
        1 => (cell, kind).prop_map(|(c, k)| format!("board[{}].changeType {{\"{k}\"}}", c.replace(", ", "]["))),
        1 => number().prop_map(|e| format!("print {{{e}}}")),
        1 => number().prop_map(|e| format!("display {{{e}}}")),
        1 => (0..3u8, number()).prop_map(|(f, e)| format!("f{f} {{({e}) % 3}}")),
        1 => Just("endTurn {}".to_string()),
    ];
    simple.prop_recursive(3, 12, 3, |inner| {
        let block = prop::collection::vec(inner, 1..3).prop_map(|s| s.join("\n"));
        prop_oneof![
            (condition(), block.clone()).prop_map(|(t, b)| format!("if ({t}) {{\n{b}\n}}")),
            (condition(), block.clone(), block.clone())
                .prop_map(|(t, a, b)| format!("if ({t}) {{\n{a}\n}} else {{\n{b}\n}}")),
            (condition(), block.clone(), condition(), block.clone())
                .prop_map(|(t, a, u, b)| format!("if ({t}) {{\n{a}\n}} elseif ({u}) {{\n{b}\n}}")),
            (0..3u8, block.clone()).prop_map(|(n, b)| format!("for i(0, {n}) {{\n{b}\n}}")),
            block
                .clone()
                .prop_map(|b| format!("for p in row(1) {{\n{b}\n}}")),
            block
                .clone()
                .prop_map(|b| format!("for r, c surrounding 0, 1 {{\n{b}\n}}")),
            block.prop_map(|b| format!("if true {{\ndef m {{k}}\nm {{m + 1}}\n{b}\nn0 {{m}}\n}}")),
        ]
    })
}

fn body() -> impl Strategy<Value = String> {
    prop::collection::vec(statement(), 1..3).prop_map(|s| s.join("\n"))
}

/// A game on a small board with functions that call each other to a limited depth, handlers and
/// conditions.
fn program() -> impl Strategy<Value = String> {
    (prop::collection::vec((body(), number()), 3), prop::collection::vec(body(), 4), condition()).prop_map(
        |(functions, handlers, ending)| {
            let function = |(n, (body, value)): (usize, &(String, String))| {
                format!("fun f{n}(k) {{\nif k < 1 {{ return n{n} }}\n{body}\nreturn {value}\n}}")
            };
            let functions: Vec<String> = functions.iter().enumerate().map(function).collect();
            // Handlers have no parameter, so define `k` as a local.
            let handlers: Vec<String> = handlers.iter().map(|h| format!("def k {{2}}\n{h}")).collect();
            format!(
                "board {{ dimensions {{4, 4}} image {{b.png}} }}\nplayers {{\"x\", \"o\"}}\n\
                 def n0 {{0}}\ndef n1 {{1}}\ndef n2 {{2}}\ndef bag {{1,}}\n{}\n\
                 piece {{ name {{\"a\"}}\nonClick {{\n{}\n}}\nonTurn {{\n{}\n}} }}\n\
                 piece {{ name {{\"b\"}}\nonClick {{\nvisible {{true}}\n{}\n}} }}\n\
                 setup {{\nfor x, y in board {{ if (x + y) % 2 == 0 {{ place {{\"a\", x, y}} }} else {{ place {{\"b\", x, y}} }} }}\n}}\n\
                 winCondition {{\n{}\nwin {{{ending} AND turnCount > 5}}\n}}",
                functions.join("\n"),
                handlers[0],
                handlers[1],
                handlers[2],
                handlers[3],
            )
        },
    )
}

const ENTRIES: [&str; 6] = [
    "click {0, 0}",
    "click {1, 2}",
    "n1 {n0 + n2} click {3, 3}",
    "f0 {2}",
    "endTurn {}",
    "bag {f1 {1}}",
];

/// Whether the step limit was hit. Where exactly that happens is unspecified.
fn hit_step_limit(reply: &Answer) -> bool {
    reply.diagnostics.iter().any(|d| d.code == "RT019")
}

/// Loads a program and runs `ENTRIES`; entries that fail are rolled back.
fn play_entries(program: &str) -> Session {
    let mut session = Session::new(languages::ALL[0], 11);
    session.target.machine.limits.max_instructions = 12_000;
    let reply = session.load("game.gl", program);
    let wrong: Vec<_> = reply
        .diagnostics
        .iter()
        .filter(|d| d.is_error() && d.code.starts_with("GL"))
        .collect();
    assert!(
        wrong.is_empty(),
        "the generator produced an invalid program: {wrong:?}\n{program}"
    );
    for entry in ENTRIES {
        handle_line(&mut session, entry);
    }
    session
}

/// The states seen so far, by time and whether an entry is in progress.
#[derive(Default)]
struct SeenStates(HashMap<(u64, bool), Checkpoint>);

impl SeenStates {
    fn check(
        &mut self,
        session: &mut Session,
        after: &str,
        program: &str,
    ) -> Result<(), TestCaseError> {
        let key = (session.target.machine.time(), session.target.is_stopped());
        let here = session.target.machine.checkpoint();
        if let Some(before) = self.0.get(&key) {
            prop_assert_eq!(
                here.first_difference(before),
                None,
                "at {:?} after `{}` in\n{}",
                key,
                after,
                program
            );
        }
        self.0.insert(key, here);
        Ok(())
    }
}

const MOVES: [&str; 22] = [
    ":reverse-step",
    ":reverse-step 7",
    ":reverse-next",
    ":reverse-finish",
    ":reverse-continue",
    "step",
    "step 5",
    "next",
    "next 3",
    "finish",
    "over",
    "iter",
    "next event",
    "next turn",
    ":jump back",
    ":jump forward",
    ":goto start",
    ":goto end",
    ":goto event 2",
    "continue",
    ":last n0",
    ":first n0 > 3",
];

const QUERIES: [&str; 6] = [
    "print f2 {2}",
    ":why n0",
    ":explain n0 + n1",
    ":why not win",
    ":board at start",
    ":where",
];

const COMMANDS: [&str; 16] = [
    "n0 {n0 + 1}",
    "n1 {5}",
    "click {0, 1}",
    "f2 {1}",
    ":undo",
    ":undo 2",
    ":undo 3",
    ":redo",
    ":redo 2",
    ":next",
    ":step 3",
    ":continue",
    ":reverse-step",
    ":goto start",
    ":goto end",
    ":abandon",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// Navigation always restores the same state for a time, and queries do not change it.
    #[test]
    fn every_time_has_exactly_one_state(
        program in program(),
        walk in prop::collection::vec((0..MOVES.len() + 4, 0.0..1.0f64, 0..QUERIES.len() * 3), 8..20),
    ) {
        let mut session = play_entries(&program);
        handle_line(&mut session, ":break b.onClick if n0 % 2 == 0");
        handle_line(&mut session, ":watch n1");
        let (first, last) = session.target.timeline.time_range();
        let mut seen_states = SeenStates::default();
        seen_states.check(&mut session, "playing", &program)?;
        for (step, part, query) in walk {
            let time = first + ((last - first) as f64 * part) as u64;
            let typed = MOVES.get(step).map_or_else(|| format!(":goto {time}"), ToString::to_string);
            let reply = handle_line(&mut session, &format!(":{}", typed.trim_start_matches(':')));
            prop_assert!(reply.output.is_empty(), "printed again by {typed}: {:?}\n{program}", reply.output);
            seen_states.check(&mut session, &typed, &program)?;
            if let Some(query) = QUERIES.get(query) {
                handle_line(&mut session, query);
                seen_states.check(&mut session, query, &program)?;
            }
            prop_assert_eq!(session.target.timeline.time_range(), (first, last), "queries and navigation must not extend the history");
        }
        prop_assert_eq!(session.target.timeline.branches().count(), 0);
    }

    /// Steps forward through an action, then back: the same stops in reverse order.
    #[test]
    fn stepping_back_visits_the_same_stops_in_reverse(program in program()) {
        let mut session = Session::new(languages::ALL[0], 11);
        session.target.machine.limits.max_instructions = 12_000;
        session.load("game.gl", &program);
        handle_line(&mut session, ":break onClick");
        handle_line(&mut session, "click {1, 2}");
        handle_line(&mut session, ":delete");
        let mut stops = Vec::new();
        while session.target.is_stopped() && stops.len() < 60 {
            stops.push(session.target.machine.checkpoint());
            handle_line(&mut session, "step");
        }
        // A failed entry is rolled back, so there is nothing to step back into.
        if !session.target.is_stopped() && session.target.timeline.entries().last().is_none_or(|r| r.text != "click {1, 2}") {
            return Ok(());
        }
        for stop in stops.iter().rev() {
            handle_line(&mut session, ":reverse-step");
            let here = session.target.machine.checkpoint();
            prop_assert_eq!(here.time, stop.time, "in\n{}", program);
            prop_assert_eq!(here.first_difference(stop), None, "in\n{}", program);
        }
    }

    /// After any mix of entries at stops, undo and navigation, the current time is within the history,
    /// and its end can be reached.
    #[test]
    fn entries_at_stops_keep_the_history_consistent(
        program in program(),
        commands in prop::collection::vec(0..COMMANDS.len(), 4..24),
    ) {
        let mut session = Session::new(languages::ALL[0], 11);
        session.target.machine.limits.max_instructions = 12_000;
        session.load("game.gl", &program);
        handle_line(&mut session, ":break onClick");
        handle_line(&mut session, "click {1, 2}");
        let mut done = Vec::new();
        for command in commands {
            handle_line(&mut session, COMMANDS[command]);
            done.push(COMMANDS[command]);
            let ((first, last), now) = (session.target.timeline.time_range(), session.target.machine.time());
            prop_assert!((first..=last).contains(&now), "{now} of {first} to {last} by {done:?} in\n{program}");
        }
        let here = session.target.machine.checkpoint();
        let point = session.target.time_point();
        handle_line(&mut session, ":goto start");
        handle_line(&mut session, ":goto end");
        session.target.run(|run| run.go_to_point(point));
        prop_assert_eq!(session.target.machine.checkpoint().first_difference(&here), None, "after {:?} in\n{}", done, program);
    }

    /// Breakpoints, watchpoints and stepping do not affect the outcome of the game.
    #[test]
    fn debugging_does_not_change_the_game(program in program(), moves in prop::collection::vec(5..14usize, 0..12)) {
        let mut plain = Session::new(languages::ALL[0], 11);
        plain.target.machine.limits.max_instructions = 12_000;
        plain.load("game.gl", &program);
        let mut within_limit = ENTRIES.iter().all(|entry| !hit_step_limit(&handle_line(&mut plain, entry)));
        let mut debugged = Session::new(languages::ALL[0], 11);
        debugged.target.machine.limits.max_instructions = 12_000;
        debugged.load("game.gl", &program);
        for typed in [":break onClick", ":watch bag", ":break winCondition", ":log f1 \"{k} {n0}\"", ":display n0 + n1"] {
            handle_line(&mut debugged, typed);
        }
        for entry in ENTRIES {
            let stepped = moves.iter().map(|step| MOVES[*step]).chain(["continue"; 20]);
            let typed = [":enable", entry].into_iter().chain(stepped).chain([":disable", "continue"]);
            for typed in typed {
                let command = typed == entry || typed.starts_with(':');
                if command || debugged.target.is_stopped() {
                    within_limit &= !hit_step_limit(&handle_line(&mut debugged, typed));
                }
            }
        }
        if !within_limit {
            return Ok(());
        }
        let (a, b) = (plain.target.machine.checkpoint(), debugged.target.machine.checkpoint());
        prop_assert_eq!(a.first_difference(&b), None, "in\n{}", program);
    }
}
