"""The part of a page about one form, without what holds for all forms of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from ptx_ls.handbook.page import Block, Bullets, Code, Table
from ptx_ls.handbook.phrases import code
from ptx_ls.handbook.sentences import (
    effect_sentence,
    ending_sentence,
    need_sentence,
    rule_sentence,
)

if TYPE_CHECKING:
    from ptx_ls.handbook.availability import AvailabilityFacts, Ending
    from ptx_ls.handbook.effects import EffectFacts
    from ptx_ls.handbook.forms import FormFacts, OperandFacts, RuleFacts

_ROLES: Final = {
    "read": "read",
    "write": "written",
    "readwrite": "read and written",
    "address": "address",
}
_MAX_LINE_WIDTH: Final = 100
"""Columns after which the values of a modifier go on in the next line."""
_MAX_TYPES_OF_TITLE: Final = 4
"""Most types that a title names."""
Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class CommonFacts:
    """What all forms of a page have in common, and so is told once."""

    operands: tuple[OperandFacts, ...]
    """Every operand, as most forms take it."""
    rules: tuple[RuleFacts, ...]
    needs: tuple[AvailabilityFacts, ...]
    removed: tuple[Ending, ...]
    deprecated: tuple[Ending, ...]
    effects: tuple[EffectFacts, ...]
    convergence: tuple[EffectFacts, ...]

    @classmethod
    def of(cls, forms: Sequence[FormFacts]) -> CommonFacts:
        """What is common to some forms."""
        return cls(
            _operands(forms),
            _common(forms, lambda form: form.rules),
            _common(forms, lambda form: form.needs),
            _common(forms, lambda form: form.removed),
            _common(forms, lambda form: form.deprecated),
            _common(forms, lambda form: form.effects),
            _common(forms, lambda form: form.convergence),
        )

    def operand_rows(self) -> tuple[tuple[str, ...], ...]:
        """Rows of a table on all operands."""
        return tuple(_row(operand) for operand in self.operands)

    def differs(self, operand: OperandFacts) -> bool:
        """Whether an operand of a form is not what the common table tells."""
        common = next((each for each in self.operands if each.name == operand.name), None)
        return common is not None and common.accepts != operand.accepts


def _common(
    forms: Sequence[FormFacts], facts: Callable[[FormFacts], tuple[Fact, ...]]
) -> tuple[Fact, ...]:
    first, *others = (facts(form) for form in forms)
    return tuple(fact for fact in first if all(fact in other for other in others))


def _operands(forms: Iterable[FormFacts]) -> tuple[OperandFacts, ...]:
    """Each operand once, as most forms take it."""
    found: dict[str, Counter[OperandFacts]] = {}
    for form in forms:
        for operand in form.operands:
            found.setdefault(operand.name, Counter())[operand] += 1
    most = [counter.most_common(1)[0][0] for counter in found.values()]
    return tuple(operand for operand in most if operand.accepts or operand.doc)


def _row(operand: OperandFacts) -> tuple[str, ...]:
    return code(operand.syntax), operand.accepts, _ROLES.get(operand.role, ""), operand.doc


def form_title(form: FormFacts) -> str:
    """A short title of a form among others: what it does, else how it is written."""
    if form.summary:
        return form.summary.rstrip(".")
    head = code(form.syntax.partition(" ")[0])
    types = next((slot.values for slot in form.slots if slot.name == "type"), ())
    few = 0 < len(types) <= _MAX_TYPES_OF_TITLE
    return f"{head}: {', '.join(map(code, types))}" if few else head


def form_blocks(form: FormFacts, shared: CommonFacts) -> list[Block]:
    """The syntax of a form with its value sets, and all that is particular to it."""
    found: list[Block] = [Code(_syntax(form))]
    if any(map(shared.differs, form.operands)):
        rows = tuple(_row(operand)[:-1] for operand in form.operands if operand.accepts)
        found.append(Table(("operand", "takes", "role"), rows))
    notes = [
        *(rule_sentence(rule) for rule in form.rules if rule not in shared.rules),
        *(need_sentence(need) for need in form.needs if need not in shared.needs),
        *(
            ending_sentence(each)
            for each in (*form.removed, *form.deprecated)
            if each not in (*shared.removed, *shared.deprecated)
        ),
        *(
            effect_sentence(each)
            for each in (*form.effects, *form.convergence)
            if each not in (*shared.effects, *shared.convergence)
        ),
    ]
    if notes:
        found.append(Bullets(tuple(dict.fromkeys(notes))))
    return found


def _syntax(form: FormFacts) -> str:
    """The notation, and below it the values of each name in it, as the manual writes them."""
    named = [slot for slot in form.slots if not slot.is_literal and slot.values]
    width = max((len(slot.name) for slot in named), default=0)
    lines = [f"{form.syntax};"]
    if named:
        lines.append("")
    for slot in named:
        lines += _values(f".{slot.name:{width}} = ", slot.values)
    return "\n".join(lines)


def _values(start: str, values: Sequence[str]) -> list[str]:
    """`.type = .u16 .u32 ...`, folded."""
    lines = [start]
    for value in values:
        if len(lines[-1]) + len(value) > _MAX_LINE_WIDTH and lines[-1].strip():
            lines.append(" " * len(start))
        lines[-1] += f"{value} "
    return [line.rstrip() for line in lines]
