"""Reads a module into its functions and instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.comparison.code import read_code
from ptx_ls.comparison.modules import parts_of
from ptx_ls.comparison.phrases import PhraseReader, rendered
from ptx_ls.document.document import Document
from ptx_ls.syntax.record import Kind, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.comparison.code import FunctionCode


@dataclass(frozen=True, slots=True)
class ModuleInstruction:
    """An instruction of a function.

    Attributes:
        line: the line on which it begins.
        opcode: the opcode with its modifiers: `ld.global.u32`.
        guard: the guard predicate, such as `@!%p1`; "" if there is none.
        text: the whole instruction without comments, with numbers in decimal.
        labels: the labels before it that other statements name.
    """

    line: int
    opcode: str
    guard: str
    text: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleFunction:
    """A function with a body.

    Attributes:
        name: its name.
        kind: its linkage and kind: `.visible .entry`.
        line: the line on which it begins.
        parameters: the declarations of its parameters, without names.
        directives: names and values of directives such as `.maxntid`.
        registers: pairs of a type and the number of registers of that type that are used.
        instructions: its instructions, in order.
        is_read: whether it could be read; if it has syntax errors, it has no instructions here.
    """

    name: str
    kind: str
    line: int
    parameters: tuple[str, ...]
    directives: tuple[tuple[str, str], ...]
    registers: tuple[tuple[str, int], ...]
    instructions: tuple[ModuleInstruction, ...]
    is_read: bool = True


@dataclass(frozen=True, slots=True)
class PtxModule:
    """A module.

    Attributes:
        version: the value of `.version`, "" if it has none.
        target: the value of `.target`, "" if it has none.
        functions: the functions with a body.
        declarations: pairs of a name and its declaration: variables, and functions without a body.
    """

    version: str
    target: str
    functions: tuple[ModuleFunction, ...]
    declarations: tuple[tuple[str, str], ...]


def parse(text: str) -> PtxModule:
    r"""Returns the parts of a module.

    >>> module = parse(".version 8.0\n.target sm_90\n.entry k() { bar.sync 0; ret; }")
    >>> [function] = module.functions
    >>> function.name, [each.opcode for each in function.instructions]
    ('k', ['bar.sync', 'ret'])
    """
    reader = PhraseReader()
    parts = parts_of(Document.read(text), reader)
    functions = [
        _function(read_code(each.located, reader, {}), each.located.start.line + 1)
        for each in parts.functions
    ]
    declared = ((name, each.text(name, {})) for name, each in parts.declarations.items())
    header = parts.header
    return PtxModule(
        header.get(".version", ""), header.get(".target", ""), tuple(functions), tuple(declared)
    )


def _function(code: FunctionCode, line: int) -> ModuleFunction:
    head = code.head
    return ModuleFunction(
        head.name,
        head.kind,
        line,
        head.parameters,
        head.directives,
        tuple(code.registers.items()),
        tuple(_instructions(code)),
        code.unread is None,
    )


def _instructions(code: FunctionCode) -> Iterator[ModuleInstruction]:
    labels: list[str] = []
    for line in code.lines:
        text = rendered(line.pieces, code.spelled(line))
        if line.is_label:
            labels.append(text.rstrip(":"))
        elif line.record.kind is Kind.INSTRUCTION:
            guard, _, rest = text.partition(" ") if text.startswith("@") else ("", "", text)
            opcode = rest.partition(" ")[0].rstrip(";")
            if isinstance(line.record, Shape):
                opcode = line.record.opcode
            yield ModuleInstruction(line.line + 1, opcode, guard, text, tuple(labels))
            labels = []
