"""The names of a module and the functions of the document that declare them.

Only the head of a function and the lines after its body are read for them, so an editor gets an
answer before all of a large text is analysed.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from ptx_ls.document.braces import braces
from ptx_ls.document.facts import combined, fact
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import FUNCTION_KINDS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.record_lines import run_start, run_stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position


class Exports(NamedTuple):
    """The names that a function declares at module scope, and whether each names a function.

    `is_section`: whether it is debug data, whose labels any function can name.
    """

    names: tuple[tuple[str, bool], ...]
    is_section: bool


class GroupNames(NamedTuple):
    """The names that a group of functions declares, with their numbers within the group."""

    functions: Mapping[str, tuple[int, ...]]
    variables: Mapping[str, tuple[int, ...]]
    sections: tuple[int, ...]
    exports: tuple[Exports, ...]


class ModuleNames(NamedTuple):
    """The names at module scope, in groups of neighbouring functions.

    `groups`: the number of the first function of each, and its names.
    """

    groups: tuple[tuple[int, GroupNames], ...]

    def declaring(self, name: str) -> list[int]:
        """Returns the numbers of the functions that declare a name at module scope, in order."""
        return [
            first + number
            for first, group in self.groups
            for number in sorted({*group.functions.get(name, ()), *group.variables.get(name, ())})
        ]

    def declaring_function(self, name: str) -> list[int]:
        """Returns the numbers of the functions that declare a function with that name."""
        return [
            first + number
            for first, group in self.groups
            for number in group.functions.get(name, ())
        ]

    def is_function(self, name: str) -> bool:
        """Whether a function with that name is declared."""
        return any(name in group.functions for _, group in self.groups)

    def is_variable(self, name: str) -> bool:
        """Whether a variable with that name is declared."""
        return any(name in group.variables for _, group in self.groups)

    def sections(self) -> list[int]:
        """Returns the numbers of the sections of debug data, in order."""
        return [first + number for first, group in self.groups for number in group.sections]

    def in_order(self, *, is_function: bool) -> Iterator[str]:
        """Yields the names of all functions, or of all variables, in the order of the text."""
        found: set[str] = set()
        for _, group in self.groups:
            for exports in group.exports:
                for name, is_one in exports.names:
                    if is_one is is_function and name not in found:
                        found.add(name)
                        yield name


@fact
def exports_of(function: Function) -> Exports:
    """Returns the names that a function declares at module scope."""
    return exports_among(outer_facts(function).exports, function.head)


def exports_among(symbols: Iterable[Symbol], head: Kind | None) -> Exports:
    """Returns the names of symbols at module scope, which a function with this head declares."""
    names = {symbol.name: symbol.kind in FUNCTION_KINDS for symbol in symbols}
    return Exports(tuple(names.items()), head is Kind.SECTION)


def _exports_of_group(group: InnerNode[Function, Position]) -> Iterator[Exports]:
    return map(exports_of, group.leaves())


@combined(_exports_of_group)
def _names_of_group(exports: tuple[Exports, ...]) -> GroupNames:
    """Returns the names that a group of functions declares at module scope."""
    functions: dict[str, list[int]] = {}
    variables: dict[str, list[int]] = {}
    for number, each in enumerate(exports):
        for name, is_function in each.names:
            table = functions if is_function else variables
            table.setdefault(name, []).append(number)
    return GroupNames(
        {name: tuple(numbers) for name, numbers in functions.items()},
        {name: tuple(numbers) for name, numbers in variables.items()},
        tuple([number for number, each in enumerate(exports) if each.is_section]),
        exports,
    )


def _names_of_each_group(document: Document) -> Iterator[GroupNames]:
    return (_names_of_group(group) for _, group in document.groups())


@combined(_names_of_each_group)
def module_names(groups: tuple[GroupNames, ...]) -> ModuleNames:
    """Returns the names at module scope of a document."""
    firsts = accumulate([len(group.exports) for group in groups], initial=0)
    return ModuleNames(tuple(zip(firsts, groups, strict=False)))


def outer_facts(function: Function) -> RegionFacts:
    """Returns the declarations of a function outside of its body."""
    text = region_text(function)
    return read_region(text, _body(function, text))


def _body(function: Function, text: RegionText) -> range:
    """Returns the rows between the head and the closing brace that can be skipped."""
    found = braces(function)
    if function.head is None or found.close is None:
        return range(0)
    body = range(run_stop(text.records, 0), run_start(text.records, found.close))
    # Blocks that begin with the head, or end with the body, are read with it.
    return body if found.level(body.start) == 1 == found.level(body.stop) else range(0)
