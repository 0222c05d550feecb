"""Used by every check of `scripts/peers`: runs the program, counts comparisons, says what differs."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

BINARY = os.environ.get("GMAT_PEERS_BINARY", "target/debug/gmat-leaderboard")
SHOWN = 20


class Tally:
    """Counts of one section; `finish` prints them and exits with 1 if anything differed."""

    def __init__(self, section: str) -> None:
        self.section, self.passed, self.failed, self.skipped = section, 0, 0, 0

    def check(self, ok: bool, what: str, detail: str = "") -> bool:
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            if self.failed <= SHOWN:
                print(f"DIFFERENT {self.section}: {what}\n    {detail}"[:1500])
        return ok

    def same(self, ours: object, theirs: object, what: str) -> bool:
        return self.check(equal(ours, theirs), what, f"ours {ours!r}\n    peer {theirs!r}")

    def skip(self, what: str) -> None:
        self.skipped += 1
        print(f"skipped {self.section}: {what}")

    def finish(self) -> None:
        print(f"{self.section}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.exit(1 if self.failed else 0)


def equal(ours: object, theirs: object, tolerance: float = 1e-9) -> bool:
    """Equal values; numbers within `tolerance`, absolute or relative; NaN equals None and NaN."""

    def blank(value: object) -> bool:
        return value is None or (isinstance(value, float) and math.isnan(value))

    if blank(ours) or blank(theirs):
        return blank(ours) and blank(theirs)
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours == theirs
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return ours == theirs or math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(equal(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(equal, ours, theirs))
    return ours == theirs


def run(*args: object, cwd: Path | str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the program; the caller looks at the exit code."""
    return subprocess.run(
        [str(Path(BINARY).resolve()), *map(str, args)],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        check=False,
    )


def output(*args: object, cwd: Path | str | None = None) -> str:
    """What the program prints; any exit code but 0 ends the check."""
    ran = run(*args, cwd=cwd)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, args))}: exit {ran.returncode}\n{ran.stderr}")
    return ran.stdout


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines() if line]


def stub_nltk() -> None:
    """autojudge-base downloads stop words when it is imported; nothing here needs them."""
    from types import ModuleType, SimpleNamespace

    nltk, corpus = ModuleType("nltk"), ModuleType("nltk.corpus")
    stem, tokenize = ModuleType("nltk.stem"), ModuleType("nltk.tokenize")
    nltk.data = SimpleNamespace(find=lambda _: None)
    nltk.download = lambda *_, **__: True
    corpus.stopwords = SimpleNamespace(words=lambda _: [])
    stem.PorterStemmer = type("PorterStemmer", (), {"stem": lambda _, word: word})
    tokenize.word_tokenize = str.split
    nltk.corpus, nltk.stem, nltk.tokenize = corpus, stem, tokenize
    for module in (nltk, corpus, stem, tokenize):
        sys.modules[module.__name__] = module
