//! `:why not EXPRESSION` lists tests of which one would have to be different. Against an exhaustive
//! search: whenever a single change makes the expression true, one of the listed tests is different.

use crate::protocol::valid_json;
use crate::test_session::TestSession;
use crate::why_not_oracle::Rng;

/// The tests that `:why not` lists for an expression, as text and value.
fn listed_tests(session: &mut TestSession, expression: &str) -> Vec<(String, String)> {
    let answer = session.reply(&format!(":why not {expression}"));
    let json = valid_json(&session.0, &answer);
    let parts = json["parts"].as_array().expect("parts").iter();
    let tests = parts.flat_map(|part| part["deciding_tests"].as_array().into_iter().flatten());
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    tests
        .map(|test| {
            let test = &test["test"];
            (text(&test["expression"]["text"]), text(&test["value"]))
        })
        .collect()
}

/// A condition on `n` and `m`: tests joined by and, or and not, with the words of a language.
fn condition(rng: &mut Rng, depth: usize, words: &Words) -> String {
    let operand = rng.pick(&["n", "m"]);
    let value = rng.below(5);
    let kind = if depth == 0 {
        rng.below(4)
    } else {
        rng.below(8)
    };
    match kind {
        0 => format!("{operand} == {value}"),
        1 => format!("{operand} > {value}"),
        2 => (words.call)("sq", operand) + &format!(" == {}", value * value),
        3 => (words.call)("big", operand),
        4 => (words.not)(&condition(rng, depth - 1, words)),
        5 | 6 => {
            let (a, b) = (
                condition(rng, depth - 1, words),
                condition(rng, depth - 1, words),
            );
            (words.or)(&a, &b)
        }
        _ => {
            let (a, b) = (
                condition(rng, depth - 1, words),
                condition(rng, depth - 1, words),
            );
            (words.and)(&a, &b)
        }
    }
}

/// How a language writes calls and connectives.
struct Words {
    call: fn(&str, &str) -> String,
    not: fn(&str) -> String,
    or: fn(&str, &str) -> String,
    and: fn(&str, &str) -> String,
}

const ROUNDS: usize = 40;

/// A language in which conditions on `n` and `m` are checked.
trait Checked {
    const WORDS: Words;

    fn load(condition: &str) -> TestSession;

    /// Whether a test is true for given values of `n` and `m`.
    fn is_true(session: &mut TestSession, test: &str, values: (u64, u64)) -> bool;

    /// The tests that are listed for a condition and these values.
    fn listed(
        session: &mut TestSession,
        condition: &str,
        values: (u64, u64),
    ) -> Vec<(String, String)>;
}

/// Checks random conditions, with values from 0 to 5.
fn check<L: Checked>() {
    let mut rng = Rng(0x853C_49E6_748F_EA9B);
    for round in 0..ROUNDS {
        let condition = condition(&mut rng, 1 + round % 2, &L::WORDS);
        let mut session = L::load(&condition);
        let (n, m) = (rng.below(6), rng.below(6));
        if L::is_true(&mut session, &condition, (n, m)) {
            continue;
        }
        let tests = L::listed(&mut session, &condition, (n, m));
        assert!(
            !tests.is_empty(),
            "{round}: nothing listed for {condition}, n={n} m={m}"
        );
        // Tests in `big` are about its parameter `k`.
        let (in_call, own): (Vec<_>, Vec<_>) =
            tests.iter().partition(|(test, _)| test.contains('k'));
        for (new_n, new_m) in (0..6).flat_map(|v| [(v, m), (n, v)]) {
            if !L::is_true(&mut session, &condition, (new_n, new_m)) {
                continue;
            }
            let call_differs = (n > 3) != (new_n > 3) || (m > 3) != (new_m > 3);
            let is_different = call_differs && !in_call.is_empty()
                || own.iter().any(|(test, old)| {
                    let new = L::is_true(&mut session, test, (new_n, new_m));
                    new != old.eq_ignore_ascii_case("true")
                });
            assert!(
                is_different,
                "{round}: {condition} with n={n} m={m} is true with n={new_n} m={new_m}, but none of \
                 {tests:?} is different"
            );
        }
    }
}

struct GridLang;

impl Checked for GridLang {
    const WORDS: Words = Words {
        call: |f, x| format!("{f}({x})"),
        not: |a| format!("!({a})"),
        or: |a, b| format!("({a} or {b})"),
        and: |a, b| format!("({a} and {b})"),
    };

    fn load(_: &str) -> TestSession {
        let program = "int n, m
function sq(int k): int { return k * k }
function big(int k): boolean { return k > 3 }
Layout(1, 1) { Player ann }
";
        TestSession::load("gridlang", program)
    }

    fn is_true(session: &mut TestSession, test: &str, (n, m): (u64, u64)) -> bool {
        session.reply(&format!("n = {n}; m = {m}"));
        session.reply_text(test) == "= true"
    }

    fn listed(
        session: &mut TestSession,
        condition: &str,
        (n, m): (u64, u64),
    ) -> Vec<(String, String)> {
        session.reply(&format!("n = {n}; m = {m}"));
        listed_tests(session, condition)
    }
}

struct GridLok;

impl Checked for GridLok {
    const WORDS: Words = Words {
        call: |f, x| format!("{f}{{{x}}}"),
        not: |a| format!("!({a})"),
        or: |a, b| format!("({a} OR {b})"),
        and: |a, b| format!("({a} AND {b})"),
    };

    fn load(_: &str) -> TestSession {
        let program = "board { dimensions {1, 1} image {b.png} }
def n {0} def m {0}
fun sq(k) { return k * k }
fun big(k) { if k > 3 { return true } return false }";
        TestSession::load("gridlok", program)
    }

    fn is_true(session: &mut TestSession, test: &str, (n, m): (u64, u64)) -> bool {
        session.reply(&format!("n{{{n}}} m{{{m}}}"));
        session.reply_text(test) == "= true"
    }

    fn listed(
        session: &mut TestSession,
        condition: &str,
        (n, m): (u64, u64),
    ) -> Vec<(String, String)> {
        session.reply(&format!("n{{{n}}} m{{{m}}}"));
        listed_tests(session, condition)
    }
}

struct Bogl;

impl Checked for Bogl {
    const WORDS: Words = Words {
        call: |f, x| format!("{f}({x})"),
        not: |a| format!("not({a})"),
        or: |a, b| format!("or({a}, {b})"),
        and: |a, b| format!("and({a}, {b})"),
    };

    fn load(condition: &str) -> TestSession {
        let program = format!(
            "game Test
type Board = Array (1,1) of Int
type Input = Int
sq : Int -> Int
sq(k) = k * k
big : Int -> Bool
big(k) = if k > 3 then True else False
test : (Int,Int) -> Bool
test(n,m) = {condition}
"
        );
        TestSession::load("bogl", &program)
    }

    fn is_true(session: &mut TestSession, test: &str, (n, m): (u64, u64)) -> bool {
        session.reply_text(&format!("let n = {n} in let m = {m} in {test}")) == "= True"
    }

    fn listed(session: &mut TestSession, _: &str, (n, m): (u64, u64)) -> Vec<(String, String)> {
        listed_tests(session, &format!("test({n},{m})"))
    }
}

#[test]
fn one_of_the_listed_tests_must_differ_in_gridlang() {
    check::<GridLang>();
}

#[test]
fn one_of_the_listed_tests_must_differ_in_gridlok() {
    check::<GridLok>();
}

#[test]
fn one_of_the_listed_tests_must_differ_in_bogl() {
    check::<Bogl>();
}

#[test]
fn a_test_that_was_true_is_listed_below_a_negation_or_as_a_condition() {
    let mut session = GridLang::load("");
    session.reply("n = 3; m = 4");
    session.expect(
        ":why not m == 5 or !(n == 3)",
        &[
            "m == 5 is false (4 == 5)",
            "!(n == 3) is false (!(true))   in entry",
        ],
    );
    session.expect(
        ":why not sq(n) == 49 or m == 5",
        &[
            "sq(n) == 49 is false",
            "m == 5 is false (4 == 5)   in entry",
        ],
    );
    // What cannot help is not listed.
    let answer = session.reply_text(":why not n == 3 and m == 5");
    assert!(!answer.contains("n == 3 is true (3 == 3)   in"), "{answer}");
    let mut session = Bogl::load("if m == 5 then True else if n == 3 then False else True");
    session.expect(
        ":why not test(3,4)",
        &[
            "m == 5 is False (4 == 5)   in test",
            "n == 3 is True (3 == 3)   in test",
        ],
    );
}
