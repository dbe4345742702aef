"""The parts of names that compilers choose anew for each build, such as hashes and counters."""

from __future__ import annotations

import re
from typing import Final

_FILE_HASH: Final = re.compile(
    r"\d*(_INTERNAL_|_GLOBAL__N_|__nv_static_)_?"
    r"(?:[0-9a-f]{8}_|\d+_tmpxft_[0-9a-f]{8}_[0-9a-f]{8}_)?\d+_\w*?_[0-9a-f]{8}",
    re.ASCII,
).sub
"""A unique name of a source file in names of C++ with internal linkage."""
_RUST_HASH: Final = re.compile(r"17h[0-9a-f]{16}E", re.ASCII).sub
_RUST_CRATE: Final = re.compile(r"(?<=C)s[0-9A-Za-z]*_(?=\d)", re.ASCII).sub
"""The disambiguator of a crate in a name of Rust."""
_COUNTER: Final = re.compile(
    r"(?:(?<=__unnamed_)|(?<=\$str\$)|(?<=_\$_str_\$_)|(?<=\.llvm\.)|(?<=_\$_llvm_\$_))\d+",
    re.ASCII,
).sub
_LIBRARY_VERSION: Final = re.compile(r"\d+_V_\d+_SM_\d+", re.ASCII).sub
"""A namespace of CUB and Thrust: `_V_300500_SM_900`, after its length."""
_MARK: Final = "#"


def without_generated_parts(name: str) -> str:
    """Returns a name with `#` in place of hashes, counters and versions that compilers choose."""
    if name.startswith("_R"):
        name = _RUST_CRATE(_MARK, name)
    if "17h" in name:
        name = _RUST_HASH(_MARK, name)
    if "_V_" in name:
        name = _LIBRARY_VERSION(_MARK, name)
    if "_INTERNAL_" in name or "_GLOBAL__N_" in name or "__nv_static_" in name:
        name = _FILE_HASH(rf"\1{_MARK}", name)
    if name == "$str":  # the first of `$str`, `$str$1`, ...
        return f"$str${_MARK}"
    return _COUNTER(_MARK, name)
