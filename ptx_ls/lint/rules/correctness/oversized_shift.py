"""The rule oversized-shift.

Source: PTX ISA, "shl", "shr" and "shf".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.register_operands import register_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.register_operands import RegisterOperand

_AMOUNTS: Final = {"shl": "b", "shr": "b", "shf": "c"}
"""The operand with the amount, by opcode."""
_REGISTERS: Final = {"shl": 2, "shr": 2, "shf": 3}
_WORD: Final = 32
_WRAP: Final = ".wrap"


class OversizedShift(NamedTuple):
    """A shift by a constant that is at least the width of the value. `effect`: the result.

    `is_wrapped`: whether the instruction says that it reduces the amount.
    """

    amount: str
    width: int
    effect: str
    is_wrapped: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[OversizedShift]:
    """Yields the shifts of a function by constants that are too large."""
    for use in unusual_constants(seen.function):
        constant = (
            use.constant(_AMOUNTS.get(use.shape.name, "")) if use.shape.name in _AMOUNTS else None
        )
        amount = constant.whole if constant is not None else None
        if constant is None or amount is None:
            continue
        is_wrapped = _WRAP in use.shape.opcode
        if is_wrapped and amount < 0:
            continue  # a rotation in the other direction
        width, effect = _effect(use.shape, amount % (1 << _WORD))
        if effect:
            place = constant.start, constant.end
            yield OversizedShift(constant.text, width, effect, is_wrapped, *place)
    for operand in register_operands(seen.function, seen.module, _REGISTERS):
        if _WRAP in operand.shape.opcode:  # shifts over several words rely on that
            continue
        width, effect = _effect(operand.shape, operand.value.low)
        if effect:
            place = operand.start, operand.end
            yield OversizedShift(_described(operand), width, effect, False, *place)


def _described(operand: RegisterOperand) -> str:
    """Returns the register that a value is shifted by, with what is known of it."""
    bound = "" if operand.value.constant is not None else "at least "
    return f"`{operand.name}`, which is {bound}{operand.value.low:,}"


def _effect(shape: Shape, amount: int) -> tuple[int, str]:
    """Returns the width of the shifted value, and the result of a shift that exceeds it, or ""."""
    _, modifiers = isa.split_modifiers(shape.opcode)
    width, class_ = isa.database().type_facts[isa.written_type(modifiers)]
    if shape.name == "shf":
        if _WRAP in modifiers:
            return (
                width,
                f"`.wrap` reduces the amount to {amount % width}" if amount >= width else "",
            )
        return width, f"`.clamp` reduces the amount to {width}" if amount > width else ""
    if amount < width:
        return width, ""
    if shape.name == "shr" and class_ == "signed":
        return width, "all bits of the result are copies of the sign bit"
    return width, "the result is always 0"


@rule(
    "oversized-shift",
    on=OversizedShift,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_AMOUNTS),
)
def oversized_shift(mismatch: OversizedShift, _: RuleContext) -> Finding:
    """Reports a shift by an amount that is at least the width of the value.

    ## Why is this bad?
    `shl` and `shr` move all bits out: the result is 0, or consists of copies of the sign bit.
    Unlike many processors, PTX does not reduce the amount modulo the width. `shf.wrap` reduces the
    amount modulo 32, and `shf.clamp` treats an amount above 32 as 32. For `shf.wrap`, the severity
    is information, because the modifier says that the amount wraps. Negative amounts of `shf.wrap`,
    which rotate in the other direction, are not reported.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 high)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [high];
        shl.b32 %r2, %r1, 32;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 high)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [high];
        cvt.u64.u32 %rd2, %r1;
        shl.b64 %rd3, %rd2, 32;
        st.global.b64 [%rd1], %rd3;
        ret;
    }
    ```
    """
    amount, width = mismatch.amount, mismatch.width
    if not amount.startswith("`") and not amount.removeprefix("-").isdecimal():
        amount = f"`{amount}`"
    return Finding(
        f"shift of a {width}-bit value by {amount}: {mismatch.effect}",
        severity=Severity.INFORMATION if mismatch.is_wrapped else None,
    )
