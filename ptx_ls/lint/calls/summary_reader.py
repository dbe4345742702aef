"""Reads what a device function does with its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.object_accesses import only_reads
from ptx_ls.flow.slices.statement_reads import uses_at
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.addresses.access import accesses_in
from ptx_ls.lint.calls.argument_values import ArgumentValues, bytes_at
from ptx_ls.lint.calls.call_summary import CallSummary, PassedPointer, PointerAccess, ReadBytes
from ptx_ls.lint.calls.function_body import read_body
from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.instructions.divisions import DIVISIONS, DIVISOR, divides_integers
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.semantics.instructions.memory_operands import ACCESSING, memory_operands
from ptx_ls.semantics.symbols.contexts import context_of
from ptx_ls.semantics.symbols.module import ModuleFacts, region_facts
from ptx_ls.semantics.symbols.references.mentions import statements_naming
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.understood import is_understood
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.calls import items_of
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.threads.happens_before.ordering import OPCODES as ORDERING
from ptx_ls.threads.happens_before.ordering import OrderingLevel, ordering_of
from ptx_ls.values.affine import GENERIC, TermKind, plain_space
from ptx_ls.values.function_values import FunctionValues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.values.affine import AffineForm

_MODULE: Final = ModuleFacts(context_of(()), {})
"""The facts of a module without names: a summary depends only on its function."""
_NOT_RETURNING: Final = ("exit", "trap")
_ASKING: Final = ("isspacep",)
_PARAMETER: Final = ".param"
_CALL: Final = "call"


def summary_of(function: Function) -> CallSummary | None:
    """Returns the summary of a device function; None if it cannot be read."""
    if not is_understood(function, region_text(function)):
        return None
    return _SummaryReader(function).summary()


def body_of(function: Function) -> CallSummary | None:
    """Returns a summary with only what rules about threads need; None if it cannot be read."""
    text = region_text(function)
    if not is_understood(function, text):
        return None
    placed = read_body(function, region_facts(function), is_called=True)
    callees = frozenset(call.name.text for _, call in call_sites(text))
    body = None if placed is None else placed.body
    return CallSummary(orders=_orders(text), callees=callees, body=body)


def _orders(text: RegionText) -> bool:
    """Whether an instruction other than a call may order accesses of different threads."""
    shapes = text.shapes_of([each for each in ORDERING if each != _CALL])
    return any(ordering_of(events_of(each)) is not OrderingLevel.NONE for each in shapes)


class _SummaryReader:
    """Reads the summary of one function."""

    def __init__(self, function: Function) -> None:
        self._flow: FunctionFlow = function_flow(function, frozenset())
        self._text, self._facts = self._flow.text, self._flow.facts
        self._values = FunctionValues(self._flow, _MODULE)
        placed = read_body(function, self._facts, is_called=True)
        self._body = placed.body if placed is not None else None
        own = self._facts.function
        self._numbers = (
            {each.name: number for number, each in enumerate(own.parameters)} if own else {}
        )

    def summary(self) -> CallSummary:
        """Returns the summary."""
        asks = self._text.has_opcodes(_ASKING)
        loads = [*self._parameter_loads()]
        leaves, graph = self._flow.graph.leaves, self._flow.graph
        reached = [leaves[block] for block in graph.reachable if block in leaves]
        return CallSummary(
            () if asks else tuple(dict.fromkeys(self._accesses())),
            () if asks else tuple(self._passed()),
            frozenset(number for number, found in loads if self._is_always_run(found)),
            tuple(self._read_bytes(loads)),
            frozenset(self._divisors()),
            frozenset(self._only_read(loads)),
            bool(graph.opened) or not reached or not {*reached} <= {*_NOT_RETURNING},
            _orders(self._text),
            frozenset(call.name.text for _, call in call_sites(self._text)),
            self._body,
        )

    def _is_always_run(self, found: Found) -> bool:
        """Whether a statement runs in each call that returns."""
        graph = self._flow.graph
        block = graph.number_at(found.start)
        if (
            block is None
            or block < 0
            or block not in graph.reachable
            or graph.control_dependence[block]
        ):
            return False
        return not found.text.lstrip().startswith("@") and not graph.opened

    def _accesses(self) -> Iterator[PointerAccess]:
        """Yields the accesses through parameters; those of each call have a size."""
        kinds: dict[int, set[str]] = {}
        always, sometimes = set[int](), set[int]()
        shapes = {each for each in self._text.shapes_of(ACCESSING) if memory_operands(each)}
        for found in self._text.statements_of(self._text.with_shapes(shapes)):
            for access in accesses_in(found):
                operand = access.operand
                form = self._values.address_form(found, operand.number)
                number = self._parameter(form)
                if form is None or number is None:
                    continue
                needed = _needed(form, operand.space)
                kinds.setdefault(number, set()).add(needed)
                if not self._is_always_run(found):
                    sometimes.add(number)
                    continue
                always.add(number)
                index = self._values.bounds(form.index, found)
                is_sized = operand.size > 0 and not operand.is_per_lane
                size = operand.size if is_sized else 0
                alignment = operand.alignment if not form.index.terms else 0
                low, high = index.signed_low, index.signed_high
                yield PointerAccess(number, needed, low, high, size, alignment)
        for number in sorted(sometimes - always):
            if len(kinds[number]) == 1:  # otherwise, another parameter may say which one it is
                (needed,) = kinds[number]
                yield PointerAccess(number, needed, low=0, high=0, size=0, alignment=0)

    def _divisors(self) -> Iterator[int]:
        """Yields the parameters by which the function divides integers in each call."""
        shapes = {each for each in self._text.shapes_of(DIVISIONS) if divides_integers(each)}
        for found in self._text.statements_of(self._text.with_shapes(shapes)):
            form = self._values.operand(found, DIVISOR).affine
            is_whole = form is not None and [times for _, times in form.terms] == [1]
            number = self._parameter(form) if is_whole else None
            is_offset = form is not None and bool(form.offset)
            if number is not None and not is_offset and self._is_always_run(found):
                yield number

    def _parameter(self, form: AffineForm | None) -> int | None:
        """Returns the number of the parameter that an address begins with."""
        base = None if form is None else form.base
        if base is None or base.kind is not TermKind.PARAMETER or base.offset:
            return None
        return self._numbers.get(base.name)

    def _passed(self) -> Iterator[PassedPointer]:
        """Yields the parameters that the function passes on in each call."""
        arguments = ArgumentValues(self._text, self._facts)
        for found, call in call_sites(self._text):
            if not self._is_always_run(found):
                continue
            for argument, item in enumerate(items_of(call.arguments)):
                value = arguments.value(found, item, self._values)
                form = None if value is None else value.form
                number = self._parameter(form)
                if form is not None and number is not None and len(form.terms) == 1:
                    yield PassedPointer(number, form.offset, call.name.text, argument)

    def _parameter_loads(self) -> Iterator[tuple[int, Found]]:
        """Yields the loads of parameters, each with the number of the parameter."""
        shapes = {each for each in self._text.shapes_of(("ld",)) if _PARAMETER in each.opcode}
        for found in self._text.statements_of(self._text.with_shapes(shapes)):
            name = found.text.partition("[")[2].partition("]")[0].partition("+")[0].strip()
            if name in self._numbers and found.record in shapes:
                yield self._numbers[name], found

    def _read_bytes(self, loads: list[tuple[int, Found]]) -> Iterator[ReadBytes]:
        """Yields the bytes of structures that loads bring into registers which are read."""
        flow, own = self._flow, self._facts.function
        for number, found in loads:
            is_structure = own is not None and bool(own.parameters[number].dimensions)
            span = bytes_at(found) if is_structure else None
            if span is None or not self._is_always_run(found):
                continue
            first, size = span
            loaded = written_operands(found.record, found.text)[0]
            names = [each.text for each in loaded.elements] or [loaded.text]
            writes = uses_in(flow, found, WRITES)
            for place, name in enumerate(names):
                if name in writes and flow.readers(writes[name]):
                    each = size // len(names)
                    yield ReadBytes(number, first + place * each, each)

    def _only_read(self, loads: list[tuple[int, Found]]) -> Iterator[int]:
        """Yields the parameters through which the function writes nothing."""
        flow = self._flow
        symbols = self._facts.function.parameters if self._facts.function else ()
        for number, symbol in enumerate(symbols):
            own = [found for one, found in loads if one == number]
            uses = [use for found in own for use in uses_at(flow, found)]
            writes = [use for use in uses if flow.uses.ways[use] & WRITES]
            is_loaded = {*statements_naming(self._text, symbol)} == {*own}
            if own and is_loaded and only_reads(flow, writes):
                yield number


def _needed(form: AffineForm, space: str) -> str:
    """Returns the kind of address that a parameter has to be for an access; "" if unknown."""
    windows = form.windows
    if not windows:
        return plain_space(space) or GENERIC
    if len(windows) > 1 or form.is_mapped:
        return ""
    ((own, times),) = windows.items()
    return {1: own, -1: GENERIC}.get(times, "")
