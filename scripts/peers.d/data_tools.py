"""pandas, polars and DuckDB read what the analysis commands write: the same rows and numbers.

The truth is Python's own `csv` and `json`; a CSV must also hold the numbers of the JSON.
"""

import csv
import io
import json
import tempfile
from pathlib import Path

import duckdb
import pandas
import polars

from common import Tally, equal, run

REPOSITORY = Path(__file__).resolve().parents[2]
CELLS = "".join(
    f"{run} {measure} {topic} {((run_at * 7 + topic_at * 3) % 11) / 10 - 0.3}\n"
    for run_at, run in enumerate("abcdef")
    for topic_at, topic in enumerate(["t1", "t2", "t3"])
    for measure in ("ndcg", "map")
)


def calls(folder: Path) -> list[tuple[str, list, str]]:
    board, cells = ["--root", REPOSITORY / "tests/data/world/board"], [folder / "cells.tot", "--from", "tot"]
    judge = ["correlate", folder / "cells.tot", folder / "judge.tot", "--from", "tot", "--bootstrap", "50"]
    found = [
        ("rank csv", ["rank", *board, "--to", "csv"], "csv"),
        ("export csv", ["export", *board, "--to", "csv"], "csv"),
        ("rank cells csv", ["rank", *cells, "--to", "csv"], "csv"),
        ("export cells csv", ["export", *cells, "--to", "csv"], "csv"),
        ("export cells jsonl", ["export", *cells, "--to", "jsonl"], "jsonl"),
        ("correlate csv", [*judge, "--to", "csv"], "csv"),
        ("correlate json", [*judge, "--to", "json"], "json"),
        ("correlate jsonl", [*judge, "--to", "jsonl"], "jsonl"),
        ("stats json", ["stats", *cells, "--json"], "json"),
        ("group json", ["group", *board, "--on", "tier", "--by", "public", "--json"], "json"),
        ("history", ["history", "--root", folder / "demo/board", "--json"], "any"),
        ("weekly", ["weekly", "--root", folder / "demo/board", "--json"], "any"),
        ("compare json", ["compare", "a", "b", "--source", *cells, "--json"], "any"),
        ("trend json", ["trend", folder / "runs.csv", "--json"], "json"),
    ]
    return found


def plain(text: str, kind: str) -> list[dict] | None:
    if kind == "csv":
        return list(csv.DictReader(io.StringIO(text, newline="")))
    if kind == "jsonl":
        return [json.loads(line) for line in text.splitlines()]
    document = json.loads(text)
    return document if isinstance(document, list) and document and isinstance(document[0], dict) else None


def readers(path: Path, kind: str) -> dict[str, list[dict]]:
    if kind == "csv":
        frames = {
            "pandas": pandas.read_csv(path).to_dict("records"),
            "polars": polars.read_csv(path, infer_schema_length=None).to_dicts(),
        }
        table = duckdb.sql(f"select * from read_csv('{path}', header = true, sample_size = -1, auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'])")
    else:
        line = kind == "jsonl"
        frames = {
            "pandas": pandas.read_json(path, lines=line, dtype=False, precise_float=True).to_dict("records"),
            "polars": (polars.read_ndjson if line else polars.read_json)(path, infer_schema_length=None).to_dicts(),
        }
        table = duckdb.sql(f"select * from read_json('{path}')")
    frames["duckdb"] = [dict(zip(table.columns, row)) for row in table.fetchall()]
    return frames


def value(cell: object) -> object:
    """A cell as a number where it is one, as text otherwise; empty is None."""
    if cell is None or cell == "" or cell != cell:
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if hasattr(cell, "isoformat"):  # DuckDB reads times as such
        return cell.isoformat().replace("+00:00", "Z")
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return str(cell)


def main() -> None:
    tally = Tally("data")
    duckdb.sql("set timezone = 'UTC'")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cells.tot").write_text(CELLS)
        (folder / "judge.tot").write_text(CELLS.replace("-0.3", "0.4"))
        (folder / "runs.csv").write_text("run,started_at,score\na,2026-01-01T00:00:00Z,0.5\nb,2026-01-02T00:00:00Z,0.25\n")
        run("demo", folder / "demo", "--history", "-q")
        for what, args, kind in calls(folder):
            ran = run(*args, "-q")
            if ran.returncode != 0:
                tally.skip(f"{what}: exit {ran.returncode}: {ran.stderr.strip()[:200]}")
                continue
            if kind == "any":
                # Not a flat table: it must be one JSON document.
                tally.check(bool(json.loads(ran.stdout)), what)
                continue
            rows = plain(ran.stdout, kind)
            if rows is None:
                tally.check(False, what, "not a list of rows")
                continue
            path = folder / f"out.{kind}"
            path.write_text(ran.stdout, newline="")
            for reader, frame in readers(path, kind).items():
                same = len(frame) == len(rows) and all(
                    equal(value(theirs.get(key)), value(cell))
                    for ours, theirs in zip(rows, frame)
                    for key, cell in ours.items()
                    if not isinstance(cell, (list, dict))
                )
                tally.check(same, f"{what}, {reader}", f"ours {rows[:2]}\n    peer {frame[:2]}")
    tally.finish()


if __name__ == "__main__":
    main()
