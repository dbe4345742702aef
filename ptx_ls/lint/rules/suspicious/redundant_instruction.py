"""The rule redundant-instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.statement_reads import uses_at
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.semantics.instructions.identities import OPCODES, Identity, identity, may_repeat_name
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol

_CHOICES: Final = ("selp", "slct")
_CONVERSION: Final = "cvta"
_BACK: Final = ".to"
_GLOBAL: Final = ".global"
_ADDRESS_ARITHMETIC: Final = ("mov", "add", "sub")
_MAX_DEPTH: Final = 8
"""Number of instructions of arithmetic between two conversions of an address."""
_PREDICATE: Final = ".pred"
_MOVED: Final = (16, 32, 64)
"""The widths in bits that `mov` has in all versions."""


class RedundantInstruction(NamedTuple):
    """An instruction that writes to `target` what `source` holds.

    `reason`: why it computes nothing. `copy`: a `mov` that does the same; "" if there is none.
    `is_mistake`: whether it is more than a clumsy copy: a choice between equal values, or a
    conversion of an address that is converted before.
    """

    target: str
    source: str
    reason: str
    copy: str
    is_mistake: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[RedundantInstruction]:
    """Yields the instructions of a function that compute nothing, but no `mov` to others."""
    text = seen.text
    if not is_understood(seen.function, text):
        return
    yield from _conversions(seen)
    for found in text.statements_of(text.with_opcodes(OPCODES)):
        record = found.record
        if not isinstance(record, Shape):
            continue
        if record.name == "mov" and not may_repeat_name(record, found.text):
            continue  # a copy
        same = identity(record, found.text)
        if same is None or not (same.reason or same.target == same.source):
            continue
        target, source = (_register(name, found, seen.facts) for name in same[:2])
        if target is None or source is None or _width(target) != _width(source):
            continue
        if record.name == "cvt" and _width(target) != _converted_width(record):
            continue
        yield RedundantInstruction(
            same.target,
            same.source,
            same.reason,
            "" if record.guard else _copy(target, same),
            record.name in _CHOICES,
            found.start,
            found.end,
        )


def _conversions(seen: CheckInput) -> Iterator[RedundantInstruction]:
    """Yields the conversions of addresses in .global that earlier ones have made.

    In other state spaces, the second conversion gives a wrong address, which another rule reports.
    """
    text = seen.text
    shapes = {each for each in text.shapes_of((_CONVERSION,)) if _GLOBAL in each.opcode}
    if not shapes:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for found in text.statements_of(text.with_shapes(shapes)):
        record = found.record
        if not isinstance(record, Shape) or record not in shapes or record.guard:
            continue
        uses = uses_at(flow, found)
        target = next((use for use in uses if flow.uses.ways[use] & WRITES), None)
        source = next((use for use in uses if flow.uses.ways[use] & READS), None)
        if target is None or source is None:
            continue
        if _is_converted(flow, source, record.opcode):
            names = flow.name_of(target), flow.name_of(source)
            reason = (
                "the address is already in `.global`"
                if _BACK in record.opcode
                else "the address is already generic"
            )
            copy = f"mov.{record.opcode.rpartition('.')[2]} {names[0]}, {names[1]};"
            yield RedundantInstruction(*names, reason, copy, True, found.start, found.end)


def _is_converted(flow: FunctionFlow, use: int, opcode: str, depth: int = _MAX_DEPTH) -> bool:
    """Whether a register has an address that an instruction with an opcode has converted."""
    definition = flow.definition(use) if depth else None
    if definition is None or flow.index.guard(definition) is not None:
        return False
    record = flow.statement(definition).record
    if not isinstance(record, Shape):
        return False
    if record.name not in _ADDRESS_ARITHMETIC:
        return record.opcode == opcode
    reads = (it for it in flow.index.statement(definition) if flow.uses.ways[it] & READS)
    return any(_is_converted(flow, each, opcode, depth - 1) for each in reads)


def _register(name: str, found: Found, facts: RegionFacts) -> Symbol | None:
    """Returns the register of a name in an instruction; None for other names."""
    symbol = facts.lookup(name, found.start)
    return symbol if symbol is not None and symbol.kind is SymbolKind.REGISTER else None


def _width(register: Symbol) -> int:
    """Returns the width of a register in bits; 0 if its type is unknown."""
    return isa.database().type_facts.get(register.type, (0, ""))[0]


def _converted_width(shape: Shape) -> int:
    """Returns the width in bits of the last type of an instruction."""
    return isa.database().type_facts.get(modifiers_of(shape.opcode)[-1], (0, ""))[0]


def _copy(target: Symbol, same: Identity) -> str:
    """Returns the `mov` that does the same; "" if there is none in all versions."""
    if target.type == _PREDICATE:
        return f"mov.pred {same.target}, {same.source};"
    width = _width(target)
    return f"mov.b{width} {same.target}, {same.source};" if width in _MOVED else ""


@rule(
    "redundant-instruction",
    on=RedundantInstruction,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*sorted({*OPCODES, _CONVERSION})),
    in_compiler_output=None,
)
def redundant_instruction(mismatch: RedundantInstruction, context: RuleContext) -> Finding:
    """Reports an instruction that computes nothing, such as an addition of 0.

    ## Why is this bad?
    An instruction that does not change a register has no effect. Arithmetic that only copies a
    register is harder to understand than a `mov`. Perhaps an operand or a constant is wrong. If a
    `.global` address is converted twice, the code may confuse generic and global addresses.
    Floating-point arithmetic is not reported, because it may change special values.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        add.s32 %r1, %r1, 0;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.b32 %r1, %tid.x;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    target, source = mismatch.target, mismatch.source
    because = f", because {mismatch.reason}" if mismatch.reason else ""
    if target == source:
        return Finding(
            f"this instruction does not change `{target}`{because}",
            repairs=without_statement(mismatch.start, mismatch.end, context, "the instruction"),
            tags=frozenset({Tag.UNNECESSARY}),
        )
    copy = mismatch.copy
    edit = SpanEdit(mismatch.start, mismatch.end, copy)
    repair = Repair(f"Replace with `{copy}`", (edit,), Applicability.CERTAIN)
    return Finding(
        f"this instruction only copies `{source}` to `{target}`{because}",
        severity=None if mismatch.is_mistake else Severity.HINT,
        repairs=(repair,) if copy else (),
    )
