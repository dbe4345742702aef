"""Makes the table of opcodes that follow one or two others in real code, for completion.

It is counted from the corpus of the tests, which compilers and people wrote. Each function counts
an order of opcodes once, so that unrolled loops do not decide.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from docs.folders import ROOT
from ptx_ls.document.document import Document
from ptx_ls.features.completion.ranking.opcode_prediction import GUARD, START
from ptx_ls.source.encoding import EncodingError, decode
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE: Final = ROOT / "ptx_ls" / "features" / "completion" / "ranking" / "followers.tsv"
_CORPUS: Final = ROOT / "tests" / "corpus"
_SOURCES: Final = ("ptx", "others", "handwritten")
_HEAD: Final = (
    "# The opcodes that follow one or two opcodes, most frequent first; written by ./dev docs\n"
)
_N_FOLLOWERS: Final = {1: 12, 2: 6}
"""Maximum number of followers, by the number of opcodes before them."""
_MIN_COUNT: Final = 2


def table() -> str:
    """Returns the text of the table."""
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for path in sorted(each for name in _SOURCES for each in (_CORPUS / name).rglob("*.ptx")):
        try:
            document = Document.read(decode(path.read_bytes()).text)
        except EncodingError:
            continue
        for order in sorted({*chain.from_iterable(_functions(document))}):
            counts.setdefault(order[:-1], Counter())[order[-1]] += 1
    return _HEAD + "".join(map(_row, sorted(counts.items())))


def _functions(document: Document) -> Iterator[set[tuple[str, ...]]]:
    """Yields the orders of two or three opcodes, or a guard and an opcode, by function."""
    for located in document.functions:
        records = document.records[located.first_line : located.stop_line]
        shapes = [each for each in records if isinstance(each, Shape)]
        names = [START, *(each.name for each in shapes)]
        guarded = {(GUARD, each.name) for each in shapes if each.guard}
        yield {*guarded, *pairwise(names), *zip(names, names[1:], names[2:], strict=False)}


def _row(counted: tuple[tuple[str, ...], Counter[str]]) -> str:
    before, counts = counted
    frequent = [(name, n) for name, n in counts.items() if n >= _MIN_COUNT]
    ordered = sorted(frequent, key=lambda each: (-each[1], each[0]))[: _N_FOLLOWERS[len(before)]]
    return f"{' '.join(before)}\t{' '.join(name for name, _ in ordered)}\n" if ordered else ""
