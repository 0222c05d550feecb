"""`history sql` in real databases: every number is the program's own, and a second load changes nothing.

    databases.py sqlite | duckdb | postgres …

The standard library has SQLite, so the project's own tests run that part. PostgreSQL is started on
a private socket in a temporary directory.
"""

import datetime
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import Tally, equal, output, run

HOSTILE = [
    "'; DROP TABLE eval_leaderboard; --", "it's", "\\'; \\q", "a\\", "$$ :name :'x' $1 ?", "two\r\nlines\n.quit\n/\ngo\n",
    "\x1b[31m\x07\x7f\u0085", "\u202eabc\u2028", "日本 🜚 é", '"quoted" -- /* no comment', "NULL", " x ", "a" * 300, "%s {0}",
]
EPSILON = 0.005


class Sqlite:
    name, week = "sqlite", "date(run_at, '-6 days', 'weekday 1')"

    def __init__(self, folder: Path) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.connection.row_factory = sqlite3.Row

    def load(self, script: str) -> None:
        self.connection.executescript(script)

    def query(self, sql: str) -> list[dict]:
        return [dict(row) for row in self.connection.execute(sql)]

    def close(self) -> None:
        self.connection.close()


class SqliteShell(Sqlite):
    """The same through the `sqlite3` program, as people pipe it."""

    name = "sqlite3 shell"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "shell.db"
        self.file.unlink(missing_ok=True)
        self.connection = sqlite3.connect(self.file)
        self.connection.row_factory = sqlite3.Row

    def load(self, script: str) -> None:
        subprocess.run(["sqlite3", "-bail", self.file], input=script.encode(), check=True)


class Duckdb:
    name, week = "duckdb", "strftime(run_at AT TIME ZONE 'UTC', '%G-W%V')"

    def __init__(self, folder: Path) -> None:
        import duckdb

        self.connection = duckdb.connect()

    def load(self, script: str) -> None:
        self.connection.execute(script)

    def query(self, sql: str) -> list[dict]:
        found = self.connection.execute(sql)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    def close(self) -> None:
        self.connection.close()


class Postgres:
    name, week = "postgres", "to_char(run_at AT TIME ZONE 'UTC', 'IYYY-\"W\"IW')"
    server: Path | None = None

    @classmethod
    def start(cls) -> bool:
        """Root may not run PostgreSQL, so then the user `nobody` does."""
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
        program = found[-1].parent if found else Path(shutil.which("pg_ctl") or "/none").parent
        if not (program / "pg_ctl").exists():
            return False
        cls.user = {"user": "nobody", "group": "nogroup"} if os.getuid() == 0 else {}
        cls.program, cls.server = program, Path(tempfile.mkdtemp(prefix="pg"))
        if cls.user:
            shutil.chown(cls.server, "nobody")
        cls.control("initdb", "-D", cls.server / "data", "-U", "team", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        cls.control("pg_ctl", "-D", cls.server / "data", "-w", "-l", cls.server / "log", "-o", f"-k {cls.server} -h ''", "start")
        return True

    @classmethod
    def control(cls, program: str, *args: object) -> None:
        subprocess.run([cls.program / program, *map(str, args)], cwd=cls.server, stdout=subprocess.DEVNULL, check=True, **cls.user)

    @classmethod
    def stop(cls) -> None:
        cls.control("pg_ctl", "-D", cls.server / "data", "-m", "immediate", "stop")
        shutil.rmtree(cls.server)

    def __init__(self, folder: Path) -> None:
        self.database = "postgres"
        self.psql("DROP DATABASE IF EXISTS board")
        self.psql("CREATE DATABASE board")
        self.database = "board"

    def psql(self, script: str, *args: str) -> str:
        call = ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-h", self.server, "-U", "team", *args, self.database]
        return subprocess.run(call, input=script.encode(), capture_output=True, check=True).stdout.decode()

    def load(self, script: str) -> None:
        self.psql(script)

    def query(self, sql: str) -> list[dict]:
        return [json.loads(line) for line in self.psql(f"SELECT row_to_json(q) FROM ({sql}) q").split("\n") if line]

    def close(self) -> None:
        pass


def records(draw: random.Random, count: int, plain: bool) -> list[dict]:
    """Runs of a few models; ties in time, epochs and gaps unless `plain`."""
    models = ["p:m", "p:n", "q:m"] if plain else ["p:m", *draw.sample(HOSTILE, 3)]
    start = datetime.datetime(2025, 12, 20, tzinfo=datetime.UTC)
    made = []
    for at in range(count):
        hours = at * 7 if plain else draw.randrange(24 * 40)
        record = {
            "run_id": f"r{at}" if plain or draw.random() < 0.7 else f"{draw.choice(HOSTILE)}{at}",
            "run_at": (start + datetime.timedelta(hours=hours)).isoformat().replace("+00:00", "Z" if plain else draw.choice(["Z", "+00:00", ".000000001Z"])),
            "model": draw.choice(models),
            "aggregate_score": None if not plain and draw.random() < 0.15 else round(draw.random(), draw.choice([1, 3, 6])),
            "hallucination_rate": draw.choice([None, 0, round(draw.random(), 4)]),
            "latency_p95_ms": draw.choice([None, 900, 851.25, 1e300]),
            "cost_per_message_usd": draw.choice([None, 0.0021, 5e-7]),
            "regression_detected": draw.random() < 0.3,
            "dataset_scores": {"contracts": draw.random(), "it's \\ \"odd\" 漢": 0.5} if draw.random() < 0.6 else {},
            "rubric_scores": {"soundness": round(draw.random(), 3)},
        }
        if not plain:
            record["eval_protocol_version"] = draw.choice([None, "1", "2"])
            record["notes"] = draw.choice([None, *HOSTILE])
            record["n_prompts"] = draw.choice([None, 51])
        made.append(record)
    return made


def parsed(value: object) -> object:
    return json.loads(value) if isinstance(value, str) else value


def compare(tally: Tally, database, root: Path, what: str) -> None:
    shown = {row["run"]["run_id"]: row for row in json.loads(output("history", "--root", root, "--json"))}
    current = {row["run_id"]: row for row in database.query("SELECT * FROM eval_leaderboard_current")}
    tally.same(sorted(current), sorted(shown), f"{what}: runs that count")
    for run_id, row in current.items():
        ours = shown[run_id]["run"]
        for key in ("model", "notes", "n_prompts", "aggregate_score", "hallucination_rate", "latency_p95_ms", "cost_per_message_usd",
                    "eval_protocol_version", "weights_sha16", "report_url"):
            tally.same(ours.get(key), row[key], f"{what}: {key} of {run_id!r}")
        tally.same(ours["regression_detected"], bool(row["regression_detected"]), f"{what}: flag of {run_id!r}")
        for key in ("dataset_scores", "rubric_scores"):
            tally.same(ours.get(key, {}), parsed(row[key]), f"{what}: {key} of {run_id!r}")
    for row in database.query("SELECT * FROM eval_leaderboard_trend"):
        derived, run_id = shown[row["run_id"]]["derived"], row["run_id"]
        for ours, theirs in [("prev_run_id", "previous_run_id"), ("epoch", "epoch"), ("trend", "trend")]:
            tally.same(derived[ours], row[theirs], f"{what}: {ours} of {run_id!r}")
        # Both are rounded to six decimals, and a value half way between two may go to either.
        for key in ("score_delta", "hallucination_delta", "moving_average"):
            tally.check(equal(derived[key], row[key], 1.01e-6), f"{what}: {key} of {run_id!r}", f"{derived[key]} {row[key]}")
    weeks = json.loads(output("weekly", "--root", root, "--all", "--json"))
    stored = {row["week"]: row for row in database.query("SELECT * FROM weekly_quality_summary")}
    tally.same([week["week"] for week in weeks], sorted(stored), f"{what}: weeks")
    # The week's numbers counted by the database itself, from the runs.
    counted = {label(row["week"]): row for row in database.query(
        f"SELECT {database.week} AS week, AVG(aggregate_score) AS avg_aggregate_score, MAX(aggregate_score) AS best_run_score,"
        " MIN(aggregate_score) AS worst_run_score, SUM(CASE WHEN hallucination_rate > 0 THEN 1 ELSE 0 END) AS hallucination_incidents,"
        f" COUNT(*) AS run_count FROM eval_leaderboard_current GROUP BY {database.week}")}
    for week in weeks:
        for key, value in stored[week["week"]].items():
            tally.same(week[key], value, f"{what}: stored {key} of {week['week']}")
        for key in ("avg_aggregate_score", "best_run_score", "worst_run_score", "hallucination_incidents", "run_count"):
            places = 1e-4 if key == "avg_aggregate_score" else 1e-6
            value = counted[week["week"]][key]
            tally.check(equal(week[key], value and float(value), places), f"{what}: counted {key} of {week['week']}", f"{week[key]} {value}")
    episodes = database.query("SELECT * FROM eval_regressions")
    resolved = sum(row["resolved_run_id"] is not None for row in episodes)
    tally.same([sum(week["regressions_detected"] for week in weeks), sum(week["regressions_resolved"] for week in weeks)],
               [len(episodes), resolved], f"{what}: regressions")


def documented(tally: Tally, database, root: Path) -> None:
    """The queries of docs/history.md run, and those with a counterpart give its answer."""
    text = (Path(__file__).resolve().parents[2] / "docs/history.md").read_text()
    queries = [query for query in text.split("```sql\n")[1].split("```")[0].split(";\n") if query.strip()]
    parts, percent, regressions, trend = (database.query(query) for query in queries)
    shown = json.loads(output("history", "--root", root, "--json"))
    flagged = {row["run"]["model"]: row["run"]["regression_detected"] for row in shown}
    tally.same(sorted(model for model in flagged if flagged[model]), sorted(row["model"] for row in regressions), "documented: regressions")
    tally.same([row["derived"]["trend"] for row in sorted(shown, key=lambda row: row["run"]["run_at"])], [row["trend"] for row in trend], "documented: trend")
    tally.check(len(parts) == len(flagged) and isinstance(percent, list), "documented: parts", f"{parts} {percent}")


def label(week: str) -> str:
    if "W" in week:
        return week
    year, number, _ = datetime.date.fromisoformat(week).isocalendar()
    return f"{year:04}-W{number:02}"


def previous_runs(tally: Tally, database, root: Path, what: str) -> None:
    """The query for the previous run, as teams write it, for the newest run of each model."""
    newest = {row["run"]["model"]: row for row in json.loads(output("history", "--root", root, "--json"))}
    for model, row in newest.items():
        [before] = database.query(
            "SELECT aggregate_score AS prev_score, hallucination_rate AS prev_halluc FROM eval_leaderboard"
            f" WHERE model = '{model}' AND run_id != '{row['run']['run_id']}' ORDER BY run_at DESC LIMIT 1")
        delta = row["run"]["aggregate_score"] - before["prev_score"]
        tally.check(equal(row["derived"]["score_delta"], delta, 1e-6), f"{what}: previous run of {model}", f"{row} {before}")
        last = database.query(f"SELECT aggregate_score AS score FROM eval_leaderboard WHERE model = '{model}' ORDER BY run_at DESC LIMIT 3")
        average = sum(score["score"] for score in last) / len(last)
        tally.check(equal(row["derived"]["moving_average"], average, 1e-6), f"{what}: average of {model}", f"{row} {average}")


def script(root: Path, dialect: str, *more: str) -> str:
    return output("history", "sql", "--root", root, "--dialect", dialect, *more)


def boards(tally: Tally, database, folder: Path) -> None:
    """Every row of every recorded board is in `board_rows`."""
    root = folder / f"{database.name}-demo"
    output("demo", root, "--history")
    root, peer = root / "board", type(database)(folder)
    peer.load(script(root, database.name.split()[0].removesuffix("3")))
    expected = []
    for line in map(json.loads, (root / "leaderboard/history.jsonl").read_text().splitlines()):
        if line["kind"] == "board":
            board = json.loads((root / f"leaderboard/boards/{line['board_sha256']}.json").read_text())
            expected += [(line["serial"], row["rank"], f"{row['provider']}:{row['model']}", row["held_out"].get("pass_rate"), row["public"]["pass_rate"], row["overfit_gap"])
                         for row in board["entries"]]
    found = peer.query("SELECT * FROM board_rows ORDER BY board, place")
    tally.same(expected, [tuple(row[key] for key in ("board", "place", "model", "score", "public_score", "gap")) for row in found], f"{database.name}: rows of boards")
    tally.check(len(expected) > 20, f"{database.name}: boards to compare", f"{len(expected)} rows")
    peer.close()


def ledger(tally: Tally, database, folder: Path, seed: int) -> None:
    draw, root, plain = random.Random(seed), folder / f"{database.name}-{seed}", seed % 4 == 0
    root.mkdir()
    made, what = records(draw, 60, plain), f"{database.name}, ledger {seed}"
    dialect = database.name.split()[0].removesuffix("3")
    peer = type(database)(folder)
    new = []
    for part in (made[:40], made[40:]):
        (root / "runs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in part))
        output("record", root / "runs.jsonl", "--root", root, "--no-notify")
        peer.load(script(root, dialect, *new))
        new = ["--since-checkpoint", output("history", "checkpoint", "--root", root).split("\n")[1]]
    if plain:
        previous_runs(tally, peer, root, what)
        if dialect == "postgres":
            documented(tally, peer, root)
    else:
        (root / "weights.json").write_text('{"rubrics": {"soundness": 1}}')
        output("history", "recalibrate", "--root", root, "--weights", root / "weights.json")
        gone = [row["run"]["run_id"] for row in json.loads(output("history", "--root", root, "--json"))][:2]
        for run_id in gone:
            output("history", "retract", "--root", root, "--reason", "it's wrong", "--", run_id)
    # What is new since the checkpoint is enough: all of it changes nothing more.
    peer.load(script(root, dialect, *new))
    before = [peer.query(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in ("eval_leaderboard", "eval_regressions", "weekly_quality_summary")]
    peer.load(script(root, dialect))
    after = [peer.query(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in ("eval_leaderboard", "eval_regressions", "weekly_quality_summary")]
    tally.check(before == after, f"{what}: a second load changes nothing")
    tally.same(script(root, dialect), script(root, dialect), f"{what}: the same bytes")
    compare(tally, peer, root, what)
    peer.close()


def year(tally: Tally, database, folder: Path) -> None:
    """A run a day of 50 models."""
    root = folder / f"{database.name}-year"
    root.mkdir()
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    with (root / "runs.jsonl").open("w") as runs:
        for day in range(365):
            for model in range(50):
                at = (start + datetime.timedelta(days=day, minutes=model)).isoformat()
                runs.write(json.dumps({"run_id": f"{day}-{model}", "run_at": at, "model": f"p:{model}", "aggregate_score": (day * 7 + model) % 100 / 100,
                                       "dataset_scores": {"a": 0.5, "b": 0.25}, "rubric_scores": {"c": 0.125}}) + "\n")
    output("record", root / "runs.jsonl", "--root", root, "--no-notify")
    text, began = script(root, database.name), time.monotonic()
    peer = type(database)(folder)
    peer.load(text)
    took = time.monotonic() - began
    tally.check(took < 10, f"{database.name}: a year of 50 models loads in 10 s", f"{took:.1f} s")
    print(f"{database.name}: a year of 50 models (18,250 runs) loaded in {took:.1f} s")
    peer.close()


def main() -> None:
    tally, wanted = Tally("databases"), sys.argv[1:] or ["sqlite", "duckdb", "postgres"]
    thorough = wanted != ["sqlite"]
    known = {"sqlite": Sqlite, "duckdb": Duckdb, "postgres": Postgres}
    with tempfile.TemporaryDirectory() as folder:
        empty = run("history", "sql", "--root", folder)
        tally.check(empty.returncode == 2 and "no run is recorded" in empty.stderr, "an empty ledger", empty.stderr)
        if "postgres" in wanted and not Postgres.start():
            tally.skip("postgres: no pg_ctl; install PostgreSQL's server package")
            wanted.remove("postgres")
        try:
            kinds = [known[name] for name in wanted]
            if thorough and shutil.which("sqlite3"):
                kinds.append(SqliteShell)
            for kind in kinds:
                database = kind.__new__(kind)
                for seed in range(12 if thorough else 2):
                    ledger(tally, database, Path(folder), seed)
                boards(tally, database, Path(folder))
                if thorough and kind is not SqliteShell:
                    year(tally, database, Path(folder))
        finally:
            if Postgres.server:
                Postgres.stop()
    tally.finish()


main()
