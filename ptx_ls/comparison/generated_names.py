"""The parts of names that compilers choose anew for each build, such as hashes and counters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class _GeneratedPart(NamedTuple):
    """A pattern of a part, a text that is in all names with it, and what to write instead of it."""

    sub: Callable[[str, str], str]
    sign: str
    neutral: str


_COUNTER: Final = re.compile(
    r"((?<=__unnamed_)|(?<=\$str\$)|(?<=_\$_str_\$_)|(?<=\.llvm\.)|(?<=_\$_llvm_\$_))\d+",
    re.ASCII,
).sub
_FILE: Final = r"_?(?:[0-9a-f]{8}_|\d+_tmpxft_[0-9a-f]{8}_[0-9a-f]{8}_)?\d+_\w*?_[0-9a-f]{8}"
"""A unique name of a source file in names of C++ with internal linkage."""
_PARTS: Final = (
    _GeneratedPart(
        re.compile(rf"\d*_INTERNAL_{_FILE}", re.ASCII).sub, "_INTERNAL_", "26_INTERNAL_1_x_00000000"
    ),
    _GeneratedPart(
        re.compile(rf"\d*_GLOBAL__N_{_FILE}", re.ASCII).sub,
        "_GLOBAL__N_",
        "24_GLOBAL__N__1_x_00000000",
    ),
    _GeneratedPart(re.compile(r"17h[0-9a-f]{16}E", re.ASCII).sub, "17h", "17h0000000000000000E"),
    # The disambiguator of a crate of Rust, and a namespace of CUB and Thrust.
    _GeneratedPart(re.compile(r"(?<=C)s[0-9A-Za-z]*_(?=\d)", re.ASCII).sub, "_RNv", "s_"),
    _GeneratedPart(re.compile(r"\d+_V_\d+_SM_\d+", re.ASCII).sub, "_SM_", "11_V_00_SM_000"),
)


def without_generated_parts(name: str, number: str = "0") -> str:
    """Returns a name with neutral texts in place of hashes and versions that compilers choose.

    Args:
        name: any name.
        number: the digits to write in place of a counter, as in `__unnamed_1` and `$str$2`.
    """
    for part in _PARTS:
        if part.sign in name:
            name = part.sub(part.neutral, name)
    if name == "$str":  # the first of `$str`, `$str$1`, ...
        return f"$str${number}"
    return _COUNTER(number, name)
