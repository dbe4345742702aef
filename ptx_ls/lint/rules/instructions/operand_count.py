"""The rule operand-count."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import is_legal
from ptx_ls.lint.fixes.operands import places
from ptx_ls.lint.messages import joined, quoted
from ptx_ls.lint.rule import Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.source.english import inflected, listed

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionSpan


_MASK: Final = "membermask"
"""The last operand of instructions with a mask of lanes."""


@rule("operand-count", on=ViolationKind.OPERAND_COUNT)
def operand_count(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports an instruction with too many or too few operands.

    ## Why is this bad?
    ptxas rejects the module. The modifiers determine the number of operands: `shfl.sync` takes one
    operand more than `shfl`.

    ## Example
    ```ptx
    add.s32 %r1, %r2;
    ```

    Use instead:
    ```ptx
    add.s32 %r1, %r1, %r2;
    ```
    """
    violation = mismatch.violation
    if mismatch.operand:
        return Finding(
            joined(
                f"{quoted(mismatch.operand)} has {violation.found} parts",
                f"expected {listed(violation.expected)}" if violation.expected else "",
            )
        )
    if not violation.expected:
        return Finding(f"wrong number of operands for `{mismatch.opcode}`: {violation.note}")
    surplus, repairs = _shortened(mismatch, context)
    if surplus is None:
        surplus, repairs = _without_first(mismatch, context)
    guesses = None if repairs else partial(_masked, mismatch, context)
    place = surplus or (mismatch.start, mismatch.end)
    takes = f"`{mismatch.opcode}` takes {_operands(violation.expected[0])}, found {violation.found}"
    is_more = mismatch.form not in ("", mismatch.opcode)  # the form of `exit` is `exit`
    message = f"{takes}: `{mismatch.form}`" if is_more else takes
    return Finding(message, *place, repairs=repairs, guesses=guesses)


def _operands(count: str) -> str:
    if count == "0":
        return "no operands"
    least, _, most = count.partition(" to ")
    if most and int(most) == int(least) + 1:
        count = f"{least} or {most}"
    return "1 operand" if count == "1" else f"{count} operands"


def _shortened(
    mismatch: InstructionMismatch, context: RuleContext
) -> tuple[FunctionSpan | None, tuple[Repair, ...]]:
    """Returns the extra operands at the end, and a fix that removes them if that is legal."""
    expected = mismatch.violation.expected
    count = expected[0].rpartition(" ")[2] if expected else ""
    if not count.isdecimal() or int(count) >= len(mismatch.operands):
        return None, ()
    kept = int(count)
    if not is_legal(mismatch, context, operands=mismatch.operands[:kept]):
        return None, ()
    found = places(mismatch, context)
    if not found:
        return None, ()
    surplus = found[kept][0], found[-1][1]
    start = found[kept - 1][1] if kept else mismatch.opcode_end
    n_extra = len(found) - kept
    noun = inflected("operand", n_extra)
    last = noun if n_extra == 1 else f"{n_extra} {noun}"
    title = f"Remove the last {last}" if kept else f"Remove the {noun}"
    return surplus, (Repair(title, (SpanEdit(start, surplus[1], ""),)),)


def _without_first(
    mismatch: InstructionMismatch, context: RuleContext
) -> tuple[FunctionSpan | None, tuple[Repair, ...]]:
    """Returns the first operand, and a fix that removes it if that is legal."""
    found = places(mismatch, context)
    if len(found) < 2 or not is_legal(mismatch, context, operands=mismatch.operands[1:]):  # noqa: PLR2004
        return None, ()
    edit = SpanEdit(found[0][0], found[1][0], "")
    return found[0], (Repair("Remove the first operand", (edit,)),)


def _masked(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that appends a mask of all lanes, if that makes the instruction legal."""
    if ".sync" not in isa.split_modifiers(mismatch.opcode)[1]:
        return ()
    if mismatch.form and not mismatch.form.endswith(_MASK):
        return ()
    found = places(mismatch, context)
    mask = isa.Operand(isa.OperandKind.INTEGER, value=-1)
    if not found or not is_legal(mismatch, context, operands=(*mismatch.operands, mask)):
        return ()
    end = found[-1][1]
    return (Repair("Append `-1`, the mask of all lanes", (SpanEdit(end, end, ", -1"),)),)
