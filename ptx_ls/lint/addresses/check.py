"""Checks the accesses of a function to memory: their bounds, alignment and state spaces.

Several rules word what is found, so it is kept until the next function is checked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.named import named_mistakes
from ptx_ls.lint.addresses.pointer_parameters import come_from_outside
from ptx_ls.lint.addresses.sources import has_sources
from ptx_ls.semantics.instructions.memory_operands import ACCESSING, memory_operands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.function_values import FunctionValues

_MAX_JUDGED: Final = 500
"""Maximum number of lines with accesses that are all judged by the values of their registers."""
_MAX_JUDGED_OF_COMPILER: Final = 64
"""The same in a module that a compiler wrote."""
_MAX_NAMES: Final = 48
"""Number of names in a module of a compiler up to which all accesses of short functions are judged.

A larger module has many functions, and that would take too long for all of them.
"""
_CONVERTING: Final = ("cvta", "mapa")
_ASKING: Final = ("isspacep",)
"""Opcodes that ask at run time which state space an address is in."""
_CALLING: Final = ("call",)
_SHARED: Final = ".shared"


class _Checked:
    """The input of a check, compared by identity."""

    __slots__ = ("seen",)

    def __init__(self, seen: CheckInput) -> None:
        self.seen = seen

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Checked) and all(
            one is another for one, another in zip(self._parts(), other._parts(), strict=True)
        )

    def __hash__(self) -> int:
        return id(self.seen.function)

    def _parts(self) -> tuple[object, ...]:
        seen = self.seen
        return seen.function, seen.module, seen.text, seen.is_generated, seen.calls


def mistaken_accesses(seen: CheckInput) -> tuple[Mismatch, ...]:
    """Returns the mistakes in the accesses of a function to memory."""
    return _mistakes(_Checked(seen))


@lru_cache(maxsize=2)
def _mistakes(checked: _Checked) -> tuple[Mismatch, ...]:
    seen = checked.seen
    return (*named_mistakes(seen), *_computed(seen))


def _computed(seen: CheckInput) -> Iterator[Mismatch]:
    """Yields the mistakes in accesses and conversions whose addresses are in registers."""
    if seen.facts.function is None or any(read.problems for read in seen.text.distinct):
        return  # what cannot be read may write registers
    shapes = _using_registers(seen)
    rows = seen.text.lines_of(seen.text.with_shapes(shapes))
    judges_all = _judges_all(seen, len(rows))
    is_known = bool(rows) and (judges_all or has_sources(seen))
    if not is_known and not (seen.calls and seen.text.shapes_of(_CALLING)):
        return
    from ptx_ls.flow.function_flow import function_flow  # noqa: PLC0415  not for most functions

    flow = function_flow(seen.function, seen.module.never_returning)
    pointers: set[int] | None = None
    if not is_known:
        rows = []
    elif not judges_all:
        from ptx_ls.lint.addresses.derived import derived_rows  # noqa: PLC0415  as above

        rows, pointers = derived_rows(seen, flow)
    yield from _judged(seen, flow, rows, pointers)


def _judges_all(seen: CheckInput, n_rows: int) -> bool:
    """Whether to judge all accesses of a function, not only those through known pointers."""
    if not seen.is_generated:
        return n_rows <= _MAX_JUDGED
    return n_rows <= _MAX_JUDGED_OF_COMPILER and len(seen.module.names) <= _MAX_NAMES


def _using_registers(seen: CheckInput) -> set[Shape]:
    """Returns the shapes of the accesses and conversions that may have addresses in registers."""
    accessing = {shape for shape in seen.text.shapes_of(ACCESSING) if memory_operands(shape)}
    return accessing | seen.text.shapes_of(_CONVERTING)


def _judged(
    seen: CheckInput,
    flow: FunctionFlow,
    rows: list[int],
    pointers: set[int] | None,
) -> Iterator[Mismatch]:
    """Yields the mistakes in the accesses and conversions in some lines, and in arguments."""
    if seen.text.has_opcodes(_CALLING):
        yield from _wrong_arguments(seen)
    if not rows:
        return
    from ptx_ls.lint.addresses.suspects import suspicious_accesses  # noqa: PLC0415  as above

    found = [*suspicious_accesses(seen, flow, rows, pointers)]
    if found:
        yield from _judged_by_values(seen, flow, found)


def _wrong_arguments(seen: CheckInput) -> Iterator[Mismatch]:
    """Yields the mistakes in accesses of called functions through their arguments."""
    from ptx_ls.lint.calls.arguments import (  # noqa: PLC0415  as above
        passes_addresses,
        wrong_arguments,
    )

    if passes_addresses(seen):
        from ptx_ls.values.function_values import function_values  # noqa: PLC0415  as above

        yield from wrong_arguments(seen, function_values(seen.function, seen.module))


def _judged_by_values(
    seen: CheckInput, flow: FunctionFlow, chosen: Iterable[Found]
) -> Iterator[Mismatch]:
    from ptx_ls.lint.addresses.access import accesses_in  # noqa: PLC0415
    from ptx_ls.lint.addresses.computed import problems_at  # noqa: PLC0415
    from ptx_ls.lint.addresses.conversions import wrong_conversion  # noqa: PLC0415
    from ptx_ls.lint.addresses.problems import WrongAddressSpace  # noqa: PLC0415
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  as above

    values = function_values(seen.function, seen.module)
    asks, from_outside = seen.text.has_opcodes(_ASKING), come_from_outside(seen)
    for found in chosen:
        wrong = None if asks else wrong_conversion(found, values)
        problems: list[Mismatch] = [] if wrong is None else [wrong]
        for access in accesses_in(found):
            if _is_in_register(access, flow):
                problems += problems_at(access, values, from_outside=from_outside)
        if asks:
            problems = [each for each in problems if not isinstance(each, WrongAddressSpace)]
        if problems and _may_run(seen, found):
            known = (_with_evidence(each, seen, values) for each in problems)
            yield from (each for each in known if each is not None)


def _with_evidence(problem: Mismatch, seen: CheckInput, values: FunctionValues) -> Mismatch | None:
    """Returns a mistake as it is known when all accesses of the function are considered.

    Programs also pass offsets in shared memory as 64-bit numbers, if they have such memory, and
    some use only numbers as addresses there.
    """
    from ptx_ls.lint.addresses.evidence import (  # noqa: PLC0415  as above
        is_global_pointer,
        names_shared_variables,
    )
    from ptx_ls.lint.addresses.problems import (  # noqa: PLC0415  as above
        InvalidAddress,
        WrongAddressSpace,
    )

    if isinstance(problem, InvalidAddress) and problem.space.startswith(_SHARED):
        return problem if names_shared_variables(seen, values) else None
    if not isinstance(problem, WrongAddressSpace) or not problem.is_from_outside:
        return problem
    is_sure = is_global_pointer(problem.symbol, seen, values)
    return problem._replace(is_from_outside=not is_sure)


def _may_run(seen: CheckInput, found: Found) -> bool:
    from ptx_ls.lint.addresses.reached import may_run  # noqa: PLC0415  for few functions

    return may_run(seen, found)


def _is_in_register(access: Access, flow: FunctionFlow) -> bool:
    name = access.address.text.partition("+")[0].strip()
    return flow.registers.code(name) >= 0
