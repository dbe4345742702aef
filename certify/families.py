"""Every combination of the modifiers of an opcode family, written down apart from the ISA data.

Statements that are made from the forms of the database never show that a form lacks a modifier. So
`families.toml` lists values of modifiers, as the manual and ptxas name them, and lists of operands;
ptxas judges their whole product. The statements that it accepts are then also tried with the
extras: optional modifiers and their operands.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any, NamedTuple

from certify.judging import error_at, first_error, is_legal, judge
from certify.oracle import CRASH, Configuration, Oracle, configuration_of
from certify.reader import read_statement
from certify.statements import Statement
from certify.tally import Measure
from ptx_ls import isa

PATH = Path(__file__).with_suffix(".toml")
CONFIGURATIONS = tuple(
    configuration_of(f"9.5/{target}")
    for target in ("sm_107a", "sm_100a", "sm_110a", "sm_90a", "sm_120a", "sm_103a")
)
"""Where a statement is tried: one target of each family has all that the family has."""
_CORE_TARGETS = ("sm_107a", "sm_100a")
_ABSENT = "-"
RECORDED = (
    Path(__file__).resolve().parent.parent / "tests" / "isa" / "verdicts-families" / "families.tsv"
)
PER_FAMILY = 24
"""Verdicts kept of each family, of either kind."""
SAMPLE = 2000
"""Statements of a family's core, and with extras, that are asked about unless all are."""


@dataclass(frozen=True, slots=True)
class Family:
    """Statements that begin with `name`: a product of modifiers and of lists of operands."""

    name: str
    title: str
    """Tells families apart that have a name in common."""
    modifiers: tuple[tuple[str, ...], ...]
    """Alternatives of each place, in the order of the text; `""` for an absent modifier."""
    operands: tuple[str, ...]
    extras: tuple[tuple[tuple[str, str], ...], ...]
    """Groups of alternatives: a modifier to append, and the operand that it brings."""
    together: int
    """So many extras are combined at most."""
    core_targets: tuple[Configuration, ...]
    """Where the product without extras is tried: the others would only find the same again."""

    def core(self) -> Iterator[str]:
        """The whole product, without extras."""
        for parts in product(*self.modifiers):
            for operands in self.operands:
                yield f"{self.name}{''.join(parts)} {operands}".rstrip() + ";"

    def extended(self, statement: str) -> Iterator[str]:
        """A statement with every combination of extras, and with the half of each."""
        head, _, operands = statement.rstrip(";").partition(" ")
        for count in range(1, self.together + 1):
            for groups in combinations(self.extras, count):
                for chosen in product(*groups):
                    yield _joined(head, operands, chosen)
        for group in self.extras:
            for modifier, operand in group:
                if operand:
                    yield _joined(head, operands, [(modifier, "")])
                    yield _joined(head, operands, [("", operand)])


def _joined(head: str, operands: str, extras: Sequence[tuple[str, str]]) -> str:
    added = "".join(modifier for modifier, _ in extras)
    listed = [operands, *(operand for _, operand in extras)]
    return f"{head}{added} {', '.join(filter(None, listed))}".rstrip() + ";"


def read_families(path: Path = PATH) -> tuple[Family, ...]:
    """The families of a file in the notation that its head explains."""
    with path.open("rb") as file:
        entries = tomllib.load(file)["family"]
    return tuple(_family(entry) for entry in entries)


def _family(entry: dict[str, Any]) -> Family:
    return Family(
        entry["name"],
        entry.get("title", entry["name"]),
        tuple(_alternatives(place) for place in entry["modifiers"]),
        tuple(_expanded(entry["operands"], entry.get("parts", {}))),
        tuple(
            tuple((modifier, operand) for modifier, operand in group)
            for group in entry.get("extras", [])
        ),
        entry.get("together", 2),
        tuple(configuration_of(f"9.5/{target}") for target in entry.get("targets", _CORE_TARGETS)),
    )


def _alternatives(place: str) -> tuple[str, ...]:
    return tuple("" if each == _ABSENT else each for each in place.split())


_MANY = re.compile(r"@(\d+)").sub


def _registers(count: re.Match[str]) -> str:
    return ", ".join(f"b32_{number}" for number in range(1, int(count[1]) + 1))


def _expanded(operands: Sequence[str], parts: dict[str, list[str]]) -> Iterator[str]:
    """Operand lists with every part in each of its spellings; `@4` is four registers."""
    for text in operands:
        names = [name for name in parts if name in text]
        for chosen in product(*(parts[name] for name in names)):
            whole = text
            for name, spelling in zip(names, chosen, strict=True):
                whole = whole.replace(name, spelling)
            yield _MANY(_registers, whole)


def measure_family(
    family: Family, oracle: Oracle, *, limit: int | None = None, seed: int = 1
) -> Measure:
    """Compares the statements of a family with ptxas: all, or `limit` of the core and of the rest.

    `seed` chooses which. As ptxas accepts few of the core, some that we accept are always tried.
    """
    found: dict[str, tuple[Configuration | None, str]] = {}
    core = _sampled(family.core(), limit, seed, n_legal=PER_FAMILY)
    found.update(zip(core, oracle.judge_anywhere(core, family.core_targets), strict=True))
    accepted = [text for text in core if found[text][0] is not None]
    extended = _sampled((text for each in accepted for text in family.extended(each)), limit, seed)
    found.update(zip(extended, oracle.judge_anywhere(extended, CONFIGURATIONS), strict=True))
    measure = Measure(family.title)
    for text, (where, error) in found.items():
        _compare(measure, text, where, error)
    return measure


def _sampled(
    statements: Iterable[str], limit: int | None, seed: int, n_legal: int = 0
) -> list[str]:
    """`limit` statements at random, and of the others the first `n_legal` that we accept."""
    unique = list(dict.fromkeys(statements))
    if limit is None or len(unique) <= limit:
        return unique
    random.Random(seed).shuffle(unique)  # noqa: S311  not for secrets
    return unique[:limit] + list(islice(filter(_is_ours, unique[limit:]), n_legal))


def _is_ours(text: str) -> bool:
    """Whether the database takes a statement."""
    statement = read_statement(text)
    instruction = isa.database().instruction(statement.opcode)
    return instruction is not None and is_legal(instruction, statement)


def _compare(measure: Measure, text: str, where: Configuration | None, error: str) -> None:
    statement = read_statement(text)
    instruction = isa.database().instruction(statement.opcode)
    if instruction is None or error == CRASH:
        return
    if where is not None:
        violation = error_at(instruction, statement, where)
    else:
        violation = first_error(judge(instruction, statement, None), gates=False)
    measure.count(statement, violation, error or None, f"[{where or 'nowhere'}]")
    measure.verdicts.append((str(where or CONFIGURATIONS[0]), text, where is not None))


def record(measures: Iterable[Measure], seed: int, path: Path = RECORDED) -> None:
    """Writes a sample of the verdicts of each family, accepted and rejected statements."""
    lines: set[str] = set()
    for measure in measures:
        chance = random.Random(seed)  # noqa: S311  not for secrets
        for is_accepted in (True, False):
            group = sorted({each for each in measure.verdicts if each[2] is is_accepted})
            for where, text, _ in chance.sample(group, min(len(group), PER_FAMILY)):
                lines.add(f"{where}\t{'+' if is_accepted else '-'}\t{text}\t{measure.name}\n")
    path.write_text("".join(sorted(lines)), encoding="utf-8")


class Recorded(NamedTuple):
    """A verdict of ptxas on a statement of a family, which its title names."""

    family: str
    where: Configuration
    statement: Statement
    is_accepted: bool


def recorded(path: Path = RECORDED) -> Iterator[Recorded]:
    """The recorded verdicts."""
    for line in path.read_text(encoding="utf-8").splitlines():
        where, sign, text, family = line.split("\t")
        yield Recorded(family, configuration_of(where), read_statement(text), sign == "+")


def report(program: Path, seed: int, *, full: bool, is_recorded: bool) -> int:
    """Prints how each family compares; 1 when we reject anything that ptxas accepts."""
    oracle = Oracle(program)
    measures = []
    try:
        for family in read_families():
            limit = None if full else SAMPLE
            measure = measure_family(family, oracle, limit=limit, seed=seed)
            measures.append(measure)
            print(
                f"{measure.name:<48} {measure.total:>6} compared: {measure.both_accept} accepted "
                f"by both, {measure.n_false_alarms} FALSE ALARMS, {measure.n_misses} misses"
            )
            for title, causes in (("FALSE ALARM", measure.false_alarms), ("miss", measure.misses)):
                for cause, examples in causes.items():
                    print(f"    {title} x{len(examples)}  {cause}\n        {examples[0]}")
    finally:
        oracle.close()
    if is_recorded:
        record(measures, seed)
    return 1 if any(measure.n_false_alarms for measure in measures) else 0
