"""rlm-code 0.1.13 on random workdirs: CSV and Markdown by byte, JSON, statistics, trends, groups
and comparisons by value.

Its leaderboard takes benchmarks in the order of the directory, which differs between machines;
here its `glob` is sorted.
"""

import json
import os
import random
import tempfile
from pathlib import Path

from common import Tally, output

from rlm_code.rlm.leaderboard import Leaderboard, RankingMetric, aggregate_by_field, compute_trend

METRICS = list(RankingMetric)


def odd(r: random.Random, value: object, share: float) -> object:
    return r.choice([value, 0, str(value), -1.5]) if r.random() < share else value


def workdir(r: random.Random, root: Path) -> None:
    share = r.choice([0, 0, 0.3])
    benchmarks, runs = root / "rlm/benchmarks", root / "observability"
    benchmarks.mkdir(parents=True)
    runs.mkdir()
    for at in range(r.randint(1, 12)):
        stamp = f"2026-0{r.randint(1, 9)}-1{r.randint(0, 9)}T0{r.randint(0, 9)}:00:00"
        cases = [
            {
                "environment": "gen",
                "usage": {"total_tokens": r.randint(0, 5000), "prompt_tokens": 1, "completion_tokens": 2},
                "started_at": f"{stamp}Z",
                "finished_at": f"{stamp}.{r.randint(1, 999999):06}Z",
            }
            for _ in range(r.randint(0, 4))
        ]
        document = {
            "benchmark_id": f"bench_{r.getrandbits(32):08x}_{at:02}_long",
            "model": r.choice(["fictional-a", "fictional-b", ""]),
            "preset": r.choice(["quick", "full"]),
            "started_at": stamp + r.choice(["", "Z"]),
            "avg_reward": odd(r, r.choice([r.random(), round(r.random(), 2), 1e300 if share else 0.5]), share),
            "avg_steps": odd(r, r.random() * 9, share),
            "total_cases": r.randint(0, 9),
            "completed_cases": r.randint(0, 9),
            "tags": r.sample(["a", "b"], r.randint(0, 2)),
            "case_results": cases,
        }
        (benchmarks / f"{at:02}.json").write_text(json.dumps(document))
    rows = []
    for at in range(r.randint(0, 10)):
        rows.append(
            json.dumps(
                {
                    "run_id": f"run-{at}-{r.getrandbits(48):012x}",
                    "environment": r.choice(["gen", "dspy"]),
                    "model": "fictional-c",
                    "started_at": f"2026-05-0{r.randint(1, 9)}T00:00:00Z",
                    "total_reward": r.choice([r.random(), -0.0, 0.0, r.gauss(0, 1)]),
                    "steps": r.randint(0, 9),
                    "completed": r.choice([True, False]),
                    "usage_summary": {"total_tokens": r.randint(0, 900)},
                }
            )
        )
    (runs / "runs.jsonl").write_text("\n".join(rows) + "\n")


def exact(ours: object, theirs: object) -> bool:
    """Equal to the last digit."""
    return json.dumps(ours, sort_keys=True) == json.dumps(theirs, sort_keys=True)


def compare(tally: Tally, r: random.Random, root: Path, number: int) -> None:
    board = Leaderboard(workdir=root, auto_load=False)
    for file in sorted((root / "rlm/benchmarks").glob("*.json")):
        # One by one: that is the only way to give it an order.
        alone = Leaderboard(workdir=root, auto_load=False)
        alone_dir = root / "one"
        alone_dir.mkdir(exist_ok=True)
        target = alone_dir / file.name
        target.write_bytes(file.read_bytes())
        alone.load_benchmarks(alone_dir)
        for entry in alone.entries:
            entry.source_path = str(file)
            board.add_entry(entry)
        target.unlink()
    board.load_runs()
    compat = ["-q", "--compat", "rlm-code"]
    for metric in METRICS:
        limit, what = r.choice([0, 1, 3, -1]), f"workdir {number}, {metric.value}"
        ask = ["export", root, *compat, "--by", metric.value, f"--limit={limit}"]
        peer = root / "peer.out"
        board.to_csv(peer, metric=metric, limit=limit)
        if peer.exists():
            tally.same(output(*ask, "--to", "csv", "-o", root / "our.csv") or (root / "our.csv").read_bytes(), peer.read_bytes(), f"{what}, csv")
            peer.unlink()
        tally.same(output(*ask, "--to", "markdown"), board.to_markdown(metric=metric, limit=limit), f"{what}, markdown")
        board.to_json(peer, metric=metric, limit=limit)
        output(*ask, "--to", "json", "-o", root / "our.json")
        ours, theirs = json.loads((root / "our.json").read_text()), json.loads(peer.read_text())
        for document in (ours, theirs):
            document.pop("exported_at")
        tally.check(exact(ours, theirs), f"{what}, json", f"ours {ours['statistics']}\n    peer {theirs['statistics']}")
        peer.unlink()
        by = [*compat, "--by", metric.value, "--json"]
        found = json.loads(output("stats", root, *by))[0]
        wanted = board.get_statistics(metric)
        found = {key: found[key] for key in wanted}
        tally.check(exact(found, wanted), f"{what}, stats", f"ours {found}\n    peer {wanted}")
        window = r.choice([1, 2, 5])
        found, wanted = json.loads(output("trend", root, *by, "--window", window)), compute_trend(board.entries, metric, window)
        tally.check(exact(found, wanted), f"{what}, trend", f"ours {found}\n    peer {wanted}")
        wanted = aggregate_by_field(board.entries, "model", metric)
        groups = json.loads(output("group", root, *by, "--on", "model"))
        found = {model: {key: group[key] for key in ("count", "mean", "median", "min", "max")} for model, group in groups.items()}
        tally.check(exact(found, wanted), f"{what}, group", f"ours {found}\n    peer {wanted}")
    ids = [entry.entry_id for entry in r.sample(board.entries, min(2, len(board.entries)))]
    wanted = board.compare(ids)
    # Its entries are objects in some versions.
    wanted = json.loads(json.dumps(wanted, default=lambda entry: entry.to_dict()))
    found = json.loads(output("compare", *ids, "--source", root, *compat, "--json"))
    tally.check(exact(found, wanted), f"workdir {number}, compare", f"ours {found}\n    peer {wanted}")


def main() -> None:
    tally = Tally("rlm-code")
    for number in range(int(os.environ.get("GMAT_PEERS_WORKDIRS", "60"))):
        with tempfile.TemporaryDirectory() as folder:
            r, root = random.Random(number), Path(folder) / "work"
            workdir(r, root)
            compare(tally, r, root, number)
    tally.finish()


if __name__ == "__main__":
    main()
