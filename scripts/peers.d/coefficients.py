"""Every coefficient of `correlate` against scipy and autojudge-evaluate on random vectors.

Vectors of 3 to 30 values with ties, zeros of both signs, constants and infinities. One call of the
program compares 32 truth vectors with 32 judge vectors, all pairs; GMAT_PEERS_VECTORS pairs in all
(default 200,000). By default the program must agree with scipy, with `--compat
autojudge-evaluate` with that package; AP correlation and tau-GAP exist only there.
"""

import functools
import math
import os
import random
import tempfile
import warnings
from multiprocessing import Pool
from pathlib import Path
from types import SimpleNamespace

from common import Tally, equal, lines, output, stub_nltk

stub_nltk()
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from autojudge_evaluate import pyircore  # noqa: E402
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


def remembered(rankdata):
    """Each vector is ranked once, not once per pair; and Python's numbers are faster one by one."""
    known = functools.lru_cache(16384)(lambda values, *args: rankdata(np.frombuffer(values), *args).astype(object))
    return lambda values, *args: known(values.tobytes(), *args)


# AP correlation takes the signs of all pairs of ranks one by one: half of the time in numpy.
pyircore.stats = SimpleNamespace(rankdata=remembered(stats.rankdata))
pyircore.np = SimpleNamespace(array=np.array, sign=lambda value: 1 if value > 0 else -1 if value < 0 else 0)


def vector(r: random.Random, n: int) -> list[float]:
    if r.random() < 0.03:
        return [r.choice([-0.0, 0.0, 0.5])] * n
    kind = r.choice(KINDS)
    values = [kind(r) for _ in range(n)]
    if r.random() < 0.2:
        values = [r.choice([-0.0, 0.0]) if r.random() < 0.4 else value for value in values]
    return values


def kendall(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """scipy's tau-b of every vector of `a` with every vector of `b`; the same of their finite pairs."""
    a, b = np.broadcast_arrays(a[:, None, :], b[None, :, :])
    every = stats.kendalltau(a, b, axis=2).statistic
    finite, within = np.isfinite(a) & np.isfinite(b), every.copy()
    some = ~finite.all(axis=2)
    if some.any():
        a, b = np.where(finite, a, math.nan)[some], np.where(finite, b, math.nan)[some]
        within[some] = stats.kendalltau(a, b, axis=1, nan_policy="omit").statistic
    return every, within


def by_scipy(a: np.ndarray, b: np.ndarray) -> dict[str, np.ndarray]:
    """Every vector of `a` with every vector of `b`; scipy takes all pairs in one call."""
    n = a.shape[1]

    def signs(values: np.ndarray) -> np.ndarray:
        left, right = values[:, :, None], values[:, None, :]
        return np.where(left > right, 1.0, np.where(left < right, -1.0, 0.0))

    def constant(values: np.ndarray) -> np.ndarray:
        return (values == values[:, :1]).all(axis=1)

    agreeing = np.einsum("ipq,jpq->ij", signs(a), signs(b))
    varied = np.ix_(~constant(a), ~constant(b))
    tau_a = np.full((SIDE, SIDE), math.nan)
    tau_a[varied] = agreeing[varied] / (n * (n - 1))
    # Of many vectors, scipy answers with one NaN if some are constant; of two, that is right.
    spearman = np.full((SIDE, SIDE), math.nan)
    x, y = a[~constant(a)], b[~constant(b)]
    spearman[varied] = stats.spearmanr(x, y, axis=1).statistic[: len(x), len(x) :]
    pearson = stats.pearsonr(a[:, None, :], b[None, :, :], axis=2).statistic
    pearson[~np.isfinite(a).all(axis=1), :] = math.nan
    pearson[:, ~np.isfinite(b).all(axis=1)] = math.nan
    return {
        "tau-a": tau_a,
        "spearman": spearman,
        "pearson": pearson,
    }


def by_autojudge(a: np.ndarray, b: np.ndarray, tau_b: np.ndarray, sampled: int) -> dict[str, np.ndarray]:
    """Every vector of `a` with every vector of `b`.

    Its Kendall, Pearson and Spearman are `DataFrame.corr` of two columns; making a million frames
    takes most of an hour. Here one frame has all columns (for Kendall, pandas calls scipy with the
    finite pairs). Its own function is called for the vector `sampled` of `b`, and must give the same.
    """
    frame = pd.DataFrame(np.vstack([a, b]).T)
    found = {name: frame.corr(name).to_numpy()[: len(a), len(a) :] for name in ("pearson", "spearman")}
    found["kendall"] = tau_b
    own, judges = a.tolist(), b.tolist()
    for name, values in found.items():
        for i, x in enumerate(own):
            alone = correlation(x, judges[sampled], name)
            if not equal(alone, float(values[i, sampled])):
                raise AssertionError(f"{name} of one pair is {alone}, of many {values[i, sampled]}: {x}, {judges[sampled]}")
    found["tauap_b"] = np.array([[tauap_b(x, y) for y in judges] for x in own])
    found["tau_gap"] = np.array([[tau_gap(x, y) for y in judges] for x in own])
    return found


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
    if len(compat) != SIDE**2 or len(found) != SIDE**2:
        raise AssertionError(f"{len(found)} and {len(compat)} of {SIDE**2} pairs")
    a, b = (np.array(list(side.values())) for side in sides)
    sampled = r.randrange(SIDE)
    tau_b, finite_tau_b = kendall(a, b)
    scipy = by_scipy(a, b) | {"tau-b": tau_b}
    autojudge = by_autojudge(a, b, finite_tau_b, sampled)
    tops = []
    for i in range(SIDE):
        # The best in truth, ties in the order of runs; then by run id.
        best = sorted(sorted(range(n), key=lambda run: a[i, run], reverse=True)[:k])
        truth, judges = a[i : i + 1, best], b[:, best]
        tau_b, finite_tau_b = kendall(truth, judges)
        tops.append((tau_b, by_autojudge(truth, judges, finite_tau_b, sampled)))
    scipy[f"tau-b@{k}"] = np.vstack([top[0] for top in tops])
    autojudge |= {f"{name}@{k}": np.vstack([top[1][name] for top in tops]) for name in list(autojudge)}
    for row in compat:
        key = (row["TruthMeasure"], row["EvalMeasure"])
        i, j = int(key[0][1:]), int(key[1][1:])
        pair = (a[i].tolist(), b[j].tolist())
        theirs = {name: float(values[i, j]) for name, values in autojudge.items()}
        for name, value in theirs.items():
            # It writes ten decimals.
            compare(f"--compat {name}", row[name], round(value, 10) if math.isfinite(value) else None, pair)
        ours = found[key]
        for name, values in scipy.items():
            value = float(values[i, j])
            compare(name, ours[name], value if math.isfinite(value) else None, pair)
        # Undefined here where a side is constant; the package answers with the order of ids.
        for name, peer in (("tau-ap-b", "tauap_b"), ("tau-gap", "tau_gap"), (f"tau-gap@{k}", f"tau_gap@{k}")):
            if ours[name] is not None:
                compare(name, ours[name], theirs[peer], pair)
    return passed, different


def main() -> None:
    tally = Tally("coefficients")
    pairs = int(os.environ.get("GMAT_PEERS_VECTORS", "200000"))
    batches = max(1, math.ceil(pairs / SIDE**2))
    with Pool() as pool:
        for done, (passed, different) in enumerate(pool.imap(batch, range(batches)), 1):
            tally.passed += passed
            if done % 20 == 0:
                print(f"{done * SIDE**2} of {batches * SIDE**2} pairs", flush=True)
            for what, detail in different:
                tally.check(False, what, detail)
    print(f"coefficients: {batches * SIDE**2} pairs of vectors")
    tally.finish()


if __name__ == "__main__":
    main()
