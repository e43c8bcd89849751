//! Makes text from files and names safe to print.

pub(crate) use portamento_replay::one_line;

/// Returns the text as it can stand in a cell of a Markdown table.
pub(crate) fn markdown_cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        // `<` as well: Markdown lets HTML through.
        match c {
            '|' => out.push_str("\\|"),
            '<' => out.push_str("&lt;"),
            '`' => out.push_str("\\`"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_within_its_cell() {
        assert_eq!(markdown_cell("a|b\nc<d"), "a\\|b\\nc&lt;d");
    }
}
