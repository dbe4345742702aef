"""Compares two modules by meaning.

Functions are the same if they have the same statements in the same order after one consistent
renaming of registers, labels, variables and parameters. Comments, white space, the spelling of
numbers, source locations, debug sections, labels that no statement names, registers that are not
used, the order of declarations, and the parts of names that compilers choose do not count.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ptx_ls.comparison.alignment import CodeVersion
from ptx_ls.comparison.code import as_text, read_code
from ptx_ls.comparison.function_comparison import alone, compared
from ptx_ls.comparison.matching import matched
from ptx_ls.comparison.modules import parts_of
from ptx_ls.comparison.phrases import PhraseReader, rendered
from ptx_ls.comparison.result import (
    ChangeKind,
    FactChange,
    FunctionDifference,
    ModuleDifference,
)
from ptx_ls.comparison.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.comparison.code import FunctionCode
    from ptx_ls.comparison.matching import FunctionPair
    from ptx_ls.comparison.modules import FunctionPlace, ModuleParts
    from ptx_ls.document.document import Document


def compare(old: Document, new: Document) -> ModuleDifference:
    """Returns the differences of two modules; both may be any text."""
    reader = PhraseReader()
    one, two = parts_of(old, reader), parts_of(new, reader)
    matching = matched(one, two)
    run = _Comparison(old, new, matching.outer, reader)
    functions = [run.function(pair) for pair in matching.functions]
    return ModuleDifference(tuple(_module_facts(one, two, matching.outer)), tuple(functions))


class _Comparison:
    """Compares the functions of two modules."""

    def __init__(
        self, old: Document, new: Document, outer: Mapping[str, str], reader: PhraseReader
    ) -> None:
        self._old, self._new = old, new
        self._outer, self._reader = outer, reader
        self._vocabulary = Vocabulary()

    def function(self, pair: FunctionPair) -> FunctionDifference:
        """Returns the difference of two functions, or of one that the other module lacks."""
        old, new = pair
        if new is None:
            assert old is not None  # noqa: S101  a pair has a function
            return alone(self._code(old, {}), ChangeKind.REMOVED)
        if old is None:
            return alone(self._code(new, {}), ChangeKind.ADDED)
        if not self._outer and old.located.function.text == new.located.function.text:
            return FunctionDifference(ChangeKind.SAME, new.name, old.name)
        one, two = self._code(old, self._outer), self._code(new, {})
        if one.unread is not None or two.unread is not None:
            one, two = as_text(one, old.located), as_text(two, new.located)
        versions = CodeVersion(self._old, one), CodeVersion(self._new, two)
        return compared(*versions, old.name, self._vocabulary)

    def _code(self, function: FunctionPlace, outer: Mapping[str, str]) -> FunctionCode:
        code = read_code(function.located, self._reader, outer)
        return code if code.unread is None else as_text(code, function.located)


def _module_facts(
    old: ModuleParts, new: ModuleParts, outer: Mapping[str, str]
) -> Iterator[FactChange]:
    """Yields the differences outside of functions."""
    for name in dict.fromkeys((*old.header, *new.header)):
        before, after = old.header.get(name, ""), new.header.get(name, "")
        if before != after:
            yield FactChange(name, before, after)
    news = dict(new.declarations)
    for name, declaration in old.declarations.items():
        known_as = outer.get(name, name)
        before = declaration.text(known_as, outer)
        other = news.pop(known_as, None)
        after = "" if other is None else other.text(known_as, {})
        if before != after:
            yield FactChange(known_as, before, after)
    for name, declaration in news.items():
        yield FactChange(name, "", declaration.text(name, {}))
    yield from _other_facts(old, new, outer)


def _other_facts(
    old: ModuleParts, new: ModuleParts, outer: Mapping[str, str]
) -> Iterator[FactChange]:
    """Yields the further statements at module scope that only one module has."""
    before = Counter(rendered(it.pieces, [outer.get(n, n) for n in it.names]) for it in old.others)
    after = Counter(rendered(it.pieces, it.names) for it in new.others)
    for text in (before - after).elements():
        yield FactChange("statement", text, "")
    for text in (after - before).elements():
        yield FactChange("statement", "", text)
