"""Facts of one function: its scopes and symbols, and the module's declarations after it.

Positions are (line, column) with lines relative to the function, so an edit elsewhere in the
document leaves them true.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.document.facts import Node
from ptx_ls.semantics.symbols.declared_names import DeclaredNames
from ptx_ls.semantics.symbols.symbols import Facts, Scope, Symbol, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.document.coordinates import FunctionPosition


class DirectiveStatement(NamedTuple):
    """A directive statement: `.version 8.5`, `.pragma "nounroll";`. Lines count in the function."""

    name: str
    text: str
    start: FunctionPosition
    end: FunctionPosition


class RegionFacts(Node):
    """The declarations in a function, and the facts that follow from them alone.

    `function` is the function's head. `exports` are symbols of the module: the function itself,
    and what is outside of any body. `banks` gives the facts of every register whose canonical
    name (digits as one 0) is the key, for registers that fit that scheme; all others have to be
    looked up by name. `ranges` are the parameterised registers of `banks`. `redeclared`: names
    declared again, where one of the two declarations defines nothing. `doubtful`: names in what
    the module has of unknown directives and broken declarations, which may be what those were to
    declare, and what it may declare after a brace that is never closed. `too_deep`: the first `{`
    of a block inside `MAX_BLOCKS` others; such blocks have no scope of their own. `unnamed`: the
    texts of declarations without a name, such as `.global .b32;`, by where they begin.
    """

    __slots__ = (
        "__weakref__",
        "_blocks",
        "_declared",
        "_named",
        "banks",
        "directives",
        "doubtful",
        "duplicates",
        "events",
        "exports",
        "function",
        "has_section",
        "module_scope",
        "ranges",
        "redeclared",
        "scope",
        "scopes",
        "symbols",
        "too_deep",
        "unnamed",
    )

    def __init__(self) -> None:
        super().__init__()
        self.function: Symbol | None = None
        self.scope = Scope(FUNCTION_START)
        self.module_scope = Scope(FUNCTION_START)
        self.directives: list[DirectiveStatement] = []
        self.duplicates: list[tuple[Symbol, Symbol]] = []
        self.redeclared: list[tuple[Symbol, Symbol]] = []
        self.symbols: list[Symbol] = []
        self.banks: dict[str, Facts] = {}
        self.ranges: tuple[tuple[str, int], ...] = ()
        self.events: list[FunctionPosition] = []
        self.scopes: list[Scope] = []
        self.exports: tuple[Symbol, ...] = ()
        self.has_section = False
        self.too_deep: FunctionPosition | None = None
        self.doubtful: set[str] = set()
        self.unnamed: dict[FunctionPosition, str] = {}
        self._named: DeclaredNames | None = None
        self._declared: tuple[Symbol, ...] | None = None
        self._blocks: dict[Scope, list[Scope]] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RegionFacts) and self._said() == other._said()

    __hash__ = None  # type: ignore[assignment]  # it is filled step by step

    def _said(self) -> tuple[object, ...]:
        """Everything that the lines declare; scopes follow from the symbols and their places."""
        bounds = [(scope.start, scope.end) for scope in self.scopes]
        said = self.symbols, self.directives, self.events, bounds, self.banks, self.ranges
        marks = self.doubtful, self.has_section, self.too_deep, self.function
        return *said, *marks, self.duplicates, self.redeclared, self.exports, self.unnamed

    @property
    def declared(self) -> Sequence[Symbol]:
        """The symbols without labels, of which a long function has many; of complete facts."""
        if self._declared is None:
            labels = SymbolKind.LABEL
            self._declared = tuple([each for each in self.symbols if each.kind is not labels])
        return self._declared

    @property
    def named(self) -> DeclaredNames:
        """The symbols by their names; for facts that are complete."""
        if self._named is None:
            self._named = DeclaredNames(self.symbols)
        return self._named

    def blocks_in(self, scope: Scope) -> Sequence[Scope]:
        """The direct inner scopes of a scope, in order; only for complete facts."""
        if self._blocks is None:
            self._blocks = {}
            for inner in dict.fromkeys(self.scopes):
                if inner.parent is not None:
                    self._blocks.setdefault(inner.parent, []).append(inner)
        return self._blocks.get(scope, ())

    @property
    def has_blocks(self) -> bool:
        """Whether the function has scopes inside the function's own."""
        return any(scope is not self.scope for scope in self.scopes[:-1])

    def lookup(self, name: str, position: FunctionPosition) -> Symbol | None:
        """The symbol that a name means at a position of the function, declared before it."""
        scope = self.scope_at(position)
        return scope.lookup(name, position)

    def scope_at(self, position: FunctionPosition) -> Scope:
        """The innermost scope around a position; outside of bodies, that of the module."""
        index = bisect_right(self.events, position) - 1
        return self.scopes[index] if index >= 0 else self.module_scope
