"""Checks the initial values of variables: their number, their types and the names in them.

Source: PTX ISA, "Initializers".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.constants.values import type_of
from ptx_ls.semantics.declarations.initial_braces import (
    braces_in,
    elements_of,
    is_braced,
    length_of,
)
from ptx_ls.semantics.declarations.opaque_values import FIELDS, check_opaque, is_value
from ptx_ls.semantics.problems.instructions import (
    Undeclared,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.problems.values import BadInitialValue, InitialValueFault
from ptx_ls.semantics.symbols.symbols import FUNCTION_KINDS, UNKNOWN_TYPE, Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import parser
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.names import is_name
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.parsing.nodes import end_of, is_inner, is_leaf, leaves, start_of
from ptx_ls.syntax.plain.declarations import plain_declaration
from ptx_ls.syntax.plain.tables import holds_integers
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.record_lines import run_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parso.tree import BaseNode, Leaf, NodeOrLeaf

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_WARP: Final = "WARP_SZ"
_OPERATORS: Final = frozenset({"generic", _WARP})
_BRACKETS: Final = (",", "[", "{")
"""Tokens that a constant cannot contain."""
_SPACES: Final = frozenset({".global", ".const", ""})
_UNMASKED: Final = frozenset({".u32", ".u64"})
"""Types that can hold an address."""
_MASKED: Final = frozenset({".u8", ".u32", ".u64"})
"""Types that can hold a byte of an address."""
_MASKS: Final = frozenset(0xFF << shift for shift in range(0, 64, 8))
_CLASS_OF: Final = {".f64": "float", ".s64": "integer"}
_CLASSES: Final = {
    "float": "float",
    "unsigned": "integer",
    "signed": "integer",
    "half": "nothing",
}


class InitialValueCheck:
    """Checks the initial values in one function."""

    def __init__(
        self, text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
    ) -> None:
        self.text, self.facts, self.module, self.region = text, facts, module, region
        self._types = isa.database().type_facts

    def check(self) -> Iterator[Mismatch]:
        """Yields the faults of initial values."""
        starts = list(self._initialized())
        if not starts:
            return
        symbols = {symbol.start: symbol for symbol in self.facts.symbols}
        for found in self.text.statements(starts, declaring_only=True):
            if found.record.kind is Kind.DECLARATION and "=" in found.text:
                if self._are_plain_integers(found.text):
                    continue
                tree = parser.parse(found.text)
                if tree.problem is None:
                    yield from self._declarators(tree.tree, found, symbols)

    def _are_plain_integers(self, text: str) -> bool:
        """Whether all values of a declaration are integers, one for each element.

        Large tables usually consist of such values, and their trees would take long to make.
        """
        plain = plain_declaration(text)
        if plain is None or plain.vector or plain.type in FIELDS:
            return False
        if _CLASSES.get(self._types.get(plain.type, (0, ""))[1], "integer") != "integer":
            return False
        return all(holds_integers(it.value, it.sizes) for it in plain.declarators if it.value)

    def _initialized(self) -> Iterator[int]:
        """Yields the first line of each statement that may contain an initial value."""
        previous = -1
        for row in self.text.declarations_with("="):
            start = run_start(self.text.records, row)
            if start != previous:
                yield start
            previous = start

    def _declarators(
        self, node: BaseNode, found: Found, symbols: dict[FunctionPosition, Symbol]
    ) -> Iterator[Mismatch]:
        for child in node.children:
            if not is_inner(child):
                continue
            if child.type != "declarator":
                yield from self._declarators(child, found, symbols)
                continue
            value = _value(child)
            symbol = symbols.get(_place(next(iter(leaves(child))), found)[0])
            if value is None or symbol is None:
                continue
            if symbol.type in FIELDS:
                yield from check_opaque(value, symbol, found.start, self.module.context)
            else:
                yield from self._values(value, found, symbol)

    def _values(self, value: NodeOrLeaf, found: Found, symbol: Symbol) -> Iterator[Mismatch]:
        sizes = [*symbol.dimensions, *([symbol.vector_size] if symbol.vector_size > 1 else [])]
        if sizes and not sizes[0]:
            sizes[0] = None  # ptxas counts the values for `[0]` as for `[]`
        surplus = _surplus(value, sizes)
        if surplus is not None:
            place = _place(value, found)
            yield BadInitialValue(symbol, InitialValueFault.TOO_MANY, *place, n_values=surplus)
        elif not _is_shaped(value, len(sizes), symbol.vector_size):
            start, end = _place(value, found)
            yield BadInitialValue(symbol, InitialValueFault.SHAPE, start, end)
            return
        for element in elements_of(value):
            yield from self._element(element, found, symbol)

    def _element(self, element: NodeOrLeaf, found: Found, symbol: Symbol) -> Iterator[Mismatch]:
        """Yields the faults of a single value, or of a run of plain numbers."""
        if element.type == "item" and is_inner(element):
            yield from self._named(element.children[-1], found, symbol)
            return
        parts = [leaf for leaf in leaves(element) if leaf.value]
        names = [leaf for leaf in parts if _is_name(leaf)]
        if any(leaf.value == "generic" for leaf in parts) or names:
            yield from self._address(element, parts, names, found, symbol)
            return
        start, end = _place(element, found)
        text = " ".join([leaf.value for leaf in parts])
        if any(leaf.type == "string" or leaf.value in _BRACKETS for leaf in parts):
            yield BadInitialValue(symbol, InitialValueFault.TYPE, start, end, text)
            return
        if _has_mask(element) and number(parts[0].value) not in _MASKS:
            yield BadInitialValue(symbol, InitialValueFault.MASK, start, end, parts[0].value)
            return
        wanted = _CLASSES.get(self._types.get(symbol.type, (0, ""))[1], "")
        if wanted:
            for text, offset in _numbers(element):
                given = _CLASS_OF.get(type_of(text), wanted)
                if given != wanted:
                    place = (start, end) if offset is None else _within(start, offset, text)
                    yield BadInitialValue(symbol, InitialValueFault.TYPE, *place, text)
                    return

    def _named(self, value: NodeOrLeaf, found: Found, symbol: Symbol) -> Iterator[BadInitialValue]:
        """Yields the fault of a value after a name, as in `{ width = 4 }`, for other types."""
        if not is_value(value):
            text = " ".join([leaf.value for leaf in leaves(value)])
            yield BadInitialValue(symbol, InitialValueFault.TYPE, *_place(value, found), text)

    def _address(
        self,
        element: NodeOrLeaf,
        parts: list[Leaf],
        names: list[Leaf],
        found: Found,
        symbol: Symbol,
    ) -> Iterator[Mismatch]:
        text = " ".join([leaf.value for leaf in parts])
        place = _place(element, found)
        address = _address(parts)
        known = None
        for leaf in names:
            known, fault = self._name(leaf, found, symbol)
            if fault is not None:
                yield fault
                return
        if address is None or len(names) > 1 or any(leaf.value in _BRACKETS for leaf in parts):
            yield BadInitialValue(symbol, InitialValueFault.FORM, *place, text)
            return
        if address.mask and symbol.type not in _MASKED:
            yield BadInitialValue(symbol, InitialValueFault.BYTE, *place, names[0].value)
        elif not address.mask and symbol.type not in _UNMASKED:
            yield BadInitialValue(symbol, InitialValueFault.ADDRESS, *place, names[0].value)
        elif address.mask and number(address.mask) not in _MASKS:
            yield BadInitialValue(symbol, InitialValueFault.MASK, *place, address.mask)
        elif address.offset and type_of(address.offset) == ".f64":
            yield BadInitialValue(symbol, InitialValueFault.OFFSET, *place, address.offset)
        elif (
            known is not None
            and known.kind in FUNCTION_KINDS
            and (address.is_generic or address.offset)
        ):
            yield BadInitialValue(symbol, InitialValueFault.FUNCTION, *place, known.name)

    def _name(
        self, leaf: Leaf, found: Found, symbol: Symbol
    ) -> tuple[Symbol | None, Mismatch | None]:
        """Returns the symbol that a name means, and the fault of using it; each may be None."""
        name = leaf.value
        start, end = _place(leaf, found)
        scope = self.facts.scope_at(found.start)
        known = scope.lookup(name, start) or self.module.lookup(name, self.region, start)
        if known is None:
            elsewhere = self.module.lookup(name)
            undeclared = Undeclared(name, start, end, "", elsewhere, is_near=False)
            return None, None if name == symbol.name else undeclared
        is_apart = known.kind is SymbolKind.VARIABLE and known.space in _SPACES
        if is_apart or known.kind in FUNCTION_KINDS or known.type == UNKNOWN_TYPE:
            return known, None
        return known, BadInitialValue(symbol, InitialValueFault.SPACE, start, end, name)


class _Address(NamedTuple):
    """The address of a name as an initial value: `0xFF(generic(x) + 4)`."""

    mask: str
    is_generic: bool
    offset: str


def _address(parts: list[Leaf]) -> _Address | None:
    """Returns a value as an address; None if it is not a name, or a name plus a constant."""
    words = [leaf.value for leaf in parts]
    mask = ""
    if words[0][:1].isdecimal() and words[1:2] == ["("] and words[-1] == ")":
        mask, words = words[0], words[2:-1]
    is_generic = words[:2] == ["generic", "("] and words[3:4] == [")"]
    if is_generic:
        words = [words[2], *words[4:]]
    if not words or not is_name(words[0]):
        return None
    if len(words) == 1:
        return _Address(mask, is_generic, "")
    offset = words[2:]
    if words[1] != "+" or not offset or (is_name(offset[0]) and offset[0] != _WARP):
        return None
    return _Address(mask, is_generic, " ".join(offset))


def _has_mask(element: NodeOrLeaf) -> bool:
    """Whether a value is masked, such as `0xFF(x)`, or contains a masked value."""
    waiting = [element]
    while waiting:
        node = waiting.pop()
        if node.type == "mask":
            return True
        if is_inner(node):
            waiting += node.children
    return False


def _is_name(leaf: Leaf) -> bool:
    return leaf.type in ("word", "reg") and leaf.value not in _OPERATORS


def _numbers(element: NodeOrLeaf) -> Iterator[tuple[str, int | None]]:
    """Yields the value, or each number of a run; with its offset if the run is on one line."""
    if element.type == "numbers" and is_leaf(element):
        end = 0
        for part in element.value.split(","):
            text = part.strip()
            start = end + len(part) - len(part.lstrip())
            yield text, start if "\n" not in element.value else None
            end += len(part) + 1
        return
    parts = [leaf.value for leaf in leaves(element)]
    is_signed = len(parts) == 2 and parts[0] in "+-"  # noqa: PLR2004  a sign and a number
    yield ("" if is_signed else " ").join(parts), None


def _within(start: FunctionPosition, offset: int, text: str) -> FunctionSpan:
    begin = along(start, offset)
    return begin, along(begin, len(text))


def _value(declarator: BaseNode) -> NodeOrLeaf | None:
    """Returns the value after `=`."""
    for index, child in enumerate(declarator.children[:-1]):
        if is_leaf(child) and child.value == "=":
            found: NodeOrLeaf = declarator.children[index + 1]
            return found
    return None


def _surplus(value: NodeOrLeaf, sizes: list[int | None]) -> tuple[int, int] | None:
    """Returns the number of values in the first braces with too many, and the maximum."""
    for _, items, depth in braces_in(value):
        limit = sizes[depth] if depth < len(sizes) else None
        given = sum(map(length_of, items))
        if limit is not None and given > limit:
            return given, limit
    return None


def _is_shaped(value: NodeOrLeaf, depth: int, vector_size: int) -> bool:
    """Whether braces are nested to `depth` levels, and the innermost have `vector_size` values."""
    if not is_braced(value):
        return depth == 0
    for _, items, level in braces_in(value):
        is_innermost = level == depth - 1
        if level >= depth or any(is_braced(item) == is_innermost for item in items):
            return False
        if is_innermost and vector_size > 1 and sum(map(length_of, items)) != vector_size:
            return False
    return True


def _place(node: NodeOrLeaf, found: Found) -> FunctionSpan:
    return shifted(start_of(node), found.start), shifted(end_of(node), found.start)
