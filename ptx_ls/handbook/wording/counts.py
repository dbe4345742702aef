"""The possible numbers of elements of a vector, each with the modifiers that cause it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.notation.expression import children, slots_in
from ptx_ls.isa.notation.table import Node
from ptx_ls.source.english import listed

_MAX_LISTED: Final = 8
"""Maximum number of counts that are listed, and of reasons for each."""
_MAX_LIST_LENGTH: Final = 170
"""Maximum length of a list by one slot, in characters; a longer one becomes a formula."""
_MAX_CASES_LENGTH: Final = 400
"""Maximum length of a list of cases, in characters."""

Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers that can be the value of an expression.

    `numbers`: empty if there are too many combinations of modifiers to try. `text`: the numbers
    with their reasons, or a formula. `is_list`: whether the text is a formula or has several cases,
    so that the noun that is counted should come before it.
    """

    numbers: tuple[int, ...]
    text: str
    is_list: bool = False


def counts_of(node: Node, wording: Wording) -> Counts:
    """Returns the possible numbers of elements, for the modifiers that a form may have."""
    reduced = wording.known.value(node)
    slots = sorted(set(slots_in(reduced)))
    table: dict[Values, int] = {
        values: int(str(outcome))
        for outcome, values in wording.known.outcomes(reduced, slots)
        if outcome and wording.known.is_possible(slots, values)
    }
    slots, table = _without_idle(slots, table)
    numbers = tuple(sorted(set(table.values())))
    if not slots and len(numbers) == 1:
        return Counts(numbers, str(numbers[0]))
    formula = wording.number(reduced)
    if not numbers:
        return Counts((), formula, is_list=True)
    if len(slots) == 1:
        text = _listing({value: count for (value,), count in table.items()})
        return Counts(numbers, text or _range(numbers, formula))
    lists = (_list(slots, axis, table, reduced, wording) for axis in range(len(slots)))
    text = min(filter(None, lists), key=len, default="")
    if not text or len(text) > _MAX_CASES_LENGTH:
        text = _formulas(reduced, wording)
    return Counts(numbers, text, is_list=True)


def _range(numbers: tuple[int, ...], formula: str) -> str:
    few = len(numbers) <= _MAX_LISTED
    words = listed(map(str, numbers)) if few else f"{numbers[0]} to {numbers[-1]}"
    return f"{words} ({formula})"


def _without_idle(
    slots: list[int], table: dict[Values, int]
) -> tuple[list[int], dict[Values, int]]:
    """Returns the table without the slots that make no difference."""
    for place, _ in enumerate(slots):
        smaller: dict[Values, int] = {}
        for values, count in table.items():
            if smaller.setdefault((*values[:place], *values[place + 1 :]), count) != count:
                break
        else:
            return _without_idle([*slots[:place], *slots[place + 1 :]], smaller)
    return slots, table


def _listing(by_value: Mapping[str, int]) -> str:
    """Returns `2 (`.x1`) or 4 (`.x2`)`; "" if that is too long."""
    reasons: dict[int, list[str]] = {}
    for value, count in by_value.items():
        reasons.setdefault(count, []).append(code(value) if value else "none")
    if len(reasons) == 1:
        return str(next(iter(reasons)))
    if len(reasons) > _MAX_LISTED or max(map(len, reasons.values())) > _MAX_LISTED:
        return ""
    text = listed(f"{count} ({listed(reasons[count])})" for count in sorted(reasons))
    return text if len(text) <= _MAX_LIST_LENGTH else ""


@dataclass(slots=True)
class _IrrelevantValues:
    """Values of other slots with which the values of one slot yield the same counts."""

    others: list[Values]
    by_value: dict[str, int]

    def takes(self, by_value: Mapping[str, int]) -> bool:
        """Whether both tables agree on their common entries."""
        common = self.by_value.keys() & by_value.keys()
        if not common:
            return len({*self.by_value.values(), *by_value.values()}) == 1
        return all(self.by_value[each] == by_value[each] for each in common)


def _list(
    slots: list[int], axis: int, table: Mapping[Values, int], node: Node, wording: Wording
) -> str:
    """Returns counts by the slot at `axis`, for each case of the others; "" if that is too long."""
    rows: dict[Values, dict[str, int]] = {}
    for values, count in table.items():
        rows.setdefault((*values[:axis], *values[axis + 1 :]), {})[values[axis]] = count
    groups: list[_IrrelevantValues] = []
    for others, by_value in rows.items():
        group = next((each for each in groups if each.takes(by_value)), None)
        if group is None:
            groups.append(_IrrelevantValues([others], dict(by_value)))
        else:
            group.others.append(others)
            group.by_value.update(by_value)
    if len(groups) > _MAX_LISTED:
        return ""
    left = [*slots[:axis], *slots[axis + 1 :]]
    texts = [_case(group, left, node, wording) for group in groups]
    return "; ".join(texts)


def _formulas(node: Node, wording: Wording) -> str:
    """Returns a formula, or one for each case if a table has the number."""
    slots = sorted({slot for part in _lookups(node) for slot in slots_in(part)})
    names = [wording.form.row.slots[slot].name for slot in slots]
    cases: dict[str, list[Values]] = {}
    for values in product(*(wording.known.values[slot] for slot in slots)):
        given = dict(zip(names, values, strict=True))
        cases.setdefault(Wording(wording.form, given).number(node), []).append(values)
    if len(cases) == 1:
        return next(iter(cases))
    return "; ".join(
        f"{formula} if {_where(values, slots, wording)}" for formula, values in cases.items()
    )


def _lookups(node: Node) -> Iterator[Node]:
    if node[0] == "lookup":
        yield node
    for part in children(node):
        yield from _lookups(part)


def _case(group: _IrrelevantValues, slots: list[int], node: Node, wording: Wording) -> str:
    names = [wording.form.row.slots[slot].name for slot in slots]
    text = _listing(group.by_value)
    if not text:
        given = dict(zip(names, group.others[0], strict=True))
        text = Wording(wording.form, given).number(node)
    return f"{text} if {_where(group.others, slots, wording)}"


def _where(others: list[Values], slots: list[int], wording: Wording) -> str:
    """Describes the case in which slots have one of several combinations of values."""
    sides = [frozenset(values) for values in zip(*others, strict=True)]
    if prod(map(len, sides)) == len(others):
        conditions = [
            wording.condition(("in", ("slot", slot), side))
            for slot, side in zip(slots, sides, strict=True)
        ]
        return " and ".join(each for each in conditions if isinstance(each, str))
    name = "".join(f".{wording.form.row.slots[slot].name}" for slot in slots)
    return f"{code(name)} is {listed(code(''.join(values)) for values in others)}"
