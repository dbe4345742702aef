"""The contexts (version, target, address size) that apply in a module.

The manual allows `.target` only in the header. ptxas also accepts it between the statements of a
body, and checks everything after it, to the end of the module, against that target.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.version import target_read_as
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import identifiers_in
from ptx_ls.syntax.tokens import FLOAT, NUMBER, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
    from ptx_ls.source import LineSpan

TARGET: Final = ".target"
_MAX_CONTEXTS: Final = 8
"""Maximum number of contexts of a function to check separately."""


def context_of(header: Iterable[DirectiveStatement]) -> isa.Context:
    """Returns the version, targets and address size that the directives of a header set."""
    version: tuple[int, int] | None = None
    targets: tuple[str, ...] = ()
    address_size = 32
    for directive in header:
        if directive.name == ".version":
            major, _, minor = _number_of(directive).partition(".")
            if major.isdecimal() and minor.isdecimal():
                version = _in_use((decimal(major), decimal(minor)))
        elif directive.name == TARGET:
            targets += _named(directive)
        elif directive.name == ".address_size":
            address_size = integer(_number_of(directive)) or address_size
    return isa.Context(version, _in_force(targets), address_size)


def changed_contexts(
    regions: Sequence[Iterable[DirectiveStatement]], context: isa.Context
) -> Iterator[tuple[int, isa.Context]]:
    """Yields the numbers of the functions that change the target, and the context after each.

    `regions` has the directives of each function; `context` is that of the header.
    """
    for number, directives in enumerate(regions[1:], 1):
        changes = [*_changes(directives, context)]
        if changes:
            context = changes[-1][1]
            yield number, context


def _number_of(directive: DirectiveStatement) -> str:
    """Returns the first number in a directive as written; "" if it has none."""
    tokens = tokenize(directive.text)
    return next((token.string for token in tokens if token.type in (FLOAT, NUMBER)), "")


class Contexts:
    """The contexts of a function, each with its start; `before` applies where it begins."""

    def __init__(self, facts: RegionFacts, before: isa.Context) -> None:
        self._changes = [((0, 0), before)]
        told_apart = {before}
        for place, context in _changes(facts.directives, before):
            if context not in told_apart and len(told_apart) == _MAX_CONTEXTS:
                context = context._replace(target=())  # noqa: PLW2901  anything may be available
            else:
                told_apart.add(context)
            self._changes.append((place, context))

    def __iter__(self) -> Iterator[isa.Context]:
        """Iterates over the distinct contexts."""
        return iter(dict.fromkeys(context for _, context in self._changes))

    def lines_of(self, context: isa.Context, n_lines: int) -> Iterator[LineSpan]:
        """Yields the lines of a function on which a context applies, as half-open ranges."""
        ends = [*(line + 1 for (line, _), _ in self._changes[1:]), n_lines]
        for ((line, _), each), stop in zip(self._changes, ends, strict=True):
            if each == context:
                yield line, stop

    def at(self, place: FunctionPosition) -> isa.Context:
        """Returns the context that applies at a place."""
        index = bisect_right(self._changes, place, key=itemgetter(0)) - 1
        return self._changes[max(index, 0)][1]


def _changes(
    directives: Iterable[DirectiveStatement], context: isa.Context
) -> Iterator[tuple[FunctionPosition, isa.Context]]:
    """Yields the end of each `.target` directive of a function, and the context from there on.

    Unknown names are dropped, so that a function has few contexts even if it has many of them.
    """
    known = isa.database().targets
    for directive in directives:
        if directive.name == TARGET:
            named = _named(directive)
            names = dict.fromkeys((*context.target, *(name for name in named if name in known)))
            is_known = all(name in known for name in named if isa.parse_target(name) is not None)
            context = context._replace(target=_in_force(tuple(names)) if is_known else ())
            yield directive.end, context


def _named(directive: DirectiveStatement) -> tuple[str, ...]:
    """Returns the names in a `.target`, as ptxas reads them: `sm_90` for `compute_90x`."""
    return tuple([_read_as(name) for name in identifiers_in(directive.text)])


def _read_as(name: str) -> str:
    known = target_read_as(name)
    return known if known is not None and known in isa.database().targets else name


def _in_use(version: tuple[int, int]) -> tuple[int, int] | None:
    """Returns the version that ptxas assumes for the one that a module states; None if unknown."""
    versions = isa.database().versions
    version = isa.database().version_in_force(version)
    return version if version in versions or version > max(versions) else None


def _in_force(names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the last architecture in `names`, which is the one that applies, and all options.

    Returns () if that architecture is unknown, because its features are unknown as well.
    """
    architectures = [name for name in names if isa.parse_target(name) is not None]
    if not architectures:
        return names
    if architectures[-1] not in isa.database().targets and not _is_newer(architectures[-1]):
        return ()
    return architectures[-1], *(name for name in names if isa.parse_target(name) is None)


def _is_newer(architecture: str) -> bool:
    """Whether a target is newer than all targets in the database."""
    known = (isa.parse_target(name) for name in isa.database().targets)
    newest = max(target for target in known if target is not None)
    return (isa.parse_target(architecture) or newest) > newest
