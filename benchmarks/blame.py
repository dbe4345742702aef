"""Measures how often an error names the part that was changed: ``./dev bench blame``.

Recorded legal instructions are changed in one slot: another modifier of the same kind, one that is
left out, one too many, or another operand. If ptxas rejects the result, that slot must be blamed.
Two slots of an instruction may contradict each other, and either may be wrong: `mov.u64 %r1, 2`
needs another type or another register. Blame of the other slot is counted as `ambiguous` if
changing that one alone makes the whole instruction legal, too.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from benchmarks.accuracy.verdicts import find_ptxas
from benchmarks.figures import Figure
from certify.judging import context_of, judge
from certify.operand_mutations import OperandMutator
from certify.oracle import Configuration, Oracle, configuration_of
from certify.reader import read_statement
from certify.record import DIRECTORY, read
from certify.statements import Statement
from ptx_ls import isa
from ptx_ls.isa import Context, Instruction, Violation, ViolationKind
from ptx_ls.isa.checking.verdict import Part

NEWEST = (9, 3)
"""Mutants are judged under a version that has everything, so that few need another version."""
_SHARES = {"value": 0.55, "missing": 0.15, "extra": 0.1, "operand": 0.2}
_GATES = frozenset({ViolationKind.VERSION, ViolationKind.TARGET, ViolationKind.REMOVED})
_COUNT = 2000
_GOAL = 97.0


class Outcome(StrEnum):
    """Whether the right slot is blamed."""

    RIGHT = "right"
    AMBIGUOUS = "ambiguous"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Mutant:
    """An instruction with one wrong slot: `part`, or None and the modifier that was dropped."""

    statement: Statement
    where: Configuration
    kind: str
    part: Part | None
    dropped: str = ""

    @property
    def index(self) -> int:
        """The number of the modifier or operand that was changed; -1 if one was dropped."""
        return int(self.part[1]) if self.part is not None and len(self.part) > 1 else -1

    @property
    def context(self) -> Context:
        """The version and target of the module."""
        return context_of(self.where)


def measure() -> Iterator[Figure]:
    """Yields the share of mutants whose changed slot is blamed, overall and by kind.

    Raises `RuntimeError` if ptxas is missing.
    """
    made = list(refused(mutants(_COUNT, seed=1)))
    tally: defaultdict[str, Counter[Outcome]] = defaultdict(Counter)
    for mutant in made:
        outcome = judged(mutant)
        for name in ("all mutants", f"kind {mutant.kind}"):
            tally[name][outcome] += 1
    for name, counts in sorted(tally.items()):
        total = counts.total()
        share = 100 * (total - counts[Outcome.WRONG]) / total
        remark = ", ".join(f"{counts[one]} {one}" for one in Outcome)
        goal = _GOAL if name == "all mutants" else None
        yield Figure(f"blame, {name}", share, "%", goal, remark, is_minimum=True)


def refused(made: Sequence[Mutant]) -> Iterator[Mutant]:
    """Yields the mutants that ptxas rejects. Raises `RuntimeError` if it is missing."""
    oracle = Oracle(find_ptxas())
    by_place: defaultdict[Configuration, list[Mutant]] = defaultdict(list)
    for mutant in made:
        by_place[mutant.where].append(mutant)
    for where, these in by_place.items():
        verdicts = oracle.judge([str(mutant.statement) for mutant in these], where)
        yield from (one for one, said in zip(these, verdicts, strict=True) if said is not None)


def judged(mutant: Mutant) -> Outcome:
    """Returns whether the first error about a mutant blames what was changed."""
    instruction = instruction_of(mutant.statement)
    verdict = isa.diagnose(
        instruction, mutant.statement.modifiers, mutant.statement.values, mutant.context
    )
    wrong = [one for one in verdict.violations if not one.lenient]
    blamed = wrong[0]
    if _is_right(mutant, blamed):
        return Outcome.RIGHT
    is_operand = blamed.part[0] == "operand" and len({one.part[:2] for one in wrong}) == 1
    if blamed.is_mended or blamed.removable or is_operand:
        return Outcome.AMBIGUOUS
    return Outcome.WRONG


def _is_right(mutant: Mutant, blamed: Violation) -> bool:
    if mutant.part is None:
        return blamed.kind is ViolationKind.MISSING_MODIFIER and mutant.dropped in blamed.expected
    if mutant.kind == "extra" and blamed.part[0] == "modifier":
        first, last = sorted((int(blamed.part[-1]), mutant.index))
        return len(set(mutant.statement.modifiers[first : last + 1])) == 1  # one of two equal ones
    return blamed.part[:2] == mutant.part


def instruction_of(statement: Statement) -> Instruction:
    """Returns the instruction of a recorded statement."""
    found = isa.database().instruction(statement.opcode)
    assert found is not None  # noqa: S101  only known opcodes are recorded
    return found


def mutants(count: int, seed: int) -> list[Mutant]:
    """Returns a number of mutants that ptx-ls rejects, not because of their version or target."""
    dice = random.Random(seed)  # noqa: S311  nothing secret
    known = _legal()
    opcodes = sorted(known)
    found: list[Mutant] = []
    while len(found) < count:
        statement, where = dice.choice(known[dice.choice(opcodes)])
        kind = dice.choices(list(_SHARES), list(_SHARES.values()))[0]
        mutant = _changed(statement, where, kind, dice)
        if mutant is None:
            continue
        verdict = judge(instruction_of(statement), mutant.statement, where)
        wrong = [one.kind for one in verdict.violations if not one.lenient]
        if wrong and _GATES.isdisjoint(wrong):
            found.append(mutant)
    return found


@cache
def _legal() -> dict[str, list[tuple[Statement, Configuration]]]:
    """Returns legal instructions with modifiers, by opcode."""
    found: dict[str, list[tuple[Statement, Configuration]]] = {}
    for path in sorted(DIRECTORY.glob("*.tsv")):
        for configuration, is_accepted, text in read(path):
            if not is_accepted:
                continue
            where = replace(configuration_of(configuration), version=".".join(map(str, NEWEST)))
            statement = read_statement(text)
            verdict = judge(instruction_of(statement), statement, where)
            if statement.modifiers and not verdict.violations:
                found.setdefault(statement.opcode, []).append((statement, where))
    return found


def _changed(
    statement: Statement, where: Configuration, kind: str, dice: random.Random
) -> Mutant | None:
    """Returns the statement with one slot changed; None if it cannot be changed that way."""
    instruction = instruction_of(statement)
    modifiers = list(statement.modifiers)
    index = dice.randrange(len(modifiers))
    if kind == "operand":
        if not statement.operands:
            return None
        number = dice.randrange(len(statement.operands))
        changed = OperandMutator(instruction, dice).change(statement, number)
        return Mutant(changed, where, kind, ("operand", number)) if changed else None
    part: Part | None = ("modifier", index)
    dropped = ""
    if kind == "extra":
        modifiers.insert(index, dice.choice(sorted(instruction.known)))
    elif kind == "missing":
        part, dropped = None, modifiers.pop(index)
    else:
        others = sorted(_others(instruction, modifiers[index]))
        if not others:
            return None
        modifiers[index] = dice.choice(others)
    return Mutant(replace(statement, modifiers=tuple(modifiers)), where, kind, part, dropped)


def _others(instruction: Instruction, modifier: str) -> set[str]:
    """Returns the modifiers that some form accepts in the same slot."""
    slots = (
        form.slots[slot]
        for form in instruction.forms
        for slot in form.row.accepts.get(modifier, ())
    )
    return {value for slot in slots for value in slot.values} - {modifier}
