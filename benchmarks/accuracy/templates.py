"""Counts how many message templates of ptxas the corpus covers, by tests/corpus/templates."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

COVERED = ("covered", "same")
"""A file causes the message, or it is another spelling of one that a file causes."""


def coverage(corpus: Path) -> Counter[str]:
    """Counts each status in these tables, whose columns are id, status and reason.

    Empty if nothing is recorded.
    """
    counts: Counter[str] = Counter()
    for path in (*corpus.glob("templates.tsv"), *corpus.glob("templates/*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            fields = line.split("\t")
            if len(fields) > 1 and not line.startswith("#") and fields[1] != "status":
                counts[fields[1]] += 1
    return counts
