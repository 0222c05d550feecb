//! Tells the linker how to order the code of a release: see order.ld.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=order.ld");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|set| set == value);
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    // Not every linker reads such a file; the two that compilers come with on Linux do.
    let usual_linker = env::var_os("RUSTC_LINKER").is_none() && !flags.contains("fuse-ld");
    if is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("PROFILE", "release")
        && usual_linker
    {
        let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-T{root}/order.ld");
    }
}
