"""Every coefficient of `correlate` against scipy and autojudge-evaluate on random vectors.

Vectors of 3 to 30 values with ties, zeros of both signs, constants and infinities. One call of the
program compares 32 truth vectors with 32 judge vectors, all pairs; GMAT_PEERS_VECTORS pairs in all
(default 200,000). By default the program must agree with scipy, with `--compat
autojudge-evaluate` with that package; AP correlation and tau-GAP exist only there.
"""

import math
import os
import random
import tempfile
import warnings
from multiprocessing import Pool
from pathlib import Path

from common import Tally, equal, lines, output, stub_nltk

stub_nltk()
import numpy as np  # noqa: E402
from autojudge_evaluate.evaluation import correlation, tau_gap, tauap_b  # noqa: E402
from scipy import stats  # noqa: E402

SIDE = 32
KINDS = [
    lambda r: r.choice([-0.0, 0.0, 1.0]),
    lambda r: r.choice([-1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0]),
    lambda r: r.choice([-math.inf, -1.0, -0.0, 0.0, 2.0, math.inf]),
    lambda r: round(r.random(), 1),
    lambda r: r.random(),
    lambda r: r.gauss(0, 1) * 10.0 ** r.randint(-3, 6),
]


def vector(r: random.Random, n: int) -> list[float]:
    if r.random() < 0.03:
        return [r.choice([-0.0, 0.0, 0.5])] * n
    kind = r.choice(KINDS)
    values = [kind(r) for _ in range(n)]
    if r.random() < 0.2:
        values = [r.choice([-0.0, 0.0]) if r.random() < 0.4 else value for value in values]
    return values


def by_scipy(a: list[float], b: list[float]) -> dict[str, float]:
    a, b = np.array(a), np.array(b)
    pairs = np.sign(a[:, None] - a[None, :]), np.sign(b[:, None] - b[None, :])
    signs = [np.where(a[:, None] == a[None, :], 0.0, pairs[0]), np.where(b[:, None] == b[None, :], 0.0, pairs[1])]
    n = len(a)
    constant = bool(np.all(a == a[0]) or np.all(b == b[0]))
    return {
        "tau-b": stats.kendalltau(a, b).statistic,
        "tau-a": math.nan if constant else float((signs[0] * signs[1]).sum()) / (n * (n - 1)),
        "spearman": stats.spearmanr(a, b).statistic,
        "pearson": stats.pearsonr(a, b).statistic if np.isfinite([a, b]).all() else math.nan,
    }


def by_autojudge(a: list[float], b: list[float], k: int | None = None) -> dict[str, float]:
    if k is not None:  # the best in truth, ties in the order of rows; then by run id
        best = sorted(sorted(range(len(a)), key=lambda at: a[at], reverse=True)[:k])
        a, b = [a[at] for at in best], [b[at] for at in best]
    at = "" if k is None else f"@{k}"
    values = {f"{name}{at}": correlation(a, b, name) for name in ("kendall", "pearson", "spearman")}
    return values | {f"tauap_b{at}": tauap_b(a, b), f"tau_gap{at}": tau_gap(a, b)}


def batch(seed: int) -> tuple[int, list[tuple[str, str]]]:
    """Compares all pairs of two files; gives the number of equal values and what differs."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    r = random.Random(seed)
    n = r.randint(3, 30)
    k = r.randint(3, n)
    sides = [{f"m{at:02}": vector(r, n) for at in range(SIDE)} for _ in range(2)]
    passed, different = 0, []

    def compare(what: str, ours: object, theirs: object, pair: tuple) -> None:
        nonlocal passed
        if equal(ours, theirs):
            passed += 1
        else:
            different.append((f"{what}, seed {seed}", f"ours {ours!r}, peer {theirs!r}, of {pair}"))

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, side in zip(("truth", "judge"), sides):
            path = Path(folder) / f"{name}.tot"
            rows = (f"r{run:02} {m} all {value!r}\n" for m, v in side.items() for run, value in enumerate(v))
            path.write_text("".join(rows))
            files.append(path)
        ask = ["correlate", *files, "--from", "tot", "-q"]
        own = ["tau-b", "tau-a", "spearman", "pearson", "tau-ap-b", "tau-gap", f"tau-b@{k}", f"tau-gap@{k}"]
        found: dict[tuple[str, str], dict[str, object]] = {}
        for line in lines(output(*ask, "--bootstrap", 0, "--to", "jsonl", "--method", ",".join(own))):
            found.setdefault((line["truth_measure"], line["judge_measure"]), {})[line["method"]] = line["value"]
        names = ["kendall", "pearson", "spearman", "tauap_b", "tau_gap"]
        names = ",".join(names + [f"{name}@{k}" for name in names])
        compat = lines(output(*ask, "--compat", "autojudge-evaluate", "--method", names))
    for row in compat:
        key = (row["TruthMeasure"], row["EvalMeasure"])
        a, b = sides[0][key[0]], sides[1][key[1]]
        theirs = by_autojudge(a, b) | by_autojudge(a, b, k)
        for name, value in theirs.items():
            # pandas ranks infinite values before it leaves them out, but not always.
            if name.startswith("spearman") and not np.isfinite([a, b]).all():
                continue
            # It writes ten decimals.
            value = round(value, 10) if math.isfinite(value) else None
            compare(f"--compat {name}", row[name], value, (a, b))
        ours = found[key]
        for name, value in by_scipy(a, b).items():
            compare(name, ours[name], value if math.isfinite(value) else None, (a, b))
        # Undefined here where a side is constant; the package answers with the order of ids.
        for name, peer in (("tau-ap-b", "tauap_b"), ("tau-gap", "tau_gap"), (f"tau-gap@{k}", f"tau_gap@{k}")):
            if ours[name] is not None:
                compare(name, ours[name], theirs[peer], (a, b))
        if np.isfinite([a, b]).all():
            compare(f"tau-b@{k}", ours[f"tau-b@{k}"], theirs[f"kendall@{k}"], (a, b))
    return passed, different


def main() -> None:
    tally = Tally("coefficients")
    pairs = int(os.environ.get("GMAT_PEERS_VECTORS", "200000"))
    batches = max(1, math.ceil(pairs / SIDE**2))
    with Pool() as pool:
        for passed, different in pool.imap(batch, range(batches)):
            tally.passed += passed
            for what, detail in different:
                tally.check(False, what, detail)
    print(f"coefficients: {batches * SIDE**2} pairs of vectors")
    tally.finish()


if __name__ == "__main__":
    main()
