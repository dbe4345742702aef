"""The rule constant-comparison.

Source: PTX ISA, "setp" and "set", and "Comparisons with NaN".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.computation import has_unusual_operands
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.instructions.checks.repeated_operands import repeats_in
from ptx_ls.semantics.symbols.inline_assembly import InlineAssembly
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse

_OPCODES: Final = ("setp", "set")
_OPERANDS: Final = ("a", "b")
_MIRRORED: Final = {".lt": ".gt", ".gt": ".lt", ".le": ".ge", ".ge": ".le"}
_UNSIGNED: Final = {".lo": ".lt", ".ls": ".le", ".hi": ".gt", ".hs": ".ge"}
_COMPARISONS: Final = frozenset({".eq", ".ne", ".lt", ".le", ".gt", ".ge", *_UNSIGNED})
_EQUAL: Final = frozenset({".eq", ".le", ".ge"})
"""Comparisons that are true for equal integers."""
_ALWAYS_FALSE_FOR_REALS: Final = frozenset({".ne", ".lt", ".gt"})
"""Comparisons of a number with itself that are false, also for NaN."""
_ALWAYS_TRUE_FOR_REALS: Final = frozenset({".equ", ".leu", ".geu"})
_REAL: Final = ("float", "half", "alternate")


class ConstantComparison(NamedTuple):
    """A comparison with a known outcome. `reason`: why it is known."""

    outcome: bool
    reason: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ConstantComparison]:
    """Yields the comparisons of a function that have the same outcome for all values."""
    for use in unusual_constants(seen.function):
        if use.shape.name in _OPCODES:
            for constant in use.constants:
                yield from _with_edge(use, constant)
    assembly = InlineAssembly(seen.text)
    for each in repeats_in(seen.function):
        if each.shape.name in _OPCODES and not each.is_result:
            if seen.is_generated and assembly.contains(each.found.start[0]):
                continue  # a compiler put its own registers into the text
            outcome, reason = _with_itself(each.shape.opcode, each.second.full)
            if outcome is not None:
                start = shifted(each.first.start, each.found.start)
                end = shifted(each.second.end, each.found.start)
                yield ConstantComparison(outcome, reason, start, end)


def _with_edge(use: ConstantUse, constant: Constant) -> Iterator[ConstantComparison]:
    """Yields a comparison with the lowest or the highest value of a type."""
    place, value = constant.place, constant.whole
    if place.name not in _OPERANDS or not place.bits or value is None:
        return
    _, modifiers = isa.split_modifiers(use.shape.opcode)
    comparison = next((each for each in modifiers if each in _COMPARISONS), "")
    is_signed = place.is_signed and comparison not in _UNSIGNED
    comparison = _UNSIGNED.get(comparison, comparison)
    if place.name == "a":
        comparison = _MIRRORED.get(comparison, comparison)
    lowest = -(1 << (place.bits - 1)) if is_signed else 0
    highest = lowest + (1 << place.bits) - 1
    read = (value - lowest) % (1 << place.bits) + lowest
    if read == lowest and comparison in (".lt", ".ge"):
        reason = f"no `{place.type}` value is less than {lowest:,}"
        yield ConstantComparison(comparison == ".ge", reason, constant.start, constant.end)
    elif read == highest and comparison in (".gt", ".le"):
        reason = f"no `{place.type}` value is greater than {highest:,}"
        yield ConstantComparison(comparison == ".le", reason, constant.start, constant.end)


def _with_itself(opcode: str, name: str) -> tuple[bool | None, str]:
    """Returns the outcome of the comparison of a register with itself, and why."""
    _, modifiers = isa.split_modifiers(opcode)
    comparison = next((each for each in modifiers if each in _KNOWN), "")
    type_ = next((each for each in reversed(modifiers) if each in isa.database().type_facts), "")
    reason = f"`{name}` is compared with itself"
    if isa.database().type_facts.get(type_, (0, ""))[1] not in _REAL:
        is_known = comparison in _COMPARISONS
        return (_UNSIGNED.get(comparison, comparison) in _EQUAL if is_known else None), reason
    if comparison == ".ne":
        return False, f"{reason}, and unlike `.neu`, `.ne` is also false for NaN"
    if comparison in _ALWAYS_FALSE_FOR_REALS:
        return False, reason
    return (True if comparison in _ALWAYS_TRUE_FOR_REALS else None), reason


_KNOWN: Final = _COMPARISONS | _ALWAYS_TRUE_FOR_REALS | {".neu", ".ltu", ".gtu", ".num", ".nan"}


@rule(
    "constant-comparison",
    on=ConstantComparison,
    severity=Severity.WARNING,
    find=find,
    given=has_unusual_operands,
    looks_at=Instructions(*_OPCODES),
)
def constant_comparison(mismatch: ConstantComparison, _: RuleContext) -> Finding:
    """Reports a comparison that is always true or always false.

    ## Why is this bad?
    A condition that is always the same decides nothing, so another comparison was probably meant.
    For example, an unsigned number is never less than 0, and a loop that counts down while an
    unsigned counter is `.ge` 0 never ends. A register always equals itself unless it holds a NaN.
    `.neu` and `testp.notanumber` test for NaN, but `.ne` does not.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        sub.u32 %r2, %r1, 1;
        setp.lt.u32 %p1, %r2, 0;
        @%p1 exit;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        sub.s32 %r2, %r1, 1;
        setp.lt.s32 %p1, %r2, 0;
        @%p1 exit;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    outcome = "true" if mismatch.outcome else "false"
    return Finding(f"the comparison is always {outcome}: {mismatch.reason}")
