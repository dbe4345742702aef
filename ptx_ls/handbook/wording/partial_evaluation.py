"""Simplifies expressions of the data for one form, using what is known there.

A gate or rule of `[common]` refers to slots that a form may lack, and to values that its sets may
not have. The form's page shows only what is left of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.notation.expression import evaluate, looks_at_operands, slots_in
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import Node, OperandRow, SpecRow

if TYPE_CHECKING:
    from ptx_ls.isa.model import Form

_MAX_COMBINATIONS: Final = 3000
"""Maximum number of combinations of modifiers for which a condition is tested."""
_NO_CONSTANTS: Final = frozenset({"reg", "pred", "vec", "pack", "sreg"})
"""Kinds of operands that a constant never is."""
_PREDICATES: Final = frozenset({"pred", "imm"})
"""Kinds of operands that are predicates where they are registers."""


class SlotValues:
    """The known modifiers in a form: the values that each slot can have.

    `given` maps names of slots to written modifiers, "" for a slot that is known to be empty.
    `written` names the operands, if it is known which of the optional ones are present.
    """

    def __init__(
        self,
        form: Form,
        given: Mapping[str, str] | None = None,
        written: Collection[str] | None = None,
    ) -> None:
        self.form = form
        self.given = frozenset(given or ())
        self.values: tuple[tuple[str, ...], ...] = tuple(
            (given[slot.name],)
            if given is not None and slot.name in given
            else (("", *slot.values) if slot.optional else slot.values)
            for slot in form.row.slots
        )
        self.operands = (
            dict(_operands(form.row.operands)) if written is None else dict.fromkeys(written, False)
        )
        """Whether each operand, part of one or second destination may be omitted."""

    def is_given(self, slot: int) -> bool:
        """Whether the value of a slot is known, because it is given or the notation contains it."""
        row = self.form.row.slots[slot]
        return row.name in self.given or row.literal

    def reduced(self, node: Node) -> Node | bool:
        """Simplifies a condition as far as the modifiers are known, to True or False if decided."""
        found = self._condition(node)
        if isinstance(found, bool) or looks_at_operands(found):
            return found
        return self._decided(found)

    def value(self, node: Node) -> Node:
        """Evaluates a value (a type, a number) as far as the modifiers are known."""
        if node[0] == "slot" and len(self.values[node[1]]) == 1:
            return ("constant", self.values[node[1]][0])
        if node[0] in ("call", "lookup"):
            parts = tuple(self.value(part) for part in node[2])
            return self._folded((node[0], node[1], parts), parts)
        if node[0] == "compute":
            sides = self.value(node[2]), self.value(node[3])
            return self._folded(("compute", node[1], *sides), sides)
        return node

    def _folded(self, node: Node, parts: Sequence[Node]) -> Node:
        if all(part[0] == "constant" for part in parts):
            return ("constant", evaluate(node, self._scope([""] * len(self.values))))
        return node

    def _scope(self, values: Sequence[str]) -> ExpressionScope:
        return ExpressionScope(values, self.form.types, self.form.row.tables)

    def _decided(self, node: Node) -> Node | bool:
        """Returns True or False if every combination of modifiers agrees, else the node."""
        slots = sorted(set(slots_in(node)))
        outcomes = {bool(outcome) for outcome, _ in self.outcomes(node, slots)}
        return outcomes.pop() if len(outcomes) == 1 else node

    def outcomes(
        self, node: Node, slots: Sequence[int]
    ) -> Iterator[tuple[object, tuple[str, ...]]]:
        """Yields the value of a node for each combination of values of `slots`, with these values.

        Yields nothing if there are too many combinations.
        """
        if prod(len(self.values[slot]) for slot in slots) > _MAX_COMBINATIONS:
            return
        values = [""] * len(self.values)
        for combination in product(*(self.values[slot] for slot in slots)):
            for slot, text in zip(slots, combination, strict=True):
                values[slot] = text
            yield evaluate(node, self._scope(values)), combination

    def is_possible(self, slots: Sequence[int], values: Sequence[str]) -> bool:
        """Whether these values meet all rules that are about these slots only."""
        written = [""] * len(self.values)
        for slot, text in zip(slots, values, strict=True):
            written[slot] = text
        return all(
            bool(evaluate(rule.test, self._scope(written)))
            for rule in self.form.row.rules
            if not rule.needs_operands and set(slots_in(rule.test)) <= set(slots)
        )

    def _condition(self, node: Node) -> Node | bool:
        match node[0]:
            case "&" | "|":
                return self._several(node[0], node[1])
            case "!":
                return _negated(self._condition(node[1]))
            case "=>" | "<=>":
                sides = self._condition(node[1]), self._condition(node[2])
                return _conditional(node[0], *sides)
            case "in" | "notin":
                return self._membership(node)
            case "present" | "slot" | "?":
                return self._presence(node)
            case "compare":
                return self._comparison(node)
            case _:
                found = self.value(node)
                return bool(found[1]) if found[0] == "constant" else found

    def _comparison(self, node: Node) -> Node | bool:
        """Reduces a comparison; one with an operand that the form lacks always holds."""
        if any(side[0] == "inspect" and side[2] not in self.operands for side in node[2:]):
            return True
        sides = self.value(node[2]), self.value(node[3])
        folded = self._folded(("compare", node[1], *sides), sides)
        return bool(folded[1]) if folded[0] == "constant" else folded

    def _several(self, kind: str, parts: Sequence[Node]) -> Node | bool:
        decides = kind == "|"
        left: list[Node] = []
        for part in parts:
            found = self._condition(part)
            if found is decides:
                return decides
            if not isinstance(found, bool):
                left.extend(found[1] if found[0] == kind else (found,))
        if not left:
            return not decides
        return left[0] if len(left) == 1 else (kind, tuple(left))

    def _membership(self, node: Node) -> Node | bool:
        inner = self.value(node[1])
        if inner[0] == "constant":
            return bool(inner[1] in node[2]) is (node[0] == "in")
        if inner[0] != "slot":
            return (node[0], inner, node[2])
        can_be = frozenset(self.values[inner[1]])
        members = can_be & node[2]
        if not members or members == can_be:
            return bool(members) is (node[0] == "in")
        return (node[0], inner, members)

    def _presence(self, node: Node) -> Node | bool:
        """Reduces a test for a modifier, for any modifier of a slot, or for an operand."""
        if node[0] == "?":
            return node if self.operands.get(node[1], False) else node[1] in self.operands
        if node[0] == "slot":
            can_be = self.values[node[1]]
            return node if "" in can_be and len(can_be) > 1 else can_be[0] != ""
        slots = tuple(slot for slot in node[2] if node[1] in self.values[slot])
        if any(self.values[slot] == (node[1],) for slot in slots):
            return True
        return ("present", node[1], slots) if slots else False


Outcome = Node | bool
"""The rest of a condition; True or False if it is decided."""


def _negated(found: Outcome) -> Outcome:
    if isinstance(found, bool):
        return not found
    if found[0] == "|":
        return ("&", tuple(map(_negated, found[1])))
    return ("!", found)


def _conditional(kind: str, left: Outcome, right: Outcome) -> Outcome:
    """Reduces `left => right` or `left <=> right`; each side may be decided."""
    if kind == "<=>" and isinstance(right, bool):
        left, right = right, left
    if isinstance(left, bool):
        if left:
            return right
        return True if kind == "=>" else _negated(right)
    if isinstance(right, bool):
        return True if right else _negated(left)
    return (kind, left, right)


def _operands(rows: Sequence[OperandRow]) -> Iterator[tuple[str, bool]]:
    for row in rows:
        yield row.name, row.optional
        if row.pair:
            yield row.pair, row.pair_optional
        for name, optional in _operands(row.parts):
            yield name, optional or row.optional


def as_documented(node: Node, rows: Sequence[OperandRow]) -> Node:
    """Simplifies a rule by assuming that operands are as the manual allows.

    Some rules only limit what ptxas accepts beyond the manual: which constants may replace a
    register, or what may replace a predicate. Readers do not need to see them.
    """
    kinds = {
        row.name: {_kind(spec) for spec in row.specs if "lenient" not in spec.flags} for row in rows
    }

    def put_in(part: Node) -> Node:
        if part[0] in ("&", "|"):
            return (part[0], tuple(map(put_in, part[1])))
        if part[0] == "!":
            return ("!", put_in(part[1]))
        if part[0] in ("=>", "<=>"):
            return (part[0], put_in(part[1]), put_in(part[2]))
        found = _documented(part, kinds)
        return part if found is None else ("constant", int(found))

    return put_in(node)


def _kind(spec: SpecRow) -> str:
    return "pred" if spec.type == ("constant", ".pred") else spec.kind


def _documented(part: Node, kinds: Mapping[str, set[str]]) -> bool | None:
    """Returns whether a comparison holds for all operands in the manual; None if only for some."""
    if part[0] == "compare" and part[1] == "==" and part[3] == ("constant", 1):
        name, of_operand = "isimm", part[2]
    elif part[0] == "in":
        name, of_operand = "typeof", part[1]
    else:
        return None
    if of_operand[:2] != ("inspect", name):
        return None
    taken = kinds.get(of_operand[2], set())
    if name == "isimm":
        return False if taken and taken <= _NO_CONSTANTS else None
    return True if "pred" in taken and taken <= _PREDICATES and ".pred" in part[2] else None


def with_sets(parts: Iterable[Node]) -> list[Node]:
    """Returns alternatives; successive values of one expression become one set of values."""
    found: list[Node] = []
    for part in parts:
        if part[0] == "compare" and part[1] == "==" and part[3][0] == "constant":
            last = found[-1] if found else ("",)
            values = last[2] if last[:2] == ("in", part[2]) else frozenset()
            if values:
                found.pop()
            found.append(("in", part[2], values | {part[3][1]}))
        else:
            found.append(part)
    return found


def with_ranges(parts: Iterable[Node]) -> list[Node]:
    """Returns conditions; a lower and an upper bound of one expression become one condition."""
    found: list[Node] = []
    for part in parts:
        last = found[-1] if found else ("",)
        is_upper = part[0] == last[0] == "compare" and (last[1], part[1]) == (">=", "<=")
        if is_upper and last[2] == part[2] and last[3][0] == part[3][0] == "constant":
            found[-1] = ("within", part[2], last[3][1], part[3][1])
        else:
            found.append(part)
    return found
