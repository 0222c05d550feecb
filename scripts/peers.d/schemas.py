"""The JSON Schemas with a second validator, over a board with a year of history.

The project's own tests use another validator, on a smaller board.
"""

import json
import tempfile
from pathlib import Path

from jsonschema import Draft202012Validator

from common import BINARY, Tally
import subprocess

tally = Tally("schemas")


def call(args: str, root: Path) -> str:
    ran = subprocess.run(
        [str(Path(BINARY).resolve()), *args.split()], cwd=root, capture_output=True, text=True, check=False
    )
    return ran.stdout


def holds(name: str, documents: list, what: str) -> None:
    schema = json.loads(call(f"schema {name}", Path(".")))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for document in documents:
        wrong = [f"{it.json_path}: {it.message}" for it in validator.iter_errors(document)]
        tally.check(not wrong, f"{name}: {what}", "; ".join(wrong[:3])[:400])
    tally.check(bool(documents), f"{name}: {what}", "nothing to look at")
    # A schema that takes anything would show nothing.
    tally.check(not validator.is_valid([17]) or name == "any", f"{name} refuses a list of numbers")


with tempfile.TemporaryDirectory() as folder:
    call("demo d --history -q", Path(folder))
    root = Path(folder) / "d/board"
    script = Path("examples/scripts/misspelt.script").resolve()
    (root / "weights.json").write_text(json.dumps({"datasets": {"public": 1, "held_out": 2}}))
    cells = "r1 GRADE t1 0.8\nr1 GRADE t2 0.4\nr2 GRADE t1 0.6\nr2 GRADE t2 0.2\nr2 GRADE all 0.9\n"
    (root / "a.tot").write_text(cells)
    call("build --seal -q", root)
    for name, path in [
        ("board", "leaderboard/leaderboard.json"), ("config", "seeds.json"), ("weekly", "leaderboard/weekly.json"),
        ("seal", "leaderboard/leaderboard.seal.json"), ("weights", "weights.json"), ("index", "site/v1/index.json"),
        ("site-history", "site/v1/history.json"),
    ]:
        holds(name, [json.loads((root / path).read_text())], path)
    for name in ("prompts", "completions", "judge"):
        files = sorted((root / "leaderboard/bundles").glob(f"*/{name}.json"))
        flat = [json.loads(file.read_text()) for file in files if (file.parent / "judge.json").exists()]
        holds(name, flat, f"{name}.json of every bundle")
    holds("entry", [json.loads(file.read_text()) for file in sorted((root / "site/v1/entries").glob("*.json"))], "v1/entries")
    holds("ledger", [json.loads(line) for line in (root / "leaderboard/history.jsonl").read_text().splitlines()], "history.jsonl")
    for name, args in [
        ("verify", "verify"), ("verify", "verify --form-only"), ("check", "check leaderboard/bundles/kite-8b"),
        ("check", "check leaderboard/bundles/arbiter-2"), ("doctor", "doctor"), ("lint", f"lint {script}"),
        ("diff", "diff leaderboard/leaderboard.json leaderboard/leaderboard.json"), ("protocol", "eval --show-protocol"),
        ("history", "history"), ("history-breakdown", "history breakdown --all"), ("history-verify", "history verify"),
        ("history-change", "history change --over 365d"), ("week", "weekly"), ("week", "weekly --all"),
        ("history-recalibrate", "history recalibrate --weights weights.json --dry-run"),
        ("rank", "rank"), ("rank", "export --limit 3"), ("stats", "stats"), ("stats", "stats a.tot --per-run"),
        ("stats-check", "stats a.tot --check"), ("group", "group --on provider"), ("group", "group --on tier --by public"),
        ("trend", "trend leaderboard/history.jsonl"), ("correlate", "correlate a.tot a.tot --per-run"),
        ("correlate", "correlate leaderboard/leaderboard.json --truth-measure held_out --judge-measure public"),
        ("compare", "compare demo:cardboard/orbiter-3 demo:nowhere/skua-9b"),
    ]:
        holds(name, [json.loads(call(f"{args} --json", root))], args)
    lines = call("record --board leaderboard/leaderboard.json --dry-run --json", root).splitlines()
    holds("recorded", [json.loads(line) for line in lines], "record --json")
tally.finish()
