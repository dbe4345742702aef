"""Executes straight-line code with `isa.execution`, for one thread."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.execution import evaluate
from ptx_ls.isa.operand import Operand, OperandKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa.model import OperandSpec

_STATEMENT: Final = re.compile(
    r"(?:@\s*(?P<not>!?)\s*(?P<guard>%p\d+)\s+)?"
    r"(?P<opcode>\w+)(?P<modifiers>(?:\.\w+)*)\s+(?P<operands>[^{}\[\]|]*);"
).fullmatch
_WIDTHS: Final = {"%p": 1, "%rs": 16, "%r": 32, "%rd": 64, "%f": 32, "%fd": 64}
_FLOATS: Final = {".f32": ("<f", "<I"), ".f64": ("<d", "<Q")}


class NotComputableError(Exception):
    """The result of a statement is not determined, or its pseudo-code cannot be executed."""


def run(code: str, registers: Mapping[str, int]) -> dict[str, int]:
    """Returns the bits in registers after code with one statement on each line.

    Raises:
        NotComputableError: if the result of a statement is unknown.
    """
    bits = dict(registers)
    for line in filter(None, map(str.strip, code.splitlines())):
        match = _STATEMENT(line)
        if match is None:
            raise NotComputableError(line)
        if match["guard"] is None or bits[match["guard"]] != bool(match["not"]):
            _execute(match["opcode"], match["modifiers"], match["operands"], bits)
    return bits


def _execute(opcode: str, written: str, operands: str, bits: dict[str, int]) -> None:
    modifiers = re.findall(r"\.\w+", written)
    texts = [text.strip() for text in operands.split(",")]
    specs = _specs(opcode, modifiers, len(texts))
    given = {
        spec.name: None if spec.role == "write" else _bits(text, spec.type, bits)
        for spec, text in zip(specs, texts, strict=True)
    }
    outcome = evaluate(opcode, modifiers, given)
    if outcome is None or not outcome.is_exact:
        raise NotComputableError(opcode)
    for spec, text in zip(specs, texts, strict=True):
        result = outcome.results.get(spec.name)
        if isinstance(result, int):
            bits[text] = result & ((1 << _WIDTHS[text.rstrip("0123456789")]) - 1)


def _specs(opcode: str, modifiers: list[str], n_operands: int) -> list[OperandSpec]:
    """Returns the operands of the form that has `n_operands` of them."""
    instruction = isa.database().instruction(opcode)
    unknown = Operand(OperandKind.UNKNOWN)
    verdict = instruction and isa.check(
        instruction, modifiers, [unknown] * n_operands, isa.Context()
    )
    specs = [spec for spec in verdict.operand_specs if spec is not None] if verdict else []
    if not verdict or not verdict.is_accepted or len(specs) != n_operands:
        raise NotComputableError(opcode)
    return specs


def _bits(text: str, type_: str, bits: Mapping[str, int]) -> int:
    """Returns the bits of an operand of a type."""
    if text.startswith("!"):
        return 1 - bits[text[1:].strip()]
    if text in bits:
        return bits[text]
    if text[:2].lower() in ("0f", "0d"):
        return int("0x" + text[2:], 0)
    if "." in text and type_ in _FLOATS:
        number, whole = _FLOATS[type_]
        return int(struct.unpack(whole, struct.pack(number, float(text)))[0])
    try:
        return int(text, 0) & ((1 << int(re.sub(r"\D", "", type_))) - 1)
    except ValueError:
        raise NotComputableError(text) from None
