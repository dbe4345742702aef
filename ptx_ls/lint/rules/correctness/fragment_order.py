"""The rule fragment-order.

Source: PTX ISA, "Warp Level Matrix Instructions". The manual does not say which elements of a
matrix a register of a `wmma` fragment holds, so only the same fragment can be used as such. The
fragments of `mma` for the accumulator have the same order as operand and as result.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.instructions.fragments import OPCODES, Fragment, FragmentForm, fragments
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow

_OPAQUE: Final = "wmma"
_LOAD: Final = "ld"
_ACCUMULATORS: Final = ("c", "d")
_LOADING: Final = "ldmatrix"
_MULTIPLYING: Final = "mma"
_USES: Final = (_MULTIPLYING, _OPAQUE, "wgmma")


class FragmentFault(Enum):
    """The kind of a mistake in the use of a fragment."""

    ORDER = auto()
    MATRIX = auto()
    SHAPE = auto()
    LAYOUT = auto()
    SEVERAL = auto()
    REPEATED = auto()
    SHARED = auto()
    PART = auto()
    UNREAD = auto()
    LOADED = auto()


class FragmentOrder(NamedTuple):
    """A fragment that is not used as it was made or used before.

    `before`: the other place, with the fragment there. `detail`: the register that is wrong, or the
    property of the fragment that differs; `other`: that of the other fragment.
    """

    fault: FragmentFault
    detail: str
    other: str
    before: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


class _Suspicion(NamedTuple):
    """A fragment that looks wrong next to others, which have to hold the same values.

    `before`: the one to show. `makers`: those that wrote its registers; if there are none, `before`
    is read, too.
    """

    fault: FragmentFault
    fragment: Fragment
    before: Fragment
    detail: str
    other: str
    makers: tuple[Fragment, ...] = ()


def find(seen: CheckInput) -> Iterator[FragmentOrder]:
    """Yields the fragments of a function that are used in another way than they were made."""
    found = [*fragments(seen.text)]
    if not any(each.form.family in _USES for each in found):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for suspicion in _suspicions(found):
        if _is_confirmed(flow, suspicion) and not _is_of_constant(seen, suspicion):
            start, end = _span(suspicion.fragment)
            before = _span(suspicion.before)
            detail, other = suspicion.detail, suspicion.other
            yield FragmentOrder(suspicion.fault, detail, other, before, start, end)
    for fragment in found:
        if len({*fragment.registers}) < len(fragment.registers) and not fragment.form.is_written:
            yield from _with_unread_part(flow, fragment)

    yield from _out_of_place(seen, found)


def _out_of_place(seen: CheckInput, found: Sequence[Fragment]) -> Iterator[FragmentOrder]:
    """Yields the fragments with parts that `ldmatrix` loads from another place of a matrix."""
    if not {_LOADING, _MULTIPLYING} <= {each.form.family for each in found}:
        return
    from ptx_ls.lint.addresses.loaded_matrices import LoadedMatrices  # noqa: PLC0415  as below
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    matrices = LoadedMatrices(values, is_generated=seen.is_generated)
    reported = set[tuple[str, int]]()
    for _, group in groupby(found, key=lambda each: each.found.start):
        wrong = matrices.misplaced([*group])
        if wrong is None:
            continue
        form = wrong.fragment.form
        kind = form.matrix, wrong.fragment.registers.index(wrong.register)
        if kind not in reported:  # unrolled loops repeat a mistake
            reported.add(kind)
            before = wrong.load.start, wrong.load.end
            fault, span = FragmentFault.LOADED, _span(wrong.fragment)
            yield FragmentOrder(fault, wrong.register, "", before, *span)


def _with_unread_part(flow: FunctionFlow, fragment: Fragment) -> Iterator[FragmentOrder]:
    """Yields a fragment with a register twice, loaded with one that nothing reads."""
    registers = fragment.registers
    repeated = next(each for each in registers if registers.count(each) > 1)
    read = uses_in(flow, fragment.found, READS).get(repeated)
    definition = None if read is None else flow.definition(read)
    if definition is None:
        return
    made = flow.statement(definition)
    if not isinstance(made.record, Shape) or made.record.name != _LOAD:
        return
    for name, write in uses_in(flow, made, WRITES).items():
        if name not in registers and not [*flow.readers(write)]:
            before = made.start, made.end
            yield FragmentOrder(FragmentFault.UNREAD, repeated, name, before, *_span(fragment))
            return


def _span(fragment: Fragment) -> FunctionSpan:
    found = fragment.found
    written = written_operands(found.record, found.text)[fragment.form.operand]
    return shifted(written.start, found.start), shifted(written.end, found.start)


def _is_of_constant(seen: CheckInput, suspicion: _Suspicion) -> bool:
    """Whether a register that is used twice has a constant, such as the 0 of an empty sum."""
    if suspicion.fault not in (FragmentFault.SHARED, FragmentFault.REPEATED):
        return False
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    use = uses_in(values.flow, suspicion.fragment.found, READS).get(suspicion.detail)
    return use is not None and values.read(use).constant is not None


def _is_confirmed(flow: FunctionFlow, suspicion: _Suspicion) -> bool:
    """Whether the registers of a fragment hold the values that another one had."""
    fragment, before = suspicion.fragment, suspicion.before
    if before.found.start == fragment.found.start:
        return True
    reads = uses_in(flow, fragment.found, READS)
    if any(name not in reads for name in fragment.registers):
        return False
    if suspicion.makers:
        made = {
            use for maker in suspicion.makers for use in uses_in(flow, maker.found, WRITES).values()
        }
        return all(flow.definition(reads[name]) in made for name in fragment.registers)
    others = uses_in(flow, before.found, READS)
    return all(
        name in others and flow.definitions(reads[name]) == flow.definitions(others[name])
        for name in fragment.registers
    )


def _suspicions(found: Sequence[Fragment]) -> Iterator[_Suspicion]:
    written: dict[str, Fragment] = {}
    known: dict[tuple[object, ...], Fragment] = {}
    orders: Counter[object] = Counter((each.form.matrix, each.registers) for each in found)
    for _, group in groupby(found, key=lambda each: each.found.start):
        own = [*group]
        for fragment in own:
            if fragment.form.family in _USES and not fragment.form.is_written:
                suspicion = _within(fragment, own)
                suspicion = suspicion or _against_makers(fragment, written)
                suspicion = suspicion or _against_others(fragment, known, orders)
                if suspicion is not None:
                    yield suspicion
        for fragment in own:
            if fragment.form.is_written:
                written.update(dict.fromkeys(fragment.registers, fragment))


def _within(fragment: Fragment, own: Sequence[Fragment]) -> _Suspicion | None:
    """Compares a fragment that is read with the others of the same instruction."""
    for other in own:
        found = None if other is fragment else _beside(fragment, other)
        if found is not None:
            return _Suspicion(found[0], fragment, other, found[1], "")
    return None


def _beside(fragment: Fragment, other: Fragment) -> tuple[FragmentFault, str] | None:
    """Returns what is wrong with a fragment, given another one of the same instruction."""
    mine, theirs = fragment.registers, other.registers
    shared = next((each for each in mine if each in theirs), "")
    is_accumulator = fragment.form.matrix in _ACCUMULATORS
    if not shared or len({*mine}) == 1 < len(mine):  # such as zero in all registers
        return None
    if is_accumulator and other.form.is_written:
        if _is_permuted(fragment, other):
            return FragmentFault.ORDER, _first_difference(fragment, other)
        repeated = next((each for each in mine if mine.count(each) > 1), "")
        if repeated:
            return (FragmentFault.REPEATED, repeated) if {*mine} < {*theirs} else None
        others = [each for each in mine if each not in theirs]
        return (FragmentFault.PART, others[0]) if others and len(mine) == len(theirs) else None
    if other.form.is_written or is_accumulator:
        return None
    if other.form.matrix in _ACCUMULATORS:
        is_constant = len({*theirs}) == 1 < len(theirs)
        return None if is_constant else (FragmentFault.SHARED, shared)
    # A product of a matrix with its transpose has most registers in both.
    is_mixed = len({*mine} & {*theirs}) == 1 < min(len(mine), len(theirs))
    is_later = (len(mine), -fragment.form.operand) < (len(theirs), -other.form.operand)
    return (FragmentFault.SHARED, shared) if is_mixed and is_later else None


def _is_permuted(fragment: Fragment, other: Fragment) -> bool:
    """Whether two fragments have the same different registers in another order."""
    mine, theirs = fragment.registers, other.registers
    return mine != theirs and len({*mine}) == len(mine) and sorted(mine) == sorted(theirs)


def _against_makers(fragment: Fragment, written: Mapping[str, Fragment]) -> _Suspicion | None:
    """Compares a fragment that is read with those that its registers were written as."""
    form, registers = fragment.form, fragment.registers
    repeated = next((each for each in registers if registers.count(each) > 1), "")
    if repeated:
        maker = written.get(repeated)
        if maker is None or len(maker.registers) == 1 or _is_broadcast(registers):
            return None
        return _Suspicion(FragmentFault.REPEATED, fragment, maker, repeated, "", (maker,))
    makers = tuple(dict.fromkeys(written[name] for name in registers if name in written))
    is_whole = all(name in written for name in registers)
    if not is_whole or any(each.form.family != form.family for each in makers):
        return None
    if len(makers) > 1:
        is_mixed = form.family == _OPAQUE or form.matrix in _ACCUMULATORS
        suspicion = _Suspicion(FragmentFault.SEVERAL, fragment, makers[1], "", "", makers)
        return suspicion if is_mixed else None
    maker = makers[0]
    fault = _misuse(fragment, maker) if len(registers) == len(maker.registers) else None
    return None if fault is None else _Suspicion(fault[0], fragment, maker, *fault[1:], makers)


def _is_broadcast(registers: Sequence[str]) -> bool:
    """Whether each of several registers is there equally often, as in a matrix of equal rows."""
    counts = {registers.count(each) for each in registers}
    return len(counts) == 1 and len({*registers}) > 1


def _misuse(fragment: Fragment, maker: Fragment) -> tuple[FragmentFault, str, str] | None:
    """Returns how the registers of one fragment are used as a different one; None if they are not.

    The elements of fragments of `mma` are known, so these may be used for another matrix.
    """
    form, before = fragment.form, maker.form
    is_same = form.matrix == before.matrix or {form.matrix, before.matrix} <= {*_ACCUMULATORS}
    is_opaque = form.family == _OPAQUE
    if not is_same:
        names = form.matrix.upper(), before.matrix.upper()
        return (FragmentFault.MATRIX, *names) if is_opaque else None
    if _size(form) != _size(before):
        return (FragmentFault.SHAPE, form.shape, before.shape) if is_opaque else None
    if form.layout != before.layout:
        return FragmentFault.LAYOUT, form.layout, before.layout
    if fragment.registers != maker.registers:
        return FragmentFault.ORDER, _first_difference(fragment, maker), ""
    return None


def _size(form: FragmentForm) -> str:
    """Returns the size of a matrix; the depth of a product does not matter for its result."""
    return form.shape.partition("k")[0] if form.matrix in _ACCUMULATORS else form.shape


def _against_others(
    fragment: Fragment, known: dict[tuple[object, ...], Fragment], orders: Counter[object]
) -> _Suspicion | None:
    """Compares a fragment with the first one that has the same registers.

    An order that several instructions have, by `orders`, is intended.
    """
    form, registers = fragment.form, fragment.registers
    key = form.matrix, form.shape, form.family, frozenset(registers)
    before = known.setdefault(key, fragment)
    if orders[form.matrix, registers] > 1 or not _is_permuted(fragment, before):
        return None
    return _Suspicion(
        FragmentFault.ORDER, fragment, before, _first_difference(fragment, before), ""
    )


def _first_difference(fragment: Fragment, other: Fragment) -> str:
    pairs = zip(fragment.registers, other.registers, strict=True)
    return next(name for name, before in pairs if name != before)


@rule(
    "fragment-order",
    on=FragmentOrder,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*sorted(OPCODES)),
)
def fragment_order(mismatch: FragmentOrder, _: RuleContext) -> Finding:
    """Reports registers of a matrix fragment that are out of order or belong to another matrix.

    ## Why is this bad?
    The position of a register in a fragment determines which elements of the matrix it holds. If
    two registers are swapped, or come from another fragment, the product is wrong. A fragment that
    `wmma.load` loads can be used only as the same matrix, with the same shape and layout. A
    register that occurs twice in a fragment is reported if no instruction reads another register of
    the same load. If the addresses of `ldmatrix` show where the loaded matrices are, `mma` must
    take them in the order of its fragments.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f64 %fd<8>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%rd1];
        wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {%fd2}, [%rd2];
        wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%fd3, %fd4}, [%rd3];
        wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64
            {%fd5, %fd6}, {%fd1}, {%fd2}, {%fd4, %fd3};
        wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd3], {%fd5, %fd6};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f64 %fd<8>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%rd1];
        wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {%fd2}, [%rd2];
        wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%fd3, %fd4}, [%rd3];
        wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64
            {%fd5, %fd6}, {%fd1}, {%fd2}, {%fd3, %fd4};
        wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd3], {%fd5, %fd6};
        ret;
    }
    ```
    """
    detail, other = mismatch.detail, mismatch.other
    messages = {
        FragmentFault.ORDER: f"the registers of the fragment are out of order: `{detail}` is in "
        "the wrong position",
        FragmentFault.MATRIX: f"a fragment of matrix {other} is used as matrix {detail}",
        FragmentFault.SHAPE: f"the fragment was loaded for the shape `{other}`, but is used for "
        f"`{detail}`",
        FragmentFault.LAYOUT: f"the fragment was loaded as `{other}`, but is used as `{detail}`",
        FragmentFault.SEVERAL: "the registers of this operand were loaded as parts of several "
        "fragments",
        FragmentFault.REPEATED: f"the fragment contains `{detail}` twice",
        FragmentFault.PART: f"`{detail}` is not in the result, unlike the other registers of the "
        "accumulator",
        FragmentFault.SHARED: f"two fragments of this instruction contain `{detail}`",
        FragmentFault.UNREAD: f"the fragment contains `{detail}` twice, but `{other}` from the "
        "same load is never read",
        FragmentFault.LOADED: f"`{detail}` is loaded from a different part of the matrix than this "
        "position in the fragment needs",
    }
    places = {FragmentFault.UNREAD: "both are loaded here", FragmentFault.LOADED: "loaded here"}
    where = places.get(mismatch.fault, "the other fragment is here")
    related = (Related(*mismatch.before, where),)
    return Finding(messages[mismatch.fault], related=related)
