"""Checks arguments and return values of calls against the function, prototype or target list.

Source: PTX ISA, "call" and "Function Declarations and Definitions".
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.calls.arguments import Misfit, misfit, misfit_of_literal
from ptx_ls.semantics.calls.call_sites import call_sites, position
from ptx_ls.semantics.calls.signatures import FunctionSignature, is_table, signatures
from ptx_ls.semantics.directives.ignored_directives import without_abi
from ptx_ls.semantics.problems.calls import BadCall, CallFault
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax.names import is_name, names_in
from ptx_ls.syntax.written.calls import items_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.written.calls import CallPart, CallSyntax

_WARP: Final = "WARP_SZ"
_SINK: Final = "_"
_PREDICATE: Final = ".pred"
_ADDRESSES: Final = frozenset({".u8", ".u32", ".u64"})
_MEMORY: Final = frozenset({".global", ".const", ""})
"""State spaces of tables of functions, and "" for functions, prototypes and lists."""
_COUNTS: Final = (CallFault.RESULTS, CallFault.ARGUMENTS, CallFault.AT_LEAST)


class CallCheck:
    """Checks the calls of one function."""

    def __init__(
        self, text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
    ) -> None:
        self.text, self.facts, self.module, self.region = text, facts, module, region

    def check(self) -> Iterator[BadCall]:
        """Yields the faults of arguments and return values; of wrong numbers, only the first."""
        for found, call in call_sites(self.text):
            yield from self._check_call(found, call)

    def _check_call(self, found: Found, call: CallSyntax) -> Iterator[BadCall]:
        faults: dict[FunctionSpan, BadCall] = {}
        known = self._called(call, found)
        if known is None:
            return
        if known.kind is SymbolKind.VARIABLE and not is_table(known, self.module):
            table = call.targets or call.name
            place = position(found, table.start), position(found, table.end)
            yield BadCall(known, CallFault.TABLE, *place, argument=known.name)
            return
        for signature in signatures(known, self.facts, self.module, self.region):
            for fault in self._check_lists(found, call, signature):
                faults.setdefault((fault.start, fault.end), fault)
        begin = call.name.start if call.results is None else call.results.start - 1
        operands = position(found, begin)
        counts = [fault for fault in faults.values() if fault.fault in _COUNTS]
        wrong = [min(counts, key=attrgetter("start"))] if counts else faults.values()
        yield from (fault._replace(operands=operands) for fault in wrong)

    def _called(self, call: CallSyntax, found: Found) -> Symbol | None:
        """Returns the symbol that gives the signature of a call; None unless one is valid."""
        name = (call.targets or call.name).text
        known = self._lookup(name, found.start)
        if known is None or (call.targets is None) != (known.kind is SymbolKind.FUNCTION):
            return None
        is_other_type = known.kind is SymbolKind.VARIABLE and known.type not in _ADDRESSES
        return None if is_other_type or known.space not in _MEMORY else known

    def _lookup(self, name: str, place: FunctionPosition) -> Symbol | None:
        symbol = self.facts.lookup(name, place)
        return symbol or self.module.lookup(name, self.region, place)

    def _check_lists(
        self, found: Found, call: CallSyntax, signature: FunctionSignature
    ) -> Iterator[BadCall]:
        for many, parts, wanted in (
            (CallFault.RESULTS, call.results, signature.returns),
            (CallFault.ARGUMENTS, call.arguments, signature.parameters),
        ):
            given = list(items_of(parts))
            miscount = _miscount(many, len(given), wanted, is_listed=parts is not None)
            if miscount is not None:
                fault, number = miscount
                begin, end = _miscounted(call, parts, given[number:])
                place = position(found, begin), position(found, end)
                yield BadCall(signature.symbol, fault, *place, len(given), number)
                continue
            for (argument, begin, end), formal in zip(given, wanted, strict=False):
                wrong = self._misfit(argument, formal, found, is_result=many is CallFault.RESULTS)
                if wrong is None and formal.type == _PREDICATE and self._has_abi():
                    wrong = Misfit(CallFault.PREDICATE)
                if wrong is not None:
                    yield BadCall(
                        formal,
                        wrong.fault,
                        position(found, begin),
                        position(found, end),
                        wrong.found,
                        wrong.wanted,
                        argument,
                        wrong.found_type,
                        wrong.wanted_type,
                        signature.is_near,
                    )

    def _has_abi(self) -> bool:
        """Whether ptxas uses the ABI; some declarations disable it."""
        return not any(without_abi(one, self.module.context) for one in self.module.unusual)

    def _misfit(self, text: str, formal: Symbol, found: Found, *, is_result: bool) -> Misfit | None:
        if text == _SINK:
            return None if is_result else Misfit(CallFault.IGNORED)
        if _is_literal(text):
            return misfit_of_literal(text, formal)
        if not is_name(text):
            return None
        symbol = self._lookup(text, found.start)
        if symbol is not None:
            return misfit(symbol, formal)
        if find_special_register(isa.database().special_registers, text) is None:
            return None
        return Misfit(CallFault.OPERAND, found_type="a special register")


def _miscounted(
    call: CallSyntax, parts: CallPart | None, surplus: Sequence[CallPart]
) -> tuple[int, int]:
    """Returns the offsets to report: extra arguments, else the list, else the function name."""
    if surplus:
        return surplus[0].start, surplus[-1].end
    if parts is None:
        return call.name.start, call.name.end
    return parts.start - 1, parts.end + 1


def _miscount(
    fault: CallFault, found: int, wanted: Sequence[Symbol], *, is_listed: bool
) -> tuple[CallFault, int] | None:
    """Returns the fault and the expected number, if a list is too long or too short.

    If the last parameter is an array without a size, a call may omit the argument for it.
    """
    is_open = bool(wanted) and bool(wanted[-1].dimensions) and not wanted[-1].dimensions[0]
    if found == len(wanted) or (is_open and is_listed and found == len(wanted) - 1):
        return None
    if is_open and is_listed and found < len(wanted):
        return CallFault.AT_LEAST, len(wanted) - 1
    return fault, len(wanted)


def _is_literal(text: str) -> bool:
    """Whether an argument begins with a number, after signs and parentheses."""
    operand = text.lstrip("-+~!( \t\r\n")
    return operand.lstrip(".")[:1].isdecimal() or names_in(operand)[:1] == [_WARP]
