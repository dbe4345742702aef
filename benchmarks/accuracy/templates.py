"""How many of ptxas' message templates the corpus covers, as tests/corpus/templates records it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

COVERED = ("covered", "same")
"""A file draws the message, or it is another spelling of one that a file draws."""


def coverage(corpus: Path) -> Counter[str]:
    """How often each status occurs: id, status and reason are the columns of these tables.

    Empty while nothing is recorded.
    """
    counts: Counter[str] = Counter()
    for path in (*corpus.glob("templates.tsv"), *corpus.glob("templates/*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            fields = line.split("\t")
            if len(fields) > 1 and not line.startswith("#") and fields[1] != "status":
                counts[fields[1]] += 1
    return counts
