"""The rule immediate-range."""

from __future__ import annotations

from typing import Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.messages import joined, quoted, wanted, with_reason
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch

_MARKS: Final = ",:;."
_RANGE: Final = "constant from "
_MULTIPLE: Final = "constant that is a multiple of "
_WHOLE: Final = "cp.async.cg"
"""The copy that bypasses L1, which has no smaller pieces than 16 bytes."""
_SIXTEEN: Final = ("one of 16",)
_SMALLER: Final = ("4", "8")
_MAX_NOUN_WORDS: Final = 5
_NOT_NOUNS: Final = ("Which", "Where", "How", "One")
"""First words of descriptions that do not begin with a noun for the operand."""


@rule("immediate-range", on=ViolationKind.IMMEDIATE_RANGE)
def immediate_range(mismatch: InstructionMismatch, _: RuleContext) -> Finding:
    """Reports a constant that is out of range for the instruction.

    ## Why is this bad?
    ptxas rejects the module. For example, barrier numbers must be 0 to 15, and the lookup table of
    `lop3` has 8 bits.

    ## Example
    ```ptx
    bar.sync 16;
    ```

    Use instead:
    ```ptx
    bar.sync 15;
    ```
    """
    violation = mismatch.violation
    what = quoted(mismatch.operand or violation.found)
    name, noun = _meant(mismatch)
    meant = f"the {noun}" if noun else f"operand `{name}`" if name else ""
    if len(violation.expected) == 1 and violation.expected[0].startswith(_MULTIPLE):
        multiple = violation.expected[0].removeprefix(_MULTIPLE)
        return Finding(f"{meant or 'the constant'} must be a multiple of {multiple}, found {what}")
    message = f"{what} is out of range"
    if meant and any(map(_is_range, violation.expected)):
        message = f"{what} is out of range for {meant}"
    elif meant:
        message = f"{meant} cannot be {what}"
    if violation.expected == _SIXTEEN and mismatch.form.startswith(_WHOLE):
        is_smaller = violation.found in _SMALLER
        rest = f"; use `.ca` for {violation.found}" if is_smaller else f", found {what}"
        return Finding(f"`{_WHOLE}` copies exactly 16 bytes{rest}")
    note = violation.note
    if noun and note.startswith(f"the {noun} "):
        note = f"it {note.removeprefix(f'the {noun} ')}"
    return Finding(with_reason(joined(message, wanted(violation.expected)), note))


def _is_range(expected: str) -> bool:
    """Whether all numbers between two bounds are allowed."""
    return expected.startswith(_RANGE) and " that " not in expected


def _meant(mismatch: InstructionMismatch) -> tuple[str, str]:
    """Returns the operand's name in the manual, and a noun for it: `a`, "barrier number"."""
    opcode, _ = isa.split_modifiers(mismatch.opcode)
    instruction = isa.database().instruction(opcode)
    kind, *numbers = mismatch.violation.part
    if instruction is None or kind != "operand":
        return "", ""
    form = next((form for form in instruction.forms if form.syntax == mismatch.form), None)
    if form is None or int(numbers[0]) >= len(form.operands):
        return "", ""
    operand = form.operands[int(numbers[0])]
    if len(numbers) > 1:
        return "", ""
    return operand.name, _noun(instruction.operand_doc(operand.name))


def _noun(description: str) -> str:
    """Returns the first words of an operand's description, if they are a noun for it; else ""."""
    head = min((description.partition(mark)[0] for mark in _MARKS), key=len)
    words = head.split(" ")
    is_noun = head == head.capitalize() and all(map(str.isalpha, words)) and head != description
    is_noun = is_noun and len(words) <= _MAX_NOUN_WORDS and words[0] not in _NOT_NOUNS
    return head.lower() if is_noun else ""
