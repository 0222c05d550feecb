//! Help, completions, the manual, and calls that make no sense.

use crate::harness::World;

#[test]
fn completions_are_made_for_every_shell() {
    let world = World::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = world.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains("completions"), "{shell}");
    }
}

#[test]
fn the_manual_is_a_roff_page() {
    let ran = World::new().run(&["man"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains(".TH gmat-leaderboard 1"), "{}", ran.stdout);
}

#[test]
fn a_call_that_makes_no_sense_is_exit_2_and_says_so() {
    let ran = World::new().run(&["bulid"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("unrecognized subcommand 'bulid'"), "{}", ran.stderr);
}
