//! What does the library offer? Lists its public items, so that growth is a decision.
//!
//! The list is made from rustdoc's JSON. `docs/surface.txt` holds it, and CI compares.

use crate::job::{Job, root, write};
use crate::json::Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The features that add items. The others add conversions and implementations for the types of other crates.
const FEATURES: &str = "process,serde,rayon";

const LIST: &str = "docs/surface.txt";
const NOTES: &str = "docs/notes/api.md";

/// The kinds of items that are counted, in the order of the table's columns.
const KINDS: [(&str, &[&str]); 6] = [
    ("types", &["struct", "enum", "union", "type"]),
    ("traits", &["trait"]),
    ("methods", &["method"]),
    ("functions", &["fn", "macro"]),
    ("constants", &["const"]),
    ("fields and variants", &["field", "variant"]),
];

/// One public item: its module, its name within the module, and its kind.
type Item = (String, String, &'static str);

#[derive(Default, Debug)]
struct Surface {
    items: BTreeSet<Item>,
    hidden: BTreeSet<Item>,
}

/// Lists, compares, or writes the list; `--table` prints the numbers beside those of the notes.
pub fn run(options: &[&str]) -> Result<(), String> {
    let (what, place) = match options {
        [] => ("check", None),
        ["--write"] => ("write", None),
        ["--table"] => ("table", None),
        ["--print"] => ("print", None),
        ["--print", place] => ("print", Some(*place)),
        _ => return Err("surface takes --write, --table or --print [ANOTHER-CHECKOUT]".into()),
    };
    let surface = Surface::of(place.map_or_else(root, Into::into).as_path())?;
    let list = surface.list();
    let path = root().join(LIST);
    let committed = std::fs::read_to_string(&path);
    match what {
        "print" => print!("{list}"),
        "table" => print!("{}", table(&before()?, &surface.counts())),
        "write" => {
            write(&path, &list)?;
            renew_table(&surface)?;
            println!("wrote {LIST} and the table in {NOTES}");
        }
        _ => {
            let committed = committed.map_err(|error| format!("{LIST}: {error}"))?;
            let differences = differences(&committed, &list);
            if !differences.is_empty() {
                return Err(format!(
                    "the public API is not the one in {LIST}:\n{differences}\
                     If that is meant, run `cargo xtask surface --write` and commit the list."
                ));
            }
            let counts = surface.counts();
            let total = |kind: &str| counts.values().map(|row| row[column(kind)]).sum::<usize>();
            println!("  {} types and {} methods, as in {LIST}", total("types"), total("methods"));
        }
    }
    Ok(())
}

fn column(kind: &str) -> usize {
    KINDS.iter().position(|(name, _)| *name == kind).expect("a kind that is counted")
}

fn differences(committed: &str, list: &str) -> String {
    let lines = |text: &str| -> BTreeSet<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let (old, new) = (lines(committed), lines(list));
    let mut text = String::new();
    for line in new.difference(&old) {
        _ = writeln!(text, "  + {line}");
    }
    for line in old.difference(&new) {
        _ = writeln!(text, "  - {line}");
    }
    text
}

impl Surface {
    /// Asks rustdoc about the library that lies in this checkout.
    fn of(place: &Path) -> Result<Self, String> {
        // A directory of its own: what makes the compiler write JSON would otherwise build everything anew twice.
        let target = root().join("target/surface");
        Job::new("cargo rustdoc --quiet -p portamento --lib")
            .arg(format!("--features={FEATURES}"))
            .words("-- -Z unstable-options --output-format json --document-hidden-items -A rustdoc::all")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", &target)
            .within(&place.to_string_lossy())
            .run()?;
        let path = target.join("doc/portamento.json");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let json = Json::read(&text)?;
        let surface = Self::read(&json);
        if surface.items.is_empty() {
            let version = json.get("format_version").text().unwrap_or("none");
            return Err(format!("rustdoc's JSON (format {version}) has no items that this tool can read"));
        }
        Ok(surface)
    }

    fn read(json: &Json) -> Self {
        let index = json.get("index");
        let mut places = BTreeMap::new();
        let root = json.get("root").text().unwrap_or_default();
        walk(index, root, "portamento", false, &mut places);
        let mut surface = Self::default();
        for (id, mut found) in places {
            // The deepest place is an item's home; the others are shortcuts to it.
            found.sort_by_key(|place| (place.hidden, std::cmp::Reverse(place.module.matches("::").count())));
            let Place { module, name, hidden } = found.remove(0);
            surface.item(index, index.get(&id), &module, &name, hidden);
            for shortcut in found.iter().filter(|place| !place.hidden && place.module != module) {
                let text = format!("{} (from {module})", shortcut.name);
                surface.items.insert((shortcut.module.clone(), text, "use"));
            }
        }
        surface
    }

    fn add(&mut self, module: &str, kind: &'static str, name: String, hidden: bool) {
        let list = if hidden { &mut self.hidden } else { &mut self.items };
        list.insert((module.to_owned(), name, kind));
    }

    fn item(&mut self, index: &Json, item: &Json, module: &str, name: &str, hidden: bool) {
        let Some((kind, inner)) = item.get("inner").only() else { return };
        let hidden = hidden || is_hidden(item);
        let known = match kind {
            "struct" => "struct",
            "enum" => "enum",
            "union" => "union",
            "type_alias" => "type",
            "trait" => "trait",
            "function" => "fn",
            "constant" | "static" => "const",
            "macro" | "proc_macro" => "macro",
            // From another crate: its parts are not ours.
            "use" => "use",
            _ => return,
        };
        self.add(module, known, name.to_owned(), hidden);
        if known == "use" {
            return;
        }
        let mut part = |id: &Json, kind: &'static str| {
            let item = index.get(id.text().unwrap_or_default());
            if let Some(own) = item.get("name").text() {
                self.add(module, kind, format!("{name}::{own}"), hidden || is_hidden(item));
            }
        };
        let kind = inner.get("kind");
        for field in kind.get("plain").get("fields").list().iter().chain(kind.get("tuple").list()) {
            part(field, "field");
        }
        for variant in inner.get("variants").list() {
            part(variant, "variant");
        }
        for id in inner.get("items").list() {
            let kind = index.get(id.text().unwrap_or_default()).get("inner").only();
            part(id, part_kind(kind));
        }
        for id in inner.get("impls").list() {
            let block = index.get(id.text().unwrap_or_default()).get("inner").get("impl");
            if block.get("trait") != &Json::Null || known == "trait" {
                continue;
            }
            for id in block.get("items").list() {
                let item = index.get(id.text().unwrap_or_default());
                if item.get("visibility").text() == Some("public") {
                    part(id, part_kind(item.get("inner").only()));
                }
            }
        }
    }

    /// Counts by module, without what is hidden.
    fn counts(&self) -> BTreeMap<String, [usize; KINDS.len()]> {
        let mut counts: BTreeMap<String, [usize; KINDS.len()]> = BTreeMap::new();
        for (module, _, kind) in &self.items {
            let row = counts.entry(module.clone()).or_default();
            if let Some(column) = KINDS.iter().position(|(_, kinds)| kinds.contains(kind)) {
                row[column] += 1;
            }
        }
        counts
    }

    fn list(&self) -> String {
        let mut text = String::from(
            "# The public API of the crate `portamento`, one item per line.\n\
             # `cargo xtask surface` compares; `cargo xtask surface --write` renews.\n",
        );
        for (module, row) in self.counts() {
            _ = writeln!(text, "#\n# {module}: {}", count_text(&row));
            for (_, name, kind) in self.items.iter().filter(|(home, ..)| *home == module) {
                _ = writeln!(text, "{module}::{name} {kind}");
            }
        }
        if !self.hidden.is_empty() {
            let types = self.hidden.iter().filter(|(_, _, kind)| KINDS[0].1.contains(kind)).count();
            _ = writeln!(
                text,
                "#\n# Hidden from the documentation, for tests, benchmarks and the derives: {types} types, {} items in all",
                self.hidden.len()
            );
            for (module, name, kind) in &self.hidden {
                _ = writeln!(text, "hidden {module}::{name} {kind}");
            }
        }
        text
    }
}

fn count_text(row: &[usize; KINDS.len()]) -> String {
    let parts: Vec<String> = KINDS
        .iter()
        .zip(row)
        .filter(|(_, count)| **count > 0)
        .map(|((name, _), count)| format!("{count} {name}"))
        .collect();
    if parts.is_empty() { "shortcuts only".into() } else { parts.join(", ") }
}

fn part_kind(inner: Option<(&str, &Json)>) -> &'static str {
    match inner {
        Some(("assoc_const", _)) => "const",
        Some(("assoc_type", _)) => "associated-type",
        _ => "method",
    }
}

fn is_hidden(item: &Json) -> bool {
    item.get("attrs").list().iter().any(|attribute| {
        attribute.get("other").text().is_some_and(|text| text.replace(' ', "").contains("doc(hidden)"))
    })
}

/// Where an item can be named.
struct Place {
    module: String,
    name: String,
    hidden: bool,
}

/// Collects every place of every item that a user can name.
fn walk(index: &Json, id: &str, module: &str, hidden: bool, places: &mut BTreeMap<String, Vec<Place>>) {
    for id in index.get(id).get("inner").get("module").get("items").list() {
        let Some(id) = id.text() else { continue };
        visit(index, id, None, module, hidden, places);
    }
}

fn visit(
    index: &Json,
    id: &str,
    renamed: Option<&str>,
    module: &str,
    hidden: bool,
    places: &mut BTreeMap<String, Vec<Place>>,
) {
    let item = index.get(id);
    let hidden = hidden || is_hidden(item);
    let name = renamed.or(item.get("name").text()).unwrap_or_default();
    let mut here = |name: String| {
        places.entry(id.to_owned()).or_default().push(Place { module: module.to_owned(), name, hidden });
    };
    match item.get("inner").only() {
        Some(("module", _)) => walk(index, id, &format!("{module}::{name}"), hidden, places),
        Some(("use", used)) => {
            let name = used.get("name").text().unwrap_or_default();
            let to = used.get("id").text().unwrap_or_default();
            if index.get(to) == &Json::Null {
                // Of another crate.
                here(format!("{name} (from {})", used.get("source").text().unwrap_or_default()));
            } else if used.get("is_glob") == &Json::Bool(true) {
                walk(index, to, module, hidden, places);
            } else {
                visit(index, to, Some(name), module, hidden, places);
            }
        }
        Some(_) => here(name.to_owned()),
        None => {}
    }
}

/// The numbers before, as the notes' table has them: the first three columns.
fn before() -> Result<BTreeMap<String, (usize, usize)>, String> {
    let notes = std::fs::read_to_string(root().join(NOTES)).map_err(|error| format!("{NOTES}: {error}"))?;
    let mut rows = BTreeMap::new();
    for line in notes.lines().filter(|line| line.starts_with("| `portamento")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, module, types, methods, ..] = cells.as_slice() else { continue };
        let number = |cell: &str| cell.parse().unwrap_or(0);
        rows.insert(module.trim_matches('`').to_owned(), (number(types), number(methods)));
    }
    Ok(rows)
}

fn table(
    before: &BTreeMap<String, (usize, usize)>,
    after: &BTreeMap<String, [usize; KINDS.len()]>,
) -> String {
    let mut text = String::from(
        "| module | types before | methods before | types | methods |\n|---|---:|---:|---:|---:|\n",
    );
    let modules: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut sums = [0; 4];
    for module in modules {
        let (old_types, old_methods) = before.get(module).copied().unwrap_or_default();
        let row = after.get(module).copied().unwrap_or_default();
        // A trait is a type that a user must know, too.
        let new =
            (row[column("types")] + row[column("traits")], row[column("methods")] + row[column("functions")]);
        let cells = [old_types, old_methods, new.0, new.1];
        for (sum, cell) in sums.iter_mut().zip(cells) {
            *sum += cell;
        }
        let [a, b, c, d] = cells;
        _ = writeln!(text, "| `{module}` | {a} | {b} | {c} | {d} |");
    }
    let [a, b, c, d] = sums;
    _ = writeln!(text, "| **all** | **{a}** | **{b}** | **{c}** | **{d}** |");
    text
}

/// Puts the table of today into the notes, keeping the numbers before.
fn renew_table(surface: &Surface) -> Result<(), String> {
    let path = root().join(NOTES);
    let notes = std::fs::read_to_string(&path).map_err(|error| format!("{NOTES}: {error}"))?;
    let new = table(&before()?, &surface.counts());
    let start = notes.find("| module |").ok_or_else(|| format!("{NOTES} has no table of modules"))?;
    let end = start
        + notes[start..]
            .split_inclusive('\n')
            .take_while(|line| line.starts_with('|'))
            .map(str::len)
            .sum::<usize>();
    let notes = format!("{}{new}{}", &notes[..start], &notes[end..]);
    write(&path, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate with a private module whose type is public in `a` and at the root, hidden items, and a trait.
    const CRATE: &str = r##"{"root": 0, "index": {
        "0": {"name": "c", "attrs": [], "inner": {"module": {"items": [1, 2]}}},
        "1": {"name": "a", "attrs": [], "inner": {"module": {"items": [3, 9, 11]}}},
        "2": {"name": null, "attrs": [], "inner": {"use": {"source": "a::T", "name": "T", "id": 4, "is_glob": false}}},
        "3": {"name": null, "attrs": [], "inner": {"use": {"source": "t::T", "name": "T", "id": 4, "is_glob": false}}},
        "4": {"name": "T", "attrs": [], "inner": {"struct": {"kind": {"plain": {"fields": [5]}}, "impls": [6, 7]}}},
        "5": {"name": "x", "attrs": [], "inner": {"struct_field": {}}},
        "6": {"name": null, "attrs": [], "inner": {"impl": {"trait": null, "items": [8, 12]}}},
        "7": {"name": null, "attrs": [], "inner": {"impl": {"trait": {"path": "Clone"}, "items": [13]}}},
        "8": {"name": "new", "visibility": "public", "attrs": [], "inner": {"function": {}}},
        "9": {"name": "h", "attrs": [{"other": "#[doc(hidden)]"}], "inner": {"function": {}}},
        "11": {"name": "Tr", "attrs": [], "inner": {"trait": {"items": [14], "impls": []}}},
        "12": {"name": "k", "visibility": "public", "attrs": [{"other": "#[doc(hidden)]"}], "inner": {"function": {}}},
        "13": {"name": "clone", "visibility": "default", "attrs": [], "inner": {"function": {}}},
        "14": {"name": "m", "visibility": "default", "attrs": [], "inner": {"function": {}}}}}"##;

    #[test]
    fn each_item_is_listed_once_where_it_is_at_home() {
        let surface = Surface::read(&Json::read(CRATE).expect("it is JSON"));
        let lines: Vec<String> =
            surface.items.iter().map(|(module, name, kind)| format!("{module}::{name} {kind}")).collect();
        assert_eq!(
            lines,
            [
                "portamento::T (from portamento::a) use",
                "portamento::a::T struct",
                "portamento::a::T::new method",
                "portamento::a::T::x field",
                "portamento::a::Tr trait",
                "portamento::a::Tr::m method"
            ]
        );
        let hidden: Vec<&str> = surface.hidden.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!(hidden, ["T::k", "h"]);
        assert_eq!(surface.counts()["portamento::a"], [1, 1, 2, 0, 0, 1]);
    }

    #[test]
    fn a_difference_names_what_came_and_what_went() {
        assert_eq!(differences("# 1\na\nb\n", "# 2\nb\nc\n"), "  + c\n  - a\n");
        assert_eq!(differences("# 1\na\n", "a\n"), "");
    }
}
