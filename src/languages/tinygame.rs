//! TinyGame: players and enemies with integer properties on a plane without edges, moved by a straight list of statements.

pub mod ast;
pub mod check;
pub mod parse;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, rustdoc::all)]
    grammar,
    "/tinygame.rs"
);

/// Every code a diagnostic of TinyGame can bear, with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("TG001", "a character that TinyGame does not have"),
    ("TG002", "a text in quotes is not closed"),
    ("TG003", "the program ends in the middle of something"),
    ("TG004", "something else was expected here"),
    ("TG005", "a keyword is used as a name"),
    ("TG006", "a name is not lowercase letters and digits"),
    ("TG007", "a number does not fit into 64 bits"),
    ("TG008", "brackets or blocks are nested too deeply"),
    ("TG009", "a semicolon is missing"),
    ("TG010", "an operator that TinyGame does not have"),
    ("TG011", "only a number can bear a minus sign"),
    ("TG101", "an entity is not declared"),
    ("TG102", "an entity does not have this property"),
    ("TG103", "a standalone identifier is not a value"),
    ("TG104", "a text is not a value"),
    ("TG105", "a property bears the name of an entity"),
    ("TG106", "an entity is declared twice"),
    ("TG107", "a property is declared twice in one entity"),
    ("TG108", "an entity without x or y cannot move"),
    ("TG109", "a division by the number zero always fails"),
    ("TG110", "a comparison typed at the prompt that looks like an assignment"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(super::CODES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
