//! Beside the hub's own client: what it fetches is what we fetch, what it leaves in a Space is what
//! we leave, and it reads back what we published.
//!
//! `GMAT_HF_PYTHON` names a python that has the package `huggingface_hub`.

use std::process::Command;

use super::{
    DATASET, FakeHub, Files, SPACE, TOKEN, board, dataset, empty_space, site, space, tree,
};
use crate::harness::{World, finish};

const DOWNLOAD: &str = "import sys\nfrom huggingface_hub import snapshot_download\n\
    snapshot_download(sys.argv[1], repo_type=sys.argv[2], local_dir=sys.argv[3])";
const UPLOAD: &str = "import sys\nfrom huggingface_hub import HfApi\n\
    HfApi().upload_folder(repo_id=sys.argv[1], repo_type='space', folder_path=sys.argv[2], \
    delete_patterns=['*'])";

/// Runs the client with this hub; false where there is none.
fn client(world: &World, hub: &FakeHub, code: &str, args: &[&str]) -> bool {
    let Some(python) = std::env::var_os("GMAT_HF_PYTHON") else {
        eprintln!("hub: skipped, GMAT_HF_PYTHON names no python with huggingface_hub");
        return false;
    };
    let mut client = Command::new(python);
    client.args(["-c", code]).args(args).current_dir(world.path("")).env_clear();
    client.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", world.path(""));
    client.env("HF_ENDPOINT", &hub.endpoint).env("HF_TOKEN", TOKEN);
    client.env("HF_HUB_DISABLE_XET", "1").env("HF_HUB_DISABLE_TELEMETRY", "1");
    let ran = finish(&mut client, None);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    true
}

/// What the client downloaded, but for its own notes and the hub's file.
fn downloaded(world: &World, dir: &str) -> Files {
    let mut files = tree(&world.path(dir));
    files.retain(|path, _| !path.starts_with(".cache/") && path != ".gitattributes");
    files
}

#[test]
fn it_reads_back_what_was_published() {
    let world = World::new();
    board(&world);
    empty_space(&world);
    let Some(hub) = FakeHub::start(&world, &[]) else { return };
    let ran = hub.run(&world, &["publish", "--space", SPACE]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    if !client(&world, &hub, DOWNLOAD, &[SPACE, "space", "back"]) {
        return;
    }
    let back = downloaded(&world, "back");
    assert_eq!(back, space(&world));
    let ran = world.run(&["render", "--out", "again", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(back, tree(&world.path("again")));
    hub.end_well();
}

#[test]
fn it_leaves_a_space_as_we_leave_it() {
    let world = World::new();
    board(&world);
    let other = "spaces/gmat/other";
    for space in ["spaces/gmat/leaderboard", other] {
        world.write(&format!("hub/{space}/main/.gitattributes"), "*.bin filter=lfs\n");
        world.write(&format!("hub/{space}/main/stale.html"), "<p>old\n");
        world.write(&format!("hub/{space}/settings.json"), "{\"sdk\": \"static\"}");
    }
    let Some(hub) = FakeHub::start(&world, &[]) else { return };
    for extra in [&[][..], &[("data/board.json", "{\"rows\":[1]}\n"), ("new.html", "<p>\n")]] {
        let files = site(&world, extra);
        let ran = hub.run(&world, &["publish", "--space", SPACE, "site", "--as-is"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        if !client(&world, &hub, UPLOAD, &["gmat/other", "site"]) {
            return;
        }
        assert_eq!(space(&world), files);
        let ours = tree(&world.path("hub/spaces/gmat/leaderboard/main"));
        assert_eq!(ours, tree(&world.path(&format!("hub/{other}/main"))));
    }
    hub.end();
}

#[test]
fn it_fetches_what_we_fetch() {
    let world = World::new();
    let files = dataset(&world);
    let Some(hub) = FakeHub::start(&world, &[]) else { return };
    let ran = hub.run(&world, &["fetch", "--dataset", DATASET, "--to", "cache"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    if client(&world, &hub, DOWNLOAD, &[DATASET, "dataset", "back"]) {
        assert_eq!(downloaded(&world, "back"), files);
        assert_eq!(tree(&world.path("cache")), files);
    }
    hub.end();
}
