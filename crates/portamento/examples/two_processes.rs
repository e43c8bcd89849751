//! A simulation in a process of its own, which is killed and started again while the renderer draws on.
//!
//! `cargo run --release -p portamento --features process --example two_processes`
//!
//! The program starts itself a second time as the simulation. After two seconds it kills that process the hard way,
//! draws on for a second from what is left, and starts another. Watch `run`, `age` and `drawn`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use portamento::blend::Pose;
use portamento::exchange::{AttachError, Exchange, Reader, Shape, machine_seconds};
use portamento::playhead::Playhead;

const TICK: f64 = 1.0 / 60.0;
const FRAME: f64 = 1.0 / 144.0;

type Anything = Result<(), Box<dyn std::error::Error>>;

fn main() -> Anything {
    if let Some(path) = std::env::args().nth(1) {
        return simulate(Path::new(&path));
    }
    let path = std::env::temp_dir().join(format!("portamento-two-processes-{}", std::process::id()));
    let drawn = direct(&path);
    let _ = std::fs::remove_file(&path);
    drawn
}

/// The simulation: a body that moves at 1 m/s, for as long as someone lets it.
fn simulate(path: &Path) -> Anything {
    let mut writer = Exchange::create_file(path, Shape::entities(16))?.writer()?;
    let start = machine_seconds();
    for tick in 0_u32.. {
        let simulated = f64::from(tick) * TICK;
        writer.set(1, Pose::at([simulated as f32, 0.0, 0.0]))?;
        writer.publish(machine_seconds(), simulated)?;
        let wait = start + f64::from(tick + 1) * TICK - machine_seconds();
        std::thread::sleep(Duration::from_secs_f64(wait.max(0.0)));
    }
    Ok(())
}

/// The renderer, and the one who starts and kills.
fn direct(path: &Path) -> Anything {
    let mut simulation = Simulation::start(path)?;
    let mut reader = attach(path)?;
    println!("   s  run            tick   age ms  drawn m");
    let start = machine_seconds();
    let mut printed = -1.0;
    for frame in 0_u32.. {
        let due = start + f64::from(frame) * FRAME;
        std::thread::sleep(Duration::from_secs_f64((due - machine_seconds()).max(0.0)));
        let now = machine_seconds();
        let elapsed = now - start;
        if elapsed > 5.0 {
            break;
        }
        if elapsed > 2.0 && simulation.is_running() && elapsed < 3.0 {
            simulation.kill()?;
            println!("      --- the simulation is killed ---");
        }
        if elapsed > 3.0 && !simulation.is_running() {
            simulation = Simulation::start(path)?;
            println!("      --- another one is started ---");
        }
        let Some(world) = reader.frame(now) else { continue };
        if elapsed - printed >= 0.25 {
            printed = elapsed;
            let newest = world.to;
            let x = world.entity(0).map_or(f32::NAN, |body| body.pose.position[0]);
            println!(
                "{elapsed:>4.2}  {}  {:>4}  {:>7.1}  {x:>7.3}  {}",
                newest.run,
                newest.tick,
                newest.age(now) * 1000.0,
                "·".repeat((x * 15.0).max(0.0) as usize) + "o"
            );
        }
    }
    println!("\nrestarts seen: {}, ticks missed: {}", reader.counts().restarts, reader.counts().missed);
    simulation.kill()
}

/// The simulation creates the block; until it has, there is nothing to open.
fn attach(path: &Path) -> Result<Reader, AttachError> {
    loop {
        match Exchange::open_file(path) {
            Err(AttachError::Os { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
                std::thread::sleep(Duration::from_millis(5));
            }
            exchange => return exchange?.reader(Playhead::at_hz(1.0 / TICK)?),
        }
    }
}

/// The other process. It does not outlive this one.
struct Simulation(Option<Child>);

impl Simulation {
    fn start(path: &Path) -> Result<Self, std::io::Error> {
        let program: PathBuf = std::env::current_exe()?;
        Ok(Self(Some(Command::new(program).arg(path).spawn()?)))
    }

    fn is_running(&self) -> bool {
        self.0.is_some()
    }

    fn kill(&mut self) -> Anything {
        if let Some(mut process) = self.0.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
