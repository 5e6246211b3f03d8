//! What stands above the board: counters on the left, in the middle and on the right.

/// The columns between two parts at least.
const GAP: usize = 2;

/// The line of a panel as wide as the board: the first part on the left, the second in the middle, the third on the
/// right; one alone in the middle. It grows where the parts would touch.
pub fn render_panel(panel: &[Option<String>], width: usize) -> Option<String> {
    let shown: Vec<&String> = panel.iter().flatten().collect();
    let longest = shown.iter().map(|part| part.chars().count()).max()?;
    let line = match shown[..] {
        [only] => format!("{only:^width$}"),
        _ => {
            let place = |n: usize| panel.get(n).and_then(Option::as_deref).unwrap_or_default();
            let inner = if place(1).is_empty() { 0 } else { longest };
            let whole = width.max(inner + 2 * (longest + GAP));
            let side = (whole - inner) / 2;
            let middle = whole - 2 * side;
            format!(
                "{:<side$}{:^middle$}{:>side$}",
                place(0),
                place(1),
                place(2)
            )
        }
    };
    Some(line.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use super::render_panel;

    fn panel(shown: [&str; 3], width: usize) -> Option<String> {
        render_panel(
            &shown.map(|s| (!s.is_empty()).then(|| s.to_string())),
            width,
        )
    }

    #[test]
    fn counters_stand_where_the_documentation_places_them() {
        assert_eq!(panel(["", "", ""], 12), None);
        assert_eq!(panel(["", "", "ab"], 12).as_deref(), Some("     ab"));
        assert_eq!(panel(["a", "", "b"], 12).as_deref(), Some("a          b"));
        assert_eq!(panel(["a", "b", "c"], 13).as_deref(), Some("a     b     c"));
        assert_eq!(panel(["", "b", "c"], 13).as_deref(), Some("      b     c"));
        assert_eq!(panel(["a", "b", ""], 13).as_deref(), Some("a     b"));
    }

    #[test]
    fn parts_wider_than_the_board_do_not_touch() {
        assert_eq!(
            panel(["aaaa", "bbbb", "cccc"], 9).as_deref(),
            Some("aaaa  bbbb  cccc")
        );
        assert_eq!(
            panel(["aaaa", "", "cccc"], 9).as_deref(),
            Some("aaaa    cccc")
        );
        assert_eq!(panel(["", "bbbb", ""], 2).as_deref(), Some("bbbb"));
    }
}
