//! Writes a sound save of every type into `fuzz/seeds/saves`, for the fuzzer to begin with.

use portamento_soak::drivers::saves::KINDS;

fn main() -> std::io::Result<()> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/saves");
    std::fs::create_dir_all(folder)?;
    for (number, kind) in KINDS.iter().enumerate() {
        // The first byte chooses the type.
        let mut bytes = vec![number as u8];
        bytes.extend((kind.sample)().bytes());
        std::fs::write(format!("{folder}/{}", kind.name), bytes)?;
    }
    Ok(())
}
