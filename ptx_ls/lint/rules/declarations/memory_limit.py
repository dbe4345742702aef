"""The rule memory-limit.

Source: PTX ISA, "State Spaces", and the limits that ptxas 13.5 checks when it generates code, but
not when it only reads a module.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.declarations.module_memory import size_of
from ptx_ls.semantics.declarations.shared_calls import SharedThrough
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.declarations.module_memory import SpaceUse
    from ptx_ls.semantics.symbols.region_text import RegionText

_CONSTANT_BYTES: Final = 64 * 1024
_SHARED_BYTES: Final = 48 * 1024
"""The lowest limit to check: modules for targets with less can be compiled for newer targets."""


class TooMuchMemory(NamedTuple):
    """A variable that raises its state space to `needed` bytes, which are more than `limit`.

    For a variable of the module, the place is the kernel that uses it. If the functions that a
    kernel calls need too much, the symbol is the kernel.
    """

    symbol: Symbol
    needed: int
    limit: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[TooMuchMemory]:
    """Yields the first variable in .shared that does not fit, and the first one in .const."""
    function = seen.facts.function
    if function is not None and function.kind is SymbolKind.KERNEL:
        yield from _check_kernel(function, seen)
    constants = [symbol for symbol in seen.facts.exports if symbol.space == ".const"]
    if constants:
        before = seen.module.constants.before(seen.number)
        yield from _exceeding(constants, before, _CONSTANT_BYTES)


def _check_kernel(kernel: Symbol, seen: CheckInput) -> Iterator[TooMuchMemory]:
    """Yields the first variable in .shared that does not fit, of the kernel or else of the module.

    Yields the kernel itself if only the variables of the functions that it calls do not fit.
    """
    facts, module = seen.facts, seen.module
    limit = _shared_limit(module.context)
    exported = set(map(id, facts.exports))
    own = [each for each in facts.declared if each.space == ".shared" and id(each) not in exported]
    needed = sum(map(size_of, own))
    if needed > limit:
        yield from _exceeding(own, 0, limit)
        return
    through = module.graph.shared.get(kernel.name, SharedThrough())
    if needed + through.size + module.shared.total <= limit:  # all variables fit
        return
    hidden = {each.name for each in facts.symbols if id(each) not in exported}
    used = _named_in(seen.text, module.shared, hidden)
    start, end = kernel.start, kernel.end
    for found in _exceeding(used, needed, limit):
        yield found._replace(start=start, end=end)
        return
    names = through.names - {each.name for each in used}
    others = [module.shared.by_name[name][1] for name in names]
    needed += through.size + sum(map(size_of, [*used, *others]))
    if needed > limit:
        yield TooMuchMemory(kernel, needed, limit, start, end)


def _named_in(text: RegionText, shared: SpaceUse, hidden: AbstractSet[str]) -> list[Symbol]:
    """Returns the variables that a function names; ptxas allocates only these."""
    words = frozenset(names_in(without_comments("\n".join(text.lines))))
    named = [shared.by_name[word] for word in words - hidden if word in shared.by_name]
    return [symbol for _, symbol in sorted(named, key=itemgetter(0))]


def _shared_limit(context: Context) -> int:
    targets = isa.database().targets
    for name in context.target:
        known = targets.get(name.replace("compute_", "sm_"))
        if known is not None and known.limits is not None:
            return max(_SHARED_BYTES, known.limits.static_shared)
    return _SHARED_BYTES


def _exceeding(symbols: Iterable[Symbol], needed: int, limit: int) -> Iterator[TooMuchMemory]:
    """Yields the first symbol that does not fit after `needed` bytes, if these fit themselves."""
    if needed > limit:
        return
    for symbol in symbols:
        needed += size_of(symbol)
        if needed > limit:
            yield TooMuchMemory(symbol, needed, limit, symbol.start, symbol.end)
            return


@rule("memory-limit", on=TooMuchMemory, severity=Severity.WARNING, find=find)
def memory_limit(mismatch: TooMuchMemory, _: RuleContext) -> Finding:
    """Reports `.shared` or `.const` variables that need more memory than the target allows.

    ## Why is this bad?
    ptxas parses the module, but does not generate code. On most targets, the `.shared` variables of
    known size in a kernel, and in the functions that it calls, may take at most 48 KiB. The launch
    can allocate more memory for an unsized `.extern` array. The `.const` variables of a module may
    take at most 64 KiB.

    ## Example
    ```ptx
    .const .b8 table[100000];
    ```

    Use instead:
    ```ptx
    .global .b8 table[100000];
    ```
    """
    name, space = mismatch.symbol.name, mismatch.symbol.space
    needed, limit = mismatch.needed, mismatch.limit
    if mismatch.symbol.kind is SymbolKind.KERNEL:
        return Finding(
            f"`{name}` and the functions that it calls need {needed:,} bytes in `.shared`, "
            f"expected at most {limit:,}"
        )
    return Finding(
        f"with `{name}`, the variables in `{space}` take {needed:,} bytes, "
        f"expected at most {limit:,}"
    )
