"""Finds the one mistake behind several violations of an instruction.

Two operands that stand in each other's place, or one type that fits none of the operands, break
what is said of each operand; only the cause is worth telling.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import isa
from ptx_ls.isa import Violation, ViolationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.isa import Context, Instruction, Operand, Verdict

MOST_MODIFIERS: Final = 32
"""With more, which no instruction has, changes of single ones are not tried."""
_OF_OPERANDS: Final = frozenset(
    {
        ViolationKind.OPERAND_KIND,
        ViolationKind.OPERAND_TYPE,
        ViolationKind.OPERAND_WIDTH,
        ViolationKind.VECTOR_SIZE,
        ViolationKind.STATE_SPACE,
    }
)
_OF_TYPES: Final = frozenset({ViolationKind.OPERAND_TYPE, ViolationKind.OPERAND_WIDTH})
_GATES: Final = frozenset({ViolationKind.VERSION, ViolationKind.TARGET})
_SIZES: Final = (".v2", ".v4", ".v8")
_OF_PLACES: Final = frozenset({ViolationKind.MISSING_MODIFIER, ViolationKind.MODIFIER_ORDER})
_BLAMED: Final = {
    ViolationKind.OPERAND_TYPE: _OF_TYPES,
    ViolationKind.VECTOR_SIZE: frozenset({ViolationKind.VECTOR_SIZE}),
}
"""What a type, or a number of elements, may be to blame for."""
_OF_MODIFIERS: Final = frozenset(
    {
        ViolationKind.ILLEGAL_MODIFIER,
        ViolationKind.MISSING_MODIFIER,
        ViolationKind.DUPLICATE_MODIFIER,
        ViolationKind.UNKNOWN_MODIFIER,
        ViolationKind.MODIFIER_ORDER,
    }
)


class Written(NamedTuple):
    """An instruction as it is written, under a version and targets."""

    instruction: Instruction
    modifiers: Sequence[str]
    operands: Sequence[Operand]
    context: Context

    def verdict(self) -> Verdict:
        """What is to be said of it."""
        return isa.check(*self)

    def is_clean(self) -> bool:
        """Whether nothing at all is wrong."""
        return not self.verdict().violations

    def with_modifiers(self, modifiers: Sequence[str]) -> Written:
        """The same with other modifiers."""
        return self._replace(modifiers=modifiers)

    def with_other(self, index: int, modifier: str) -> Written:
        """The same with another modifier in place of the one with that index."""
        own = self.modifiers
        return self._replace(modifiers=[*own[:index], modifier, *own[index + 1 :]])

    def with_exchanged(self, first: int, second: int) -> Written:
        """The same with two operands in each other's place."""
        changed = list(self.operands)
        changed[first], changed[second] = changed[second], changed[first]
        return self._replace(operands=changed)


def sole_culprit(written: Written, violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """The violations, with one in place of all those that one change would mend."""
    violations = _one_for_each_part(violations)
    if len(written.modifiers) > MOST_MODIFIERS:
        return violations
    if sum(one.kind in _OF_MODIFIERS and not one.lenient for one in violations) > 1:
        violations = _with_replaced_modifier(written, violations)
    wrong = [one for one in violations if one.kind in _OF_MODIFIERS and not one.lenient]
    if len(wrong) > 1 or any(one.kind in _OF_PLACES for one in wrong):
        violations = _with_foreign_modifier(written, violations)
    if all(one.lenient for one in violations):
        return violations
    of_operands = [one for one in violations if one.kind in _OF_OPERANDS and not one.lenient]
    if len(violations) < 2:  # noqa: PLR2004
        return violations
    others = tuple(one for one in violations if one not in of_operands)
    if any(one.kind in _OF_MODIFIERS and not one.lenient for one in others):
        # Operands and order are judged by the modifiers, so those come first.
        order = ViolationKind.MODIFIER_ORDER
        unordered = tuple(one for one in others if one.kind is not order or one.lenient)
        kept = unordered if any(not one.lenient for one in unordered) else others
        return _one_missing(tuple(one for one in kept if one.kind not in _GATES or one.lenient))
    blamed = _blamed(written, tuple(of_operands))
    if any(one.kind is ViolationKind.VECTOR_SIZE or one.part[0] == "modifier" for one in blamed):
        others = tuple(one for one in others if one.kind not in _GATES or one.lenient)
    return *others, *blamed


def _blamed(written: Written, of_operands: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """The one exchange of operands, type or size behind violations of operands, if there is one."""
    places = sorted({one.part[1] for one in of_operands if len(one.part) > 1})
    for first, second in combinations(places, 2):
        if written.with_exchanged(first, second).verdict().is_accepted:
            note = f"operands {first + 1} and {second + 1} are swapped"
            return (Violation(ViolationKind.OPERAND_KIND, ("operand", first), note=note),)
    for kind in (ViolationKind.OPERAND_TYPE, ViolationKind.VECTOR_SIZE):
        if not any(one.kind in _BLAMED[kind] for one in of_operands):
            continue
        for index, found in enumerate(written.modifiers):
            fitting = tuple(_fitting(written, index, kind))
            if fitting:
                return (Violation(kind, ("modifier", index), found, fitting),)
    return of_operands


def _one_for_each_part(violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """One violation for each operand and modifier, none that is lenient where another is not.

    Of a vector, the first element that is wrong.
    """
    wrong = {one.part for one in violations if not one.lenient and len(one.part) > 1}
    told: set[object] = set()
    kept: list[Violation] = []
    for one in violations:
        alike = (one.part[:2], one.lenient) if len(one.part) > 2 else one.part  # noqa: PLR2004
        is_told = one.part in told or alike in told
        if (one.lenient and one.part in wrong) or (len(one.part) > 1 and is_told):
            continue
        told |= {one.part, alike}
        kept.append(one)
    return tuple(kept)


def _one_missing(violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """Of modifiers that are missing, the first, and none beside one that is wrong."""
    missing = [one for one in violations if _lacks(one)]
    if any(one.kind in _OF_MODIFIERS and not one.lenient and not _lacks(one) for one in violations):
        return tuple(one for one in violations if one not in missing)
    if len(missing) < 2:  # noqa: PLR2004
        return violations
    first, rest = missing[0], len(missing) - 1
    note = first.note or f"it lacks {rest} more modifier{'s' if rest > 1 else ''}"
    told = first._replace(note=note)
    return tuple(told if one is first else one for one in violations if one not in missing[1:])


def _lacks(violation: Violation) -> bool:
    return violation.kind is ViolationKind.MISSING_MODIFIER and not violation.lenient


def _with_replaced_modifier(
    written: Written, violations: tuple[Violation, ...]
) -> tuple[Violation, ...]:
    """Blames a modifier that stands where one is missing, if nothing else is wrong then."""
    missing = next((one for one in violations if _lacks(one)), None)
    if missing is None:
        return violations
    return _replacing_one(written, violations, [missing.expected] * len(written.modifiers))


def _with_foreign_modifier(
    written: Written, violations: tuple[Violation, ...]
) -> tuple[Violation, ...]:
    """Blames a modifier whose siblings are legal, where no other one can just be added or moved.

    An unknown shape may belong to another form, which then seems to lack one of its modifiers.
    """
    modifiers = written.modifiers
    places = (one for one in violations if one.kind in _OF_PLACES and not one.lenient)
    blamed = next(places, None)
    if blamed is None:
        mended: Iterable[Sequence[str]] = ()
    elif blamed.kind is ViolationKind.MISSING_MODIFIER:
        mended = (
            [*modifiers[:index], value, *modifiers[index:]]
            for value in blamed.expected
            for index in range(len(modifiers) + 1)
        )
    else:
        mended = [isa.split_modifiers(blamed.expected[0])[1] if blamed.expected else ()]
    if any(written.with_modifiers(each).is_clean() for each in mended):
        return violations
    others = [siblings(written.instruction, found) for found in modifiers]
    return _replacing_one(written, violations, others)


def _replacing_one(
    written: Written, violations: tuple[Violation, ...], others: Sequence[Iterable[str]]
) -> tuple[Violation, ...]:
    """Blames the first modifier in whose place one of its `others` would be legal, if any."""
    for index, (found, instead) in enumerate(zip(written.modifiers, others, strict=True)):
        legal = tuple(other for other in instead if written.with_other(index, other).is_clean())
        if legal:
            rest = (one for one in violations if one.kind not in _OF_MODIFIERS or one.lenient)
            kind = ViolationKind.ILLEGAL_MODIFIER
            return *rest, Violation(kind, ("modifier", index), found, legal)
    return violations


def siblings(instruction: Instruction, modifier: str) -> tuple[str, ...]:
    """The modifiers that stand where a modifier does, in one form or another."""
    found: dict[str, None] = {}
    for form in instruction.forms:
        for slot in form.row.accepts.get(modifier, ()):
            found.update(dict.fromkeys(form.row.slots[slot].values))
    found.pop(modifier, None)
    return tuple(found)


def _fitting(written: Written, index: int, kind: ViolationKind) -> Iterator[str]:
    """Types, or sizes, that make the instruction legal in place of the one with that index."""
    instruction, own = written.instruction, written.modifiers[index]
    is_size = kind is ViolationKind.VECTOR_SIZE
    likes = _SIZES if is_size else instruction.database.type_facts
    if own not in likes:
        return
    known = {value for form in instruction.forms for value in form.row.accepts if value in likes}
    for other in sorted(known - {own}, key=_is_rare):
        if written.with_other(index, other).is_clean():
            yield other


def _is_rare(type_: str) -> tuple[bool, str]:
    """Packed and alternate formats come last."""
    return "x" in type_ or type_[1:2] not in "busf" or type_.startswith(".bf"), type_
