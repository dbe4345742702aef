"""Initial values of variables: how many, of which type, and what their names stand for.

Source: PTX ISA, "Initializers".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from parso.tree import BaseNode, Leaf, NodeOrLeaf

from ptx_ls import isa
from ptx_ls.semantics.mismatch import BadInitialValue, InitialValueFault, Mismatch, Undeclared
from ptx_ls.semantics.symbols import Symbol, SymbolKind
from ptx_ls.syntax import parser
from ptx_ls.syntax.parser import end_of, leaves, start_of
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Kind, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.module import ModuleFacts
    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import Found, RegionText

_OPERATORS: Final = frozenset({"generic", "WARP_SZ"})
_SPACES: Final = frozenset({".global", ".const", ""})
_CLASSES: Final = {
    "float": "float",
    "unsigned": "integer",
    "signed": "integer",
    "half": "nothing",
}


class InitialValueCheck:
    """Checks the initialised variables of one region."""

    def __init__(
        self, text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
    ) -> None:
        self.text, self.facts, self.module, self.region = text, facts, module, region
        self._types = isa.database().type_facts

    def check(self) -> Iterator[Mismatch]:
        """What is wrong with initial values."""
        starts = list(self._initialized())
        if not starts:
            return
        symbols = {symbol.start: symbol for symbol in self.facts.symbols}
        for found in self.text.statements(starts, declaring_only=True):
            if found.record.kind is Kind.DECLARATION and "=" in found.text:
                tree = parser.parse(found.text)
                if tree.problem is None:
                    yield from self._declarators(tree.tree, found, symbols)

    def _initialized(self) -> Iterator[int]:
        """First lines of the statements that may hold an initial value."""
        previous, start, is_told = None, 0, False
        for index in self.text.declaring:
            read = self.text.records[index]
            if read is not previous or not isinstance(read, Run):
                previous, start, is_told = read, index, False
            if not is_told and "=" in self.text.lines[index]:
                is_told = True
                yield start

    def _declarators(
        self, node: BaseNode, found: Found, symbols: dict[tuple[int, int], Symbol]
    ) -> Iterator[Mismatch]:
        for child in node.children:
            if not isinstance(child, BaseNode):
                continue
            if child.type != "declarator":
                yield from self._declarators(child, found, symbols)
                continue
            value = _value(child)
            symbol = symbols.get(_place(next(iter(leaves(child))), found)[0])
            if value is not None and symbol is not None and not symbol.type.endswith("ref"):
                yield from self._values(value, found, symbol)

    def _values(self, value: NodeOrLeaf, found: Found, symbol: Symbol) -> Iterator[Mismatch]:
        sizes = [*symbol.dimensions, *([symbol.vector_size] if symbol.vector_size > 1 else [])]
        if sizes and not sizes[0]:
            sizes[0] = None  # ptxas counts the values for `[0]` as for `[]`
        if _count(value, sizes, 0):
            start, end = _place(value, found)
            yield BadInitialValue(symbol, InitialValueFault.TOO_MANY, start, end)
        elif not _is_shaped(value, len(sizes), symbol.vector_size):
            start, end = _place(value, found)
            yield BadInitialValue(symbol, InitialValueFault.SHAPE, start, end)
            return
        wanted = _CLASSES.get(self._types.get(symbol.type, (0, ""))[1], "")
        for leaf in leaves(value):
            if leaf.type in ("word", "reg"):
                yield from self._name(leaf, found, symbol)
            elif leaf.type == "number" and wanted and _class(leaf.value) != wanted:
                if wanted == "integer" and leaf.parent is not None and _is_operation(value):
                    continue
                fault = InitialValueFault.TYPE
                yield BadInitialValue(symbol, fault, *_place(leaf, found), leaf.value)
                return

    def _name(self, leaf: Leaf, found: Found, symbol: Symbol) -> Iterator[Mismatch]:
        name = leaf.value
        if name in _OPERATORS or name.startswith("mask"):
            return
        start, end = _place(leaf, found)
        scope = self.facts.scope_at(found.start)
        known = scope.lookup(name, start) or self.module.lookup(name, self.region, start)
        if known is None and name != symbol.name:
            elsewhere = self.module.lookup(name)
            yield Undeclared(name, start, end, "", elsewhere, is_near=False)
        elif known is not None and known.kind is SymbolKind.VARIABLE and known.space not in _SPACES:
            yield BadInitialValue(symbol, InitialValueFault.SPACE, start, end, name)


def _value(declarator: BaseNode) -> NodeOrLeaf | None:
    """What stands behind `=`."""
    for index, child in enumerate(declarator.children[:-1]):
        if isinstance(child, Leaf) and child.value == "=":
            found: NodeOrLeaf = declarator.children[index + 1]
            return found
    return None


def _count(value: NodeOrLeaf, sizes: list[int | None], depth: int) -> bool:
    """Whether some braces hold more values than that dimension has."""
    if value.type != "vector" or not isinstance(value, BaseNode):
        return False
    items = [child for child in value.children if child.type != "operator"]
    n_items = sum(_length(item) for item in items)
    limit = sizes[depth] if depth < len(sizes) else None
    if limit is not None and n_items > limit:
        return True
    return any(_count(item, sizes, depth + 1) for item in items)


def _is_shaped(value: NodeOrLeaf, depth: int, vector_size: int) -> bool:
    """Whether braces are nested `depth` deep, the innermost with all elements of a vector."""
    if value.type != "vector" or not isinstance(value, BaseNode):
        return depth == 0
    items = [child for child in value.children if child.type != "operator"]
    if depth == 1 < vector_size and sum(map(_length, items)) != vector_size:
        return False
    return depth > 0 and all(_is_shaped(item, depth - 1, vector_size) for item in items)


def _length(item: NodeOrLeaf) -> int:
    """Number of values; a long run of numbers is one leaf."""
    return item.value.count(",") + 1 if isinstance(item, Leaf) and item.type == "numbers" else 1


def _class(number: str) -> str:
    head = number[:2].lower()
    if head in ("0f", "0d"):
        return "float"
    return "float" if head != "0x" and any(mark in number for mark in ".eE") else "integer"


def _is_operation(value: NodeOrLeaf) -> bool:
    return any(leaf.value not in "{},-" and leaf.type == "operator" for leaf in leaves(value))


def _place(node: NodeOrLeaf, found: Found) -> tuple[tuple[int, int], tuple[int, int]]:
    return shifted(start_of(node), found.start), shifted(end_of(node), found.start)
