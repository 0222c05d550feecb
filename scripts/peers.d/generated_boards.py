"""gmat-copilot 0.3.0 on generated boards: the same bytes, and each program verifies the other's.

The boards are made from this repository's own prompts and scripts: a random part of the prompts,
scripts that are broken at random, random votes and token counts, with and without a held-out set
and a lift bundle.
"""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from common import Tally, run

STAMP = "2026-01-01T00:00:00Z"
PROVIDERS = ("github", "anthropic", "openai", "ollama")  # the peer knows no others
REPOSITORY = Path(__file__).resolve().parents[2]
COPILOT = Path(sys.executable).with_name("gmat-copilot")


def sha16(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Source:
    """One committed bundle: its prompts and, by prompt id, the scripts of every model."""

    def __init__(self, folder: Path) -> None:
        bundles = [path for path in sorted(folder.iterdir()) if (path / "completions.json").exists()]
        self.prompts = json.loads((bundles[0] / "prompts.json").read_text())
        self.scripts: dict[str, list[str]] = {}
        for bundle in bundles:
            texts = {key.rsplit(":", 1)[1]: entry["text"] for key, entry in json.loads((bundle / "completions.json").read_text()).items()}
            for prompt in json.loads((bundle / "prompts.json").read_text()):
                text = texts.get(sha16(prompt["request"]))
                if text is not None:
                    self.scripts.setdefault(prompt["id"], []).append(text)


def broken(r: random.Random, script: str) -> str:
    """The script with one slip."""
    rows = script.split("\n")
    at = r.randrange(len(rows))
    match r.randrange(5):
        case 0:
            del rows[at]
        case 1:
            rows[at] = rows[at].replace("Create ", "Craete ", 1)
        case 2:
            rows.insert(at, "NoSuchThing.Field = 1;")
        case 3:
            rows = rows[: at + 1]
        case _:
            rows[at] = re.sub(r"=\s*[^;]+", "= NotAValue", rows[at], count=1)
    return "\n".join(rows)


def votes(r: random.Random) -> list:
    return [r.random() < 0.75 for _ in range(3)]


def bundle(r: random.Random, folder: Path, source: Source, prompts: list, who: str, share: float) -> None:
    folder.mkdir(parents=True)
    completions, judge = {}, {}
    for prompt in prompts:
        script = r.choice(source.scripts[prompt["id"]])
        script = broken(r, script) if r.random() < share else script
        usage = {name: r.randint(1, 4000) for name in r.sample(["prompt_tokens", "completion_tokens", "total_tokens"], r.randint(0, 3))}
        text = f"% {r.getrandbits(64):016x}\n{script}"
        completions[f"{who}:{sha16(prompt['request'])}"] = {"text": text, "usage": usage}
        judge[prompt["id"]] = votes(r)
    # A judge's file is votes by prompt, or those under the name of the model.
    judge = {who.partition(":")[2]: judge} if r.random() < 0.5 else judge
    for name, content in (("prompts", prompts), ("completions", completions), ("judge", judge)):
        # The set of prompts has the same bytes in every bundle.
        indent = 2 if name == "prompts" else r.choice([None, 1, 2])
        (folder / f"{name}.json").write_text(json.dumps(content, indent=indent))


def board(r: random.Random, root: Path, public: Source, private: Source) -> bool:
    """Writes a random board; tells whether it has a held-out set."""
    count = r.randint(1, 7)
    prompts = r.sample(public.prompts, r.randint(1, len(public.prompts)))
    hidden = r.sample(private.prompts, r.randint(1, len(private.prompts)))
    has_hidden, share, seeds = r.random() < 0.8, r.random(), []
    lifts = [path for path in sorted((REPOSITORY / "tests/data/world/board/leaderboard/bundles").iterdir()) if path.name.endswith("-lift")]
    for at in range(count):
        provider, model = r.choice(PROVIDERS), f"fictional/m{at}-{r.getrandbits(16):04x}"
        seed = {"provider": provider, "model": model, "kind": "seed", "submitted_by": "peers", "public_bundle": f"bundles/m{at}"}
        bundle(r, root / f"bundles/m{at}", public, prompts, f"{provider}:{model}", share)
        if has_hidden and r.random() < 0.8:
            seed["held_out_bundle"] = f"m{at}"
            bundle(r, root / f"held-out/m{at}", private, hidden, f"{provider}:{model}", share)
        if lifts and r.random() < 0.4:
            lift = r.choice(lifts)
            target = root / f"bundles/m{at}-lift"
            target.mkdir()
            for path in lift.iterdir():
                (target / path.name).write_bytes(path.read_bytes())
            seed["lift_bundle"] = f"bundles/m{at}-lift"
        seeds.append(seed)
    config = {
        "eval_protocol_version": "1",
        "n_votes": 3,
        "judge_model": "fictional/judge",
        "public_set": {"n_prompts": len(prompts), "committed": True, "reproducible_offline": True, "note": "generated"},
        "held_out_set": {"committed": False, "store": "generated"},
        "seeds": seeds,
    }
    (root / "seeds.json").write_text(json.dumps(config, indent=2))
    (root / "held-out").mkdir(exist_ok=True)
    return has_hidden


def versionless(text: str) -> str:
    return re.sub(r'"tool_version": "[^"]*"', '"tool_version": ""', text)


def peer(*args: object) -> subprocess.CompletedProcess[str]:
    command = [str(COPILOT), "leaderboard", *map(str, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def main() -> None:
    tally = Tally("gmat-copilot")
    public = Source(REPOSITORY / "tests/data/world/board/leaderboard/bundles")
    private = Source(REPOSITORY / "tests/data/world/held-out")
    for number in range(int(os.environ.get("GMAT_PEERS_BOARDS", "60"))):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            hidden = board(random.Random(number), root, public, private)
            common = ["--config", root / "seeds.json", "--root", root]
            build = ["build", *common, "--generated-at", STAMP]
            build += ["--held-out", root / "held-out"] if hidden else []
            ours, theirs = root / "ours.json", root / "theirs.json"
            made, peers = run(*build, "--out", ours), peer(*build, "--out", theirs)
            if not tally.check(
                made.returncode == 0 and peers.returncode == 0,
                f"board {number} is built",
                f"ours {made.returncode} {made.stderr}\n    peer {peers.returncode} {peers.stderr}",
            ):
                continue
            tally.same(versionless(ours.read_text()), versionless(theirs.read_text()), f"board {number}")
            for who, ran in (
                ("we verify theirs", run("verify", theirs, *common)),
                ("they verify ours", peer("verify", ours, *common)),
            ):
                tally.check(ran.returncode == 0, f"board {number}: {who}", ran.stdout + ran.stderr)
    tally.finish()


if __name__ == "__main__":
    main()
