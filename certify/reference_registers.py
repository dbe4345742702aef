"""Cases about special registers: every one of them, in and out of place, in all versions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from certify.modules import Case, Frame
from certify.oracle import Configuration
from ptx_ls import isa
from ptx_ls.isa.reference import SpecialRegister

NEWEST = Configuration("9.5", "sm_107a")
_HEAD = ".version 9.5\\n.target sm_107a\\n.address_size 64\\n"
_REGISTERS = {
    ".u16": "h1", ".b16": "h1", ".s16": "h1", ".b32": "r1", ".u32": "r1", ".s32": "r1",
    ".b64": "d1", ".u64": "d1", ".s64": "d1", ".f32": "f1", ".f64": "w1", ".pred": "p1",
}  # fmt: skip
_TYPED = {".u16": "u1", ".s32": "s1", ".b64": "d1", ".pred": "p1"}
"""Registers of other types than the instruction's."""
_ELEMENTS = (".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a", ".q", ".xy", ".X", ".0")
_USES = (
    "add.u32 r1, {0}, r2;",
    "add.u32 r1, r2, {0};",
    "add.s64 d1, d2, {0};",
    "mad.lo.u32 r1, {0}, {0}, {0};",
    "cvt.u32.u32 r1, {0};",
    "cvt.u64.u32 d1, {0};",
    "cvt.u32.u64 r1, {0};",
    "cvt.rn.f32.u32 f1, {0};",
    "setp.eq.u32 p1, {0}, 0;",
    "setp.eq.u64 p1, {0}, 0;",
    "and.pred p1, {0}, p2;",
    "selp.u32 r1, r2, r3, {0};",
    "shl.b32 r1, r2, {0};",
    "shl.b32 r1, {0}, 1;",
    "not.b32 r1, {0};",
    "st.global.u32 [variable], {0};",
    "st.global.u64 [variable], {0};",
    "ld.global.u32 r1, [{0}];",
    "ld.global.u32 r1, [{0}+4];",
    "bar.sync {0};",
    "mov.u32 r1, -{0};",
    "mov.u32 r1, {0}+1;",
    "mov.b64 d1, {{{0}, r1}};",
    "mov.b32 r1, {{{0}, h1}};",
    "mov.v4.u32 {{r1, r2, r3, r0}}, {0};",
    "mov.v4.u16 {{h1, h2, h3, h0}}, {0};",
    "mov.v2.u32 {{r1, r2}}, {0};",
    "mov.u32 {0}, r1;",
    "mov.u64 {0}, d1;",
    "mov.pred {0}, p1;",
    "add.u32 {0}, {0}, 1;",
    "@{0} mov.u32 r1, r2;",
    "@!{0} mov.u32 r1, r2;",
    "mov.u32 r1, [{0}];",
    "mov.u32 r1, {0}[0];",
    "ld.global.u32 {0}, [variable];",
    "setp.eq.u32 {0}, r1, r2;",
    "bra {0};",
    "call {0};",
)
_DECLARATIONS = (
    ".global .u32 NAME = {0};",
    ".global .u32 {0};",
    ".const .u32 {0} = 1;",
    ".entry {0} () {{ ret; }}",
    ".func {0} () {{ ret; }}",
    ".entry NAME () {{ .reg .u32 {0}; ret; }}",
)


def spelled(register: SpecialRegister) -> Iterator[str]:
    """Its name as written: a family by its first and last number."""
    if register.count:
        yield f"{register.name}0"
        yield f"{register.name}{register.count - 1}"
    else:
        yield register.name


def components(register: SpecialRegister) -> Iterator[str]:
    """The names that can be read: `%tid.x`, `%tid.y`, `%tid.z`, or its name."""
    for name in spelled(register):
        yield from (f"{name}.{part}" for part in register.dimensions or ())
        if not register.dimensions:
            yield name


def reads(configuration: Configuration) -> Iterator[Case]:
    """Reads of all registers as the type that they have in that version."""
    for register in isa.database().special_registers.values():
        wanted = register.type_at(configuration.number)
        for name in components(register):
            text = f"mov{wanted} {_REGISTERS[wanted]}, {name};"
            yield Case(Frame.BODY, configuration, text, f"gate of {register.name}")


def register_cases(configuration: Configuration = NEWEST) -> Iterator[Case]:
    """Everything that a version that has all registers can say about them."""
    for register in isa.database().special_registers.values():
        for frame, text, cause in (*_reads_and_uses(register), *_named(register)):
            yield Case(frame, configuration, text, cause)


def _reads_and_uses(register: SpecialRegister) -> Iterator[tuple[Frame, str, str]]:
    for name in components(register):
        for wanted, destination in _REGISTERS.items():
            text = f"mov{wanted} {destination}, {name};"
            yield Frame.BODY, text, f"{register.name} as {wanted}"
        for use in _USES:
            yield Frame.BODY, use.format(name), f"use: {use}"


def _named(register: SpecialRegister) -> Iterator[tuple[Frame, str, str]]:
    for name in spelled(register):
        for part, wanted in product(("", *_ELEMENTS), (".u32", ".u64", ".u16")):
            text = f"mov{wanted} {_REGISTERS[wanted]}, {name}{part};"
            yield Frame.BODY, text, f"component {part} as {wanted}"
        for wanted, destination in _TYPED.items():
            yield Frame.BODY, f"mov.u32 {destination}, {name}.x;", f"into {wanted}"
        for declaration in _DECLARATIONS:
            text = f"{_HEAD}{declaration.format(name)}"
            yield Frame.WHOLE, text, f"declaration: {declaration}"
    for name in _misspelled(register):
        yield Frame.BODY, f"mov.u32 r1, {name};", "no such register"


def _misspelled(register: SpecialRegister) -> Iterator[str]:
    name = register.name
    if register.count:
        yield from (name, f"{name}{register.count}", f"{name}00", f"{name}01", f"{name}-1")
    yield from (name.upper(), f"{name}_", f"{name}x", name[:-1], f"%{name}", name[1:], f"{name}0")
