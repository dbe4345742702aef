"""The rule zero-divisor.

Source: PTX ISA, "Integer Arithmetic Instructions: div" and "rem".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.calls.call_summary import NO_SUMMARY
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.instructions.divisions import DIVISIONS, DIVISOR, divides_integers
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.written.calls import items_of
from ptx_ls.values.function_values import function_values
from ptx_ls.values.register_operands import register_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.values.function_values import FunctionValues
    from ptx_ls.values.register_operands import RegisterOperand

_DIVISOR: Final = "b"
_REGISTERS: Final = dict.fromkeys(DIVISIONS, DIVISOR)
"""The operand with the divisor, by opcode."""
_CALL: Final = "call"


class ZeroDivisor(NamedTuple):
    """An integer division by 0.

    `divisor`: a register that is 0 only sometimes, or "". `callee`: the called function that
    divides by this argument, or "".
    """

    opcode: str
    divisor: str
    start: FunctionPosition
    end: FunctionPosition
    callee: str = ""


def find(seen: CheckInput) -> Iterator[ZeroDivisor]:
    """Yields the integer divisions of a function by 0."""
    for use in unusual_constants(seen.function):
        divisor = use.constant(_DIVISOR) if use.shape.name in DIVISIONS else None
        if divisor is None or divisor.whole is None or not divisor.place.bits:
            continue
        if divisor.whole % (1 << divisor.place.bits) == 0:
            yield ZeroDivisor(use.shape.name, "", divisor.start, divisor.end)
    for operand in register_operands(seen.function, seen.module, _REGISTERS):
        is_integer = divides_integers(operand.shape)
        if is_integer and operand.value.constant == 0:
            yield ZeroDivisor(operand.shape.name, "", operand.start, operand.end)
        elif is_integer and _becomes_zero(operand, function_values(seen.function, seen.module)):
            yield ZeroDivisor(operand.shape.name, operand.name, operand.start, operand.end)
    callees = interface(seen.function).calls.callees if seen.calls else ()
    if any(seen.calls.get(each, NO_SUMMARY).divisors for each in callees):
        yield from _passed(seen)


def _passed(seen: CheckInput) -> Iterator[ZeroDivisor]:
    """Yields the arguments that are 0, and by which the called function divides."""
    from ptx_ls.lint.calls.argument_values import ArgumentValues  # noqa: PLC0415  for few functions

    arguments = ArgumentValues(seen.text, seen.facts)
    values = function_values(seen.function, seen.module)
    for found, call in call_sites(seen.text):
        name = call.name.text
        divisors = seen.calls.get(name, NO_SUMMARY).divisors
        for number, item in enumerate(items_of(call.arguments)):
            value = arguments.value(found, item, values) if number in divisors else None
            form = None if value is None else value.form
            if value is not None and form is not None and not (form.terms or form.offset):
                yield ZeroDivisor(_CALL, "", *value.span, name)


def _becomes_zero(divisor: RegisterOperand, values: FunctionValues) -> bool:
    """Whether a divisor is surely 0 in some thread, or in some iteration of a loop."""
    form = divisor.value.affine
    if form is None or not form.terms:
        return False
    low, high = values.attained(form, divisor.found)
    return 0 in (low, high) or values.first(form, divisor.found) == 0


@rule(
    "zero-divisor",
    on=ZeroDivisor,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*DIVISIONS, _CALL),
)
def zero_divisor(mismatch: ZeroDivisor, _: RuleContext) -> Finding:
    """Reports an integer division by 0.

    ## Why is this bad?
    The result is unspecified and depends on the device. ptxas does not report this.

    An argument that is 0 is reported if the called function is in the same module and divides by
    it in each call.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        div.u32 %r2, %r1, 0;
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
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        div.u32 %r2, 1000, %r1;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    if mismatch.callee:
        return Finding(f"this argument is 0, but `{mismatch.callee}` divides by it")
    what = "remainder" if mismatch.opcode == "rem" else "quotient"
    if mismatch.divisor:
        when = f"`{mismatch.divisor}` is 0 in some thread or iteration"
        return Finding(f"division by 0: {when}, and the {what} is then unspecified")
    return Finding(f"division by 0: the {what} is unspecified")
