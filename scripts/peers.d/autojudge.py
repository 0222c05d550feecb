"""autojudge-base 1.0.0 and autojudge-evaluate 1.1.0 on random files of cells.

Reading, recomputing and writing must give the same bytes; `meta-evaluate` the same rows: keys,
their order, values, and whether it refuses.
"""

import contextlib
import io
import random
import tempfile
import warnings
from pathlib import Path

from common import Tally, equal, lines, run, stub_nltk

stub_nltk()
from autojudge_base.leaderboard import Leaderboard  # noqa: E402
from autojudge_evaluate.eval_results import load, write  # noqa: E402
from autojudge_evaluate.evaluation import CORRELATION_METHODS, LeaderboardEvaluator  # noqa: E402

COLUMNS = {
    "tot": "{run} {measure} {topic} {value}",
    "ir_measures": "{run} {topic} {measure} {value}",
    "ranking": "{topic} Q0 {run} 0 {value} {measure}",
}
SETS = [None, ["kendall"], ["tau_gap", "tauap_b"], ["spearman@3", "pearson"], ["tau_gap@4", "kendall@4"]]


def cells(r: random.Random, runs: list[str], holes: float, aggregates: str) -> list[tuple]:
    """(run, topic, measure, value), with holes; aggregates given, wrong, or absent."""
    topics = [f"t{at}" for at in range(r.randint(1, 5))]
    measures = r.sample(["ndcg", "P_5", "map", "f1"], r.randint(1, 3))
    rows = []
    for run_id in runs:
        for topic in topics:
            for measure in measures:
                if r.random() >= holes:
                    value = r.choice([0.0, -0.0, 0.5, 1.0, round(r.random(), 3)])
                    rows.append((run_id, topic, measure, repr(value)))
    for run_id in runs:
        for measure in measures:
            if aggregates != "absent" and (aggregates == "all" or r.random() < 0.7):
                rows.append((run_id, "all", measure, repr(round(r.random(), 2))))
    if r.random() < 0.3:
        r.shuffle(rows)
    return rows


def text(rows: list[tuple], form: str) -> str:
    names = ("run", "topic", "measure", "value")
    return "".join(COLUMNS[form].format(**dict(zip(names, row))) + "\n" for row in rows)


def quiet(call):
    """The call's value, or the exception it raised; nothing is printed."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            return call()
        except Exception as error:  # its refusal is the answer
            return error


def conversions(tally: Tally, r: random.Random, folder: Path, number: int) -> None:
    form, to = r.choice(list(COLUMNS)), r.choice(["tot", "ir_measures"])
    rows = cells(r, [f"run{at}" for at in range(r.randint(1, 5))], r.choice([0, 0.2]), r.choice(["all", "some", "absent"]))
    path, theirs = folder / "in.txt", folder / "out.txt"
    path.write_text(text(rows, form) or "\n")
    ask = ["export", path, "-q", "--from", form, "--to", to]
    for recompute in (False, True):
        def evaluate() -> bytes:
            result = load(path, format=form, recompute_aggregates=recompute, verify=False, on_missing="ignore")
            write(result, theirs, format=to)
            return theirs.read_bytes()

        aggregates = ["--aggregates", "recompute"] if recompute else []
        ours = run(*ask, "--compat", "autojudge-evaluate", *aggregates)
        peer = quiet(evaluate)
        what = f"evaluate {form} to {to}, recompute {recompute}, file {number}"
        if isinstance(peer, Exception):
            tally.check(ours.returncode != 0, what, f"it refuses: {peer!r}")
        else:
            tally.same(ours.stdout.encode(), peer, what)

    def base() -> bytes:
        Leaderboard.load(path, format=form).write(theirs, format=to)
        return theirs.read_bytes()

    peer, ours = quiet(base), run(*ask, "--compat", "autojudge-base")
    if isinstance(peer, Exception):
        tally.check(ours.returncode != 0, f"base {form} to {to}, file {number}", f"it refuses: {peer!r}")
    else:
        tally.same(ours.stdout.encode(), peer, f"base {form} to {to}, file {number}")


def evaluations(tally: Tally, r: random.Random, folder: Path, number: int) -> None:
    runs = [f"run{at}" for at in range(r.randint(2, 9))]
    form = r.choice(list(COLUMNS))
    judge_runs = runs if r.random() < 0.6 else r.sample(runs, max(1, len(runs) - 1)) + ["extra"]
    aggregates = r.choice(["all", "all", "some", "absent"])
    truth, judge = folder / "truth.txt", folder / "judge.a.txt"
    truth.write_text(text(cells(r, runs, r.choice([0, 0, 0.15]), aggregates), form))
    judge.write_text(text(cells(r, judge_runs, r.choice([0, 0, 0.15]), aggregates), form))
    if not truth.read_text() or not judge.read_text():
        return
    for methods in SETS:
        missing = r.choice(["error", "warn", "skip", "default"])
        recompute, shared = r.random() < 0.5, r.random() < 0.5
        peer = quiet(
            lambda: LeaderboardEvaluator(
                truth,
                on_missing=missing,
                truth_format=form,
                eval_format=form,
                truth_drop_aggregate=recompute,
                eval_drop_aggregate=recompute,
                correlation_methods=methods,
                only_shared_runs=shared,
            ).evaluate(judge)
        )
        ask = ["correlate", truth, judge, "-q", "--from", form, "--compat", "autojudge-evaluate"]
        ask += ["--on-missing", "fill" if missing == "default" else missing]
        ask += ["--aggregates", "recompute"] if recompute else []
        ask += ["--runs", "shared"] if shared else []
        ask += ["--method", ",".join(methods)] if methods else []
        ours = run(*ask)
        what = f"meta-evaluate, file {number}, {methods}, {missing}, recompute {recompute}, shared {shared}"
        if isinstance(peer, Exception):
            tally.check(ours.returncode == 2, what, f"it refuses: {peer!r}\n    ours {ours.stdout}")
            continue
        keys = ["Judge", "TruthMeasure", "EvalMeasure"]
        given = methods or CORRELATION_METHODS
        columns = [name for name in given if any(name in values for values in peer.values())]
        if not columns:
            # Rows without a value; here nothing to correlate is an error.
            tally.check(ours.returncode == 2, what, ours.stdout)
            continue
        rows = [
            dict(zip(keys, ["judge.a", *pair])) | {name: values.get(name) for name in columns}
            for pair, values in peer.items()
        ]
        found = lines(ours.stdout)
        tally.check(
            [list(row) for row in found] == [list(row) for row in rows] and equal(found, rows),
            what,
            f"ours {ours.stdout}{ours.stderr}\n    peer {rows}",
        )


def main() -> None:
    warnings.simplefilter("ignore")
    tally = Tally("autojudge")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(150):
            conversions(tally, random.Random(number), Path(folder), number)
            evaluations(tally, random.Random(number), Path(folder), number)
    tally.finish()


if __name__ == "__main__":
    main()
