"""Special registers: facts and page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.availability import Need
from ptx_ls.handbook.entry import Entry
from ptx_ls.handbook.reference_body import body, needs_of_gates, page
from ptx_ls.handbook.sentences import need_sentence
from ptx_ls.handbook.wording import code, listed
from ptx_ls.isa.nvvm import intrinsic_of_special_register
from ptx_ls.isa.version import describe_version

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.reference import SpecialRegister

UNIFORMITY: Final = {
    "thread": "Differs from thread to thread.",
    "warp": "The same in all threads of a warp.",
    "cta": "The same in all threads of a block.",
    "cluster": "The same in all threads of a cluster.",
    "grid": "The same in all threads of a launch.",
}
VOLATILE: Final = "Two reads may give different values."
CONSTANT: Final = "Constant while a thread runs."


@dataclass(frozen=True, slots=True)
class TypeSince:
    """The type that something has from a PTX ISA version on."""

    since: str
    type: str


@dataclass(frozen=True, slots=True)
class RegisterFacts:
    """A special register."""

    name: str
    summary: str
    doc: str
    types: tuple[TypeSince, ...]
    """Oldest first."""
    dimensions: tuple[str, ...]
    count: int
    """Number of registers of a family such as `%envreg0` to `%envreg31`; 0 for a single one."""
    cuda: str
    intrinsics: tuple[str, ...]
    uniformity: str
    """Among which threads it is the same: thread, warp, cta, cluster, grid."""
    volatile: bool
    needs: tuple[Need, ...]
    section: str


def register(database: Database, found: SpecialRegister) -> Entry:
    """A special register."""
    parts = found.dimensions or ("",)
    names = [intrinsic_of_special_register(database, found.name, part) for part in parts]
    facts = RegisterFacts(
        found.name,
        found.summary,
        found.doc,
        tuple(TypeSince(describe_version(since), name) for since, name in found.types),
        found.dimensions,
        found.count,
        found.cuda,
        tuple(name.name for name in names if name is not None),
        found.uniformity,
        found.volatile,
        needs_of_gates(found.gates),
        found.section,
    )
    intrinsics = listed(map(code, facts.intrinsics), "and")
    items = [
        _type_sentence(facts),
        f"CUDA C++: {listed(_components(facts), 'and')}." if facts.cuda else "",
        f"LLVM and NVVM IR: {intrinsics}." if intrinsics else "",
        UNIFORMITY.get(facts.uniformity, ""),
        VOLATILE if facts.volatile else CONSTANT,
        *map(need_sentence, facts.needs),
    ]
    blocks = body("Special register", facts.summary, facts.doc, items, section=facts.section)
    return Entry("special register", found.name, found.summary, facts, page(found.name, blocks))


def _type_sentence(facts: RegisterFacts) -> str:
    kinds = [
        f"{code(each.type)} since PTX ISA {each.since}" if len(facts.types) > 1 else code(each.type)
        for each in reversed(facts.types)
    ]
    text = f"Type {', '.join(kinds)}"
    if facts.dimensions:
        components = listed((code(f".{part}") for part in facts.dimensions), "and")
        text += f", with the components {components}"
    if facts.count:
        text += f"; {code(f'{facts.name}0')} to {code(f'{facts.name}{facts.count - 1}')}"
    return f"{text}."


def _components(facts: RegisterFacts) -> list[str]:
    return [code(f"{facts.cuda}.{part}") for part in facts.dimensions] or [code(facts.cuda)]
