"""The contents of the handbook: every name with its kind and summary, and their counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.handbook.instructions import meaning
from ptx_ls.isa import database

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.model import Instruction
    from ptx_ls.isa.reference import Directive, Pragma, PredefinedName, PtxType, StateSpace


@dataclass(frozen=True, slots=True)
class IndexLine:
    """A name with its kind, as in `Entry`, and its category.

    The category is that of an instruction, or the kind in the plural.
    """

    name: str
    kind: str
    category: str
    summary: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of the contents of the database.

    `documented`: mnemonics with a summary, a `doc`, an example, and a description of every modifier
    and operand. `compared`: those compared with ptxas. `certified`: those for which ptxas accepts
    every statement that the database allows, and no other. `statements`, `mutations` and `cells`
    (combinations of version and target) were compared: the database alone rejects `false_alarms` of
    them, ptxas alone `missed`, and named exceptions explain `excused`.
    """

    mnemonics: int
    forms: int
    modifiers: int
    special_registers: int
    predefined_names: int
    directives: int
    pragmas: int
    types: int
    state_spaces: int
    versions: int
    targets: int
    chapters: int
    documented: int
    compared: int
    certified: int
    statements: int
    mutations: int
    cells: int
    false_alarms: int
    missed: int
    excused: int


def index() -> tuple[IndexLine, ...]:
    """Returns every name: instructions by category, then all others by kind."""
    data = database()
    found = [
        IndexLine(opcode, "instruction", instruction.prose.category, instruction.summary)
        for opcode in sorted(data.opcodes)
        if (instruction := data.instruction(opcode)) is not None
    ]
    found.sort(key=lambda line: line.category)
    return (*found, *_others(data))


def _others(data: Database) -> Iterator[IndexLine]:
    for register in data.special_registers.values():
        summary = register.summary
        yield IndexLine(register.spelling, "special register", "special registers", summary)
    groups: tuple[
        tuple[str, Mapping[str, PredefinedName | Directive | Pragma | PtxType | StateSpace]], ...
    ] = (
        ("predefined name", data.predefined),
        ("directive", data.directives),
        ("pragma", data.pragmas),
        ("type", data.types),
        ("state space", data.state_spaces),
    )
    for kind, group in groups:
        for found in group.values():
            yield IndexLine(found.name, kind, f"{kind}s", found.summary)
    for chapter in data.chapters.values():
        yield IndexLine(chapter.name, "chapter", "chapters", chapter.summary)
    for version in data.versions.values():
        yield IndexLine(version.name, "version", "versions", version.release)
    for target in data.targets.values():
        summary = target.summary or f"{target.architecture}."
        yield IndexLine(target.name, "target", "targets", summary)


def statistics() -> Statistics:
    """Counts everything; reads the whole database."""
    data = database()
    instructions = [data.instruction(opcode) for opcode in sorted(data.opcodes)]
    known = [each for each in instructions if each is not None]
    certificates = data.certified.values()
    return Statistics(
        mnemonics=len(known),
        forms=sum(len(each.forms) for each in known),
        modifiers=len({modifier for each in known for modifier in each.known}),
        special_registers=sum(max(1, each.count) for each in data.special_registers.values()),
        predefined_names=len(data.predefined),
        directives=len(data.directives),
        pragmas=len(data.pragmas),
        types=len(data.types),
        state_spaces=len(data.state_spaces),
        versions=len(data.versions),
        targets=len(data.targets),
        chapters=len(data.chapters),
        documented=sum(map(is_documented, known)),
        compared=len(certificates),
        certified=sum(each.is_clean for each in certificates),
        statements=sum(each.statements for each in certificates),
        mutations=sum(each.mutations for each in certificates),
        cells=sum(each.cells for each in certificates),
        false_alarms=sum(each.false_alarms for each in certificates),
        missed=sum(each.missed for each in certificates),
        excused=sum(each.excused for each in certificates),
    )


def is_documented(instruction: Instruction) -> bool:
    """Whether everything about an instruction is described."""
    return next(undocumented(instruction), None) is None


def undocumented(instruction: Instruction) -> Iterator[str]:
    """Yields the names of what is not described: `summary`, `example`, a modifier, an operand."""
    prose = instruction.prose
    for name in ("summary", "doc", "category", "section", "example"):
        if not getattr(prose, name):
            yield name
    for form in instruction.forms:
        for slot in form.slots:
            yield from (
                value for value in slot.values if not meaning(instruction, value, slot.name)
            )
        yield from (row.name for row in form.operands if not _has_doc(instruction, row))


def _has_doc(instruction: Instruction, row: object) -> bool:
    parts = getattr(row, "parts", ())
    if parts:
        return all(_has_doc(instruction, part) for part in parts)
    return bool(instruction.operand_doc(getattr(row, "name", "")))
