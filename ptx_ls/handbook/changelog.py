"""Finds what is new in a PTX ISA version or a target, from the requirements of all features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls.handbook.wording.availability import AvailabilityFacts, need, needs_of
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa import database, parse_version
from ptx_ls.isa.checking.filling import is_documented

if TYPE_CHECKING:
    from ptx_ls.isa.model import Form, Instruction
    from ptx_ls.isa.reference import Gates

FIRST = "1.0"


@dataclass(frozen=True, slots=True)
class Novelty:
    """A feature that needs a version and perhaps certain targets."""

    name: str
    """The opcode, register, directive or pragma."""
    detail: str
    """The part of it that is new, in words; "" if all of it is new."""
    need: AvailabilityFacts

    def versions(self) -> Iterator[str]:
        """Yields the versions in which it was introduced, one for each alternative."""
        return (alternative.version for alternative in self.need.alternatives)

    def targets(self) -> Iterator[str]:
        """Yields the targets in all its alternatives."""
        return (target for each in self.need.alternatives for target in each.targets)


@lru_cache(maxsize=1)
def novelties() -> tuple[Novelty, ...]:
    """Returns everything that needs a version or target, by name; reads the whole database."""
    data = database()
    found: list[Novelty] = []
    for opcode in sorted(data.opcodes):
        instruction = data.instruction(opcode)
        if instruction is not None:
            found += _of_instruction(instruction)
    groups: Iterable[Mapping[str, object]] = (
        data.special_registers,
        data.directives,
        data.pragmas,
        data.types,
    )
    for group in groups:
        for name, each in group.items():
            found += _of_reference(name, getattr(each, "gates", ()))
    return tuple(found)


def _of_reference(name: str, gates: Gates) -> Iterator[Novelty]:
    for gate in gates:
        if not gate.lenient and gate.condition is None:
            yield Novelty(name, "", need(gate))


def _of_instruction(instruction: Instruction) -> Iterator[Novelty]:
    """Yields the oldest form's requirement for the instruction, then those of newer parts."""
    needs = {form: needs_of(form.row.gates, Wording(form)) for form in instruction.forms}
    first = min((_general(each) for each in needs.values()), key=_age)
    if first is not None:
        yield Novelty(instruction.opcode, "", first)
    seen: set[tuple[str, AvailabilityFacts]] = set()
    for form, wanted in needs.items():
        for each in wanted if is_documented(form) else ():
            detail = _title(form) if not each.condition else f"if {each.condition}"
            is_whole = not each.condition and (each == first or len(needs) == 1)
            if each.enforced and not is_whole and (detail, each) not in seen:
                seen.add((detail, each))
                yield Novelty(instruction.opcode, detail, each)


def _general(needs: Iterable[AvailabilityFacts]) -> AvailabilityFacts | None:
    """Returns the newest unconditional requirement of a form; None if there is none."""
    found = [each for each in needs if not each.condition and each.enforced]
    return max(found, key=_age, default=None)


def _age(wanted: AvailabilityFacts | None) -> tuple[int, int]:
    if wanted is None:
        return (0, 0)
    return min(parse_version(each.version) for each in wanted.alternatives)


def _title(form: Form) -> str:
    return form.summary.rstrip(".") or code(form.syntax.partition(" ")[0])


def of_version(version: str) -> tuple[Novelty, ...]:
    """Returns what a PTX ISA version introduced, on any target."""
    return tuple(each for each in novelties() if version in each.versions() and version != FIRST)


def of_target(target: str) -> tuple[Novelty, ...]:
    """Returns the features that were introduced with a target, or that only this target has."""
    return tuple(each for each in novelties() if target in each.targets())
