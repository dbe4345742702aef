"""Instructions, registers and types of PTX, by their names in other languages and machine code.

Source: `cuda_functions` for CUDA C++; for machine code (SASS), the instruction set reference of the
CUDA binary utilities and what ptxas makes of each instruction.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.cuda_functions import cuda_functions
from ptx_ls.isa.database import database

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_WORDS_OF_C: Final = frozenset(
    "auto bool break case char class const constexpr continue do double else enum float for if "
    "inline int long new short signed static struct switch template typedef union unsigned using "
    "void volatile while".split()
)
_OF_MACHINE_CODE: Final = """\
atomg   atom.global
atoms   atom.shared
dadd    add.rn.f64
dfma    fma.rn.f64
dmul    mul.rn.f64
dsetp   setp
fadd    add.f32
ffma    fma.rn.f32
fmnmx   min.f32
fmul    mul.f32
fsel    selp.f32
fsetp   setp
hadd2   add.f16x2
hfma2   fma.rn.f16x2
hmul2   mul.f16x2
hmma    mma.sync
i2f     cvt.rn.f32.s32
f2i     cvt.rzi.s32.f32
f2f     cvt
i2i     cvt
iadd    add.s32
iadd3   add.s32
idp     dp4a
imad    mad.lo.s32
imma    mma.sync
imnmx   min.s32
imul    mul.lo.s32
isetp   setp
ldc     ld.const
ldg     ld.global
ldgsts  cp.async
ldl     ld.local
lds     ld.shared
ldsm    ldmatrix
s2r     mov
sel     selp
stg     st.global
stl     st.local
sts     st.shared
stsm    stmatrix
warpsync  bar.warp.sync
"""
_OF_OTHER_LANGUAGES: Final = """\
goto    bra
jmp     bra
jump    bra
load    ld
return  ret
store   st
"""
_TYPES: Final = {
    ".bfloat16": ".bf16",
    ".bool": ".pred",
    ".char": ".s8",
    ".double": ".f64",
    ".float": ".f32",
    ".half": ".f16",
    ".int": ".s32",
    ".long": ".s64",
    ".short": ".s16",
    ".uchar": ".u8",
    ".uint": ".u32",
    ".ulong": ".u64",
    ".unsigned": ".u32",
    ".ushort": ".u16",
}
_PREFIXES: Final = {"i": "s", "int": "s", "u": "u", "uint": "u", "float": "f", "fp": "f"}
"""The beginnings of the names of types that end with their width."""
_WIDTHS: Final = ("8", "16", "32", "64")
_INSEPARABLE: Final = frozenset({"async", "const", "global", "local", "shared", "sync", "warp"})
"""Modifiers without which an instruction would be another one."""


def is_word_of_c(word: str) -> bool:
    """Whether a word is one of C that stands for no instruction, such as `for`."""
    return word in _WORDS_OF_C


def instruction_named(word: str, modifiers: Collection[str] = ()) -> str | None:
    """Returns the instruction of PTX for a name that is not one of its opcodes, or None.

    Case and leading underscores do not matter. If the name is followed by modifiers, such as a
    type, the instruction only has those that belong to the opcode in any case.
    """
    found = _instructions().get(_plain(word))
    if found is None or not modifiers:
        return found
    opcode, *own = found.split(".")
    return ".".join((opcode, *(each for each in own if each in _INSEPARABLE)))


def type_named(word: str) -> str | None:
    """Returns the type of PTX for the name of a type of C, LLVM or Python, such as `.int32`.

    None if there is none. Underscores and a final `_t` do not matter.
    """
    plain = word.lower().removesuffix("_t").replace("_", "")
    prefix = plain.lstrip(".").rstrip("0123456789")
    width = plain.removeprefix(f".{prefix}")
    if width in _WIDTHS and prefix in _PREFIXES:
        found = f".{_PREFIXES[prefix]}{width}"
        return found if found != ".f8" else None
    return _TYPES.get(plain)


def register_named(word: str) -> str | None:
    """Returns the special register or constant for a built-in variable of CUDA C++, or None.

    Case does not matter, nor does a `%` at the start.
    """
    return _registers().get(word.removeprefix("%").lower())


@cache
def _registers() -> Mapping[str, str]:
    registers = database().special_registers.items()
    of_cuda = {each.cuda.lower(): name for name, each in registers if each.cuda.isidentifier()}
    return {**of_cuda, "warpsize": "WARP_SZ"}


@cache
def _instructions() -> Mapping[str, str]:
    lines = f"{_OF_MACHINE_CODE}{_OF_OTHER_LANGUAGES}".splitlines()
    functions = reversed(cuda_functions())  # the first instruction of a function is the usual one
    of_functions = {_plain(each.name): each.instruction for each in functions}
    return {**of_functions, **dict(map(str.split, lines))}


def _plain(word: str) -> str:
    return word.lstrip("_").lower()
