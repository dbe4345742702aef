"""Checks the addresses that are passed to functions, by what these do with them.

The functions of the system take generic addresses. Source: CUDA documentation, "System Calls" of
the PTX interoperability guide.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.slices.statement_reads import uses_at
from ptx_ls.lint.addresses.problems import MisalignedAccess, OutOfBounds, WrongAddressSpace
from ptx_ls.lint.addresses.sources import naming_shapes
from ptx_ls.lint.addresses.spaces import kind_of, mistaken
from ptx_ls.lint.calls.argument_values import ArgumentValues, bytes_at
from ptx_ls.lint.calls.call_summary import NO_SUMMARY
from ptx_ls.semantics.calls.call_sites import call_sites, position
from ptx_ls.semantics.declarations.storage import alignment_of, most_bytes_of
from ptx_ls.semantics.demangle import pointer_parameters
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.semantics.symbols.references.mentions import statements_naming
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.syntax.written.calls import items_of
from ptx_ls.syntax.written.names import names_of
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.affine import GENERIC, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.calls.argument_values import PassedValue
    from ptx_ls.lint.calls.call_summary import PointerAccess, ReadBytes
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.written.calls import CallPart
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

SYSTEM_CALLS: Final = frozenset({"vprintf", "free", "__assertfail"})
"""Functions of the system with parameters that are generic addresses."""
_STORED: Final = 1
_GENERIC_WIDTH: Final = 64


def passes_addresses(seen: CheckInput) -> bool:
    """Whether a function may call a function with parameters that are known to be addresses."""
    if not seen.text.has_opcodes(("call",)):
        return False
    names = seen.module.names
    if any(name in names for name in SYSTEM_CALLS):
        return True
    callees = interface(seen.function).calls.callees
    known = (seen.calls.get(each) for each in callees)
    if any(each.accesses for each in known if each is not None):
        return True
    return bool(naming_shapes(seen)) and any(_is_elsewhere(seen, each) for each in callees)


def _is_elsewhere(seen: CheckInput, name: str) -> bool:
    """Whether a function is declared but has no body in this module."""
    symbol = seen.module.lookup(name)
    return symbol is not None and symbol.is_function and not symbol.is_definition


def wrong_arguments(seen: CheckInput, values: FunctionValues) -> Iterator[Mismatch]:
    """Yields arguments that are not the addresses that the called functions take."""
    if any(name in seen.module.names for name in SYSTEM_CALLS):
        yield from _wrong_for_system(seen, values)
    arguments = ArgumentValues(seen.text, seen.facts)
    yield from _wrong_for_others(seen, arguments, values)
    for found, call in call_sites(seen.text) if seen.calls else ():
        accesses = seen.calls.get(call.name.text, NO_SUMMARY).accesses
        for number, item in enumerate(items_of(call.arguments)):
            own = [each for each in accesses if each.parameter == number]
            value = arguments.value(found, item, values) if own else None
            if value is not None and value.form is not None:
                name = call.name.text
                wrong = (_wrong(value, value.form, each, values, name) for each in own)
                yield from islice((each for each in wrong if each is not None), 1)


def _wrong(
    value: PassedValue,
    form: AffineForm,
    access: PointerAccess,
    values: FunctionValues,
    callee: str,
) -> Mismatch | None:
    """Returns what is wrong with an address, for an access that a called function makes to it."""
    kind, symbol = kind_of(form), form.base.symbol if form.base is not None else None
    if access.needed and mistaken(kind, access.needed):
        return WrongAddressSpace(
            value.text, kind.view, access.needed, kind.space, kind.symbol, *value.span, callee
        )
    if form.base is None or form.base.kind is not TermKind.SYMBOL or symbol is None:
        return None
    index, n_bytes = values.bounds(form.index, value.found), most_bytes_of(symbol)
    low, high = index.signed_low + access.low, index.signed_high + access.high
    if index.is_impossible or n_bytes is None:
        return None
    if access.size and (high < 0 or low > n_bytes - access.size):
        return OutOfBounds(symbol, n_bytes, low, high, access.size, *value.span, callee=callee)
    outside = _reached_outside(value, form, access, values, n_bytes)
    if outside is not None:
        at = outside, outside, access.size, *value.span
        return OutOfBounds(symbol, n_bytes, *at, callee=callee, is_sometimes=True)
    known = min(alignment_of(symbol), max(access.alignment, 1))
    if low == high and low % known:
        return MisalignedAccess(
            symbol,
            value.text,
            access.alignment,
            alignment_of(symbol),
            low % known,
            *value.span,
            callee=callee,
        )
    return None


def _reached_outside(
    value: PassedValue,
    form: AffineForm,
    access: PointerAccess,
    values: FunctionValues,
    n_bytes: int,
) -> int | None:
    """Returns an offset outside of a variable at which some thread or iteration accesses it."""
    if not access.size or access.low != access.high:
        return None
    for number in values.attained(form.index, value.found, in_full_blocks=True):
        offset = None if number is None else number + access.low
        if offset is not None and not 0 <= offset <= n_bytes - access.size:
            return offset
    return None


def _wrong_for_others(
    seen: CheckInput, arguments: ArgumentValues, values: FunctionValues
) -> Iterator[WrongAddressSpace]:
    """Yields addresses in a small state space for functions of other modules.

    A name from C++ says which parameters are pointers. For other names, all that is known is that
    compilers pass generic addresses.
    """
    if not naming_shapes(seen):
        return
    for found, call in call_sites(seen.text):
        name = call.name.text
        if name in SYSTEM_CALLS or not _is_elsewhere(seen, name):
            continue
        items = [*items_of(call.arguments)]
        for number, item in enumerate(items):
            value = arguments.value(found, item, values)
            if value is None or value.form is None or value.form.width != _GENERIC_WIDTH:
                continue
            kind = kind_of(value.form)
            if not mistaken(kind, GENERIC) or kind.symbol is None:
                continue
            is_pointer = _is_pointer(name, number - len(items))
            if is_pointer is not False:
                yield WrongAddressSpace(
                    value.text,
                    kind.view,
                    GENERIC,
                    kind.space,
                    kind.symbol,
                    *value.span,
                    name,
                    is_assumed=is_pointer is None,
                )


def _is_pointer(name: str, number: int) -> bool | None:
    """Returns whether a parameter, counted from the end, is a pointer; None if unknown."""
    known = pointer_parameters(name)
    if known is None:
        return None
    return known[number] if -len(known) <= number else True  # the object of a member function


def _wrong_for_system(seen: CheckInput, values: FunctionValues) -> Iterator[WrongAddressSpace]:
    """Yields arguments of the functions of the system that are addresses in a state space."""
    arguments, text = _arguments(seen), seen.text
    storing = {shape for shape in text.shapes_of(("st",)) if ".param" in shape.opcode}
    for found in text.statements_of(text.with_shapes(storing)) if arguments else ():
        if found.record not in storing or not isinstance(found.record, Shape):
            continue
        target, *sources = written_operands(found.record, found.text)
        if not sources or sources[0].form is not OperandForm.IDENTIFIER or not target.elements:
            continue
        name = target.elements[0].text.partition("+")[0].strip()
        if seen.facts.lookup(name, found.start) not in arguments:
            continue
        if _is_converted(values.flow, found):
            continue
        form = values.operand(found, _STORED).affine
        kind = kind_of(form) if form is not None else None
        if kind is not None and mistaken(kind, GENERIC):
            source = sources[0]
            start, end = shifted(source.start, found.start), shifted(source.end, found.start)
            yield WrongAddressSpace(
                source.text, kind.view, GENERIC, kind.space, kind.symbol, start, end
            )


def _is_converted(flow: FunctionFlow, store: Found) -> bool:
    """Whether `cvta` makes the address that a store passes, so that it is generic."""
    reads = [use for use in uses_at(flow, store) if flow.uses.ways[use] & (READS | GUARDS) == READS]
    writes = flow.definitions(reads[-1]).writes if reads else ()
    records = [record_of(flow, write) for write in writes]
    return bool(records) and all(
        isinstance(each, Shape) and each.name == "cvta" and ".to" not in each.opcode
        for each in records
    )


def _arguments(seen: CheckInput) -> set[Symbol]:
    """Returns the variables that are passed to these functions."""
    found: set[Symbol] = set()
    for call in seen.text.statements_of(seen.text.with_opcodes(("call",))):
        names = names_of(call.record, call.text) if isinstance(call.record, Shape) else []
        if not SYSTEM_CALLS.isdisjoint(names):
            symbols = (seen.facts.lookup(name, call.start) for name in names)
            found.update(each for each in symbols if each is not None)
    return found


def passed_to_readers(seen: CheckInput) -> frozenset[FunctionPosition]:
    """Returns the places of stores that only pass an address to a function that reads memory."""
    arguments = ArgumentValues(seen.text, seen.facts)
    found = set()
    for call, written in call_sites(seen.text) if seen.calls else ():
        only_reads = seen.calls.get(written.name.text, NO_SUMMARY).only_reads
        for number, item in enumerate(items_of(written.arguments)):
            store = arguments.store(call, item) if number in only_reads else None
            if store is not None:
                found.add(store.start)
    return frozenset(found)


def unset_arguments(seen: CheckInput) -> Iterator[tuple[Symbol, str, FunctionSpan]]:
    """Yields the arguments that a called function reads and nothing writes, with its name."""
    arguments = ArgumentValues(seen.text, seen.facts)
    for call, written in call_sites(seen.text) if seen.calls else ():
        reads = seen.calls.get(written.name.text, NO_SUMMARY).reads
        for number, item in enumerate(items_of(written.arguments)):
            symbol = arguments.variable(call, item) if number in reads else None
            if symbol is not None and _is_only_passed(symbol, seen, arguments):
                yield symbol, written.name.text, _span_of(call, item)


def unset_members(seen: CheckInput) -> Iterator[tuple[Symbol, str, FunctionSpan, ReadBytes]]:
    """Yields the arguments of which a called function reads bytes that nothing writes.

    Those of which something writes others; with the function's name and the first such bytes.
    """
    arguments = ArgumentValues(seen.text, seen.facts)
    for call, written in call_sites(seen.text) if seen.calls else ():
        read_bytes = seen.calls.get(written.name.text, NO_SUMMARY).read_bytes
        for number, item in enumerate(items_of(written.arguments)):
            own = [each for each in read_bytes if each.parameter == number]
            symbol = arguments.variable(call, item) if own else None
            stored = None if symbol is None else _stored_bytes(symbol, seen, arguments)
            if symbol is None or not stored:
                continue
            for each in own:
                if stored.isdisjoint(range(each.first, each.first + each.size)):
                    yield symbol, written.name.text, _span_of(call, item), each
                    break


def _stored_bytes(symbol: Symbol, seen: CheckInput, arguments: ArgumentValues) -> set[int]:
    """Returns the bytes of an argument that stores write; none if they are unknown."""
    if not symbol.dimensions or arguments.n_calls.get(symbol.start) != 1:
        return set()
    stores = arguments.stores.get(symbol.start, [])
    naming = statements_naming(seen.text, symbol, seen.facts.rows_of_block(symbol))
    own = [each for each in naming if seen.facts.lookup(symbol.name, each.start) == symbol]
    spans = [bytes_at(each) for each in stores]
    if len(own) != len(stores) + 1 or None in spans:  # the call is one, too
        return set()
    return {byte for span in spans if span for byte in range(span[0], span[0] + span[1])}


def _is_only_passed(symbol: Symbol, seen: CheckInput, arguments: ArgumentValues) -> bool:
    """Whether nothing but one call names a variable."""
    if arguments.n_calls.get(symbol.start) != 1:
        return False
    naming = [
        each
        for each in statements_naming(seen.text, symbol, seen.facts.rows_of_block(symbol))
        if seen.facts.lookup(symbol.name, each.start) == symbol
    ]
    return len(naming) == 1


def _span_of(call: Found, item: CallPart) -> FunctionSpan:
    return position(call, item.start), position(call, item.end)
