"""The rule read-only-load.

Source: PTX ISA, "ld.global.nc" and "ldu": the memory has to be read-only while the kernel runs.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.sources import PointerRoots
from ptx_ls.flow.slices.statement_reads import first_read, uses_at
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Related,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of, opcode_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import names_of
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_LOADS: Final = ("ld", "ldu")
_WRITES: Final = ("st", "atom", "red")
_OTHER_SPACES: Final = (".shared", ".local", ".param", ".const")
_OBJECTS: Final = (TermKind.PARAMETER, TermKind.SYMBOL)
_OF_THREADS: Final = (TermKind.SPECIAL, TermKind.COUNTER, TermKind.PRODUCT)
"""Terms that take many values in a launch, so that the addresses of threads overlap."""
_MAX_DEPTH: Final = 2
"""Number of narrower values that are followed, one to the next."""
_VECTORS: Final = {".v2": 2, ".v4": 4, ".v8": 8}
_MARK: Final = ".nc"
_MAX_ACCESSES: Final = 64
"""Number of loads of a function, and of instructions that write, which are compared."""


class ReadOnlyLoad(NamedTuple):
    """A load from memory that the same kernel writes.

    `name`: of the variable or the parameter. `written`: an instruction that writes it. `is_sure`:
    whether both surely access the same part of it.
    """

    name: str
    opcode: str
    start: FunctionPosition
    end: FunctionPosition
    written: FunctionSpan
    is_sure: bool


class _Place(NamedTuple):
    """An access to an object: the instruction, and where in the object it is.

    Attributes:
        found: the instruction.
        form: the place in the object.
        bounds: those of the form.
        n_bytes: the number of bytes from there.
        lengths: the parameters that the form contains.
        factors: the factors of products in it.
        counters: the heads of the loops whose counters it contains.
        around: the heads of the loops around the instruction.
    """

    found: Found
    form: AffineForm
    bounds: AbstractValue
    n_bytes: int
    lengths: frozenset[AffineTerm]
    factors: frozenset[AffineTerm]
    counters: frozenset[int]
    around: frozenset[int]


def find(seen: CheckInput) -> Iterator[ReadOnlyLoad]:
    """Yields the loads of read-only memory that the function writes."""
    loads = {each for each in seen.text.shapes_of(_LOADS) if _is_read_only(each)}
    writes = {each for each in seen.text.shapes_of(_WRITES) if _is_global(each)} if loads else set()
    if not loads or not writes:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    roots = _Roots(flow)
    read, changed = ([*roots.of(seen.text.with_shapes(each))] for each in (loads, writes))
    common = _names(read) & _names(changed)
    if not common:
        return
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    read_rows, changed_rows = (
        [row for row, names in each if not names.isdisjoint(common)][:_MAX_ACCESSES]
        for each in (read, changed)
    )
    written: dict[AffineTerm, list[_Place]] = {}
    for base, place in _places(values, writes, changed_rows):
        written.setdefault(base, []).append(place)
    for base, load in _places(values, loads, read_rows) if written else ():
        overlaps = [
            (is_sure, store.found)
            for store in written.get(base, ())
            if (is_sure := _is_same_part(load, store)) is not None
        ]
        if overlaps:
            is_sure, store = max(overlaps, key=lambda each: each[0])
            opcode = opcode_of(load.found.text)
            column = load.found.start[1] + load.found.text.index(opcode)
            start = FunctionPosition((load.found.start[0], column))
            end = FunctionPosition((start[0], column + len(opcode)))
            yield ReadOnlyLoad(base.name, opcode, start, end, (store.start, store.end), is_sure)


def _names(roots: Iterable[tuple[int, frozenset[str]]]) -> frozenset[str]:
    return frozenset().union(*[names for _, names in roots])


def _is_read_only(shape: Shape) -> bool:
    is_marked = shape.name == "ldu" or _MARK in modifiers_of(shape.opcode)
    return is_marked and _has_address(shape)


def _has_address(shape: Shape) -> bool:
    return any(each.form is OperandForm.ADDRESS for each in shape.operands)


def _has_register(shape: Shape) -> bool:
    """Whether the address in an instruction is certainly a register."""
    address = next(each for each in shape.operands if each.form is OperandForm.ADDRESS)
    number = address.elements[0].identifier if address.elements else -1
    return number >= 0 and shape.identifiers[number].name.startswith("%")


def _is_global(shape: Shape) -> bool:
    is_other = any(each.startswith(_OTHER_SPACES) for each in modifiers_of(shape.opcode))
    return not is_other and _has_address(shape)


class _Roots:
    """The names that the addresses of instructions may be computed from."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._roots = PointerRoots(flow)

    def of(self, records: AbstractSet[Record]) -> Iterator[tuple[int, frozenset[str]]]:
        """Yields the lines with some records, each with these names."""
        flow = self._flow
        for row in flow.text.lines_of(records):
            record = flow.text.records[row]
            is_plain = isinstance(record, Shape) and _has_register(record)
            use = first_read(flow, row) if is_plain else None
            yield row, self._of_line(row) if use is None else self._roots.of(use)

    def _of_line(self, row: int) -> frozenset[str]:
        """Returns the names in a line, and those that its registers may be computed from."""
        found: set[str] = set()
        for statement in self._flow.text.statements((row,)):
            if isinstance(statement.record, Shape):
                found.update(names_of(statement.record, statement.text))
                for use in uses_at(self._flow, statement):
                    found |= self._roots.of(use)
        return frozenset(found)


def _places(
    values: FunctionValues, shapes: AbstractSet[Shape], rows: Iterable[int]
) -> Iterator[tuple[AffineTerm, _Place]]:
    """Yields the objects that instructions on some lines access, and where."""
    for found in values.flow.text.statements(rows):
        if not isinstance(found.record, Shape) or found.record not in shapes:
            continue
        forms = [each.form for each in found.record.operands]
        form = values.address(found, forms.index(OperandForm.ADDRESS)).affine
        base = None if form is None else form.base
        if form is not None and base is not None and base.kind in _OBJECTS:
            yield base, _place(values, found, form.index)


def _place(values: FunctionValues, found: Found, form: AffineForm) -> _Place:
    block, parts = values.flow.block_at(found.start), [*_parts(values, form)]
    return _Place(
        found,
        form,
        values.bounds(form, found),
        _size(found),
        frozenset(each for each in parts if each.kind is TermKind.PARAMETER),
        frozenset(factor for each in parts for factor in each.factors),
        frozenset(each.head for each in parts if each.kind is TermKind.COUNTER),
        frozenset(loop.head for loop in values.flow.graph.loops_around(block)),
    )


def _is_same_part(load: _Place, store: _Place) -> bool | None:
    """Whether two accesses surely touch the same part of an object; None if they never do."""
    read, written = load.bounds, store.bounds
    if (
        read.signed_high + load.n_bytes <= written.signed_low
        or written.signed_high + store.n_bytes <= read.signed_low
        or read.is_impossible
        or written.is_impossible
        or _are_fields(load, store)
        or _are_arrays(load, store)
        or _are_in_other_iterations(load, store)
    ):
        return None
    read_terms, written_terms = ({each for each, _ in it.form.terms} for it in (load, store))
    if load.form.terms == store.form.terms:
        same_place = load.form.offset == store.form.offset
        return same_place or not all(it.kind is TermKind.PARAMETER for it in read_terms)
    return all(each.kind in _OF_THREADS for each in read_terms | written_terms)


def _are_fields(load: _Place, store: _Place) -> bool:
    """Whether two accesses are to different fields of structures, which may follow each other."""
    stride = gcd(*(factor for it in (load, store) for _, factor in it.form.terms))
    if stride < load.n_bytes + store.n_bytes:
        return False
    distance = (store.form.offset - load.form.offset) % stride
    return load.n_bytes <= distance <= stride - store.n_bytes


def _are_arrays(load: _Place, store: _Place) -> bool:
    """Whether two addresses differ by a parameter that is not the length of a row.

    Then it is the length of an array, which another one follows.
    """
    return not (load.lengths ^ store.lengths) <= load.factors | store.factors


def _are_in_other_iterations(load: _Place, store: _Place) -> bool:
    """Whether both addresses contain the counter of a loop around only one of two accesses.

    After the loop, the counter has a value that it does not have in the loop.
    """
    return not (load.counters & store.counters).isdisjoint(load.around ^ store.around)


def _parts(
    values: FunctionValues, form: AffineForm, depth: int = _MAX_DEPTH
) -> Iterator[AffineTerm]:
    """Yields the terms of a form, and of the narrower values that are extended to its terms."""
    for term, _ in form.terms:
        yield term
        if term.kind is TermKind.DEFINITION and term.width < form.width and depth:
            narrow = values.written(term.definitions[0]).affine
            if narrow is not None:
                yield from _parts(values, narrow, depth - 1)


def _size(found: Found) -> int:
    """Returns the number of bytes that an instruction accesses."""
    modifiers = modifiers_of(found.record.opcode) if isinstance(found.record, Shape) else []
    types = isa.database().type_facts
    bits = next((types[each][0] for each in reversed(modifiers) if each in types), 0)
    return bits // 8 * next((_VECTORS[each] for each in modifiers if each in _VECTORS), 1)


@rule(
    "read-only-load",
    on=ReadOnlyLoad,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(f"ld{_MARK}", "ldu"),
)
def read_only_load(mismatch: ReadOnlyLoad, _: RuleContext) -> Finding:
    """Reports a read-only load of memory that the same kernel writes.

    ## Why is this bad?
    `ld.global.nc` and `ldu` may read from a cache that later writes do not update. The memory must
    therefore not change while the kernel runs. Such a load may return the old value even after a
    store by the same thread, and no fence or barrier prevents this. ptxas does not report this.

    ## Example
    ```ptx
    .visible .entry halve(.param .u64 values)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        mov.u32 %r1, %tid.x;
        mad.wide.u32 %rd2, %r1, 4, %rd1;
        ld.global.nc.u32 %r2, [%rd2];
        shr.u32 %r2, %r2, 1;
        st.global.u32 [%rd2], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry halve(.param .u64 values)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        mov.u32 %r1, %tid.x;
        mad.wide.u32 %rd2, %r1, 4, %rd1;
        ld.global.u32 %r2, [%rd2];
        shr.u32 %r2, %r2, 1;
        st.global.u32 [%rd2], %r2;
        ret;
    }
    ```
    """
    name = mismatch.name
    where = f"`{name}`" if mismatch.is_sure else f"`{name}`, perhaps at the same address"
    message = (
        f"`{mismatch.opcode}` requires that its memory does not change while the kernel runs, but "
        f"this kernel writes {where}"
    )
    at = mismatch.opcode.find(_MARK)
    repairs: tuple[Repair, ...] = ()
    if at >= 0:
        row, column = mismatch.start
        first = FunctionPosition((row, column + at))
        edit = SpanEdit(first, FunctionPosition((row, first[1] + len(_MARK))), "")
        repairs = (Repair(f"Remove `{_MARK}`", (edit,)),)
    return Finding(
        message,
        severity=None if mismatch.is_sure else Severity.INFORMATION,
        repairs=repairs,
        related=(Related(*mismatch.written, f"`{name}` is written here"),),
    )
