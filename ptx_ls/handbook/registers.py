"""Special registers: data and page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.reference_body import entry, needs_of_gates
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.sentences import need_sentence
from ptx_ls.isa.version import describe_version
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.handbook.page import Entry
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.reference import SpecialRegister

UNIFORMITY: Final = {
    "thread": "Differs from thread to thread.",
    "warp": "The same in all threads of a warp.",
    "cta": "The same in all threads of a block.",
    "cluster": "The same in all threads of a cluster.",
    "grid": "The same in all threads of a launch.",
}
VOLATILE: Final = "May differ from one read to the next."
CONSTANT: Final = "Constant while a thread runs."


_KEYS: Final = (
    "doc types dimensions count cuda uniformity volatile range requires gates "
    "pitfalls example section"
)
"""Keys of the JSON output, in addition to `name` and `summary`."""


def register(database: Database, found: SpecialRegister) -> Entry:
    """Returns the entry of a special register."""
    intrinsics = _intrinsics(database, found)
    items = [
        _type_sentence(found),
        *value_sentences(found),
        f"CUDA C++: {listed(_components(found), 'and')}." if found.cuda else "",
        _intrinsics_sentence(found, intrinsics),
        *map(need_sentence, needs_of_gates(found.gates)),
    ]
    return entry("special register", found, items, _KEYS, intrinsics=intrinsics)


def _intrinsics(database: Database, found: SpecialRegister) -> list[str]:
    """Returns the intrinsics that read a register's components, or the members of its family."""
    names = [f"{found.name}{number}" for number in range(found.count)] or [found.name]
    parts = found.dimensions or ("",)
    read = database.nvvm.of_special_register
    intrinsics = (read(name, part) for name in names for part in parts)
    return [intrinsic.name for intrinsic in intrinsics if intrinsic is not None]


def _intrinsics_sentence(found: SpecialRegister, names: list[str]) -> str:
    if not names:
        return ""
    if found.count:
        return f"LLVM: {code(names[0])} to {code(names[-1])}."
    return f"LLVM: {listed(map(code, names), 'and')}."


def value_sentences(found: SpecialRegister) -> list[str]:
    """Describes a register's values, which threads share them, and the directives it requires."""
    sentences = [
        f"Values: {found.range}." if found.range else "",
        UNIFORMITY.get(found.uniformity, ""),
        VOLATILE if found.volatile else CONSTANT,
        f"Needs {listed(map(code, found.requires))} on the kernel." if found.requires else "",
    ]
    return [sentence for sentence in sentences if sentence]


def _type_sentence(found: SpecialRegister) -> str:
    *earlier, (_, latest) = found.types
    changes = [
        f"{code(name)} before PTX ISA {describe_version(until)}"
        for (_, name), (until, _) in zip(earlier, found.types[1:], strict=True)
    ]
    subject = "each component" if found.dimensions else "the register"
    past = f", and was {listed(changes, 'and')}" if changes else ""
    text = f"The type of {subject} is {code(latest)}{past}."
    if found.dimensions:
        components = listed((code(f".{part}") for part in found.dimensions), "and")
        text += f" The components are {components}; {code('.w')} is always 0."
    if found.count:
        last = code(f"{found.name}{found.count - 1}")
        text += f" The registers are {code(f'{found.name}0')} to {last}."
    return text


def _components(found: SpecialRegister) -> list[str]:
    return [code(f"{found.cuda}.{part}") for part in found.dimensions] or [code(found.cuda)]
