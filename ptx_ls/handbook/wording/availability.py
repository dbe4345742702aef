"""Gates in words: which PTX ISA version and target something needs, and when it was removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.joined_conditions import without_presumed
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.notation.table import AvailabilityGate, Node, Requirement
from ptx_ls.isa.releases import version_after
from ptx_ls.isa.version import (
    describe_target,
    describe_version,
    parse_target,
    parse_version,
    runs_on,
)
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.isa.checking.verdict import Violation

_FIRST = (10, "")
_OF_ALL = ((7, 0), (70, ""))
"""The version and the target that every module in use has, or newer ones."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A way to meet a requirement: a minimum version of PTX ISA, and any of some targets."""

    version: str
    targets: tuple[str, ...]
    """`sm_80`: it and all newer targets; `sm_100f`: its family; `sm_100a`: only it. Empty: any."""


@dataclass(frozen=True, slots=True)
class AvailabilityFacts:
    """The version and targets that a module needs for something to be legal in it.

    `condition`: when they are needed, in words; "" for always. `enforced`: whether ptxas rejects a
    module without them, as the manual requires.
    """

    text: str
    alternatives: tuple[Alternative, ...]
    condition: str = ""
    enforced: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """The version in which something was removed or deprecated."""

    text: str
    version: str
    """The last version that has it, or the first in which it is deprecated."""
    targets: tuple[str, ...] = ()
    condition: str = ""
    replacement: str = ""


def need(gate: AvailabilityGate, condition: str = "") -> AvailabilityFacts:
    """Returns what a gate requires."""
    requirements = _distinct(gate.requirements)
    return AvailabilityFacts(
        requirements_in_words(requirements),
        tuple(
            Alternative(describe_version(version), tuple(map(describe_target, _named(targets))))
            for version, targets in requirements
        ),
        condition,
        not gate.lenient,
        gate.note,
    )


def is_met_everywhere(required: AvailabilityFacts) -> bool:
    """Whether PTX ISA 7.0 and `sm_70` meet a requirement, so that modules in use do."""
    return any(
        (parse_version(way.version) or _OF_ALL[0]) <= _OF_ALL[0]
        and (not way.targets or any(_is_old(name) for name in way.targets))
        for way in required.alternatives
    )


def _is_old(name: str) -> bool:
    target = parse_target(name)
    return target is not None and runs_on(_OF_ALL[1], target)


def _distinct(requirements: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """Returns the alternatives, without targets that another one allows in an older version."""
    found = []
    for requirement in requirements:
        version, targets = requirement
        older = [
            each
            for since, others in requirements
            if (since, others) != requirement and since <= version
            for each in others
        ]
        left = tuple(each for each in targets if not any(_covers(each, other) for other in older))
        if left or not targets:
            found.append((version, left))
    return tuple(found)


def requirements_in_words(requirements: Iterable[Requirement]) -> str:
    """Returns `PTX ISA 8.6 on `sm_100a`, or PTX ISA 8.8 on the family `sm_100f``."""
    return ", or ".join(filter(None, map(_requirement, requirements)))


def lacking_sentence(violation: Violation) -> str:
    """Returns what a module lacks: "Needs `sm_90` or newer."; "" if an instruction was removed."""
    needed = requirements_in_words(_distinct(violation.needs))
    return f"Needs {needed}." if needed else ""


def _requirement(requirement: Requirement) -> str:
    version, targets = requirement
    first = f"PTX ISA {describe_version(version)}" if version > (1, 0) else ""
    where = targets_in_words(_named(targets), "or")
    if not first or not where:
        return first or where
    return f"{first} and {where}" if where.endswith("newer") else f"{first} on {where}"


def targets_in_words(targets: Sequence[tuple[int, str]], joint: str = "and") -> str:
    """Returns `sm_90` and newer, the family `sm_100f`, or exact names; `joint`: "and" or "or"."""
    plain = [code(describe_target(target)) for target in targets if not target[1]]
    families = [code(describe_target(target)) for target in targets if target[1] == "f"]
    exact = [code(describe_target(target)) for target in targets if target[1] == "a"]
    parts = [f"{listed(plain)} {joint} newer"] if plain else []
    if exact:
        parts.append(listed(exact))
    if families:
        parts.append(f"the family {listed(families)}")
    return " or ".join(parts)


def _named(targets: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    return [target for target in targets if target > _FIRST]


def needs_of(gates: Iterable[AvailabilityGate], wording: Wording) -> tuple[AvailabilityFacts, ...]:
    """Returns a form's requirements, general ones first, without those that others include."""
    kept: list[_Conditional] = []
    for gate in gates:
        reduced = True if gate.condition is None else wording.known.reduced(gate.condition)
        if reduced is not False and requirements_in_words(gate.requirements):
            kept.append(_Conditional(gate, None if reduced is True else reduced, wording))
    left = [each for each in kept if not any(other.replaces(each, kept) for other in kept)]
    by_condition: dict[str, list[AvailabilityGate]] = {}
    for each in left:
        by_condition.setdefault(each.words(left), []).append(each.beyond(left))
    ordered = sorted(by_condition.items(), key=lambda item: item[0] != "")
    found = [need(gate, words) for words, gates in ordered for gate in _merged(gates)]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Conditional:
    """A gate, and what is left of its condition in a form; None if it always applies."""

    gate: AvailabilityGate
    condition: Node | None
    wording: Wording

    def replaces(self, other: _Conditional, among: Sequence[_Conditional]) -> bool:
        """Whether a gate makes another one redundant; of equal gates, the last one is kept."""
        if other is self or not self._covers(other):
            return False
        return not other._covers(self) or among.index(self) > among.index(other)

    def _covers(self, other: _Conditional) -> bool:
        """Whether this gate applies whenever the other does, and requires at least as much."""
        return _includes(self.gate, other.gate) and self.applies_with(other)

    def applies_with(self, other: _Conditional) -> bool:
        if self.condition is None or self.condition == other.condition:
            return True
        return other.condition is not None and self.wording.implies(other.condition, self.condition)

    def beyond(self, among: Sequence[_Conditional]) -> AvailabilityGate:
        """Returns the gate; for a lenient one, omits versions that enforced gates also require."""
        if not self.gate.lenient:
            return self.gate
        enforced = max(
            (
                min(version for version, _ in other.gate.requirements)
                for other in among
                if not other.gate.lenient and other.applies_with(self)
            ),
            default=(1, 0),
        )
        requirements = tuple(
            ((1, 0) if version <= enforced and targets else version, targets)
            for version, targets in self.gate.requirements
        )
        return self.gate._replace(requirements=requirements)

    def words(self, among: Sequence[_Conditional]) -> str:
        """Describes when the gate applies, without the cases in which another one requires more."""
        if self.condition is None:
            return ""
        more = [
            other.condition
            for other in among
            if other.condition is not None
            and other is not self
            and _includes(other.gate, self.gate)
            and self.applies_with(other)
        ]
        narrowed = self.wording.without(self.condition, more)
        return narrowed or self.wording.words(without_presumed(self.condition))


def _merged(gates: Iterable[AvailabilityGate]) -> list[AvailabilityGate]:
    """Merges gates that must all be met, wherever one can replace two."""
    found: list[AvailabilityGate] = []
    for gate in gates:
        for index, other in enumerate(found):
            both = _both(other, gate)
            if both is not None:
                found[index] = both
                break
        else:
            found.append(gate)
    return found


def _both(one: AvailabilityGate, two: AvailabilityGate) -> AvailabilityGate | None:
    """Returns a gate that requires what two require; None if no list of targets can express it."""
    if one.lenient != two.lenient or (one.note and two.note):
        return None
    for first, second in ((one, two), (two, one)):
        (version, targets), *more = second.requirements
        if not more and not targets:
            requirements = tuple((max(since, version), each) for since, each in first.requirements)
            return first._replace(requirements=requirements, note=one.note or two.note)
    (since, names), *rest = one.requirements
    (version, targets), *more = two.requirements
    if rest or more or len(names) > 1 or len(targets) > 1 or names[0][1] or targets[0][1]:
        return None
    requirement = (max(since, version), max(names, targets))
    return one._replace(requirements=(requirement,), note=one.note or two.note)


def _includes(strong: AvailabilityGate, weak: AvailabilityGate) -> bool:
    """Whether `strong` implies `weak`, and is enforced if `weak` is."""
    if strong.lenient and not weak.lenient:
        return False
    return all(
        any(_implies(one, other) for other in weak.requirements) for one in strong.requirements
    )


def _implies(strong: Requirement, weak: Requirement) -> bool:
    if strong[0] < weak[0]:
        return False
    if not weak[1]:
        return True
    return bool(strong[1]) and all(
        any(_covers(one, other) for other in weak[1]) for one in strong[1]
    )


def _covers(strong: tuple[int, str], weak: tuple[int, str]) -> bool:
    """Whether every target that `strong` allows is one that `weak` allows."""
    if strong[1] == "" and weak[1] != "":
        return False
    return runs_on(strong, weak)


def removals_of(gates: Iterable[AvailabilityGate], wording: Wording) -> tuple[Ending, ...]:
    """Returns the versions in which a form was removed."""
    return _endings(gates, wording, "removed in PTX ISA {next}{where}")


def deprecations_of(gates: Iterable[AvailabilityGate], wording: Wording) -> tuple[Ending, ...]:
    """Returns the versions since which a form is deprecated."""
    deprecated = "deprecated since PTX ISA {version}{where}"
    return _endings(gates, wording, deprecated, "discouraged")


def _endings(
    gates: Iterable[AvailabilityGate], wording: Wording, text: str, if_lenient: str = ""
) -> tuple[Ending, ...]:
    """Returns the endings of gates whose condition may hold; `if_lenient`: text of lenient ones."""
    found = []
    for gate in gates:
        words = True if gate.condition is None else wording.condition(gate.condition)
        if words is False:
            continue
        version, targets = gate.requirements[0]
        named = _named(targets)
        where = f" for {targets_in_words(named)}" if named else ""
        number = describe_version(version)
        found.append(
            Ending(
                (if_lenient or text if gate.lenient else text).format(
                    version=number, next=describe_version(version_after(version)), where=where
                ),
                number,
                tuple(map(describe_target, named)),
                "" if words is True else words,
                gate.note,
            )
        )
    return tuple(found)
