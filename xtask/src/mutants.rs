//! A test that cannot fail shows nothing. Each line here breaks one promise by one small change and names the
//! test that must notice.

use crate::job::{Job, root};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;

struct Mutant {
    /// What is broken.
    name: &'static str,
    file: &'static str,
    /// Stands exactly once in the file.
    from: &'static str,
    to: &'static str,
    /// Arguments of `cargo test` for the test that must turn red.
    caught_by: &'static str,
}

const fn mutant(
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    caught_by: &'static str,
) -> Mutant {
    Mutant { name, file, from, to, caught_by }
}

const FIXED: &str = "crates/portamento/src/step/fixed.rs";
const EVEN: &str = "crates/portamento/src/step/even.rs";
const GATE: &str = "crates/portamento/src/step/gate.rs";
const STEPPER: &str = "crates/portamento/src/step/stepper.rs";
const CLOCK: &str = "crates/portamento/src/step/frame_clock.rs";
const TRACK: &str = "crates/portamento/src/track/mod.rs";
const ENDS: &str = "crates/portamento/src/track/ends.rs";
const PICTURE: &str = "crates/portamento/src/track/picture.rs";
const BLEND: &str = "crates/portamento/src/blend/mod.rs";
const ROTATION: &str = "crates/portamento/src/blend/rotation.rs";
const CHASE: &str = "crates/portamento/src/camera/chase.rs";
const FOLLOW: &str = "crates/portamento/src/camera/follow.rs";
const PEER: &str = "crates/portamento/src/remote/peer.rs";
const PLAYHEAD: &str = "crates/portamento/src/playhead/mod.rs";
const READER: &str = "crates/portamento/src/exchange/reader.rs";
const TIMELINE: &str = "crates/portamento/src/playhead/timeline.rs";
const FRAMING: &str = "crates/portamento/src/camera/framing.rs";
const SUBJECT: &str = "crates/portamento/src/camera/subject.rs";
const DAMPING: &str = "crates/portamento/src/camera/damping.rs";

const MUTANTS: &[Mutant] = &[
    mutant(
        "law 1: drawing changes the truth",
        TRACK,
        "self.picture.draw(self.ends.view(moment), self.ends.cuts(), cut, moment)",
        "let now = self.ends.view(moment); self.ends.correct(now.clone()); self.picture.draw(now, self.ends.cuts(), cut, moment)",
        "-p portamento --test laws law_1",
    ),
    mutant(
        "law 1: a tick's time depends on the frames",
        STEPPER,
        "self.time = times.next()",
        "self.time += dt",
        "-p portamento --test fixed tick_times",
    ),
    mutant(
        "law 1: time is rounded to microseconds",
        FIXED,
        "        self.add(seconds);\n",
        "        self.add((seconds * 1e6) as i64 as f64 / 1e6);\n",
        "-p portamento --test laws law_1",
    ),
    mutant(
        "law 2: the picture is drawn at the present",
        EVEN,
        "self.drawn = before.max(accumulated - self.distance);",
        "self.drawn = before.max(accumulated);",
        "-p portamento --test gate",
    ),
    mutant(
        "law 2: extrapolation without a limit",
        FIXED,
        "if self.extrapolates() { fraction.min(self.settings.extrapolate) } else { fraction }",
        "fraction",
        "-p portamento --test fixed extrapolation",
    ),
    mutant(
        "law 3: a cut keeps the older end",
        ENDS,
        "        self.ends[before] = value.clone();\n",
        "        let _ = before;\n",
        "-p portamento --lib track::tests::a_correction_after_a_cut",
    ),
    mutant(
        "law 3: what was before a cut is drawn after it",
        ENDS,
        "        self.known = 1;\n",
        "",
        "-p portamento --lib track::tests::a_cut_never_shows",
    ),
    mutant(
        "law 3: no cut mark for motion vectors",
        PICTURE,
        "            self.flags |= CUT;\n",
        "",
        "-p portamento --lib track::",
    ),
    mutant(
        "law 3: a second cut at one moment is not told",
        TIMELINE,
        "(newest.value, newest.cuts) = (value, cuts);",
        "newest.value = value;",
        "-p portamento --lib playhead::tests::timeline",
    ),
    mutant(
        "fast forward is taken up before the picture is far enough behind",
        PLAYHEAD,
        "if old.max(scale) > 1.0 {",
        "if old > 1.0 {",
        "-p portamento --test time_scale fast_forward",
    ),
    mutant(
        "the way back from fast forward is a jump",
        PLAYHEAD,
        "if old.max(scale) > 1.0 {",
        "if scale > 1.0 {",
        "-p portamento --test time_scale fast_forward",
    ),
    mutant(
        "law 10: ticks that nobody looked at in time count as late ones",
        READER,
        "stamp.simulated, missed > 0)",
        "stamp.simulated, missed > u32::MAX / 2)",
        "-p portamento --test exchange_hitches renderer",
    ),
    mutant(
        "law 4: equal rotations are brought to unit length again",
        ROTATION,
        "if way == [0.0; 4] {",
        "if way == [0.0; 4] && u > 2.0 {",
        "-p portamento --lib -- blend:: batch::tests::",
    ),
    mutant(
        "law 4: rest is reported one tick early",
        ENDS,
        "self.still as u32 > moment.back()",
        "self.still as u32 >= moment.back()",
        "-p portamento --lib track::",
    ),
    mutant(
        "law 4: equal values count as rest, whatever lies between them",
        ENDS,
        " && newest.rests(&value)",
        "",
        "-p portamento --lib track::tests::rest_is_the_truths_bits",
    ),
    mutant(
        "law 2: the exchange runs on past the newest tick by a negative time",
        "crates/portamento/src/exchange/world.rs",
        "arrived && ticks > 0.0 && ticks.is_finite()",
        "arrived && ticks.is_finite()",
        "-p portamento --lib exchange::tests::past_the_newest",
    ),
    mutant(
        "law 5: asking for the moment again gives another",
        STEPPER,
        "let moment = fixed.moment().presenting(due.presented);\n                Frame { ticks: Ticks::fixed(number, due.ticks, due.dt, due.times), moment, lost: due.lost }\n            }\n            Policy::Gate(gate) => {\n                let time = gate.simulated;\n                let accepted = gate.accept(",
        "let moment = Moment::at(fixed.moment().alpha() * 0.9, due.presented);\n                Frame { ticks: Ticks::fixed(number, due.ticks, due.dt, due.times), moment, lost: due.lost }\n            }\n            Policy::Gate(gate) => {\n                let time = gate.simulated;\n                let accepted = gate.accept(",
        "-p portamento --test laws law_5",
    ),
    mutant(
        "law 6: the even picture may move back",
        EVEN,
        "self.drawn = before.max(accumulated - self.distance);",
        "self.drawn = accumulated - self.distance;",
        "-p portamento --test gate",
    ),
    mutant(
        "law 6: infinite frame times are taken in",
        STEPPER,
        "if !(dt > 0.0 && (dt * self.scale).is_finite()) {",
        "if !(dt > 0.0) {",
        "-p portamento --test fixed pure_reads",
    ),
    mutant(
        "law 7: a fused multiply-add",
        BLEND,
        "a - way * t\n",
        "way.mul_add(-t, a)\n",
        "-p portamento --test golden law_7",
    ),
    mutant(
        "law 8: a frame allocates",
        STEPPER,
        "let accepted = gate.accept(dt * self.scale);",
        "let accepted = *std::hint::black_box(Box::new(gate.accept(dt * self.scale)));",
        "-p portamento --test no_allocation",
    ),
    mutant(
        "law 9: what the clamp drops is not reported",
        CLOCK,
        "let dropped = dt - bounded;",
        "let dropped = 0.0 * (dt - bounded);",
        "-p portamento --test laws law_9",
    ),
    mutant(
        "law 9: unusable times are not counted",
        STEPPER,
        "            self.unusable = self.unusable.saturating_add(1);\n",
        "",
        "-p portamento --test laws law_6",
    ),
    mutant(
        "a tick is due a nanosecond late",
        FIXED,
        "tick as f64 / self.settings.hz - NANOSECOND",
        "tick as f64 / self.settings.hz + NANOSECOND",
        "-p portamento --test fixed ticks_are_counted",
    ),
    mutant(
        "rounding builds up in the total",
        FIXED,
        "self.remainder += (self.total - (sum - added)) + (seconds - added);",
        "let _ = added;",
        "-p portamento --test fixed ticks_are_counted",
    ),
    mutant(
        "exactly the shortest quantum runs",
        GATE,
        "if total > self.settings.min {",
        "if total >= self.settings.min {",
        "-p portamento --test gate exactly_the_shortest",
    ),
    mutant(
        "the even gate drops tiny times",
        GATE,
        "GateRule::AllAtOnce if total <= TINY => {",
        "_ if total <= TINY => {",
        "-p portamento --test gate loses_no_time",
    ),
    mutant(
        "law 10: another display is never noticed",
        CLOCK,
        "const MOST: f64 = 0.115;",
        "const MOST: f64 = 1e9;",
        "-p portamento --test snapping another_one",
    ),
    mutant(
        "noisy frames are snapped to fractions of the display's interval",
        CLOCK,
        "None => self.nearer(snapping, dt),",
        "None => round(dt * 720.0) / 720.0,",
        "-p portamento --test snapping never_less_even",
    ),
    mutant(
        "a time scale multiplies the longest frame",
        FIXED,
        "let seconds = if scaled > longest { longest } else { scaled };",
        "let seconds = scaled + 0.0 * longest;",
        "-p portamento --test fixed whatever_the_scale",
    ),
    mutant(
        "exactly the stale limit is stale",
        GATE,
        "if total > self.settings.huge {",
        "if total >= self.settings.huge {",
        "-p portamento --test gate exactly_the_stale",
    ),
    mutant(
        "law 5: presented time does not wait where extrapolation does",
        FIXED,
        "(ticks as f64 / self.settings.hz + (self.drawn() - drawn)).max(0.0)",
        "seconds + 0.0 * drawn",
        "-p portamento --test fixed presented_time",
    ),
    mutant(
        "law 3, camera: a cut leaves it behind the new place",
        CHASE,
        "            _ => self.placed(goal, pivot),",
        "            _ => State { push: self.push(pivot, &goal, self.tuned.axes.direction(goal.look)), ..self.placed(goal, pivot) },",
        "-p portamento --lib camera::tests::chase::a_cut_is_a_cut",
    ),
    mutant(
        "law 3, camera: it does not hear of a snapshot's cut",
        SUBJECT,
        "cut: self.cut || now.cut",
        "cut: now.cut",
        "-p portamento --test one_moment snapshots",
    ),
    mutant(
        "law 3, camera: it does not hear of the exchange's cut",
        "crates/portamento/src/exchange/world.rs",
        "before.is_none_or(|before| before.cut_epoch != now.cut_epoch)",
        "before.is_none()",
        "-p portamento --test one_moment exchange",
    ),
    mutant(
        "law 5, camera: it advances by time that a snapshot buffer hid",
        PEER,
        "presented: at.presented - skipped,",
        "presented: at.presented,",
        "-p portamento --test one_moment skipped",
    ),
    mutant(
        "law 4, camera: it never quite arrives",
        CHASE,
        "if stands && left() <= settings.settle {",
        "if stands && left() < 0.0 * settings.settle {",
        "-p portamento --lib camera::tests::chase::the_smooth_rule_comes_to_rest",
    ),
    mutant(
        "law 4, camera: a creeping body is taken for one at rest",
        CHASE,
        "if stands && left() <=",
        "if left() <=",
        "-p portamento --lib camera::tests::chase::a_body_that_creeps",
    ),
    mutant(
        "law 5, camera: it takes another time than the frame's",
        CHASE,
        "self.advance(presented.into_presented().seconds(), target.into_subject(), collide)",
        "self.advance(presented.into_presented().seconds().min(0.0) + 1.0 / 60.0, target.into_subject(), collide)",
        "-p portamento --lib camera::tests::chase::camera_and_body_share",
    ),
    mutant(
        "camera: its lag depends on the frame rate",
        DAMPING,
        "            1.0 / share - 1.0 / x\n",
        "            1.0\n",
        "-p portamento --lib camera::tests::chase::the_smooth_rule_lags",
    ),
    mutant(
        "camera: it moves from where it wanted to be, through the wall",
        CHASE,
        "push = glide.follow(&push, &[0.0; 3], &[0.0; 3]);",
        "push = [0.0; 3];",
        "-p portamento --lib camera::tests::chase::movement_starts",
    ),
    mutant(
        "camera: the mouse turns it at the position's rate",
        CHASE,
        "Glide::over(seconds, settings.look_rate)",
        "Glide::over(seconds, settings.rate)",
        "-p portamento --lib camera::tests::chase::mouse_look",
    ),
    mutant(
        "camera: it does not look up at a body while it holds its height",
        CHASE,
        "if !held || boom.length == 0.0 {",
        "if held || boom.length >= 0.0 {",
        "-p portamento --lib camera::tests::chase::while_the_height_is_held",
    ),
    mutant(
        "camera: following pulls away what was zoomed at",
        FOLLOW,
        "aim - target[i] - state.ahead[i]",
        "0.0 * (aim - target[i] - state.ahead[i])",
        "-p portamento --lib camera::tests::follow::zooming_about_a_point",
    ),
    mutant(
        "camera: it jumps to new bounds",
        FOLLOW,
        "state.scroll = core::array::from_fn(|i| drawn[i] - state.centre[i]);",
        "state.scroll = drawn.map(|_| 0.0);",
        "-p portamento --lib camera::tests::follow::a_change_of_bounds",
    ),
    mutant(
        "camera: sprite and camera are rounded each by itself",
        FRAMING,
        "let from_middle = (world[i] - self.centre[i]) * self.zoom * sign[i];",
        "let from_middle = (floor(world[i] * self.zoom) - floor(self.centre[i] * self.zoom)) * sign[i];",
        "-p portamento --lib camera::tests::follow::a_followed_sprite",
    ),
    mutant(
        "camera: a rebase leads out of the numbers",
        FOLLOW,
        "if finite && moved.settings.check().is_ok() {",
        "if finite || true {",
        "-p portamento --lib camera::tests::follow::a_rebase_beyond",
    ),
    mutant(
        "camera: a shake moves what it follows",
        FOLLOW,
        "self.drawn = self.frame(self.centre(), self.zoom());",
        "self.drawn = self.frame(self.centre(), self.zoom()); if let Some(state) = &mut self.state { state.centre = self.drawn.centre; }",
        "-p portamento --lib camera::tests::follow::a_shake_does_not",
    ),
    mutant(
        "a line passes its end",
        BLEND,
        "if t >= LAST {\n                return b;",
        "if t > 1.0 {\n                return b;",
        "-p portamento --lib blend::",
    ),
    mutant(
        "exchange: the writer ignores claims",
        "crates/portamento/src/exchange/protocol.rs",
        "used |= 1 << (claim - 1);",
        "let _ = claim;",
        "-p portamento --lib exchange::tests::a_claimed_slot_is_not_written",
    ),
    mutant(
        "exchange: a cut is blended",
        "crates/portamento/src/exchange/world.rs",
        "agree(&self.generations) && agree(&self.epochs)",
        "agree(&self.generations)",
        "-p portamento --lib exchange::tests::a_cut_never_shows",
    ),
    mutant(
        "exchange: a reused row blends two entities",
        "crates/portamento/src/exchange/world.rs",
        "agree(&self.generations) && agree(&self.epochs)",
        "agree(&self.epochs)",
        "-p portamento --lib exchange::tests::a_reused_row",
    ),
    mutant(
        "step: a picture ahead of its ticks goes back when the rate changes",
        FIXED,
        "self.total = if self.extrapolates() { since } else { 1.0 / hz - left };",
        "self.total = 1.0 / hz - left; let _ = since;",
        "-p portamento --test fixed a_picture_ahead",
    ),
    mutant(
        "step: a tick's time depends on its frame",
        STEPPER,
        "self.time = times.next()",
        "self.time = times.next() + self.equal as f64 * 1e-11",
        "-p portamento --test fixed tick_times_do_not",
    ),
    mutant(
        "batch: opposite quaternions turn the long way",
        "crates/portamento/src/batch/kernel.rs",
        "apart.side[lane] = dot.to_bits() & SIGN;",
        "apart.side[lane] = 0;",
        "-p portamento --lib batch::tests::model",
    ),
    mutant(
        "batch: an odd pose is left as the kernel made it",
        "crates/portamento/src/batch/frame.rs",
        "if !P::finish::<LOOK>(&from[i], &to[i], &mut out[i], weights, &length2[i].0[0]) {",
        "if !P::finish::<LOOK>(&from[i], &to[i], &mut out[i], weights, &length2[i].0[0]) && K > 99 {",
        "-p portamento --lib batch::tests::parity",
    ),
    mutant(
        "batch: a rotation that stays is not noticed when it is pushed",
        "crates/portamento/src/batch/kernel.rs",
        "odd |= u32::from(turns << 1 == 0) |",
        "odd |=",
        "-p portamento --lib batch::tests::rest",
    ),
    mutant(
        "batch: a tile of which some were not pushed is not looked at",
        "crates/portamento/src/batch/tick.rs",
        "if waiting != 0 {",
        "if waiting == u16::MAX - 1 {",
        "-p portamento --lib batch::tests::rest",
    ),
    mutant(
        "batch: the last numbers of a pose are not written",
        "crates/portamento/src/batch/kernel.rs",
        "let start = |four: usize| (four * 4).min(R - 4);",
        "let start = |four: usize| (four * 4).min((R - 4) / 4 * 4);",
        "-p portamento --lib batch::tests::outputs",
    ),
    mutant(
        "batch: two fours of a matrix change places",
        "crates/portamento/src/batch/kernel.rs",
        "I::side_by_side(nth(2 * pair), nth(2 * pair + 1));",
        "I::side_by_side(nth(2 * pair + 1), nth(2 * pair));",
        "-p portamento --lib batch::tests::outputs",
    ),
];

/// The list must follow the code: every change applies, once.
pub fn list_is_current() -> Result<(), String> {
    for mutant in MUTANTS {
        let text = read(&root().join(mutant.file))?;
        let found = text.matches(mutant.from).count();
        if found != 1 {
            return Err(format!(
                "mutant {:?}: {:?} stands {found} times in {}; mend xtask/src/mutants.rs",
                mutant.name, mutant.from, mutant.file
            ));
        }
    }
    Ok(())
}

/// Breaks what `word` names, one at a time, in a copy of the repository.
pub fn run(word: &str) -> Result<(), String> {
    list_is_current()?;
    let chosen: Vec<&Mutant> = MUTANTS.iter().filter(|mutant| mutant.name.contains(word)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = MUTANTS.iter().map(|mutant| mutant.name).collect();
        return Err(format!("no mutant's name holds {word:?}; there are:\n  {}", names.join("\n  ")));
    }
    let copy = root().join("target/mutants/tree");
    copy_tree(&copy)?;
    let passes = |how: &str, tests: &str| {
        Job::new(&format!("cargo test --quiet {how} {tests}"))
            .within("target/mutants/tree")
            .env("CARGO_TARGET_DIR", root().join("target/mutants/target"))
            .succeeds()
    };
    // A test that fails anyway would catch everything.
    let tests: BTreeSet<&str> = chosen.iter().map(|mutant| mutant.caught_by).collect();
    if let Some(red) = tests.into_iter().find(|tests| !passes("", tests)) {
        return Err(format!("`cargo test {red}` fails before anything is broken: mend it first"));
    }
    let mut survivors = Vec::new();
    for (i, mutant) in chosen.iter().enumerate() {
        let file = copy.join(mutant.file);
        let text = read(&file)?;
        write(&file, &text.replacen(mutant.from, mutant.to, 1))?;
        // A change that does not even compile would prove nothing.
        let compiles = passes("--no-run", mutant.caught_by);
        let caught = compiles && !passes("", mutant.caught_by);
        let verdict = if caught {
            "caught"
        } else if compiles {
            "SURVIVED"
        } else {
            "DOES NOT COMPILE"
        };
        println!("{:>2}/{} {verdict:<9} {}", i + 1, chosen.len(), mutant.name);
        if !caught {
            survivors.push(mutant.name);
        }
        write(&file, &text)?;
    }
    if survivors.is_empty() { Ok(()) } else { Err(format!("not caught: {}", survivors.join("; "))) }
}

fn copy_tree(copy: &Path) -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("git ls-files: {error}"))?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    let names: HashSet<&str> = listed.split('\0').filter(|name| !name.is_empty()).collect();
    remove_strangers(copy, copy, &names)?;
    for name in names {
        let (from, to) = (root().join(name), copy.join(name));
        let text = fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
        if fs::read(&to).is_ok_and(|old| old == text) {
            continue; // its time stays, and with it what cargo has built
        }
        fs::create_dir_all(to.parent().expect("a file lies in a folder"))
            .map_err(|error| error.to_string())?;
        fs::write(&to, text).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(())
}

/// A file that has since been moved away would be found as a module beside its successor.
fn remove_strangers(folder: &Path, copy: &Path, names: &HashSet<&str>) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let name =
            path.strip_prefix(copy).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            remove_strangers(&path, copy, names)?;
        } else if !names.contains(name.as_str()) {
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
