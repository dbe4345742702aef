"""The names of a module and the regions that declare them, kept up to date through edits.

What an editor asks about a name is answered without reading functions that nobody looks at: of
those only the head and what follows the body are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.module import SEMANTICS, region_facts_in_steps
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_reader import reading
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.steps import finished
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Region

_NAMES: Final = "module names"
"""Key of the names among what is kept with the outline."""
_FEW: Final = 4
_LARGE: Final = 5_000
"""Functions, and lines of one, up to which all of it is read when it was edited."""
_FUNCTIONS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
_Exports = tuple[tuple[str, bool], ...]
"""Names that a region gives to the module, and whether each is a function's."""


class ModuleNames:
    """Names at module scope. `functions` and `variables` give the regions that declare each."""

    __slots__ = ("_known", "_sections", "functions", "variables")

    def __init__(self) -> None:
        self.functions: dict[str, list[Region]] = {}
        self.variables: dict[str, list[Region]] = {}
        self._sections: list[Region] = []
        self._known: dict[int, tuple[Region, _Exports]] = {}

    def regions(self, name: str) -> list[Region]:
        """Regions that declare the name, in the order of the text."""
        return _sorted_by_place([*self.functions.get(name, ()), *self.variables.get(name, ())])

    def sections(self) -> list[Region]:
        """Regions of debug data, whose labels any region can name, in the order of the text."""
        return _sorted_by_place(self._sections)

    def in_order(self, document: Document, *, is_function: bool) -> Iterator[str]:
        """Names of functions or of variables in the order of the text, however it came about."""
        found: set[str] = set()
        for region in document.outline.regions:
            for name, is_one in self._known[id(region)][1]:
                if is_one is is_function and name not in found:
                    found.add(name)
                    yield name

    def update(self, document: Document, changed: Iterable[Region]) -> Generator[None, None, None]:
        """Reads the names of regions that came, went or were edited, in steps."""
        for region in changed:
            index = document.outline.index_of(region)
            # Between two steps others may ask for the names, and update them, too.
            exports = None if index is None else (yield from _exports(document, index))
            known = self._known.pop(id(region), None)
            if known is not None:
                self._remove(*known)
            if exports is not None:
                self._add(region, exports)
            yield

    def _add(self, region: Region, exports: _Exports) -> None:
        self._known[id(region)] = region, exports
        if region.kind is Kind.SECTION:
            self._sections.append(region)
        for name, is_function in exports:
            names = self.functions if is_function else self.variables
            names.setdefault(name, []).append(region)

    def _remove(self, region: Region, exports: _Exports) -> None:
        self._sections = [other for other in self._sections if other is not region]
        for name, is_function in exports:
            names = self.functions if is_function else self.variables
            left = [other for other in names[name] if other is not region]
            if left:
                names[name] = left
            else:
                del names[name]


def _sorted_by_place(regions: Iterable[Region]) -> list[Region]:
    return sorted(regions, key=lambda region: (region.start, region.piece))


def module_names(document: Document) -> ModuleNames:
    """The names of a document's module as it is now. Main thread only."""
    return finished(module_names_in_steps(document))


def module_names_in_steps(document: Document) -> Generator[None, None, ModuleNames]:
    """As `module_names`, in steps; valid as long as the document is not edited."""
    outline = document.outline
    names = outline.derived.get(_NAMES)
    if not isinstance(names, ModuleNames) or outline.changed is None:
        names = ModuleNames()
        yield from names.update(document, outline.regions)
        outline.derived[_NAMES] = names
    else:
        changed = dict.fromkeys(outline.changed)
        for region in changed if len(changed) <= _FEW else ():  # what was edited is asked about
            index = outline.index_of(region)
            if index is not None and outline.stop(index) - region.start <= _LARGE:
                yield from region_facts_in_steps(document, index)
        yield from names.update(document, changed)
    outline.changed = []
    return names


def foresee(document: Document) -> Generator[None, None, None]:
    """Reads the names of the module, to be gone on with as long as the document is not edited."""
    outline = document.outline
    names = ModuleNames()
    for _ in names.update(document, outline.regions):
        yield
        if outline.changed is not None:  # somebody could not wait
            return
    outline.derived[_NAMES] = names
    outline.changed = []


def outer_facts(document: Document, index: int) -> RegionFacts:
    """Facts of a region without what is in a function's body, read at once; lines as they are."""
    return finished(outer_facts_in_steps(document, index))


def outer_facts_in_steps(document: Document, index: int) -> Generator[None, None, RegionFacts]:
    """As `outer_facts`, in steps; valid as long as the document is not edited."""
    return reading(region_text(document, index), _body(document, index))


def _exports(document: Document, index: int) -> Generator[None, None, _Exports]:
    facts = document.outline.regions[index].facts.get(SEMANTICS)
    if not isinstance(facts, RegionFacts):
        facts = yield from outer_facts_in_steps(document, index)
        facts.module_scope.children.clear()  # else these facts would wait for the collector
    return tuple({symbol.name: symbol.kind in _FUNCTIONS for symbol in facts.exports}.items())


def _body(document: Document, index: int) -> range:
    """Lines of a region between its head and the brace that ends the body, counted in it."""
    region = document.outline.regions[index]
    if region.kind is None or region.close is None:
        return range(0)
    start = document.stop_of_run(region.start + 1)
    return range(start - region.start, document.start_of_run(region.close) - region.start)
