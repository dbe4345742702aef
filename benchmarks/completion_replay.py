"""Measures how early the wanted completion is offered while real kernels are typed again.

A place is the beginning of each opcode, modifier and operand of some instructions of a kernel, with
all lines before and nothing after it. An item counts if the instruction continues with its text.
Numbers are not counted: no list can have the one that is wanted.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from benchmarks import many_files
from benchmarks.figures import Figure
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.completion.completion import completions
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ptx_ls.features.completion.complete_item import CompletionItem

N_FILES: Final = 200
_N_INSTRUCTIONS: Final = 12
"""Number of instructions that are typed again in each file."""
_MAX_CHARACTERS: Final = 300_000
_FIRST: Final = 1
_FEW: Final = 5
_OPCODE: Final = re.compile(r"[a-z]\w*")
_AFTER_BRACKET: Final = re.compile(r"(?<=[\[{]) ")
_WORD: Final = re.compile(r"\w")
_TOKEN: Final = re.compile(r"\.[\w:]+|[\[{]|[%$_a-zA-Z][\w$]*|-?\d\w*")


def measure() -> Iterator[Figure]:
    """Yields the shares of places at which the wanted item is first, and among the first five."""
    ranks = Counter[tuple[str, int]]()
    for number, path in enumerate(_files()):
        for kind, rank in replay(path.read_text("utf-8"), random.Random(number)):  # noqa: S311  repeatable
            ranks[kind, rank] += 1
    kinds = sorted({kind for kind, _ in ranks})
    for most, goal in ((_FIRST, 60), (_FEW, 90)):
        remarks = (f"{kind} {_share(ranks, most, (kind,)):.0f} %" for kind in kinds)
        remark = f"{sum(ranks.values()):,} places; {', '.join(remarks)}"
        name = "wanted completion is first" if most == _FIRST else f"it is among {most}"
        yield Figure(name, _share(ranks, most, kinds), "%", goal, remark, is_minimum=True)


def _share(ranks: Counter[tuple[str, int]], most: int, kinds: tuple[str, ...] | list[str]) -> float:
    found = sum(n for (kind, rank), n in ranks.items() if kind in kinds and 0 < rank <= most)
    return 100 * found / sum(n for (kind, _), n in ranks.items() if kind in kinds)


def _files() -> list[Path]:
    """Returns files of nvcc and of other compilers, half of each where there are enough."""
    chooser = random.Random(1)  # noqa: S311  repeatable
    chosen: list[Path] = []
    for paths in (many_files.of_nvcc(), many_files.of_others()):
        small = [path for path in paths if path.stat().st_size < _MAX_CHARACTERS]
        chosen += chooser.sample(small, min(N_FILES // 2, len(small)))
    return chosen


def replay(text: str, chooser: random.Random) -> Iterator[tuple[str, int]]:
    """Yields the kind of each place and the rank of the wanted item, 0 if it is not offered."""
    lines = text.splitlines(keepends=True)
    records = Document.read(text).records
    rows = [
        row
        for row, record in enumerate(records)
        if isinstance(record, Shape) and lines[row].rstrip().endswith(";")
    ]
    for row in sorted(chooser.sample(rows, min(_N_INSTRUCTIONS, len(rows)))):
        before = Document.read("".join([*lines[:row], "\n}\n"]))
        for kind, at, line in _places(lines[row].rstrip()):
            typed = edited(before, Position(row, 0), Position(row, 0), line[:at])
            position = Position(row, at)
            items = completions(Analysis(typed), position).items
            yield kind, _rank(items, line, position)


def _places(line: str) -> Iterator[tuple[str, int, str]]:
    """Yields the kind and the column of each place in the line of an instruction."""
    start = len(line) - len(line.lstrip())
    if line.startswith("@", start):
        start += line[start:].find(" ") + 1
        start += len(line[start:]) - len(line[start:].lstrip())
    opcode = _OPCODE.match(line, start)
    if opcode is None:
        return
    yield "opcode", start, line
    in_opcode = True
    for token in _TOKEN.finditer(line, opcode.end()):
        word = token[0]
        in_opcode = in_opcode and word.startswith(".")
        if in_opcode:
            yield "modifier", token.start() + 1, line
        elif word in ("[", "{"):
            yield "bracket", token.start(), line
        elif not word.startswith((".", "-")) and not word[0].isdigit():
            yield "operand", token.start(), line


def _rank(items: tuple[CompletionItem, ...], line: str, position: Position) -> int:
    """Returns the rank of the first item with which the line continues; 0 for none."""
    ordered = sorted(items, key=lambda item: item.sort or item.label)
    for rank, item in enumerate(ordered, 1):
        text = item.text.rstrip("]")
        rest = _AFTER_BRACKET.sub("", line[item.range.start.column :])
        is_longer = item.range.start.column + len(text) > position.column
        is_word = not _WORD.match(rest[len(text) :]) or item.text.endswith("]")
        if is_longer and is_word and rest.startswith(text):
            return rank
    return 0
