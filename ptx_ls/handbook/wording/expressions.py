"""Expressions of the data in words: "`.type` is `.f32`", "`a` is a register"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.wording.expression_words import (
    CLASSES,
    COMPUTED,
    KINDS,
    LOOKUPS,
    OPERAND_VALUES,
    OPPOSITE,
    SYMBOLS,
    UNTRUE,
    VALUES,
    as_duty,
    size_of_vector,
)
from ptx_ls.handbook.wording.joined_conditions import (
    IS,
    has_alternatives,
    lists_values,
    none_of,
    split_duty,
    with_subjects_once,
    with_typed_registers,
    without_implied,
)
from ptx_ls.handbook.wording.partial_evaluation import SlotValues, with_ranges, with_sets
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.notation.expression import looks_at_operands, slots_in
from ptx_ls.isa.notation.table import Node
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.isa.model import Form

_MAX_LISTED_VALUES: Final = 6
"""Maximum number of values that are listed, instead of how to compute them."""
_MAX_LISTED_EXCEPTIONS: Final = 2
"""Maximum number of values to list as exceptions, instead of the remaining values."""
_OPTIONAL: Final = ("slot", "present", "?")
"""Conditions that an optional part is given: a modifier, a filled slot, or an operand."""
_WHEN: Final = " if and only if "
_A_FUNCTION: Final = (" is a function", " is a kernel")
_FUNCTIONS: Final = frozenset({"function", "kernel"})
"""The words for what the name of a function has instead of a state space."""


class Wording:
    """Puts the expressions of one form into words, given the `SlotValues` that are known."""

    def __init__(
        self,
        form: Form,
        given: Mapping[str, str] | None = None,
        written: Collection[str] | None = None,
    ) -> None:
        self.form = form
        self.known = SlotValues(form, given, written)

    def condition(self, node: Node) -> str | bool:
        """Returns a condition in words; True or False if it is decided in this form."""
        reduced = self.known.reduced(node)
        return reduced if isinstance(reduced, bool) else self.words(reduced)

    def requirement(self, node: Node) -> str | bool:
        """Returns a condition in words, as one that must hold: "`.type` must be `.f32`"."""
        reduced = self.known.reduced(node)
        return reduced if isinstance(reduced, bool) else self._required(reduced)

    def _required(self, node: Node) -> str:
        if (node[0] == "=>" or has_alternatives(node)) and not self._as_values(node):
            condition, duty = split_duty(node)
            return f"if {self._side(condition)}, then {self._required(duty)}"
        required, when, rest = self.words(node).partition(_WHEN)
        return f"{as_duty(required)}{when}{rest}"

    def number(self, node: Node) -> str:
        """Describes a count: a number, or how it follows from modifiers."""
        return self._value(self.known.value(node))

    def words(self, node: Node) -> str:
        """Returns a reduced condition in words."""
        node = without_implied(node)
        return self._as_values(node) or self._simple(node) or self._compound(node)

    def _simple(self, node: Node) -> str:
        """Returns the words for a condition without parts; "" for others."""
        match node[0]:
            case "slot" | "present" | "?":
                return f"{self._part_of(node)} is given"
            case "in" | "notin":
                return self._membership(node)
            case "compare":
                return self._compare(node)
            case "within":
                return f"{self._value(node[1])} is from {node[2]:,} to {node[3]:,}"
            case "inspect":
                return f"{code(node[2])} is {KINDS.get(node[1], node[1])}"
            case "call" | "compute" | "lookup":
                return self._call(node)
            case _:
                return ""

    def _part_of(self, node: Node) -> str:
        """Returns the words for an optional part: a modifier, a filled slot, or an operand."""
        match node[0]:
            case "slot":
                return self.slot(node[1])
            case "present":
                return code(node[1])
            case _:
                return f"operand {code(node[1])}"

    def _compound(self, node: Node) -> str:
        match node[0]:
            case "&" | "|":
                return self._joined(node)
            case "!":
                return self._negation(node)
            case "=>":
                return f"if {self._side(node[1])}, then {self._side(node[2])}"
            case _:
                return f"{self._part(node[1])}{_WHEN}{self._part(node[2])}"

    def implies(self, strong: Node, weak: Node) -> bool:
        """Whether a condition evidently holds whenever another one does; both are reduced."""
        return self.known.reduced(("=>", strong, weak)) is True

    def without(self, node: Node, others: Iterable[Node]) -> str:
        """Returns a condition on one slot without the cases in which one of `others` holds.

        Returns "" if the condition is not on a single slot, or if no case is left.
        """
        left = ("&", (node, *(("!", other) for other in others)))
        return "" if isinstance(self.known.reduced(left), bool) else self._as_values(left)

    def slot(self, index: int) -> str:
        """Returns the name of a slot with its dot."""
        return code(f".{self.form.row.slots[index].name}".replace("..", "."))

    def _as_values(self, node: Node) -> str:
        """Returns the values to which a condition limits a slot, if they are few; else ""."""
        slots = list(dict.fromkeys(slots_in(node)))
        if len(slots) != 1 or node[0] in ("slot", "present") or looks_at_operands(node):
            return ""
        outcomes = [
            (bool(outcome), value) for outcome, (value,) in self.known.outcomes(node, slots)
        ]
        chosen = [value for outcome, value in outcomes if outcome]
        others = [value for outcome, value in outcomes if not outcome]
        if not chosen or not others:
            return ""
        if len(others) <= _MAX_LISTED_EXCEPTIONS < len(chosen) or (
            _MAX_LISTED_VALUES < len(chosen) > len(others) <= _MAX_LISTED_VALUES
        ):
            return self._is_not(slots[0], others)
        return (
            self._is(slots[0], chosen)
            if len(chosen) <= _MAX_LISTED_VALUES or node[0] == "in"
            else ""
        )

    def _is(self, slot: int, values: list[str]) -> str:
        if "" not in values and len(values) == len(self.form.row.slots[slot].values):
            return f"{self.slot(slot)} is given"
        names = [code(value) if value else "absent" for value in values]
        if self.form.row.slots[slot].literal:
            return f"{self.slot(slot)} is absent" if "" in values else f"{listed(names)} is given"
        return f"{self.slot(slot)} is {listed(names)}"

    def _is_not(self, slot: int, values: list[str]) -> str:
        if values == [""]:
            return f"{self.slot(slot)} is given"
        if self.form.row.slots[slot].literal:
            return f"{listed(map(code, filter(None, values)))} is absent"
        names = [code(value) if value else "absent" for value in values]
        return f"{self.slot(slot)} {none_of(names)}"

    def _value(self, node: Node) -> str:  # noqa: PLR0911  # one for each kind of node
        kind = node[0]
        if kind == "constant":
            return (
                (code(node[1]) if node[1] else "") if isinstance(node[1], str) else f"{node[1]:,}"
            )
        if kind == "slot":
            return self.slot(node[1])
        if kind == "call":
            return str(VALUES[node[1]].format(*map(self._value, node[2])))
        if kind == "lookup":
            of = listed(map(self._value, node[2]), "and")
            return LOOKUPS.get(node[1], f"{node[1]} of {{}}").format(of)
        if kind == "inspect":
            return f"{OPERAND_VALUES.get(node[1], node[1])} of {code(node[2])}"
        if kind == "compute":
            left, right = map(self._factor, node[2:])
            if node[1] == "*" and left == "1":
                return right
            return size_of_vector(left, right) or f"{left} {COMPUTED[node[1]]} {right}"
        if kind in ("in", "notin"):  # as a number: 1 where it holds
            return f"(1 if {self.words(node)}, else 0)"
        return f"({self.words(node)})"

    def _factor(self, node: Node) -> str:
        text = self._value(node)
        return f"({text})" if node[0] == "compute" and node[1] in "+-" else text

    def _joined(self, node: Node) -> str:
        word = "and" if node[0] == "&" else "or"
        parts = with_ranges(node[1]) if word == "and" else with_sets(node[1])
        found = [
            text
            for predicate, some in groupby(parts, self._predicate)
            for text in self._said_once(predicate, list(some), word)
        ]
        told = {
            f"{text.partition(IS)[0]}{IS}a name" for text in found if text.endswith(_A_FUNCTION)
        }
        found = [text for text in found if text not in told]
        if word == "and":
            found = with_typed_registers(found)
        if not any(map(lists_values, found)):
            return f" {word} ".join(with_subjects_once(found, word))
        merged = with_subjects_once(found, word)
        comma = "," * (len(merged) < len(found) or any(map(lists_values, merged[:-1])))
        return f"{comma} {word} ".join(merged)

    def _predicate(self, node: Node) -> str:
        """Returns the end of a condition's words that several subjects may share; "" if none."""
        is_absent = node[0] == "!" and node[1][0] in _OPTIONAL
        return "given" if node[0] in _OPTIONAL else "absent" * is_absent

    def _said_once(self, predicate: str, parts: Sequence[Node], word: str) -> list[str]:
        """Returns the words of conditions; "`.a` or `.b` is given" if they share a predicate."""
        if not predicate or len(parts) == 1:
            return [self._part(part) for part in parts]
        names = (self._part_of(part if part[0] in _OPTIONAL else part[1]) for part in parts)
        return [f"{listed(names, word)} {'is' if word == 'or' else 'are'} {predicate}"]

    def _part(self, node: Node) -> str:
        text = self.words(node)
        return f"({text})" if node[0] in ("&", "|", "=>", "<=>") and " " in text else text

    def _side(self, node: Node) -> str:
        """Returns a side of "if ..., then ...", in parentheses if it is an implication itself."""
        return self._part(node) if node[0] in ("=>", "<=>") else self.words(node)

    def _negation(self, node: Node) -> str:
        inner = node[1]
        if inner[0] in _OPTIONAL:
            return f"{self._part_of(inner)} is absent"
        if inner[0] == "&":
            if all(part[0] in _OPTIONAL for part in inner[1]):
                return f"{listed(map(self._part_of, inner[1]), 'and')} are not given together"
            both = "both " if len(inner[1]) == 2 else ""  # noqa: PLR2004
            return f"{UNTRUE}{both}{listed(map(self._part, inner[1]), 'and')}"
        if inner[0] in ("in", "notin"):
            return self.words(("notin" if inner[0] == "in" else "in", inner[1], inner[2]))
        if inner[0] == "compare":
            return self.words(("compare", OPPOSITE[inner[1]], inner[2], inner[3]))
        return f"not ({self.words(inner)})"

    def _membership(self, node: Node) -> str:
        is_open = node[1][0] == "inspect"  # then nothing is known, so nothing is tested
        values = sorted(node[2], key=lambda value: (isinstance(value, str), value))
        names = [
            str(value) if isinstance(value, int) else code(value) if value else "absent"
            for value in values
            if value != "" or not is_open
        ] or ["unknown"]
        if is_open and node[1][1] in KINDS and len(node[2]) == 1:
            (value,) = node[2]
            sign = "==" if node[0] == "in" else "!="
            return self._compare(("compare", sign, node[1], ("constant", value)))
        if is_open and node[1][1] == "spaceof" and node[2] <= _FUNCTIONS:
            subject, names = code(node[1][2]), [f"a {value}" for value in values]
        else:
            subject = self._value(node[1])
        if node[0] == "in":
            return f"{subject} is {listed(names)}"
        return f"{subject} {none_of(names)}"

    def _compare(self, node: Node) -> str:
        _, symbol, left, right = node
        if left[0] == "inspect" and left[1] in KINDS and right[0] == "constant":
            is_so = (symbol == "==") == bool(right[1])
            return f"{code(left[2])} is {'' if is_so else 'not '}{KINDS[left[1]]}"
        same = left[0] == right[0] == "slot" and symbol in ("==", "!=")
        sign = SYMBOLS[symbol] + " the same as" * same
        return f"{self._value(left)} {sign} {self._value(right)}"

    def _call(self, node: Node) -> str:
        if node[0] == "call" and node[1] in CLASSES:
            return f"{self._value(node[2][0])} is {CLASSES[node[1]]}"
        return f"{self._value(node)} is not 0"
