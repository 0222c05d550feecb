//! What the program does to the disk, seen through the hook of `fs`.

#![allow(
    clippy::print_stdout,
    dead_code,
    unreachable_pub,
    reason = "the stand-ins for hub and providers serve other tests too; a full run prints its counts"
)]

#[path = "../support/fake_hub.rs"]
mod fake_hub;
#[path = "../support/fake_model.rs"]
mod fake_model;
mod faults;
mod loads;

/// Runs the test `name` of this program again in a process of its own: the hook is the process's, and
/// so is the environment.
fn alone(name: &str, environment: &[(&str, &str)]) {
    let child = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "yes")
        // The master salt is not made in CI; these tests make one.
        .env_remove("CI")
        .envs(environment.iter().copied())
        .output()
        .expect("it starts");
    let reported = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(child.status.success(), "{}{}", reported(&child.stdout), reported(&child.stderr));
    if std::env::var_os("GMAT_FAULTS").is_some() {
        print!("{}", reported(&child.stdout));
    }
}

const CHILD: &str = "GMAT_TEST_CHILD";

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}
