"""Proves the table of intrinsics with NVIDIA's own compiler: call one, compile, look at the PTX.

`python -m certify.nvvm [--opcode NAME]` needs libnvvm (the `nvidia-nvvm` wheel). Signatures, which
the language server has no use for, are in `nvvm_signatures.toml`. An intrinsic is proven when the
instruction that the compiler emits for it leads back to it through the table.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

from certify.nvvm_compiler import Compiler, find
from ptx_ls.isa import Context, Operand, OperandKind, check, database, split_modifiers
from ptx_ls.isa.nvvm import Intrinsic, intrinsics_of

ARCHITECTURES = ("compute_100a", "compute_120a")
"""Those whose NVVM IR is a current LLVM dialect, with opaque pointers."""
_LAYOUT = (
    "e-p:64:64:64-p6:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"
    "f64:64:64-f128:128:128-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64-a:8:8"
)
_HEAD = f"""target datalayout = "{_LAYOUT}"
target triple = "nvptx64-nvidia-cuda"
!nvvmir.version = !{{!0}}
!0 = !{{i32 2, i32 0}}
"""
_VARIANTS = 24
"""Most combinations of constant arguments that are tried for one intrinsic."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Types of an intrinsic; `constants` maps the places of constant arguments to their values."""

    result: str
    parameters: tuple[str, ...]
    constants: dict[int, tuple[str, ...]]


def parse_signature(text: str) -> Signature:
    """Reads `i32 (ptr addrspace(3), 4*float, i1=0|1)`."""
    result, _, rest = text.partition(" (")
    parameters: list[str] = []
    constants: dict[int, tuple[str, ...]] = {}
    for part in _split(rest.removesuffix(")")):
        type_, _, values = part.partition("=")
        if values:
            constants[len(parameters)] = tuple(values.split("|"))
        parameters += _repeat(type_)
    if "," in result or "*" in result:
        result = "{" + ", ".join(name for part in _split(result) for name in _repeat(part)) + "}"
    return Signature(result, tuple(parameters), constants)


def _repeat(text: str) -> list[str]:
    count, times, type_ = text.partition("*")
    return [type_] * int(count) if times else [text]


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def function(name: str, signature: Signature, constants: Sequence[str]) -> str:
    """IR that calls the intrinsic with its own arguments and returns its result."""
    chosen = dict(zip(signature.constants, constants, strict=True))
    own = [f"{t} %a{i}" for i, t in enumerate(signature.parameters) if i not in chosen]
    passed = [f"{t} {chosen.get(i, f'%a{i}')}" for i, t in enumerate(signature.parameters)]
    result = signature.result
    call = f"call {result} @{name}({', '.join(passed)})"
    body = f"{call}\n  ret void" if result == "void" else f"%r = {call}\n  ret {result} %r"
    return (
        f"declare {result} @{name}({', '.join(signature.parameters)})\n"
        f"define {result} @f({', '.join(own)}) {{\n  {body}\n}}\n"
    )


def programs(name: str, signature: Signature) -> Iterator[str]:
    """Modules that call the intrinsic, one for each combination of its constant arguments."""
    for constants in islice(product(*signature.constants.values()), _VARIANTS):
        yield _HEAD + function(name, signature, constants)


def emitted(ptx: str) -> Iterator[tuple[str, tuple[str, ...], tuple[Operand, ...]]]:
    """Opcode, modifiers and operands of each instruction in PTX text.

    What stands before the first instruction of a function is lost to its header, which is no
    matter: parameters are loaded first.
    """
    lines = (line.partition("//")[0] for line in ptx.splitlines())
    for statement in " ".join(lines).split(";"):
        text = " ".join(statement.strip(" \t{}").split())
        text = text.partition(" ")[2] if text.startswith("@") else text
        head, _, operands = text.partition(" ")
        opcode, modifiers = split_modifiers(head)
        if opcode.isidentifier():
            yield opcode, modifiers, tuple(map(_operand, _top_level(operands)))


def _top_level(operands: str) -> list[str]:
    """The operands: what commas outside of brackets divide."""
    depth, parts = 0, [""]
    for character in operands:
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _operand(text: str) -> Operand:
    """An operand of which only the kind is known."""
    kinds = {"[": OperandKind.ADDRESS, "{": OperandKind.VECTOR}
    unknown = (Operand(OperandKind.UNKNOWN),)
    kind = kinds.get(text[0], OperandKind.UNKNOWN)
    elements = unknown * len(_top_level(text[1:-1])) if kind in kinds.values() else ()
    return Operand(kind, elements=elements, text=text)


def leads_back(ptx: str) -> set[tuple[str, str, Intrinsic]]:
    """Opcode, canonical modifiers and intrinsic for all that the table says of a PTX module."""
    found = set()
    for opcode, modifiers, operands in emitted(ptx):
        if opcode not in database().nvvm.opcodes:
            continue
        instruction = database().instruction(opcode)
        if instruction is None:
            continue
        verdict = check(instruction, modifiers, operands, Context())
        if verdict.form is None:
            continue
        slots = verdict.form.row.slots[: verdict.form.row.n_modifier_slots]
        text = "".join(verdict.slots.get(slot.name, "") for slot in slots)
        found |= {(opcode, text, target) for target in intrinsics_of(instruction, verdict)}
    return found


def claims(opcodes: Iterable[str]) -> dict[str, set[tuple[str, str]]]:
    """For each intrinsic the instructions (opcode, modifiers) that the table leads to it from."""
    found: dict[str, set[tuple[str, str]]] = {}
    for opcode in opcodes:
        instruction = database().instruction(opcode)
        for pattern in database().nvvm.patterns(opcode):
            for text, targets in pattern.expand():
                if instruction is None or not is_spelling(opcode, text):
                    continue
                for target in targets:
                    found.setdefault(target.name, set()).add((opcode, text))
    return found


def is_spelling(opcode: str, text: str) -> bool:
    """True when the modifiers, in this order, fit a form of the opcode."""
    instruction = database().instruction(opcode)
    if instruction is None:
        return False
    modifiers = split_modifiers(opcode + text)[1]
    return any(_fits(instruction, form_index, modifiers) for form_index in range(len(instruction.forms)))


def _fits(instruction, form_index, modifiers):  # type: ignore[no-untyped-def]
    from ptx_ls.isa.match import place, takes

    row = instruction.forms[form_index].row
    return takes(row, modifiers, frozenset()) and place(row, modifiers, frozenset()).is_complete
