//! The error codes of TinyGame. Codes are stable; the wording of messages may change.

/// All error codes of TinyGame with their meanings.
pub const CODES: &[(&str, &str)] = &[
    ("TG001", "unknown character"),
    ("TG002", "unterminated string"),
    ("TG003", "unexpected end of input"),
    ("TG004", "unexpected token"),
    ("TG005", "keyword used as a name"),
    ("TG006", "invalid name"),
    ("TG007", "number too large"),
    ("TG008", "nesting too deep"),
    ("TG009", "missing semicolon"),
    ("TG010", "unsupported operator"),
    ("TG011", "minus sign before something other than a number"),
    ("TG012", "program too large"),
    ("TG101", "undeclared entity"),
    ("TG102", "undeclared property"),
    ("TG103", "standalone identifier used as a value"),
    ("TG104", "string used as a value"),
    ("TG105", "property with the name of an entity"),
    ("TG106", "duplicate entity"),
    ("TG107", "duplicate property"),
    ("TG108", "`move` of an entity without x or y"),
    ("TG109", "division by a literal zero"),
    (
        "TG110",
        "comparison at the prompt that looks like an assignment",
    ),
    ("TG111", "entity cannot be forgotten"),
];
