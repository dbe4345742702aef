"""Proves the table of intrinsics with NVIDIA's own compiler: call one, compile, look at the PTX.

`python -m certify.nvvm [--opcode NAME]` needs libnvvm (the `nvidia-nvvm` wheel). Signatures, which
the language server has no use for, are in `nvvm_signatures.toml`. An intrinsic is proven when the
instruction that the compiler emits for it leads back to it through the table.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path

from certify.nvvm_compiler import Compiler, find
from ptx_ls.isa import Context, Operand, OperandKind, check, database, split_modifiers
from ptx_ls.isa.match import place, takes
from ptx_ls.isa.nvvm import Intrinsic, IntrinsicPattern, intrinsics_of

_SIGNATURES = Path(__file__).with_name("nvvm_signatures.toml")
ARCHITECTURES = ("compute_100a", "compute_120a")
"""Those whose NVVM IR is a current LLVM dialect, with opaque pointers."""
_ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
_SCOPES = ("block", "cluster", "device", "")
_SPACES = ("", " addrspace(1)", " addrspace(3)", " addrspace(7)")
_REGISTERS = {"%p": ".pred", "%rs": ".b16", "%r": ".b32", "%rd": ".b64", "%rq": ".b128"}
"""Types of the compiler's registers."""
_LLVM_TYPES = {
    "f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "v2f16": "<2 x half>",
    "v2bf16": "<2 x bfloat>", "v2i16": "<2 x i16>",
}  # fmt: skip
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


def parse_signature(text: str, name: str = "") -> Signature:
    """Reads `i32 (ptr addrspace(3), 4*float, i1=0|1)`; `name` tells what `any` and `anyptr` are."""
    last = name.rpartition(".")[2]
    space = "" if last == "p0" else f" addrspace({last[1:]})"
    text = text.replace("anyptr", f"ptr{space}")
    text = re.sub(r"\bany\b", _LLVM_TYPES.get(last, last), text)
    result, _, rest = text.partition(" (")
    parameters: list[str] = []
    constants: dict[int, tuple[str, ...]] = {}
    for part in _split(rest.removesuffix(")")):
        type_, _, values = part.partition("=")
        for single in _repeat(type_):
            if values:
                constants[len(parameters)] = tuple(values.split("|"))
            parameters.append(single)
    types = [single for part in _split(result) for single in _repeat(part)]
    joined = types[0] if len(types) == 1 else "{" + ", ".join(types) + "}"
    return Signature(joined, tuple(parameters), constants)


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
    """Opcode, modifiers and operands of each instruction of a module with one function."""
    _, _, body = ptx.partition("\n{")
    lines = (line.partition("//")[0] for line in (body or ptx).splitlines())
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
    """An operand by what the compiler's spelling tells of it."""
    kinds = {"[": OperandKind.ADDRESS, "{": OperandKind.VECTOR}
    if text[0] in kinds:
        elements = tuple(map(_operand, _top_level(text[1:-1])))
        return Operand(kinds[text[0]], elements=elements, text=text)
    if text.isdigit():
        return Operand(OperandKind.INTEGER, value=int(text), text=text)
    type_ = _REGISTERS.get(text.rstrip("0123456789"))
    kind = OperandKind.REGISTER if type_ else OperandKind.UNKNOWN
    return Operand(kind, type_ or "", text=text)


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


class Signatures:
    """What `nvvm_signatures.toml` says."""

    def __init__(self) -> None:
        self._types = tomllib.loads(_SIGNATURES.read_text(encoding="utf-8"))
        self._code: dict[str, list[str]] = self._types.pop("code")

    def modules(
        self, pattern: IntrinsicPattern, number: int, choice: Mapping[str, str]
    ) -> Iterator[str]:
        """Modules that use one intrinsic of an entry; none when its types are not known."""
        name = pattern.fill(choice)[number].name
        types = self._types.get(pattern.targets[number].name)
        if isinstance(types, dict):
            key = " ".join(choice[slot] or "-" for slot in types["by"].split())
            rows = (row for row, keys in types.items() if row != "by" and key in keys.split(", "))
            types = next(rows, None)
        if types is not None:
            yield from programs(name, parse_signature(types, name))
        for code in (*self._code.get(name, ()), *_atomics(name)):
            yield _HEAD + "define " + code.replace(" ret ", "\n ret ")


def _atomics(name: str) -> Iterator[str]:
    """IR of atomic instructions in every order, scope and address space."""
    for order, scope, space in product(_ORDERINGS, _SCOPES, _SPACES):
        where = f'syncscope("{scope}") ' if scope else ""
        if name == "fence" and not space and order != "monotonic":
            yield f"void @f() {{ fence {where}{order} ret void }}"
        if name == "cmpxchg" and order == "acq_rel":
            for t in ("i16", "i32", "i64"):
                yield (
                    f"{t} @f(ptr{space} %p, {t} %a, {t} %b) {{\n"
                    f"%x = cmpxchg ptr{space} %p, {t} %a, {t} %b {where}{order} monotonic\n"
                    f"%r = extractvalue {{{t}, i1}} %x, 0 ret {t} %r }}"
                )
        if name.startswith("atomicrmw ") and order in ("monotonic", "acq_rel"):
            floats = ("float", "double", "half", "bfloat")
            for t in floats if name.endswith(" fadd") else ("i32", "i64"):
                yield (
                    f"{t} @f(ptr{space} %p, {t} %v) {{\n"
                    f"%r = {name} ptr{space} %p, {t} %v {where}{order} ret {t} %r }}"
                )


@dataclass
class Report:
    """What the compiler says of the table: counts of (instruction, intrinsic) pairs."""

    proven: set[tuple[str, str]] = field(default_factory=set)
    """The instruction is what the compiler emits."""
    other_spelling: dict[tuple[str, str], str] = field(default_factory=dict)
    """The compiler writes it in another way: `bar.sync` for `bar.cta.sync`."""
    contradicted: dict[tuple[str, str], str] = field(default_factory=dict)
    """The compiler emits something else: the table is wrong."""
    unknown: set[tuple[str, str]] = field(default_factory=set)
    """The compiler does not know the intrinsic, or no type is known."""

    def counts(self) -> str:
        """One line."""
        return (
            f"proven {len(self.proven)}, other spelling {len(self.other_spelling)}, "
            f"unknown {len(self.unknown)}, CONTRADICTED {len(self.contradicted)}"
        )


class Prover:
    """Asks the compiler about the entries of opcodes."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._signatures = Signatures()
        self._emitted: dict[str, tuple[set[str], set[str]]] = {}

    def _yield_of(
        self, pattern: IntrinsicPattern, number: int, choice: Mapping[str, str]
    ) -> tuple[set[str], set[str]]:
        """Instructions that lead back to an intrinsic, and everything that was emitted for it."""
        name = pattern.fill(choice)[number].name
        if name not in self._emitted:
            good: set[str] = set()
            every: set[str] = set()
            for module in self._signatures.modules(pattern, number, choice):
                ptx = self._compile(module)
                if ptx is not None:
                    every |= {opcode + "".join(modifiers) for opcode, modifiers, _ in emitted(ptx)}
                    good |= {o + text for o, text, target in leads_back(ptx) if target.name == name}
            self._emitted[name] = good, every
        return self._emitted[name]

    def _compile(self, module: str) -> str | None:
        for architecture in ARCHITECTURES:
            ptx = self._compiler.compile(module, architecture)
            if ptx is not None:
                return ptx
        return None

    def prove(self, opcode: str, report: Report) -> None:
        """Adds what is found about an opcode to the report."""
        for pattern in database().nvvm.patterns(opcode):
            for choice in pattern.choices():
                written = opcode + pattern.spell(choice)
                if not is_spelling(opcode, pattern.spell(choice)):
                    continue
                for number, target in enumerate(pattern.fill(choice)):
                    pair = written, target.name
                    good, every = self._yield_of(pattern, number, choice)
                    if written in good:
                        report.proven.add(pair)
                    elif good:
                        report.other_spelling[pair] = min(good)
                    elif every:
                        report.contradicted[pair] = " ".join(sorted(every))
                    else:
                        report.unknown.add(pair)


def is_spelling(opcode: str, text: str) -> bool:
    """True when the modifiers, in this order, fit a form of the opcode."""
    instruction = database().instruction(opcode)
    modifiers = split_modifiers(opcode + text)[1]
    rows = (form.row for form in instruction.forms) if instruction else ()
    return any(
        takes(row, modifiers, frozenset()) and place(row, modifiers, frozenset()).is_complete
        for row in rows
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what is proven; 1 when something is contradicted, 2 without the compiler."""
    parser = argparse.ArgumentParser(prog="certify.nvvm", description=__doc__)
    parser.add_argument("--opcode", action="append", help="only this opcode")
    parser.add_argument("--list", action="store_true", help="list what is not proven")
    options = parser.parse_args(arguments)
    path = find()
    if path is None:
        print("libnvvm is not installed: python -m pip install nvidia-nvvm", file=sys.stderr)
        return 2
    total = Report()
    with Compiler(path) as compiler:
        prover = Prover(compiler)
        for opcode in options.opcode or sorted(database().nvvm.opcodes):
            prover.prove(opcode, total)
    for pair, found in sorted(total.contradicted.items()):
        print("CONTRADICTED", *pair, "->", found)
    if options.list:
        for pair, found in sorted(total.other_spelling.items()):
            print("other spelling", *pair, "->", found)
        for pair in sorted(total.unknown):
            print("unknown", *pair)
    print(total.counts())
    return int(bool(total.contradicted))


if __name__ == "__main__":
    sys.exit(main())
