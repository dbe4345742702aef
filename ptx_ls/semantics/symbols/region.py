"""Facts of one function: its scopes and symbols, and the module's declarations after its body.

Lines are relative to the start of the function, so the facts are valid after edits elsewhere.
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
    """A directive statement, such as `.version 8.5` or `.pragma "nounroll";`."""

    name: str
    text: str
    start: FunctionPosition
    end: FunctionPosition


class RegionFacts(Node):
    """The declarations in a function, and the facts that follow from them alone.

    `function`: the symbol of the head. `exports`: the symbols at module scope, which are the
    function itself and declarations outside of its body. `banks`: the facts of plain registers by
    canonical name (`%r0` for `%r17`); all other registers have to be looked up by name. `ranges`:
    the name and size of each parameterised register of `banks`. `duplicates`: pairs of a symbol and
    an earlier definition; `redeclared`: pairs where one of the two is not a definition. `doubtful`:
    names that unknown directives, broken declarations at module scope, or statements after an
    unclosed brace may declare. `too_deep`: the first `{` of a block inside `MAX_BLOCKS` others;
    deeper blocks have no scope of their own. `unnamed`: the texts of declarations without a name,
    such as `.global .b32;`, by their places. `events`: the places where the scope changes, in
    order; `scopes`: the scope from each on.
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
        """Returns everything that the lines declare, for comparison; the rest follows from it."""
        bounds = [(scope.start, scope.end) for scope in self.scopes]
        said = self.symbols, self.directives, self.events, bounds, self.banks, self.ranges
        marks = self.doubtful, self.has_section, self.too_deep, self.function
        return *said, *marks, self.duplicates, self.redeclared, self.exports, self.unnamed

    @property
    def declared(self) -> Sequence[Symbol]:
        """The symbols, except labels (a long function has many); only for complete facts."""
        if self._declared is None:
            labels = SymbolKind.LABEL
            self._declared = tuple([each for each in self.symbols if each.kind is not labels])
        return self._declared

    @property
    def named(self) -> DeclaredNames:
        """The symbols by name; only for complete facts."""
        if self._named is None:
            self._named = DeclaredNames(self.symbols)
        return self._named

    def blocks_in(self, scope: Scope) -> Sequence[Scope]:
        """Returns the scopes directly inside another one, in order; only for complete facts."""
        if self._blocks is None:
            self._blocks = {}
            for inner in dict.fromkeys(self.scopes):
                if inner.parent is not None:
                    self._blocks.setdefault(inner.parent, []).append(inner)
        return self._blocks.get(scope, ())

    @property
    def has_blocks(self) -> bool:
        """Whether the body of the function has blocks in braces."""
        return any(scope is not self.scope for scope in self.scopes[:-1])

    def lookup(self, name: str, position: FunctionPosition) -> Symbol | None:
        """Returns the symbol that a name means at a position, if it is declared before it."""
        scope = self.scope_at(position)
        return scope.lookup(name, position)

    def scope_at(self, position: FunctionPosition) -> Scope:
        """Returns the innermost scope around a position; outside of bodies, the module's."""
        index = bisect_right(self.events, position) - 1
        return self.scopes[index] if index >= 0 else self.module_scope
