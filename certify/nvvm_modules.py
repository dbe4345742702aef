"""Writes modules of NVVM IR that use an intrinsic or an instruction of LLVM.

The types are in `nvvm_signatures.toml`; the language server has no use for them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

from ptx_ls.isa.nvvm import IntrinsicPattern

_SIGNATURES = Path(__file__).with_name("nvvm_signatures.toml")
_ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
_SCOPES = ("block", "cluster", "device", "")
_SPACES = ("", " addrspace(1)", " addrspace(3)", " addrspace(7)")
_BINARY = frozenset(
    "fadd fsub fmul fdiv add sub mul sdiv udiv srem urem and or xor shl lshr ashr".split()
)
_CONVERSIONS = frozenset("fptosi fptoui sitofp uitofp fpext fptrunc".split())
_LLVM_TYPES = {
    "f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "v2f16": "<2 x half>",
    "v2bf16": "<2 x bfloat>", "f16x2": "<2 x half>", "bf16x2": "<2 x bfloat>",
    "v2f32": "<2 x float>", "v2i16": "<2 x i16>",
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
    number = last[1:2]
    space = "" if number == "0" else f" addrspace({number})"
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


class Signatures:
    """The contents of `nvvm_signatures.toml`."""

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
        for code in (*self._code.get(name, ()), *_atomics(name), *_operations(name)):
            yield _HEAD + "define " + code.replace(" ret ", "\n ret ")


def _operations(name: str) -> Iterator[str]:
    """IR of arithmetic, conversions and loads, for every type; the compiler refuses wrong ones."""
    floats = tuple(dict.fromkeys(t for t in _LLVM_TYPES.values() if "i16" not in t))
    integers = ("i16", "i32", "i64")
    if name in _BINARY:
        for t in floats if name.startswith("f") else integers:
            yield f"{t} @f({t} %a, {t} %b) {{\n%r = {name} {t} %a, %b ret {t} %r }}"
    if name == "fneg":
        yield from (f"{t} @f({t} %a) {{\n%r = fneg {t} %a ret {t} %r }}" for t in floats)
    if name in _CONVERSIONS:
        for source, t in product((*integers, *floats), repeat=2):
            yield f"{t} @f({source} %a) {{\n%r = {name} {source} %a to {t} ret {t} %r }}"
    if name == "load":
        for t in integers:
            yield (
                f"{t} @f(ptr addrspace(1) %a) {{\n"
                f"%r = load {t}, ptr addrspace(1) %a, !invariant.load !1 ret {t} %r }}\n!1 = !{{}}"
            )


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
