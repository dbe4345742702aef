"""Mutants: modules with one fault each, as many by each operator, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.accuracy.change import OPERATORS, Change, Site
from benchmarks.accuracy.source import Source
from ptx_ls.source import Position, Range

_N_TRIES = 60
"""Maximum number of modules to try for an operator before it is skipped."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one fault: at `offset` of the base, `before` became `after`.

    `changed`: the range of the new text. `around`: the range that a message may point at.
    """

    base: str
    operator: str
    offset: int
    before: str
    after: str
    text: str
    changed: Range
    around: Range

    @property
    def lines(self) -> range:
        """The lines that were changed, from 1."""
        return range(self.changed.start.line + 1, self.changed.end.line + 2)


def mutants(
    sources: Sequence[Source], n_mutants: int, seed: int, operators: Sequence[str] = ()
) -> Iterator[Mutant]:
    """Yields up to `n_mutants` different mutants, by all operators or those named."""
    dice = Random(seed)  # noqa: S311  nothing secret
    names = list(operators or OPERATORS)
    files: dict[str, list[Source]] = {}
    for source in sources:
        files.setdefault(source.name.partition("#")[0], []).append(source)
    groups = list(files.values())
    met: set[str] = set()
    n_made = 0
    while n_made < n_mutants:
        n_before = n_made
        for name in names[: n_mutants - n_made]:
            mutant = _one(groups, name, dice, met)
            if mutant is not None:
                n_made += 1
                yield mutant
        if n_made == n_before:
            return


def _one(
    files: Sequence[Sequence[Source]], name: str, dice: Random, met: set[str]
) -> Mutant | None:
    """Returns a mutant by an operator. All files are equally likely, however large."""
    for _ in range(_N_TRIES):
        source = dice.choice(dice.choice(files))
        change = OPERATORS[name](Site(source, dice))
        if change is None:
            continue
        mutant = applied(source, name, change)
        if mutant.text not in met and mutant.text != source.text:
            met.add(mutant.text)
            return mutant
    return None


def applied(source: Source, operator: str, change: Change) -> Mutant:
    """Returns the mutant that a change makes of a module."""
    text = source.text
    edits = sorted(change.edits, key=lambda edit: -edit.start)
    for edit in edits:
        text = text[: edit.start] + edit.text + text[edit.end :]
    start, end = edits[-1].start, edits[0].end
    grown = len(text) - len(source.text)
    first, last = change.around or (start, end)
    return Mutant(
        source.name,
        operator,
        start,
        source.text[start:end],
        text[start : end + grown],
        text,
        _range(text, start, end + grown),
        _range(text, min(first, start), max(last, end) + grown),
    )


def _range(text: str, start: int, end: int) -> Range:
    return Range(_position(text, start), _position(text, end))


def _position(text: str, offset: int) -> Position:
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset), offset - line_start)
