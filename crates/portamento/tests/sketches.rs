//! Does a user's program stay as short as it was sketched?
//!
//! The lines between `// sketch` and `// end` in the examples are what a user writes; the rest stands for a game.

/// Lines of code between the marks.
fn sketched(example: &str) -> usize {
    let mut inside = false;
    let mut lines = 0;
    for line in example.lines().map(str::trim) {
        match line {
            "// sketch" => inside = true,
            "// end" => inside = false,
            _ => lines += usize::from(inside && !line.is_empty()),
        }
    }
    lines
}

#[test]
fn sketches_have_not_grown() {
    let sketches = [
        ("own loop", include_str!("../examples/sketch_own_loop.rs"), 10),
        // 13 as sketched; rustfmt gives the arm with two statements four lines.
        ("network", include_str!("../examples/sketch_network.rs"), 16),
        // 6 as sketched, with a loop in one line and without the brace between tick and publish.
        ("threads", include_str!("../examples/sketch_threads.rs"), 9),
        // 4 as sketched, with the struct in one line; a line for each field and each attribute.
        ("own type", include_str!("../examples/sketch_own_type.rs"), 12),
    ];
    for (name, example, most) in sketches {
        let lines = sketched(example);
        assert!(lines > 1 && lines <= most, "{name}: {lines} lines, sketched were {most}");
    }
}
