//! Does every golden again and reports the result to the host.

#[path = "../../../crates/portamento/tests/golden/goldens.rs"]
mod goldens;

use goldens::crowd::{COUNT, crowd};
use goldens::{Hash, NUMBERS, Number, TRACES, Trace};
use portamento::Moment;
use portamento::batch::{Batch, OutputForm, internals::{Kernel}};
use portamento::blend::Pose;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The kernel that the batches run on.
    safe fn kernel(name: *const u8, length: usize);
    /// What is done next, what it came to when it was right, and what it comes to now.
    safe fn golden(name: *const u8, length: usize, golden: u64, now: u64);
    /// Something to be printed: a line that differs, or why it all ended.
    safe fn note(text: *const u8, length: usize);
}

/// All goldens, one after the other.
#[unsafe(no_mangle)]
extern "C" fn check() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        note(text.as_ptr(), text.len());
    }));
    let name = Kernel::widest().name();
    kernel(name.as_ptr(), name.len());
    for Number { name, golden: was, now } in NUMBERS {
        golden(name.as_ptr(), name.len(), was, now());
    }
    for Trace { name, golden: was, now } in TRACES {
        let now = now();
        golden(name.as_ptr(), name.len(), hash(was), hash(&now));
        if let Some((was, now)) = was.lines().zip(now.lines()).find(|(was, now)| was != now) {
            let text = format!("{was}\n{now}");
            note(text.as_ptr(), text.len());
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hash = Hash::new();
    text.bytes().for_each(|byte| hash.eat(byte.into()));
    hash.0
}

/// A crowd and room for its matrices.
struct Show(Batch<Pose>, Vec<f32>);

#[unsafe(no_mangle)]
extern "C" fn prepare() -> &'static mut Show {
    Box::leak(Box::new(Show(crowd(Kernel::widest(), false).0, vec![0.0; COUNT * 12])))
}

/// Draws the crowd and returns how many poses that were, for the host to time.
#[unsafe(no_mangle)]
extern "C" fn draw(Show(batch, out): &mut Show) -> u32 {
    // Two alphas in turns: drawing the same moment again would draw nothing.
    [0.3, 0.6].iter().fold(0, |poses, &alpha| {
        let frame = batch.frame(Moment::at(alpha, 0.0));
        poses + frame.write(OutputForm::Matrices3x4, out).map_or(0, |written| written as u32)
    })
}
