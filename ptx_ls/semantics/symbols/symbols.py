"""Symbols: the meaning of names in a module.

Source: PTX ISA, "State Spaces, Types, and Variables" and "Identifiers".
"""

from __future__ import annotations

from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.dotted import first_type
from ptx_ls.syntax.plain.declarations import plain_declaration
from ptx_ls.syntax.plain.tables import n_items
from ptx_ls.syntax.written.names import offsets_of_name
from ptx_ls.syntax.written.sizes import WrittenSizes, sizes_after

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.coordinates import FunctionPosition


class SymbolKind(StrEnum):
    """The kind of thing that a name was declared as."""

    REGISTER = "register"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    LABEL = "label"
    FUNCTION = "device function"
    KERNEL = "kernel"
    PROTOTYPE = "call prototype"
    BRANCH_TARGETS = "branch target list"
    CALL_TARGETS = "call target list"


FUNCTION_KINDS: Final = (SymbolKind.FUNCTION, SymbolKind.KERNEL)
KINDS_BY_DIRECTIVE: Final = {
    ".callprototype": SymbolKind.PROTOTYPE,
    ".branchtargets": SymbolKind.BRANCH_TARGETS,
    ".calltargets": SymbolKind.CALL_TARGETS,
}
"""The kinds of labels that name a directive."""


class Facts(NamedTuple):
    """The facts about a name that a verdict may depend on; equal facts give equal verdicts."""

    kind: str
    """A `SymbolKind` value, "special register", "constant" or "" for an undeclared name."""
    type: str = ""
    space: str = ""
    vector_size: int = 1
    name: str = ""
    """The name itself, for special registers only."""
    is_array: bool = False


UNKNOWN_TYPE: Final = "?"
"""The type of symbols whose declaration has a syntax error, or that have several types."""


class Symbol(NamedTuple):
    """A declared name.

    `count` is the N of `%r<N>`, 0 for a single name. `dimensions` are array sizes, None for empty
    brackets or an expression. `is_definition` is False for prototypes and `.extern`.
    """

    name: str
    kind: SymbolKind
    start: FunctionPosition
    end: FunctionPosition
    type: str = ""
    space: str = ""
    vector_size: int = 1
    count: int = 0  # type: ignore[assignment]  # hides tuple.count, which is not used
    dimensions: tuple[int | None, ...] = ()
    alignment: int | None = None
    linkage: str = ""
    is_definition: bool = True
    text: str = ""
    """The declaration on one line, without comments; cut short if it is long."""
    parameters: tuple[Symbol, ...] = ()
    returns: tuple[Symbol, ...] = ()
    declared: FunctionPosition | None = None
    """The place of the first declaration, if this is not the first."""

    @property
    def spelling(self) -> str:
        """The name as it is declared: `%r<9>` for a range."""
        return f"{self.name}<{self.count}>" if self.count else self.name

    @property
    def is_function(self) -> bool:
        """Whether it is a kernel or a device function."""
        return self.kind in FUNCTION_KINDS

    @property
    def is_unsized(self) -> bool:
        """Whether it is an array in .shared whose size is given at launch."""
        is_array = not self.is_definition and self.space == ".shared" and bool(self.dimensions)
        return is_array and (self.dimensions[0] == 0 or "[]" in "".join(self.text.split()))

    @property
    def is_forward(self) -> bool:
        """Whether the name may be used before it is declared."""
        return self.kind in _FORWARD

    @property
    def written_type(self) -> str:
        """The declared type, even if the rest of the declaration is unreadable; else ""."""
        return first_type(self.text) if self.type == UNKNOWN_TYPE else self.type

    @property
    def interface(self) -> tuple[object, ...]:
        """All properties, except names, that other declarations and calls have to agree with."""
        parts = tuple([symbol.interface for symbol in (*self.returns, *self.parameters)])
        own = self.facts, self.is_definition, self.linkage, self.dimensions, self.alignment
        values = (n_values(self),) if None in self.dimensions else ()
        said = (
            (".noreturn" in self.text, self.text[-1:] == CUT) if self.kind in FUNCTION_KINDS else ()
        )
        return *own, *values, said, len(self.returns), parts

    @property
    def facts(self) -> Facts:
        """The facts about the symbol that verdicts may depend on."""
        is_array = bool(self.dimensions)
        return Facts(self.kind.value, self.type, self.space, self.vector_size, is_array=is_array)


class Scope:
    """The names of a module, of a function with its parameters, or of a block in braces.

    `ranges`: parameterised registers by the name before the digits: `%r` for `%r<5>`. `labels`:
    labels that are not in `names`, because the function is long.
    """

    __slots__ = ("end", "labels", "names", "parent", "ranges", "start")

    def __init__(self, start: FunctionPosition, parent: Scope | None = None) -> None:
        self.start, self.parent = start, parent
        self.end: FunctionPosition | None = None
        self.names: dict[str, Symbol] = {}
        self.ranges: dict[str, Symbol] = {}
        self.labels: Mapping[str, Symbol] = _NO_LABELS

    def single(self, name: str) -> Symbol | None:
        """Returns the symbol of that name in this scope alone; not a range that includes it."""
        found = self.names.get(name)
        return self.labels[name] if found is None and name in self.labels else found

    @property
    def singles(self) -> list[Symbol]:
        """The symbols of this scope except ranges, in the order of the text."""
        return sorted([*self.names.values(), *self.labels.values()], key=_start)

    def find(self, name: str) -> Symbol | None:
        """Returns the symbol of that name in this scope alone."""
        found = self.names.get(name)
        if found is None and name in self.labels:
            return self.labels[name]
        if found is None and self.ranges:
            prefix = name.rstrip(_DIGITS)
            numbered = self.ranges.get(prefix)
            if (
                numbered is not None
                and prefix != name
                and decimal(name[len(prefix) :]) < numbered.count
            ):
                return numbered
        return found

    def lookup(self, name: str, position: FunctionPosition | None = None) -> Symbol | None:
        """Returns the symbol that `name` means in this scope, or else in one around it.

        With `position`, only labels and declarations before it are found.
        """
        scope: Scope | None = self
        while scope is not None:
            found = scope.find(name)
            if found is not None and (
                position is None or found.is_forward or (found.declared or found.start) < position
            ):
                return found
            scope = scope.parent
        return None

    def within(self, symbol: Symbol) -> list[Symbol]:
        """Returns the single names of this scope that a range declares again."""
        found = []
        for table in (self.names, self.labels):
            for name in table:
                if name.startswith(symbol.name):
                    digits = name[len(symbol.name) :]
                    if digits.isdecimal() and decimal(digits) < symbol.count:
                        found.append(table[name])
        return found

    def seen_since(self, symbol: Symbol) -> Symbol:
        """Returns a symbol with the place of its earlier declaration in this scope, if any."""
        before = self.names.get(symbol.name)
        if symbol.count or before is None or before.is_definition:
            return symbol
        return symbol._replace(declared=before.declared or before.start)

    def lookup_range(self, name: str) -> Symbol | None:
        """Returns the range that is declared as `name<N>`, in this scope or one around it."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.ranges.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None


CUT: Final = "\u2026"
"""Ends the text of a declaration that is too long to keep."""
_DIGITS: Final = "0123456789"
_FORWARD: Final = frozenset({SymbolKind.LABEL})
_NO_LABELS: Final[Mapping[str, Symbol]] = {}
_start: Final = attrgetter("start")


def sizes_of(symbol: Symbol) -> Iterator[WrittenSizes]:
    """Yields the sizes of an array as written, and the text after them in its declaration.

    Yields an item for each occurrence of the name, such as `b` in `.global .u64 a = b, b[2];`, and
    none if the text of the declaration is cut short.
    """
    text = symbol.text
    if not text.endswith(CUT):
        for start in offsets_of_name(text, symbol.name):
            yield sizes_after(text[start + len(symbol.name) :])


def n_values(symbol: Symbol) -> int | None:
    """Returns the number of initial values of an array, which are its size if it has no other.

    Returns None if there are none, or if they cannot be counted in the text of the declaration.
    """
    declared = None if symbol.text.endswith(CUT) else plain_declaration(symbol.text)
    for each in declared.declarators if declared is not None else ():
        if each.name == symbol.name:
            return n_items(each.value)
    return None


def is_again(symbol: Symbol, before: Symbol) -> bool:
    """Whether both symbols are functions."""
    return symbol.kind in FUNCTION_KINDS and before.kind in FUNCTION_KINDS
