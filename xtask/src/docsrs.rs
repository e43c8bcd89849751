//! The documentation as docs.rs builds it: by a nightly compiler, with the features that the manifest names. Each item says
//! which feature it needs.

use crate::job::{Job, root};
use std::fs;

/// A page for each feature that something public needs, below the crate's documentation.
const LIBRARY: [(&str, &str); 8] = [
    ("batch/struct.Batch.html", "alloc"),
    ("batch/struct.BatchFrame.html", "rayon"),
    ("blend/derive.Blend.html", "derive"),
    ("blend/trait.Blend.html", "glam_0_30"),
    ("blend/trait.Blend.html", "glam_0_32"),
    ("blend/trait.Blend.html", "glam_0_34"),
    ("blend/struct.Pose.html", "mint"),
    ("exchange/struct.Exchange.html", "process"),
];
const BEVY: [(&str, &str); 1] = [("struct.PortamentoAvianPlugin.html", "avian")];

/// Whether there is a nightly compiler to do it with.
pub fn is_possible() -> bool {
    Job::new("cargo +nightly --version").succeeds()
}

/// Builds the library's documentation, or that of the Bevy plugin, and looks for the features on its pages.
pub fn run(bevy: bool) -> Result<(), String> {
    if !is_possible() {
        return Err("docs.rs uses a nightly compiler: `rustup toolchain install nightly`".into());
    }
    let (name, pages) = if bevy { ("bevy_portamento", &BEVY[..]) } else { ("portamento", &LIBRARY[..]) };
    let home = format!("crates/{name}");
    let manifest = root().join(&home).join("Cargo.toml");
    let manifest =
        fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let features = features(&manifest).ok_or(format!("{home}/Cargo.toml says nothing to docs.rs"))?;
    let target = root().join("target/docsrs");
    Job::new("cargo +nightly doc --quiet --locked --no-deps")
        .words(&features)
        .within(&home)
        .env("DOCS_RS", "1")
        .env("RUSTDOCFLAGS", "--cfg docsrs -D warnings")
        .env("CARGO_TARGET_DIR", &target)
        .run()?;
    for (page, feature) in pages {
        let path = target.join("doc").join(name).join(page);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !says(&text, feature) {
            return Err(format!("{name}/{page} does not say that something needs the feature `{feature}`"));
        }
    }
    println!("  the pages name all {} features that public items need", pages.len());
    Ok(())
}

/// The features that a manifest asks docs.rs for, as cargo takes them.
fn features(manifest: &str) -> Option<String> {
    let (_, rest) = manifest.split_once("\n[package.metadata.docs.rs]\n")?;
    let mut lines = rest.lines().take_while(|line| !line.starts_with('['));
    lines.find_map(|line| match line.split_once(" = ")? {
        ("all-features", "true") => Some("--all-features".to_string()),
        ("features", list) => {
            let names: String = list.chars().filter(|c| !"[]\" ".contains(*c)).collect();
            Some(format!("--features={names}"))
        }
        _ => None,
    })
}

/// Whether a page says of something that it needs this feature.
fn says(page: &str, feature: &str) -> bool {
    page.split("<div class=\"stab portability\">")
        .skip(1)
        .filter_map(|rest| rest.split_once("</div>"))
        .any(|(note, _)| note.contains(&format!("crate feature <code>{feature}</code>")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_counts_only_where_a_note_names_it() {
        let note = "<div class=\"stab portability\">Available on <strong>crate feature \
                    <code>rayon</code></strong> only.</div>";
        let page = format!(
            "<p>the crate feature <code>serde</code></p>{note}<p>crate feature <code>mint</code></p>"
        );
        assert!(says(&page, "rayon"));
        assert!(!says(&page, "serde") && !says(&page, "mint") && !says(&page, "ray"));
    }

    #[test]
    fn what_a_manifest_tells_docs_rs_is_what_cargo_is_told() {
        let says = |lines: &str| {
            features(&format!("[package]\n\n[package.metadata.docs.rs]\n{lines}\n[other]\nfeatures = []"))
        };
        assert_eq!(says("all-features = true").as_deref(), Some("--all-features"));
        assert_eq!(
            says("rustdoc-args = [\"--cfg\"]\nfeatures = [\"a\", \"b/c\"]").as_deref(),
            Some("--features=a,b/c")
        );
        assert_eq!(says("rustdoc-args = [\"--cfg\"]"), None);
    }

    #[test]
    fn every_optional_feature_of_the_library_has_a_page_or_a_reason() {
        let manifest = fs::read_to_string(root().join("crates/portamento/Cargo.toml")).unwrap();
        let features = manifest
            .split_once("\n[features]\n")
            .and_then(|(_, rest)| rest.split_once("\n["))
            .map(|(features, _)| features)
            .unwrap()
            .lines()
            .filter_map(|line| Some(line.split_once(" = ")?.0))
            .filter(|name| !name.starts_with('#'));
        for feature in features {
            // `std` adds no public items; the other two only add derived traits, which no note can mark.
            let without = ["default", "std", "serde", "bytemuck"].contains(&feature);
            assert!(without != LIBRARY.iter().any(|(_, name)| *name == feature), "{feature}");
        }
    }
}
