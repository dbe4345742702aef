"""Finds what a name refers to: an instruction with modifiers, a register, a directive, ..."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ptx_ls.handbook.instruction_page import instruction_page
from ptx_ls.handbook.instructions import instruction_facts
from ptx_ls.handbook.page import Entry
from ptx_ls.isa import database, split_modifiers
from ptx_ls.isa.reference import find_special_register

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.model import Instruction
    from ptx_ls.isa.nvvm import IntrinsicPattern
    from ptx_ls.isa.reference import SpecialRegister


class UnknownNameError(Exception):
    """A name is unknown. `name` is the unknown part, `known` has the possible names."""

    def __init__(self, message: str, name: str, known: frozenset[str]) -> None:
        super().__init__(message)
        self.name = name
        self.known = known


def describe_in_any_case(text: str) -> tuple[Entry, ...]:
    """Returns entries for a name as written, or else in lower case.

    Raises:
        UnknownNameError: if neither has a meaning.
    """
    try:
        return describe(text)
    except UnknownNameError:
        with suppress(UnknownNameError):
            return describe(text.lower())
        raise


def describe(text: str) -> tuple[Entry, ...]:
    """Returns entries for a name: `ld.global`, `%tid.x`, `.maxntid`, `sm_90a`, `memory-model`, ...

    For an intrinsic of LLVM, `llvm.nvvm.barrier0`, returns the entries of the PTX that it becomes.

    There are several entries if a name has several meanings, such as `.shared`.

    Raises:
        UnknownNameError: if it has no meaning.
    """
    data = database()
    opcode, modifiers = split_modifiers(text.rstrip(";"))
    found = data.instruction(opcode)
    if found is not None:
        return (_instruction(found, modifiers),)
    if text.startswith("llvm."):
        return _intrinsic(data, text)
    if text in data.chapters:
        from ptx_ls.handbook.chapters.chapter_page import chapter  # noqa: PLC0415  # draws pictures

        return (chapter(data.chapters[text]),)
    entries = tuple(_references(data, text)) or _modifier(data, text)
    if not entries:
        if modifiers and opcode.isidentifier():
            raise UnknownNameError(f"no opcode is called `{opcode}`", opcode, data.opcodes)
        raise UnknownNameError(f"nothing in PTX is called `{text}`", text, names())
    return entries


def names() -> frozenset[str]:
    """Returns every name that `describe` knows, except modifiers."""
    data = database()
    return frozenset(
        [
            *data.opcodes, *data.special_registers, *data.predefined, *data.directives,
            *data.pragmas, *data.types, *data.state_spaces, *data.targets, *data.chapters,
            *(each.name for each in data.versions.values()),
        ]
    )  # fmt: skip


def _instruction(found: Instruction, modifiers: tuple[str, ...]) -> Entry:
    for modifier in modifiers:
        if modifier not in found.known:
            message = f"`{found.opcode}` has no modifier `{modifier}`"
            raise UnknownNameError(message, modifier, found.known)
    facts = instruction_facts(found, modifiers)
    if facts is None:
        together = f"no form of `{found.opcode}` takes `{''.join(modifiers)}`"
        raise UnknownNameError(together, "", frozenset())
    name = "".join((found.opcode, *modifiers))
    return Entry("instruction", name, found.summary, facts, instruction_page(facts))


def _references(data: Database, text: str) -> Iterator[Entry]:
    from ptx_ls.handbook import (  # noqa: PLC0415  # an instruction does not need them
        directives,
        registers,
        targets,
        types_and_spaces,
    )

    register = special_register(data, text)
    if register is not None:
        yield registers.register(data, register)
    if text in data.predefined:
        yield directives.predefined(data.predefined[text])
    if text in data.directives:
        yield directives.directive(data.directives[text])
    if text in data.types:
        yield types_and_spaces.ptx_type(data.types[text])
    if text in data.state_spaces:
        yield types_and_spaces.state_space(data.state_spaces[text])
    if text in data.pragmas:
        yield directives.pragma(data.pragmas[text])
    target = text.replace("compute_", "sm_", 1)
    if target in data.targets:
        yield targets.target(data.targets[target])
    for version in data.versions.values():
        if version.name == text:
            yield targets.version(version)


def _intrinsic(data: Database, text: str) -> tuple[Entry, ...]:
    """Returns the instructions and special registers that an intrinsic of LLVM becomes."""
    spellings = ptx_of(data, text)
    if not spellings:
        raise UnknownNameError(f"no PTX instruction is known for `{text}`", "", frozenset())
    return tuple(entry for spelling in spellings for entry in describe(spelling))


def _modifier(data: Database, text: str) -> tuple[Entry, ...]:
    if not text.startswith("."):
        return ()
    from ptx_ls.handbook import modifiers  # noqa: PLC0415  # as above

    found = modifiers.modifier(data, text)
    return (found,) if found is not None else ()


def special_register(data: Database, text: str) -> SpecialRegister | None:
    """Returns a special register by its name, with its number or component if there is one.

    A family is also found by the manual's spelling, `%envreg<32>`.
    """
    base = text.partition(".")[0]
    name, bracket, _ = base.partition("<")
    found = data.special_registers.get(name)
    if bracket:
        return found if found is not None and found.count else None
    return found or find_special_register(data.special_registers, base)


def ptx_of(database: Database, name: str) -> tuple[str, ...]:
    """Returns the PTX of an intrinsic: `shfl.sync.idx.b32`, `%tid.x`; none if it is unknown."""
    found: dict[str, None] = {}
    table = database.nvvm
    for opcode in sorted(table.opcodes):
        for pattern in table.patterns(opcode):
            found.update(dict.fromkeys(opcode + text for text in _spellings(pattern, name)))
    for pattern in table.register_patterns:
        found.update(dict.fromkeys(_spellings(pattern, name)))
    return tuple(found)


def _spellings(pattern: IntrinsicPattern, name: str) -> Iterator[str]:
    """Yields the spellings in PTX for which an entry of the data has the intrinsic `name`."""
    if any(_may_be(target.name, name) for target in pattern.targets):
        for text, intrinsics in pattern.expand():
            if any(each.name == name for each in intrinsics):
                yield text


def _may_be(target: str, name: str) -> bool:
    """Whether a name begins and ends like a target with slots: a quick test before the full one."""
    return name.startswith(target.partition("{")[0]) and name.endswith(target.rpartition("}")[2])
