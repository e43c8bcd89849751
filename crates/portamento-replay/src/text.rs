//! Makes text from scripts, files and names safe to print.

use std::borrow::Cow;

/// Returns the text with everything escaped that a terminal would obey or that would break a line: control characters,
/// line and paragraph separators, and marks that turn the direction of writing.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        assert_eq!(one_line("lte, 20 Hz – Überland"), "lte, 20 Hz – Überland");
        assert_eq!(one_line("a\x1b[31mb\r\nc\u{9b}d\u{202e}e"), "a\\u{1b}[31mb\\r\\nc\\u{9b}d\\u{202e}e");
    }
}
