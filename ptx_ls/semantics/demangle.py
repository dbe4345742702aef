"""Demangles names of C++ (Itanium) and Rust, including those with suffixes of compilers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import OF_NAMES

_OLD_RUST: Final = re.compile(r"_{1,2}ZN.*17h[0-9a-f]{16}E$", re.DOTALL).match
_CLONE: Final = re.compile(rf"(.+?)(?:_?\$_?|\.)(\w[{OF_NAMES}.]*)", re.ASCII | re.DOTALL).fullmatch
"""A suffix that compilers append to a name: `$1`, `.llvm.7`, and `_$_llvm_$_7`."""
_IN_STATE_SPACE: Final = re.compile(
    r".* (?:AS[1-9]\d*|(?:CL|CU|SY)[a-z]+)(?: [A-Za-z_]\w*)*(?:\*|&&?)", re.ASCII | re.DOTALL
).fullmatch
"""A pointer or reference into a state space, for which Clang writes a qualifier of the type."""
_MAX_NAME_LENGTH: Final = 4096
_NAMELESS: Final = "(anonymous namespace)"
_MAX_NAMES: Final = 16_384
_OPENING: Final = "(<[{"
_CLOSING: Final = ")>]}"
_OMITTED: Final = ("<>", "()")
"""The brackets whose contents are omitted in a long name, in this order."""
_OPERATORS: Final = ("operator", "operator<")
"""The beginnings of `operator<`, `operator<<` and `operator()`."""


def split_parameter(name: str) -> tuple[str, int | None]:
    """Splits the name of a parameter into function and number: `f_param_2` gives "f" and 2.

    Returns the name itself and None if it does not have this form, which compilers use.
    """
    function, _, number = name.rpartition("_param_")
    return (function, decimal(number)) if function and number.isdecimal() else (name, None)


@lru_cache(_MAX_NAMES)
def demangled(name: str) -> str | None:
    """Returns the name in the source, `saxpy(int, float*)` for `_Z5saxpyiPf`; None if not mangled.

    For a parameter, it is that of the function and a number: `saxpy(int, float*) parameter 1`.
    """
    is_rust = name.startswith("_R") and name[2:3].isalpha()
    if not is_rust and not name.startswith(("_Z", "__Z")):
        return None
    function, number = split_parameter(name)
    if number is not None:
        found = _read(function)
        return f"{found} parameter {number}" if found else None
    return _read(name)


def _read(name: str) -> str | None:
    found = _spelled(name)
    if found is None and (match := _CLONE(name)):
        found = _spelled(match[1])
        return f"{found} [{match[2]}]" if found else None
    return found


def _spelled(name: str) -> str | None:
    if len(name) > _MAX_NAME_LENGTH:
        return None
    # Imported on demand: most files, and all lint runs, do not need it.
    import demangle  # noqa: PLC0415

    is_rust = name.startswith("_R") or _OLD_RUST(name) is not None
    found = demangle.demangle(name, language="rust" if is_rust else "itanium")
    return found if found != name else None


def without_parameters(source_name: str) -> str:
    """Returns a demangled name without return type `void` and parameters: `f<(E)1>` stays."""
    name = source_name.removeprefix("void ")
    depth = 0
    start = len(_NAMELESS) if name.startswith(_NAMELESS) else 0
    for at in range(start, len(name)):
        depth += (name[at] == "<") - (name[at] == ">")
        if name[at] == "(" and depth <= 0 and at > 0 and not name.startswith(_NAMELESS, at):
            return name[:at]
    return name


def abridged(source_name: str, length: int) -> str:
    """Returns a demangled name with at most `length` characters.

    From a longer one, it omits the template arguments, then the parameters, then the end:
    `void scan<…>(int*, int)`.
    """
    shown = source_name
    for opening, closing in _OMITTED:
        if len(shown) > length:
            shown = _without(shown, opening, closing)
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"


def _without(name: str, opening: str, closing: str) -> str:
    """Replaces what is in brackets of one kind with `…`, except in `operator()` and the like."""
    shown, depth = "", 0
    for at, character in enumerate(name):
        if character == closing and depth:
            depth -= 1
        elif depth:
            depth += character == opening
        elif character == opening and not _is_in_name(name, at):
            depth = 1
            shown += f"{opening}…{closing}"
        else:
            shown += character
    return shown


def _is_in_name(name: str, at: int) -> bool:
    """Whether an opening bracket is part of a name."""
    is_empty = name.startswith("()", at)
    return is_empty or name.startswith(_NAMELESS, at) or name.endswith(_OPERATORS, 0, at)


def pointer_parameters(name: str) -> tuple[bool, ...] | None:
    """Returns for each parameter in the source whether it is a generic pointer or reference.

    The address in a `float AS3*`, a `__attribute__((address_space(3)))` of Clang, is not generic.
    None if the name is not mangled. The object of a member function is not one of them.
    """
    found = demangled(name)
    if found is None or not found.rpartition(")")[0]:
        return None
    depth, parts = 0, [""]
    for character in reversed(found[: found.rindex(")")]):
        depth += (character in _CLOSING) - (character in _OPENING)
        if depth < 0:
            break
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    types = [each[::-1].strip() for each in reversed(parts)]
    return tuple(
        each.endswith(("*", "&")) and not _IN_STATE_SPACE(each)
        for each in types
        if each not in ("", "void")
    )
