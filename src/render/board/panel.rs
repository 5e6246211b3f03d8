//! Lays out the line above the board: counters on the left, in the center and on the right.

/// Minimum distance between two counters, in columns.
const MIN_GAP_COLUMNS: usize = 2;

/// Lays out up to three counters in a line as wide as the board: left, center and right; a single
/// one is centered. The line grows if they would touch. `None` if there are no counters.
pub fn render_panel(counters: &[Option<String>], width: usize) -> Option<String> {
    let shown: Vec<&String> = counters.iter().flatten().collect();
    let longest = shown.iter().map(|part| part.chars().count()).max()?;
    let line = match shown[..] {
        [only] => format!("{only:^width$}"),
        _ => {
            let counter = |n: usize| {
                counters
                    .get(n)
                    .and_then(Option::as_deref)
                    .unwrap_or_default()
            };
            let inner = if counter(1).is_empty() { 0 } else { longest };
            let total = width.max(inner + 2 * (longest + MIN_GAP_COLUMNS));
            let side = (total - inner) / 2;
            let middle = total - 2 * side;
            format!(
                "{:<side$}{:^middle$}{:>side$}",
                counter(0),
                counter(1),
                counter(2)
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
    fn counters_are_left_center_and_right() {
        assert_eq!(panel(["", "", ""], 12), None);
        assert_eq!(panel(["", "", "ab"], 12).as_deref(), Some("     ab"));
        assert_eq!(panel(["a", "", "b"], 12).as_deref(), Some("a          b"));
        assert_eq!(panel(["a", "b", "c"], 13).as_deref(), Some("a     b     c"));
        assert_eq!(panel(["", "b", "c"], 13).as_deref(), Some("      b     c"));
        assert_eq!(panel(["a", "b", ""], 13).as_deref(), Some("a     b"));
    }

    #[test]
    fn counters_wider_than_the_board_do_not_touch() {
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
