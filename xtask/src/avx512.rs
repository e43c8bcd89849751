//! Do the kernels for AVX-512 give the right bits, on a machine without it?
//!
//! Bochs emulates a processor that has it. A Debian kernel boots there with the test program as its only process;
//! what that prints comes out of the serial line, and its exit code in the kernel's last words.

use crate::job::{Job, root};
use std::fs;
use std::path::{Path, PathBuf};

const TESTS: &str =
    "-p portamento --features rayon --lib batch::tests::parity -- --nocapture --test-threads=1";
const PACKAGES: &str = "bochs bochs-term isolinux libarchive-tools syslinux-common xorriso";
const KERNEL: &str = "linux-image-cloud-amd64";
const MACHINE: &str = "target/avx512/machine";

/// Two features less: Bochs 2.7 miscounts their memory, upon which Linux would do without AVX altogether.
const BOOT: &str = "initrd=initrd rdinit=/init console=ttyS0 quiet panic=-1 reboot=t mitigations=off clearcpuid=xsavec,xsaves";

const BOCHS: &str = "\
cpu: model=corei7_skylake_x, ips=50000000, reset_on_triple_fault=0
memory: guest=512, host=512
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=serial.txt
display_library: term
log: bochs.log
panic: action=fatal
";

/// The batch's parity tests with AVX-512: here if the processor has it, else emulated (minutes).
pub fn run() -> Result<(), String> {
    if processor_has_it() {
        println!("This processor has AVX-512.");
        return Job::new(&format!("cargo test --release {TESTS}")).run();
    }
    println!("This processor has no AVX-512: the tests run in an emulator.");
    install()?;
    let this = std::env::current_exe().map_err(|error| format!("where xtask lies: {error}"))?;
    // As a list, which cargo does not split at blanks, as it does with what an environment variable says.
    let runner =
        format!("target.x86_64-unknown-linux-gnu.runner=[{:?}, \"avx512\"]", this.display().to_string());
    Job::new("cargo --config")
        .arg(runner)
        .words("test --release --target x86_64-unknown-linux-gnu")
        .words(TESTS)
        .env("CARGO_TARGET_DIR", root().join("target/avx512"))
        .env("RUSTFLAGS", "-C target-feature=+crt-static -C strip=symbols")
        .run()
}

fn processor_has_it() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Where the kernel's package is unpacked: installing it would change what this machine boots.
fn unpacked() -> PathBuf {
    root().join("target/avx512/kernel")
}

/// The emulator and a kernel for it, from Debian's packages.
fn install() -> Result<(), String> {
    let tools = ["bochs-bin", "bsdtar", "xorriso"].map(|tool| Path::new("/usr/bin").join(tool));
    if tools.iter().all(|tool| tool.exists()) && vmlinuz().is_ok() {
        return Ok(());
    }
    let cure = format!(
        "on Debian, as root: apt-get install {PACKAGES}; or run this where the processor has AVX-512"
    );
    if !Job::new("apt-get --version").succeeds() {
        return Err(format!("emulating AVX-512 needs Bochs and a Debian kernel: {cure}"));
    }
    get().map_err(|why| format!("{why}\nEmulating AVX-512 needs Bochs and a Debian kernel: {cure}"))
}

fn get() -> Result<(), String> {
    Job::new("apt-get update -qq").run()?;
    Job::new(&format!("apt-get install -y -qq --no-install-recommends {PACKAGES}"))
        .env("DEBIAN_FRONTEND", "noninteractive")
        .run()?;
    // The package of that name only points to the one of today's version.
    let newest = Job::new(&format!("apt-cache depends --important {KERNEL}")).output()?;
    let newest = newest.lines().find_map(|line| line.trim().strip_prefix("Depends: "));
    let newest = newest.ok_or_else(|| format!("{KERNEL} names no kernel"))?;
    let _ = fs::remove_dir_all(unpacked()); // an older kernel, or nothing
    fs::create_dir_all(unpacked()).map_err(|error| format!("{}: {error}", unpacked().display()))?;
    Job::new(&format!("apt-get download -qq {newest}")).within("target/avx512/kernel").run()?;
    let package = only(&unpacked(), newest)?;
    Job::new("dpkg-deb -x").arg(package).arg(unpacked()).run()
}

fn vmlinuz() -> Result<PathBuf, String> {
    only(&unpacked().join("boot"), "vmlinuz-")
}

/// The file in `folder` whose name begins so.
fn only(folder: &Path, beginning: &str) -> Result<PathBuf, String> {
    fs::read_dir(folder)
        .ok()
        .and_then(|files| {
            files.flatten().find(|file| file.file_name().to_string_lossy().starts_with(beginning))
        })
        .map(|file| file.path())
        .ok_or_else(|| format!("there is no {beginning}* in {}", folder.display()))
}

/// Runs a statically linked program in the emulator. Cargo calls this with the test program.
pub fn emulate(program: &str, arguments: &[&str]) -> Result<(), String> {
    let machine = root().join(MACHINE);
    furnish(&machine, program, arguments).map_err(|error| format!("{MACHINE}: {error}"))?;
    Job::new("bsdtar --format newc -cf disc/initrd init").within(MACHINE).run()?;
    Job::new("xorriso -as mkisofs -quiet -o boot.iso -b isolinux.bin -no-emul-boot -boot-load-size 4 -boot-info-table disc")
        .within(MACHINE)
        .run()?;
    // It cannot end well: with its only process the kernel has lost its purpose, and stops the machine. Bochs does not
    // heed a mere request to end.
    let end = Job::new("timeout --signal=KILL 1200 bochs -f bochsrc -rc commands")
        .within(MACHINE)
        .env("TERM", "vt100")
        .output();
    let printed = fs::read(machine.join("serial.txt")).unwrap_or_default();
    let printed = String::from_utf8_lossy(&printed);
    let (printed, last_words) = printed.split_once("Kernel panic").unwrap_or((&printed, ""));
    println!("{printed}");
    if last_words.is_empty() {
        let how = end.err().unwrap_or_default();
        let how = how.lines().next().unwrap_or_default();
        return Err(format!(
            "{how}\nThe emulator stopped before the tests did: {MACHINE}/bochs.log says more"
        ));
    }
    if !last_words.contains("exitcode=0x00000000") {
        return Err("the tests failed in the emulator".into());
    }
    if !printed.contains("kernel avx512") {
        return Err("the tests passed in the emulator, but the AVX-512 kernel was not among them".into());
    }
    println!("The tests passed in the emulator, with AVX-512.");
    Ok(())
}

/// Everything that the machine starts from.
fn furnish(machine: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let disc = machine.join("disc");
    fs::create_dir_all(&disc).map_err(|error| error.to_string())?;
    let _ = fs::remove_file(machine.join("serial.txt")); // of the last run
    let copy = |from: &Path, to: PathBuf| {
        fs::copy(from, to).map(drop).map_err(|error| format!("copying {}: {error}", from.display()))
    };
    copy(Path::new(program), machine.join("init"))?;
    copy(&vmlinuz()?, disc.join("vmlinuz"))?;
    copy(Path::new("/usr/lib/ISOLINUX/isolinux.bin"), disc.join("isolinux.bin"))?;
    copy(Path::new("/usr/lib/syslinux/modules/bios/ldlinux.c32"), disc.join("ldlinux.c32"))?;
    let loader =
        format!("default it\nlabel it\n kernel vmlinuz\n append {BOOT} -- {}\n", arguments.join(" "));
    for (file, text) in
        [("disc/isolinux.cfg", loader.as_str()), ("bochsrc", BOCHS), ("commands", "continue\n")]
    {
        fs::write(machine.join(file), text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}
