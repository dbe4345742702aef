"""Reads a statement as `certify` writes it back into operands; the names say their types."""

from __future__ import annotations

import re

from certify.oracle import REGISTER_TYPES
from certify.statements import Statement, Written, special
from ptx_ls.isa import Operand, OperandKind, split_modifiers
from ptx_ls.isa.notation.notation import split_top

_REGISTER = re.compile(rf"({'|'.join((*REGISTER_TYPES, 'pred', 'b128'))})_\d+$")
_SHIFTED = re.compile(r"([A-Za-z]\w*)\+(-?\d+)")
_NAMES = {
    "global_variable": (".global", ""),
    "const_variable": (".const", ""),
    "shared_variable": (".shared", ""),
    "local_variable": (".local", ""),
    "kernel_parameter": (".param", ""),
    "local_parameter": (".param", ""),
    "texture": (".global", ".texref"),
    "surface": (".global", ".surfref"),
    "sampler": (".global", ".samplerref"),
    "Label": ("label", ""),
    **{f"device_function{suffix}": ("function", "") for suffix in ("", "_in", "_out", "_bare")},
    "other_kernel": ("kernel", ""),
    "Targets": ("branchtargets", ""),
    **{f"Prototype{suffix}": ("prototype", "") for suffix in ("", "_in", "_out", "_bare")},
}
_BRACKETS = {"[": OperandKind.ADDRESS, "{": OperandKind.VECTOR, "(": OperandKind.LIST}


def read_statement(text: str) -> Statement:
    """Reads `ld.global.u32 b32_1, [b64_1];`. Raises ValueError on a name it does not know."""
    head, _, rest = text.strip().rstrip(";").partition(" ")
    opcode, modifiers = split_modifiers(head)
    operands = tuple(Written(part, read_operand(part)) for part in split_top(rest) if rest.strip())
    return Statement(opcode, modifiers, operands)


def read_operand(text: str) -> Operand:
    """Reads one operand. Raises ValueError on a name it does not know."""
    if text[0] in "!-~" and not text[1:2].isdecimal():
        return read_operand(text[1:])._replace(negation=text[0])
    first, bar, second = text.rpartition("|")
    if bar and not second.endswith(tuple("]})")):
        return read_operand(first)._replace(paired=read_operand(second))
    if text[0] in _BRACKETS:
        return _bracketed(text)
    moved = _SHIFTED.fullmatch(text)
    if moved:
        return read_operand(moved[1])._replace(offset=True, text=text)
    return _plain(text) or _named(text)


def _plain(text: str) -> Operand | None:
    """Operands that are not names: `_`, a special register, a number."""
    if text == "_":
        return Operand(OperandKind.SINK, text=text)
    if text[0] == "%":
        return special(text).operand
    if re.fullmatch(r"-?\d+", text):
        return Operand(OperandKind.INTEGER, value=int(text), text=text)
    if re.fullmatch(r"-?\d+\.\d+|0[fFdD][0-9A-Fa-f]+", text):
        return Operand(OperandKind.FLOAT, text=text)
    return None


def _bracketed(text: str) -> Operand:
    closing = {"[": "]", "{": "}", "(": ")"}[text[0]]
    end = text.rindex(closing)
    inner = text[1:end].strip()
    elements = tuple(read_operand(part) for part in split_top(inner)) if inner else ()
    return Operand(_BRACKETS[text[0]], elements=elements, selector=text[end + 1 :], text=text)


def _named(text: str) -> Operand:
    name, dot, selector = text.partition(".")
    match = _REGISTER.match(name)
    if match:
        return Operand(OperandKind.REGISTER, "." + match[1], selector=dot + selector, text=text)
    if name not in _NAMES:
        raise ValueError(f"{text!r} is not a name that certify writes")
    space, type_ = _NAMES[name]
    return Operand(OperandKind.NAME, type_, space=space, text=text)
