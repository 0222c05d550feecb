//! Tells the linker how to order the code of a release: see order.ld.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=order.ld");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|set| set == value);
    println!("cargo::rerun-if-env-changed=GMAT_LINK_ORDER");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    // Not every linker reads such a file. The one that comes with the compiler for this kind of
    // machine does, and it is taken unless somebody asks for another.
    let other_linker = env::var_os("RUSTC_LINKER").is_some()
        || ["fuse-ld", "ld-path", "linker"].iter().any(|word| flags.contains(word));
    if is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("PROFILE", "release")
        && !is("GMAT_LINK_ORDER", "no")
        && !other_linker
    {
        let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-T{root}/order.ld");
    }
}
