"""Facts of one function: its scopes and symbols, and the module's declarations after its body.

Lines are relative to the start of the function, so the facts are valid after edits elsewhere.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import eq
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.document.node import Node
from ptx_ls.semantics.symbols.declared_names import DeclaredNames
from ptx_ls.semantics.symbols.plain_labels import LabelIndex
from ptx_ls.semantics.symbols.symbols import Facts, Scope, Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.plain_labels import LabelPlaces, LabelRun


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
    order; `scopes`: the scope from each on. `listed`: the symbols, except for plain labels of a
    long function: `labels` has the places of these, and `label_runs` the names in order.
    """

    __slots__ = (
        "__weakref__",
        "_blocks",
        "_declared",
        "_named",
        "_symbols",
        "banks",
        "directives",
        "doubtful",
        "duplicates",
        "events",
        "exports",
        "function",
        "has_section",
        "label_runs",
        "labels",
        "listed",
        "module_scope",
        "ranges",
        "redeclared",
        "scope",
        "scopes",
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
        self.listed: list[Symbol] = []
        self.labels: LabelPlaces | None = None
        self.label_runs: list[LabelRun] = []
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
        self._symbols: Sequence[Symbol] | None = None
        self._blocks: dict[Scope, list[Scope]] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RegionFacts) or self._said() != other._said():
            return False
        mine, theirs = ((it.listed, it.label_runs, it.labels) for it in (self, other))
        # The same labels may be in other chunks. A moved label moves the last one, too.
        return mine == theirs or all(map(eq, self._from_last(), other._from_last()))

    __hash__ = None  # type: ignore[assignment]  # it is filled step by step

    def _said(self) -> tuple[object, ...]:
        """Returns all that the lines declare except the symbols; the rest follows from it."""
        bounds = [(scope.start, scope.end) for scope in self.scopes]
        said = self.n_symbols, self.directives, self.events, bounds, self.banks, self.ranges
        marks = self.doubtful, self.has_section, self.too_deep, self.function
        return *said, *marks, self.duplicates, self.redeclared, self.exports, self.unnamed

    @property
    def n_symbols(self) -> int:
        """The number of symbols; only for complete facts."""
        return len(self.listed) + sum(len(run.names) for run in self.label_runs)

    @property
    def symbols(self) -> Sequence[Symbol]:
        """All symbols in the order of their declarations; only for complete facts."""
        if self._symbols is None:
            self._symbols = [*self._from_last()][::-1] if self.label_runs else self.listed
        return self._symbols

    def _from_last(self) -> Iterator[Symbol]:
        """Yields all symbols, the last one first."""
        stop = len(self.listed)
        for run in reversed(self.label_runs):
            yield from reversed(self.listed[run.n_before : stop])
            if self.labels is not None:
                yield from self.labels.from_last(run)
            stop = run.n_before
        yield from reversed(self.listed[:stop])

    def has_plain_label(self, names: AbstractSet[str]) -> bool:
        """Whether a label that is not in `listed` has one of these names."""
        return not all(names.isdisjoint(run.names) for run in self.label_runs)

    @property
    def declared(self) -> Sequence[Symbol]:
        """The symbols, except labels (a long function has many); only for complete facts."""
        if self._declared is None:
            labels = SymbolKind.LABEL
            self._declared = tuple([each for each in self.listed if each.kind is not labels])
        return self._declared

    @property
    def label_names(self) -> frozenset[str]:
        """The names of all labels; only for complete facts."""
        listed = [each.name for each in self.listed if each.kind is SymbolKind.LABEL]
        return frozenset(listed).union(*[run.names for run in self.label_runs])

    @property
    def named(self) -> DeclaredNames:
        """The symbols by name; only for complete facts."""
        if self._named is None:
            labels = None if self.labels is None else LabelIndex(self.label_runs, self.labels)
            self._named = DeclaredNames(self.listed, labels)
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

    def rows_of_block(self, symbol: Symbol) -> range | None:
        """Returns the rows of the block in braces that declares a symbol.

        None for a symbol of a whole body, or of another function or the module.
        """
        scope = self.scope_at(symbol.start)
        if scope.parent in (None, self.module_scope) or scope.end is None:
            return None
        if symbol not in (scope.names.get(symbol.name), scope.ranges.get(symbol.name)):
            return None
        return range(scope.start[0], scope.end[0] + 1)

    def scope_at(self, position: FunctionPosition) -> Scope:
        """Returns the innermost scope around a position; outside of bodies, the module's."""
        index = bisect_right(self.events, position) - 1
        return self.scopes[index] if index >= 0 else self.module_scope
