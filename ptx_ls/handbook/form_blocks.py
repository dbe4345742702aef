"""The part of a page about one form, without what applies to all forms of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from ptx_ls.handbook.page import Block, Bullets, Code, Table
from ptx_ls.handbook.wording.phrases import ROLE_WORDS, code
from ptx_ls.handbook.wording.rules import rule_sentences
from ptx_ls.handbook.wording.sentences import (
    effect_sentence,
    ending_sentence,
    need_sentence,
)

if TYPE_CHECKING:
    from ptx_ls.handbook.forms import FormFacts, OperandFacts
    from ptx_ls.handbook.wording.availability import AvailabilityFacts, Ending
    from ptx_ls.handbook.wording.effects import EffectFacts
    from ptx_ls.handbook.wording.rules import RuleFacts

_MAX_LINE_WIDTH: Final = 100
"""The column after which the values of a modifier continue on the next line."""
_MAX_TYPES_OF_TITLE: Final = 4
"""Maximum number of types that a title names."""
Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class CommonFacts:
    """The facts that all forms of a page share, which the page states once."""

    operands: tuple[OperandFacts, ...]
    """Every operand, described as in most forms."""
    rules: tuple[RuleFacts, ...]
    needs: tuple[AvailabilityFacts, ...]
    removed: tuple[Ending, ...]
    deprecated: tuple[Ending, ...]
    effects: tuple[EffectFacts, ...]
    memory: tuple[str, ...]

    @classmethod
    def of(cls, forms: Sequence[FormFacts]) -> CommonFacts:
        """Returns the facts that some forms share."""
        return cls(
            _operands(forms),
            _common(forms, lambda form: form.rules),
            _common(forms, lambda form: form.needs),
            _common(forms, lambda form: form.removed),
            _common(forms, lambda form: form.deprecated),
            _common(forms, lambda form: form.other_effects),
            _common(forms, lambda form: form.memory),
        )

    def operand_rows(self) -> tuple[tuple[str, ...], ...]:
        """Returns the rows of a table of all operands."""
        return tuple(_row(operand) for operand in self.operands)

    def differs(self, operand: OperandFacts) -> bool:
        """Whether the description of a form's operand differs from that in the common table."""
        common = next((each for each in self.operands if each.name == operand.name), None)
        return common is not None and common.accepts != operand.accepts


def _common(
    forms: Sequence[FormFacts], facts: Callable[[FormFacts], tuple[Fact, ...]]
) -> tuple[Fact, ...]:
    first, *others = (facts(form) for form in forms)
    return tuple(fact for fact in first if all(fact in other for other in others))


def _operands(forms: Iterable[FormFacts]) -> tuple[OperandFacts, ...]:
    """Returns each operand once, described as in most forms."""
    found: dict[str, Counter[OperandFacts]] = {}
    for form in forms:
        for operand in form.operands:
            found.setdefault(operand.name, Counter())[operand] += 1
    most = [counter.most_common(1)[0][0] for counter in found.values()]
    return tuple(operand for operand in most if operand.accepts or operand.doc)


def _row(operand: OperandFacts) -> tuple[str, ...]:
    return code(operand.syntax), operand.accepts, ROLE_WORDS.get(operand.role, ""), operand.doc


def form_title(form: FormFacts) -> str:
    """Returns the summary of a form, or else its opcode with modifiers, and its types if few."""
    if form.summary:
        return form.summary.rstrip(".")
    head = code(form.syntax.partition(" ")[0])
    types = next((slot.values for slot in form.slots if slot.name == "type"), ())
    few = 0 < len(types) <= _MAX_TYPES_OF_TITLE
    return f"{head}: {', '.join(map(code, types))}" if few else head


def form_blocks(form: FormFacts, shared: CommonFacts) -> list[Block]:
    """Returns the syntax of a form with its value sets, and everything specific to it."""
    found: list[Block] = [Code(_syntax(form))]
    if any(map(shared.differs, form.operands)):
        rows = tuple(_row(operand)[:-1] for operand in form.operands if operand.accepts)
        found.append(Table(("operand", "takes", "role"), rows))
    notes = [
        *rule_sentences(rule for rule in form.rules if rule not in shared.rules),
        *(need_sentence(need) for need in form.needs if need not in shared.needs),
        *(
            ending_sentence(each)
            for each in (*form.removed, *form.deprecated)
            if each not in (*shared.removed, *shared.deprecated)
        ),
        *(each for each in form.memory if each not in shared.memory),
        *(effect_sentence(each) for each in form.other_effects if each not in shared.effects),
    ]
    if notes:
        found.append(Bullets(tuple(dict.fromkeys(notes))))
    return found


def _syntax(form: FormFacts) -> str:
    """Returns the notation, followed by the values of each name in it, as in the manual."""
    named = [slot for slot in form.slots if not slot.is_literal and slot.values]
    width = max((len(slot.name) for slot in named), default=0)
    lines = [f"{form.syntax};"]
    if named:
        lines.append("")
    for slot in named:
        lines += _values(f".{slot.name:{width}} = ", slot.values)
    return "\n".join(lines)


def _values(start: str, values: Sequence[str]) -> list[str]:
    """Returns the lines of `.type = .u16 .u32 ...`, folded."""
    lines = [start]
    for value in values:
        if len(lines[-1]) + len(value) > _MAX_LINE_WIDTH and lines[-1].strip():
            lines.append(" " * len(start))
        lines[-1] += f"{value} "
    return [line.rstrip() for line in lines]
