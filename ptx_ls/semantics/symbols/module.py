"""Facts of a module: its version, its targets and the symbols at module scope."""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.document.recent_facts import shared_recent_fact
from ptx_ls.semantics.calls.call_graph import CallGraph, graph_of
from ptx_ls.semantics.declarations.module_memory import SpaceUse, space_use
from ptx_ls.semantics.symbols.contexts import changed_contexts, context_of
from ptx_ls.semantics.symbols.declaring_lines import declaring_node
from ptx_ls.semantics.symbols.references.unresolved import Needed, needed
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.interface import Interface

_RANGE: Final = "<"
_NO_CALLS: Final = CallGraph()
_NO_LABELS: Final[Mapping[str, int]] = {}
_NO_DEFINITIONS: Final[Mapping[str, list[SymbolPlace]]] = {}
_UNUSUAL: Final = (".reg", ".local")
"""State spaces that module variables and return values may have only without an ABI."""
_SHARED: Final = ".shared"
_CONSTANT: Final = ".const"
_NO_USE: Final = SpaceUse()
_FILE: Final = ".file"
_NO_RETURN: Final = ".noreturn"
_METADATA: Final = ".metadata_section"


class SymbolPlace(NamedTuple):
    """A symbol at module scope, and the number of the function that it is placed in."""

    region: int
    symbol: Symbol


class ModuleFacts(NamedTuple):
    """The facts of a module, from all of its functions. Immutable once made.

    `context`: that of the header. `changed`: the functions whose bodies name another target, with
    the context after each. `names`: every symbol at module scope, in the order of the text, by its
    name; a range `%r<5>` by `%r<`. `doubtful`: names that unreadable statements may declare.
    `has_section`: whether the module has debug data. `section_labels`: the labels of its sections,
    each with the number of the first section (a function) that has it. `has_file`: whether it has a
    `.file` directive. `metadata`: the number of the first function with a metadata section, or -1.
    `graph`: the call graph. `definitions`: the definitions of names that are declared several
    times. `unusual`: symbols that are legal only without an ABI. `shared` and `constants`: the
    memory that definitions in .shared and .const use. `needed`: the first symbol that another
    module has to define. `never_returning`: the functions that are declared so. `unsized`: the
    arrays in .shared whose size is given at launch. `plain_functions`: those that order no accesses
    of other threads.
    """

    context: Context
    names: dict[str, list[SymbolPlace]]
    doubtful: frozenset[str] = frozenset()
    has_section: bool = False
    has_file: bool = False
    section_labels: Mapping[str, int] = _NO_LABELS
    graph: CallGraph = _NO_CALLS
    metadata: int = -1
    definitions: Mapping[str, list[SymbolPlace]] = _NO_DEFINITIONS
    unusual: tuple[Symbol, ...] = ()
    shared: SpaceUse = _NO_USE
    constants: SpaceUse = _NO_USE
    needed: Needed | None = None
    changed: tuple[tuple[int, Context], ...] = ()
    never_returning: frozenset[str] = frozenset()
    unsized: tuple[Symbol, ...] = ()
    plain_functions: frozenset[str] = frozenset()

    def lookup(
        self, name: str, region: int | None = None, position: FunctionPosition = FUNCTION_START
    ) -> Symbol | None:
        """Returns the module's symbol of that name, preferably its definition.

        With `region` and `position`, only declarations before that place count.
        """
        places = self.names.get(name) or self._ranges(name)
        defined = self.definitions.get(name, places)
        n_places, n_defined = len(places), len(defined)
        if region is not None:
            until = region, position
            n_places = bisect_left(places, until, key=_since)
            n_defined = bisect_left(defined, until, key=_since)
        if n_defined:
            return defined[n_defined - 1].symbol
        return places[0].symbol if n_places else None

    def is_alike(self, other: ModuleFacts) -> bool:
        """Whether another module has the same context and symbols, as functions see them."""
        return self._seen() == other._seen() and all(
            map(_are_alike, self.names.values(), map(other.names.get, self.names))
        )

    def _seen(self) -> tuple[object, ...]:
        """Returns everything that functions see of the module; of its symbols, only the names."""
        marks = self.doubtful, self.has_section, self.has_file, self.section_labels, self.metadata
        return self.context, self.changed, self.graph, self.names.keys(), *marks

    def context_before(self, region: int) -> Context:
        """Returns the context that applies where a function begins."""
        n_before = bisect_left(self.changed, region, key=itemgetter(0))
        return self.changed[n_before - 1][1] if n_before else self.context

    def definitions_of(self, name: str) -> Sequence[SymbolPlace]:
        """Returns the definitions of a name, or its only declaration, in the order of the text."""
        places = self.definitions.get(name)
        return self.names.get(name, ()) if places is None else places

    def _ranges(self, name: str) -> list[SymbolPlace]:
        """Returns the ranges that include a register of that name."""
        prefix = name.rstrip("0123456789")
        if prefix == name:
            return []
        number = decimal(name[len(prefix) :])
        places = self.names.get(prefix + _RANGE, ())
        return [place for place in places if number < place.symbol.count]


def _are_alike(one: Sequence[SymbolPlace], other: Sequence[SymbolPlace] | None) -> bool:
    """Whether declarations of a name differ only in their places."""
    return one is other or (
        other is not None
        and len(one) == len(other)
        and all(
            first.symbol is second.symbol or first.symbol.interface == second.symbol.interface
            for first, second in zip(one, other, strict=True)
        )
    )


def _since(place: SymbolPlace) -> tuple[int, FunctionPosition]:
    return place.region, place.symbol.declared or place.symbol.start


@shared_recent_fact(MAX_RECENT_FUNCTIONS, declaring_node)
def region_facts(function: Function) -> RegionFacts:
    """Returns the declarations in the lines of a function."""
    return read_region(region_text(function))


def module_of(regions: Sequence[Interface]) -> ModuleFacts:
    """Returns the facts of a module, from its functions in order."""
    names: dict[str, list[SymbolPlace]] = {}
    unusual: list[Symbol] = []
    never_returning: set[str] = set()
    in_memory: dict[str, list[tuple[int, Symbol]]] = {_SHARED: [], _CONSTANT: []}
    declared: list[tuple[int, Symbol]] = []
    for index, facts in enumerate(regions):
        for symbol in facts.exports:
            key = symbol.name + _RANGE if symbol.count else symbol.name
            names.setdefault(key, []).append(SymbolPlace(index, symbol))
            if symbol.is_function and _NO_RETURN in symbol.text:
                never_returning.add(symbol.name)
            if symbol.space in _UNUSUAL or len(symbol.returns) > 1:
                unusual.append(symbol)
            if not symbol.is_definition:
                declared.append((index, symbol))
            elif symbol.space in in_memory:
                in_memory[symbol.space].append((index, symbol))
    doubtful = frozenset().union(*[facts.doubtful for facts in regions])
    has_section = any(facts.has_section for facts in regions)
    labels = _section_labels(regions)
    has_file = any(_has(facts, _FILE) for facts in regions)

    def is_defined(name: str) -> bool:
        places = names.get(name)
        return places is None or any(place.symbol.is_definition for place in places)

    shared = space_use(in_memory[_SHARED])
    graph = graph_of(regions, is_defined, shared.by_name.keys())
    holders = (number for number, facts in enumerate(regions) if _has(facts, _METADATA))
    context = context_of(regions[0].directives)
    return ModuleFacts(
        context,
        names,
        doubtful,
        has_section,
        has_file,
        labels,
        graph,
        next(holders, -1),
        _definitions(names),
        tuple(unusual),
        shared,
        space_use(in_memory[_CONSTANT]),
        needed(declared, is_defined, graph),
        tuple(changed_contexts([each.directives for each in regions], context)),
        frozenset(never_returning),
        tuple([symbol for _, symbol in declared if symbol.is_unsized]),
    )


def _definitions(names: dict[str, list[SymbolPlace]]) -> dict[str, list[SymbolPlace]]:
    """Returns the definitions of the names that are declared several times."""
    return {
        name: [place for place in places if place.symbol.is_definition]
        for name, places in names.items()
        if len(places) > 1
    }


def _section_labels(regions: Sequence[Interface]) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, facts in enumerate(regions):
        if facts.has_section:
            first = index if facts.function is None else len(regions)
            for name in facts.labels:
                found.setdefault(name, first)
    return found


def _has(region: Interface, name: str) -> bool:
    return any(directive.name == name for directive in region.directives)
