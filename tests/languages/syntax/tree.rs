//! Formats syntax trees from their `Debug` output, without spans, one top-level node per line.

use gridbug::diagnostic::Diagnostic;
use gridbug::languages::{by_name, gridlang, sgl2d, tinygame};
use gridbug::source::Source;

pub fn tinygame(source: &Source) -> super::Parsed {
    use tinygame::ast::Entry;
    let tree = tinygame::parse::parse(source, tinygame::parse::Start::Program)
        .ok()
        .map(|entry| match entry {
            Entry::Items(items) => items.iter().map(line).collect(),
            other => line(&other),
        });
    (tree, check("tinygame", source))
}

pub fn sgl2d(source: &Source) -> super::Parsed {
    let program = sgl2d::parse::parse(source, sgl2d::parse::Start::Program).ok();
    (
        program.map(|program| program.lines.iter().map(line).collect()),
        check("sgl2d", source),
    )
}

pub fn gridlang(source: &Source) -> super::Parsed {
    let program = gridlang::parse::parse(source, gridlang::parse::Start::Program).ok();
    (
        program.map(|program| program.top_level.iter().map(line).collect()),
        check("gridlang", source),
    )
}

/// The diagnostics of compiling a file.
pub fn check(language: &str, source: &Source) -> Vec<Diagnostic> {
    let language = by_name(language).expect("a language of that name");
    language
        .compile_file(source)
        .map_or_else(|diagnostics| diagnostics, |compiled| compiled.warnings)
}

fn line(node: &impl std::fmt::Debug) -> String {
    without_spans(&format!("{node:?}")) + "\n"
}

/// Removes spans (`span: Span { … }`) from the output, brackets that are then empty, and where
/// operators are.
fn without_spans(tree: &str) -> String {
    let mut out = String::new();
    let mut rest = tree;
    while let Some(at) = rest.find("Span {") {
        let (before, after) = rest.split_at(at);
        // Remove the field name, too.
        out.push_str(before.trim_end_matches(|c: char| {
            c.is_ascii_lowercase() || c == '_' || c == ':' || c == ' '
        }));
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
        if out.ends_with(['{', '(', '[']) {
            rest = rest.trim_start_matches([',', ' ']);
        } else if out.ends_with(',') && rest.trim_start().starts_with(['}', ')', ']', ',']) {
            out.pop();
        }
    }
    out.push_str(rest);
    let out = out
        .replace(" }", "}")
        .replace("{ ", "{")
        .replace("{}", "")
        .replace("()", "")
        .replace(", operator: Some", "")
        .replace(", operator: None", "");
    unwrap_single_fields(&(0..20).fold(out, |out, depth| {
        out.replace(&format!(", depth: {depth}}}"), "}")
    }))
}

/// Unwraps structs with a single field: `Name {text: "a"}` becomes `"a"`.
fn unwrap_single_fields(tree: &str) -> String {
    let Some(open) = tree.find('{') else {
        return tree.to_string();
    };
    let (before, inside) = (&tree[..open], &tree[open + 1..]);
    let mut depth = 1;
    let mut commas = 0;
    let mut quoted = false;
    let close = inside.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"' && !inside[..at].ends_with('\\');
        match c {
            _ if quoted => {}
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            ',' if depth == 1 => commas += 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    });
    let Some(close) = close else {
        return tree.to_string();
    };
    let (content, rest) = (
        unwrap_single_fields(&inside[..close]),
        unwrap_single_fields(&inside[close + 1..]),
    );
    let is_unwrapped = |(field, _): &(&str, &str)| {
        matches!(*field, "kind" | "statements") || before.trim_end().ends_with("Name")
    };
    match content
        .split_once(": ")
        .filter(|_| commas == 0)
        .filter(is_unwrapped)
    {
        Some((_, only)) => {
            let owner = before
                .trim_end()
                .trim_end_matches(|c: char| c.is_ascii_alphabetic());
            format!("{owner}{only}{rest}")
        }
        None => format!("{before}{{{content}}}{rest}"),
    }
}
