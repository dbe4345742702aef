"""Checks the lines at a cursor alone, where their whole function would have to be waited for.

What is wrong with a line shows by itself and by what its function and module declare. What other
lines of the function would say of it, or say as well, is not looked at.
"""

from __future__ import annotations

from functools import partial
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.engine import RegionInput, check_region
from ptx_ls.lint.moving import touching
from ptx_ls.semantics.instructions.excerpt import Excerpt
from ptx_ls.semantics.instructions.instruction_checker import judge_among
from ptx_ls.semantics.symbols.module import SEMANTICS, is_alike, region_facts
from ptx_ls.semantics.symbols.producer import is_generated
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import region_text

if TYPE_CHECKING:
    from ptx_ls.lint.work import LintSettings, ModuleRead
    from ptx_ls.semantics.instructions.instruction_checker import Judge
    from ptx_ls.source import Diagnostic
    from ptx_ls.syntax.document import Document

_AROUND: Final = 8
"""Lines before and behind that are looked at as well: a mistake may be told on the next line."""


class LinesCheck:
    """Checks lines of one document. Use it on one thread only.

    `judges` are those of `LintSession`, which know most verdicts. While they may be at work on
    another thread, it takes one of its own.
    """

    def __init__(
        self, document: Document, settings: LintSettings, judges: dict[object, Judge]
    ) -> None:
        self._document, self._settings = document, settings
        self._judges = judges
        self._own: dict[object, Judge] = {}

    def is_of(self, read: ModuleRead) -> bool:
        """Whether all regions say to the others what they said when the module was `read`."""
        regions = self._document.outline.regions
        if len(regions) != len(read.facts):
            return False
        known = [region.stable.get(SEMANTICS) for region in regions]
        others = compress(count(), map(is_not, known, read.facts))
        return all(is_alike(region_facts(self._document, it), read.facts[it]) for it in others)

    def can_check(self, index: int) -> bool:
        """Whether lines of a region say by themselves what is wrong with them."""
        facts = region_facts(self._document, index)
        return facts.function is not None and not facts.has_section

    def check(
        self, index: int, first: int, last: int, read: ModuleRead, *, is_alone: bool
    ) -> list[Diagnostic]:
        """What is wrong with lines `first` to `last` of a region; lines relative to it.

        `is_alone`: no other thread is at work.
        """
        region = self._document.outline.regions[index]
        text = region_text(self._document, index)
        is_moved = any(delta for _, _, delta in region.moves)
        facts = read_region(text) if is_moved else region_facts(self._document, index)
        shown = max(first - _AROUND, 0), last + _AROUND + 1
        excerpt = Excerpt(text, (0, facts.scope.start[0] + 1), shown)
        declared = facts.declared_on(frozenset(excerpt.shown))
        given = RegionInput(index, excerpt, facts, tuple(region.problems), declared)
        judge_of = partial(
            judge_among,
            self._judges if is_alone else self._own,
            is_generated=is_generated(self._document.lines),
        )
        found = check_region(given, read.module, judge_of, self._settings.ignored, lambda: False)
        return touching(found, first, last)
