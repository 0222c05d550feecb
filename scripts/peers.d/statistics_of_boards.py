"""Intervals, tests and ranks of rendered boards against scipy and statsmodels.

Wilson per cell, Newcombe for the gap, and the range of ranks: best-case exact McNemar and Fisher,
each corrected by Holm over all pairs. `compare`: the exact sign test, corrected by Holm. The top
group: the larger of both tests against the leader, corrected by Benjamini-Hochberg.
"""

import itertools
import json
import os
import random
import tempfile
from math import sqrt
from pathlib import Path

from common import Tally, equal, run
from generated_boards import REPOSITORY, STAMP, Source, board
from scipy.stats import binomtest, fisher_exact
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

ALPHA = 0.05


def wilson(cell: dict) -> tuple[float, float]:
    return proportion_confint(cell["passed"], cell["prompts"], ALPHA, "wilson")


def newcombe(a: dict, b: dict) -> list[float]:
    """Of the difference a − b, from the two Wilson intervals."""
    rate = [cell["passed"] / cell["prompts"] for cell in (a, b)]
    (low_a, high_a), (low_b, high_b) = wilson(a), wilson(b)
    gap = rate[0] - rate[1]
    low = gap - sqrt((rate[0] - low_a) ** 2 + (high_b - rate[1]) ** 2)
    return [low, gap + sqrt((high_a - rate[0]) ** 2 + (rate[1] - low_b) ** 2)]


def holm(p: list[float]) -> list[float]:
    return list(multipletests(p, ALPHA, "holm")[1]) if p else []


def places(scores: list[tuple[int, int]]) -> list[tuple[int, int]]:
    pairs = list(itertools.combinations(range(len(scores)), 2))
    mcnemar, fisher = [], []
    for i, j in pairs:
        (a, n), (b, m) = scores[i], scores[j]
        lead = abs(a - b)
        mcnemar.append(binomtest(0, lead).pvalue if lead else 1.0)
        fisher.append(fisher_exact([[a, n - a], [b, m - b]]).pvalue)
    low, high = [1] * len(scores), [len(scores)] * len(scores)
    for (i, j), first, second in zip(pairs, holm(mcnemar), holm(fisher)):
        if first <= ALPHA and second <= ALPHA:
            better, worse = (i, j) if scores[i][0] > scores[j][0] else (j, i)
            low[worse] += 1
            high[better] -= 1
    return list(zip(low, high))


def boards(tally: Tally, number: int, root: Path) -> None:
    public, private = Source(REPOSITORY / "tests/data/world/board/leaderboard/bundles"), Source(REPOSITORY / "tests/data/world/held-out")
    board(random.Random(number), root, public, private)
    common = ["--config", root / "seeds.json", "--root", root, "-q"]
    (root / "leaderboard").mkdir()
    made = run("build", *common, "--generated-at", STAMP, "--held-out", root / "held-out")
    drawn = run("render", *common, "--out", root / "site")
    if not tally.check(made.returncode == 0 and drawn.returncode == 0, f"board {number}", made.stderr + drawn.stderr):
        return
    entries = [json.loads(path.read_text()) for path in sorted((root / "site/v1/entries").glob("*.json"))]
    scored = [entry for entry in entries if entry["heldOut"] and entry["heldOut"]["passed"] is not None]
    for entry in entries:
        for name in ("public", "heldOut"):
            cell = entry[name]
            if cell and cell["passed"] is not None:
                ours, theirs = cell["interval"], [round(end, 4) for end in wilson(cell)]
                tally.check(equal(ours, theirs, 1.01e-4), f"board {number}, Wilson", f"ours {ours}\n    peer {theirs}")
    for entry, place in zip(scored, places([(e["heldOut"]["passed"], e["heldOut"]["prompts"]) for e in scored])):
        tally.same((entry["rankLow"], entry["rankHigh"]), place, f"board {number}, ranks")
        gap = newcombe(entry["public"], entry["heldOut"])
        theirs = [round(end, 4) for end in gap]
        near = all(abs(a - b) < 1.01e-4 for a, b in zip(entry["gapInterval"], theirs))
        tally.check(near, f"board {number}, Newcombe", f"ours {entry['gapInterval']}\n    peer {theirs}")
        tally.same(entry["overfit"], gap[0] > 0, f"board {number}, overfit")


def duels(tally: Tally, number: int, folder: Path) -> None:
    r = random.Random(number)
    runs, topics = "abcd"[: r.randint(2, 4)], r.randint(1, 40)
    passed = {run_id: [r.random() < r.choice([0.3, 0.9]) for _ in range(topics)] for run_id in runs}
    path = folder / "cells.tot"
    path.write_text("".join(f"{run_id} m t{at} {int(value)}\n" for run_id in runs for at, value in enumerate(passed[run_id])))
    ran = run("compare", *runs, "--source", path, "--from", "tot", "--json", "-q")
    found = json.loads(ran.stdout)["duels"]
    p = []
    for duel in found:
        wins = sum(a and not b for a, b in zip(passed[duel["a"]], passed[duel["b"]]))
        losses = sum(b and not a for a, b in zip(passed[duel["a"]], passed[duel["b"]]))
        p.append(binomtest(wins, wins + losses).pvalue if wins + losses else 1.0)
    tally.same([duel["p"] for duel in found], p, f"compare {number}, exact McNemar")
    tally.same([duel["p_holm"] for duel in found], holm(p), f"compare {number}, Holm")


def top_group(tally: Tally, number: int, root: Path) -> None:
    """Random counts, without bundles: who is not significantly behind the leader, and on which place."""
    r = random.Random(number)
    prompts, spread = r.choice([5, 12, 40, 120, 400]), r.random()
    best = r.randint(0, prompts)
    counts = sorted((max(0, best - round(r.random() * spread * prompts)) for _ in range(r.randint(1, 40))), reverse=True)
    run_block = {"judge_model": "j", "n_votes": 3, "submitted_by": "seed", "tool_version": "0.1.0", "verified": True}
    entries = []
    for at, passed in enumerate(counts):
        rate = round(passed / prompts, 3)
        entries.append({
            "close_the_loop": None, "kind": "seed", "model": f"m{at:03}", "provider": "p", "rank": at + 1,
            "held_out": {"by_tier": {}, "n_prompts": prompts, "pass_rate": rate}, "overfit_gap": round(0.5 - rate, 3),
            "public": {"by_tier": {}, "n_prompts": 10, "pass_rate": 0.5},
            "run": {**run_block, "recorded_bundle_sha16": f"{at:016x}"}, "usage": {},
        })
    document = {
        "entries": entries, "eval_protocol_version": "1", "generated_at": STAMP, "held_out_set": {}, "judge_model": "j",
        "public_set": {}, "ranking": "held_out.pass_rate desc - the headline; public shown alongside as the anchor",
    }
    (root / "leaderboard").mkdir(parents=True)
    (root / "leaderboard/leaderboard.json").write_text(json.dumps(document))
    (root / "seeds.json").write_text(json.dumps({"eval_protocol_version": "1", "n_votes": 3, "judge_model": "j", "seeds": []}))
    drawn = run("render", "--root", root, "--out", root / "site", "-q")
    if not tally.check(drawn.returncode == 0, f"top group {number}", drawn.stderr):
        return
    rows = {row["id"]: row for row in json.loads((root / "site/v1/index.json").read_text())["entries"]}
    p = []
    for passed in counts[1:]:
        lead = counts[0] - passed
        mcnemar = binomtest(0, lead).pvalue if lead else 1.0
        fisher = fisher_exact([[counts[0], prompts - counts[0]], [passed, prompts - passed]]).pvalue
        p.append(max(mcnemar, fisher))
    behind = [False, *(multipletests(p, ALPHA, "fdr_bh")[0] if p else [])]
    for at, passed in enumerate(counts):
        row = rows[f"p:m{at:03}"]
        tally.same(row["topGroup"], not behind[at], f"top group {number}, row {at} of {counts} by {prompts}")
        tally.same(row["place"], 1 + sum(other > passed for other in counts), f"place {number}, row {at}")


def main() -> None:
    tally = Tally("statistics")
    for number in range(int(os.environ.get("GMAT_PEERS_BOARDS", "60"))):
        with tempfile.TemporaryDirectory() as folder:
            boards(tally, number, Path(folder))
            duels(tally, number, Path(folder))
    for number in range(int(os.environ.get("GMAT_PEERS_TOP_GROUPS", "500"))):
        with tempfile.TemporaryDirectory() as folder:
            top_group(tally, number, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
