"""The rule shared-alias.

Source: PTX ISA, "Shared State Space" and "Array Declarations": the size of an array in .shared
without one is given at launch, and all of them begin at the same address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.object_accesses import AccessMode, object_accesses
from ptx_ls.flow.slices.sources import with_copies
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.candidates.statements import has_several_unsized_arrays
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.names import identifiers_of
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine import AffineTerm

_ADDITION: Final = "add"
_COPY: Final = "mov"
_SIZE: Final = "%ntid"


class SharedAlias(NamedTuple):
    """The first use of an array of unknown size, in a function that already used another one.

    `first`: the use of the other one.
    """

    name: str
    other: str
    first: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[SharedAlias]:
    """Yields the second array of unknown size that a function uses from its beginning."""
    arrays = _arrays(seen) if len(seen.module.unsized) > 1 else {}
    if len(arrays) < 2:  # noqa: PLR2004  one array has no other
        return
    used: dict[str, FunctionSpan] = {}
    for name, span in _uses(seen, arrays):
        used.setdefault(name, span)
    kept = [each for each in used.items() if len(used) > 1 and not _starts_later(seen, each[0])]
    if len(kept) > 1:
        (other, first), (name, (start, end)) = sorted(kept, key=_start)[:2]
        yield SharedAlias(name, other, first, start, end)


def _start(item: tuple[str, FunctionSpan]) -> FunctionPosition:
    return item[1][0]


def _arrays(seen: CheckInput) -> Mapping[str, Symbol]:
    """Returns the arrays of unknown size that a function can use, by name."""
    found = {each.name: each for each in seen.module.unsized}
    hidden = [each.name for each in seen.facts.declared if not each.is_unsized]
    return {name: symbol for name, symbol in found.items() if name not in hidden}


def _uses(seen: CheckInput, arrays: Mapping[str, Symbol]) -> Iterator[tuple[str, FunctionSpan]]:
    """Yields the names of arrays in instructions that use them from their beginning."""
    rows = [row for row, line in enumerate(seen.text.lines) if any(name in line for name in arrays)]
    for found in seen.text.statements(rows):
        shape = found.record
        if not isinstance(shape, Shape) or arrays.keys().isdisjoint(names_in(found.text)):
            continue
        operands = written_operands(shape, found.text)
        for number, identifier in enumerate(identifiers_of(shape, found.text)):
            if identifier.name in arrays and not _is_moved(seen, found, operands, number):
                start, end = (
                    shifted(identifier.start, found.start),
                    shifted(identifier.end, found.start),
                )
                yield identifier.name, (start, end)


def _is_moved(
    seen: CheckInput, found: Found, operands: Sequence[OperandSyntax], number: int
) -> bool:
    """Whether an instruction uses an array only from a constant offset on."""
    for operand in operands:
        for each in (operand, *operand.elements):
            if (
                each.identifier == number
                and each.has_offset
                and each.form is OperandForm.IDENTIFIER
            ):
                offset = value_of(each.text.partition("+")[2]) if "+" in each.text else 0
                return offset != 0
    is_copy = isinstance(found.record, Shape) and found.record.name == _COPY
    return is_copy and _is_copy_moved(seen, found)


def _is_copy_moved(seen: CheckInput, found: Found) -> bool:
    """Whether an offset is added to the copy of an address before anything else uses it."""
    flow = function_flow(seen.function, seen.module.never_returning)
    copies = set[int]().union(
        *(with_copies(flow, use) for use in uses_in(flow, found, WRITES).values())
    )
    readers = [
        reader
        for use in copies
        for reader in flow.readers(use)
        if copies.isdisjoint(flow.written_by(reader).values())
    ]
    return bool(readers) and all(_adds_offset(seen, flow.statement(use)) for use in readers)


def _starts_later(seen: CheckInput, name: str) -> bool:
    """Whether all accesses to an array are at positive offsets."""
    from ptx_ls.lint.addresses.variable_offsets import access_of, offset_in  # noqa: PLC0415  for few

    symbol = _arrays(seen)[name]
    flow = function_flow(seen.function, seen.module.never_returning)
    for _, accesses in object_accesses(flow, [symbol], last=()):
        for each in accesses:
            access = access_of(each)
            offset = None if access is None else offset_in(symbol, access, seen)
            if each.mode is not AccessMode.NONE and (offset is None or offset.signed_low <= 0):
                return False
    return True


def _adds_offset(seen: CheckInput, found: Found) -> bool:
    """Whether an instruction adds a constant, or a number that the launch chooses."""
    shape = found.record
    if not isinstance(shape, Shape) or shape.name != _ADDITION:
        return False
    values = [value_of(each.text) for each in written_operands(shape, found.text)]
    return any(values) or any(_is_of_launch(seen, found, number) for number in (1, 2))


def _is_of_launch(seen: CheckInput, found: Found, number: int) -> bool:
    """Whether an operand is computed from parameters of the kernel and the size of the block."""
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  rarely needed

    form = function_values(seen.function, seen.module).operand(found, number).affine
    return form is not None and bool(form.terms) and all(_is_size(term) for term, _ in form.terms)


def _is_size(term: AffineTerm) -> bool:
    return term.kind is TermKind.PARAMETER or term.name.startswith(_SIZE)


@rule(
    "shared-alias",
    on=SharedAlias,
    severity=Severity.WARNING,
    find=find,
    given=has_several_unsized_arrays,
    in_compiler_output=Severity.HINT,
)
def shared_alias(mismatch: SharedAlias, _: RuleContext) -> Finding:
    """Reports a function that uses several unsized `.shared` arrays.

    ## Why is this bad?
    The launch sets the size of these arrays, and all unsized arrays begin at the same address. A
    store to one array therefore overwrites the others. Declare one array and divide it into parts:
    the offset of the second part can be a constant or a kernel parameter.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .extern .shared .align 16 .b8 keys[];
    .extern .shared .align 16 .b8 values[];
    .visible .entry kernel(.param .b32 key, .param .b32 value)
    {
        .reg .b32 %r<3>;
        ld.param.b32 %r1, [key];
        ld.param.b32 %r2, [value];
        st.shared.b32 [keys], %r1;
        st.shared.b32 [values], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .extern .shared .align 16 .b8 keys_and_values[];
    .visible .entry kernel(.param .b32 key, .param .b32 value)
    {
        .reg .b32 %r<3>;
        ld.param.b32 %r1, [key];
        ld.param.b32 %r2, [value];
        st.shared.b32 [keys_and_values], %r1;
        st.shared.b32 [keys_and_values+4096], %r2;
        ret;
    }
    ```
    """
    name, other = mismatch.name, mismatch.other
    return Finding(
        f"`{name}` and `{other}` have no size, so both begin at the same address in `.shared`",
        related=(Related(*mismatch.first, f"`{other}` is used here"),),
    )
