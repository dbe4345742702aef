"""Code lenses above functions and labels: references, resources, names in the source, requirements.

A lens is cheap to list; its text is found when it becomes visible.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features.cursor import cursor
from ptx_ls.features.hints.label_lenses import branch_rows, has_lens
from ptx_ls.features.hover.memory_layout import size_of
from ptx_ls.features.pressure.pressure import MAX_LINES, pressure_of
from ptx_ls.features.structure.document_symbols import document_symbols
from ptx_ls.features.structure.symbol_text import SymbolGroup
from ptx_ls.semantics.declarations.parameter_space import size_of as parameter_bytes
from ptx_ls.semantics.demangle import abridged, demangled
from ptx_ls.semantics.directives.header import header_places
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.features.requirements.requirements import Requirements
    from ptx_ls.features.structure.document_symbols import DocumentSymbol
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.source import Position, Range

MAX_LABELS: Final = 3000
"""Maximum number of labels of a document that get a lens."""
_BOUNDS: Final = frozenset(
    {
        *(".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg"),
        *(".reqnctapercluster", ".maxclusterrank"),
    }
)
"""Directives with numbers that limit how a kernel can be launched."""
_MAX_NAME: Final = 80
"""Maximum length of a name in a lens, which other lenses follow on the same line."""
_NO_MEMORY: Final = "no shared or local memory"
"""The text of a lens if a function needs no resources, or its registers are not known."""
_FUNCTIONS: Final = (SymbolGroup.KERNEL, SymbolGroup.FUNCTION)


class LensKind(Enum):
    """The kind of information in a lens."""

    REFERENCES = "references"
    LABEL = "label"
    RESOURCES = "resources"
    NAME = "name"
    REQUIREMENTS = "requirements"


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens above a name."""

    kind: LensKind
    range: Range


class Lenses(NamedTuple):
    """The lenses of a document in the order of the text; `n_nested` as in `Outline`."""

    found: list[Lens]
    n_nested: int


def lenses(document: Document, wanted: Collection[LensKind], most: int = MAX_LABELS) -> Lenses:
    """Returns the lenses of a document, or of a part; `most` limits labels as in an outline."""
    symbols, n_nested = document_symbols(document, most)
    found: list[Lens] = []
    header = document.leaf(0)
    if LensKind.REQUIREMENTS in wanted and header.head is None:
        places = list(header_places(header).values())
        found += [Lens(LensKind.REQUIREMENTS, place) for place in places[:1]]
    for symbol in symbols:
        if symbol.group in _FUNCTIONS:
            if LensKind.NAME in wanted and symbol.is_mangled:
                found.append(Lens(LensKind.NAME, symbol.selection))
            if LensKind.REFERENCES in wanted and symbol.group is SymbolGroup.FUNCTION:
                found.append(Lens(LensKind.REFERENCES, symbol.selection))  # kernels are launched
            is_long = symbol.range.end.line > symbol.selection.end.line
            if LensKind.RESOURCES in wanted and is_long and _has_body(document, symbol.selection):
                found.append(Lens(LensKind.RESOURCES, symbol.selection))
        if LensKind.LABEL in wanted:
            found += [Lens(LensKind.LABEL, label) for label in _labels(document, symbol)]
    return Lenses(found, n_nested)


def _has_body(document: Document, name: Range) -> bool:
    """Whether a function is defined where it is named: a prototype has no resources."""
    statement = statement_at(document, name.start)
    return statement is not None and statement.record.kind is not Kind.FUNCTION_DECLARATION


def _labels(document: Document, symbol: DocumentSymbol) -> Iterator[Range]:
    """Yields the labels of a function that loops begin with, or where paths meet."""
    labels = [*_labels_in(symbol.children)]
    if labels:
        located = document.located_at(symbol.selection.start)
        branches = branch_rows(located.function)
        for label in labels:
            row = label.selection.start.line - located.first_line
            if has_lens(branches.get(label.name, ()), row):
                yield label.selection


def _labels_in(symbols: Iterable[DocumentSymbol]) -> Iterator[DocumentSymbol]:
    for symbol in symbols:
        if symbol.group is SymbolGroup.LABEL:
            yield symbol
        yield from _labels_in(symbol.children)


def references_text(count: int) -> str:
    """Returns the text of a lens for a number of references."""
    return counted(count, "reference") if count else "no references"


def requirements_text(needed: Requirements) -> str:
    """Returns the text of a lens for the oldest version and target of a module."""
    if not needed.is_possible:
        return "no version and target support all its features"
    own, target = needed.version_of_target, needed.context.target
    oldest, is_locked = needed.target.value, needed.lock is not None
    if own is None or not target:
        return f"needs {oldest}{'' if is_locked else ' or newer'}"
    verb = "runs on" if oldest == target[0] else "could target"
    targets = f"{oldest}{'' if is_locked else ' or newer'}"
    return f"needs PTX ISA {own.value} for {target[0]} · {verb} {targets}"


def name_text(analysis: Analysis, position: Position) -> str:
    """Returns the name in the source of the function at a position; "" for a plain name."""
    named = cursor(analysis, position)
    return abridged(demangled(named.text) or "", _MAX_NAME) if named is not None else ""


def resources_text(analysis: Analysis, position: Position) -> str:
    """Returns the registers, memory and launch bounds of the function at a position."""
    facts = region_facts(analysis.document.leaf(analysis.region_at(position)))
    if facts.function is None:
        return ""
    exported = set(map(id, facts.exports))
    own = [symbol for symbol in facts.symbols if id(symbol) not in exported]
    shared = [it for it in own if it.space == ".shared"]
    shared += _shared_of_module(analysis, position, {it.name for it in own})
    local = [it for it in own if it.space == ".local"]
    parts = [_peak(analysis, position), *_memory("shared", shared), *_memory("local", local)]
    size = parameter_bytes(facts.function.parameters)
    if size:
        parts.append(f"{size:,} B of parameters")
    statement = statement_at(analysis.document, position)
    if statement is not None:
        parts += _bounds(statement.text)
    return " · ".join(filter(None, parts)) or _NO_MEMORY


def _peak(analysis: Analysis, position: Position) -> str:
    """Returns the widest point of the function at a position; "" for a very long one, or none."""
    number = analysis.region_at(position)
    if analysis.document.leaf(number).extent.lines > MAX_LINES:
        return ""
    found = pressure_of(analysis.document, number)
    if found is None or not found.peak.words:
        return ""
    count = counted(found.peak.words, "live register")
    return f"at most {count}, at line {found.peak.line + 1}"


def _bounds(head: str) -> Iterator[str]:
    """Yields the directives of a head that limit its launch, with decimal numbers."""
    directive, numbers = "", list[str]()
    for token in tokenize(head):
        number = integer(token.string)
        if directive and number is not None:
            numbers.append(str(number))
        elif token.string != ",":
            if numbers:
                yield f"{directive} {', '.join(numbers)}"
            directive, numbers = token.string if token.string in _BOUNDS else "", []


def _shared_of_module(
    analysis: Analysis, position: Position, hidden: Collection[str]
) -> Iterator[Symbol]:
    """Yields the variables in .shared at module scope that the function at a position names."""
    module = module_facts(analysis.document)
    known = {name: symbol for name, (_, symbol) in module.shared.by_name.items()}
    known |= {symbol.name: symbol for symbol in module.unsized}
    text = analysis.document.leaf(analysis.region_at(position)).text
    found = [name for name in known.keys() - hidden if name in text]
    named = frozenset(names_in(without_comments(text))) if found else frozenset[str]()
    yield from (symbol for name, symbol in known.items() if name in found and name in named)


def _memory(space: str, symbols: list[Symbol]) -> Iterator[str]:
    """Yields the size of variables, and whether the launch sets the size of others."""
    sized = [symbol for symbol in symbols if not symbol.is_unsized]
    sizes = [size_of(symbol) for symbol in sized]
    total = sum(size for size in sizes if size is not None)
    if sized:
        yield f"{total:,} B of {space} memory{'' if None not in sizes else ' and more'}"
    if len(sized) < len(symbols):
        yield f"dynamic {space} memory"
