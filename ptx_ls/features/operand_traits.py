"""The role of each name in an instruction: written or read, an address, an integer or a float.

Computed once for each shape. Compilers often declare a register by its width only; the type of the
operand then says whether it is an integer or a float.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.hover.operand_facts import reading_of
from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from ptx_ls.isa import Context, Instruction
    from ptx_ls.syntax.operands import OperandSyntax

_MAX_SHAPES: Final = 1 << 13
"""Maximum number of shapes whose traits are cached."""
_CATEGORIES: Final = {
    "arithmetic": TokenTrait.ARITHMETIC,
    "comparison": TokenTrait.COMPARISON,
    "control flow": TokenTrait.CONTROL_FLOW,
    "logic": TokenTrait.LOGIC,
    "shift": TokenTrait.LOGIC,
    "matrix": TokenTrait.MATRIX,
    "stack": TokenTrait.MEMORY,
    "surface": TokenTrait.TEXTURE,
    "texture": TokenTrait.TEXTURE,
    "synchronisation": TokenTrait.SYNCHRONIZATION,
    "video": TokenTrait.VIDEO,
}
_CONVERSIONS: Final = ("cvt", "cvta")
_ENDS: Final = ("branch", "exit", "return")
_MAX_UNFINISHED_LENGTH: Final = 500
"""The operands of a longer unfinished instruction are not read."""
_UNFINISHED: Final = " \t\r\n,;."
_TYPE_CLASSES: Final = {
    "predicate": TokenTrait.PREDICATE,
    "unsigned": TokenTrait.INTEGER,
    "signed": TokenTrait.INTEGER,
    "half": TokenTrait.FLOAT,
    "float": TokenTrait.FLOAT,
    "alternate": TokenTrait.FLOAT,
}


class NameTraits(NamedTuple):
    """The traits of a name by its use in an instruction.

    `by_type`, from the type of the operand, applies to a register declared by its width only.
    """

    always: TokenTrait = TokenTrait(0)
    by_type: TokenTrait = TokenTrait.INTEGER


_NONE: Final = TokenTrait(0)
_WRITTEN: Final = TokenTrait.WRITTEN
_ADDRESS: Final = TokenTrait.ADDRESS
_INTEGER: Final = TokenTrait.INTEGER
_PLAIN: Final = NameTraits()
_GUARD: Final = NameTraits(TokenTrait.GUARD | TokenTrait.PREDICATE, _NONE)
_WRITING: Final = ("write", "readwrite")


class ShapeTraits(NamedTuple):
    """The traits of a shape's opcode, and of each of its identifiers."""

    opcode: TokenTrait = TokenTrait(0)
    names: tuple[NameTraits, ...] = ()
    takes: str = ""
    """The kind of control transfer, by which undeclared names are classified: `branch`, `call`."""


_traits: dict[tuple[Shape, Context], ShapeTraits] = {}


def traits_of(shape: Shape, context: Context) -> ShapeTraits:
    """Returns the traits of a shape in a module of the given version and target."""
    key = shape, context
    found = _traits.get(key)
    if found is None:
        found = _read(shape, context)
        if len(_traits) >= _MAX_SHAPES:
            _traits.clear()
        _traits[key] = found
    return found


def _read(shape: Shape, context: Context) -> ShapeTraits:
    instruction = isa.database().instruction(shape.name)
    operands, identifiers = shape.read.parts
    names = [_PLAIN] * len(identifiers)
    if shape.guard and names:
        names[0] = _GUARD
    if instruction is None:
        return ShapeTraits(names=tuple(names))
    reading = reading_of(shape, context)
    specs = reading.operands
    for index, operand in enumerate(operands):
        spec = specs[index] if index < len(specs) else None
        is_written = spec.role in _WRITING if spec else (not specs and not index)
        by_type = _class_of(spec.type) if spec else _INTEGER
        if operand.form is OperandForm.IDENTIFIER and not (operand.elements or operand.paired):
            names[operand.identifier] = NameTraits(_WRITTEN if is_written else _NONE, by_type)
        else:
            _name(operand, by_type, names, is_written=is_written)
    group = opcode_class(instruction)
    if reading.is_deprecated:
        group |= TokenTrait.DEPRECATED
    return ShapeTraits(group, tuple(names), instruction.flow)


@lru_cache(maxsize=1 << 10)
def traits_of_unfinished(text: str, context: Context) -> ShapeTraits:
    """Returns the traits of an unfinished instruction, as if it ended there.

    If it cannot be read even then, returns only those of its guard and opcode.
    """
    ended = f"{text.rstrip(_UNFINISHED)};"
    if (
        len(text) < _MAX_UNFINISHED_LENGTH and ended != text.rstrip()
    ):  # if it has its `;` already, it cannot be read
        read = Reader().read_line(f"{ended}\n")
        if isinstance(read, Shape):
            return traits_of(read, context)
    names = (_GUARD,) if guard_of(text) is not None else ()
    instruction = isa.database().instruction(opcode_of(text).partition(".")[0])
    if instruction is None:
        return ShapeTraits(names=names)
    return ShapeTraits(opcode_class(instruction), names, instruction.flow)


@lru_cache(maxsize=1 << 10)
def opcode_class(instruction: Instruction) -> TokenTrait:
    """Returns the class of an opcode, by its category in the manual and its operands."""
    if instruction.flow in (*_ENDS, "call"):
        return TokenTrait.CONTROL_FLOW
    found = _CATEGORIES.get(instruction.prose.category)
    if found is not None:
        return found
    if instruction.prose.category != "data movement":
        return TokenTrait(0)
    if instruction.opcode in _CONVERSIONS:
        return TokenTrait.CONVERSION
    has_address = any(
        spec.kind == "addr"
        for form in instruction.forms
        for operand in form.operands
        for spec in operand.specs
    )
    return TokenTrait.MEMORY if has_address else TokenTrait.DATA_MOVEMENT


def class_of_type(name: str) -> TokenTrait:
    """Returns the trait of a type's values, integer, float or predicate; no trait for `.b32`."""
    _, group = isa.database().type_facts.get(name, (0, ""))
    return _TYPE_CLASSES.get(group, TokenTrait(0))


def _class_of(name: str) -> TokenTrait:
    return class_of_type(name) or _INTEGER


def _name(
    operand: OperandSyntax,
    by_type: TokenTrait,
    names: list[NameTraits],
    *,
    is_written: bool,
    is_address: bool = False,
) -> None:
    """Records the traits of the names in an operand."""
    is_address = is_address or operand.form is OperandForm.ADDRESS
    is_written = is_written and not is_address
    if operand.identifier >= 0:
        always = _ADDRESS if is_address else _WRITTEN if is_written else _NONE
        names[operand.identifier] = NameTraits(always, _NONE if is_address else by_type)
    is_group = operand.identifier < 0
    is_result = is_written and is_group
    for element in operand.elements:
        _name(element, by_type, names, is_written=is_result, is_address=is_address)
    if operand.paired is not None:
        _name(operand.paired, TokenTrait.PREDICATE, names, is_written=is_written)
