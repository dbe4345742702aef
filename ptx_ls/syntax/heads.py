"""Function heads as compilers write them, read by regular expressions.

A head that does not match is no error: the statement parser reads it then.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.tokens import SPACES, TUNINGS, TYPES

_NAME: Final = r"(?:%[\w$]++|[A-Za-z_$][\w$]*+)"
_TYPE: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in TYPES)) + r")\b"
_SPACE: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in SPACES)) + r")\b"
_TUNING: Final = r"\.(?:" + "|".join(sorted(name[1:] for name in TUNINGS)) + r")\b"
_PARAMETER: Final = (
    rf"\s*+\.(?:param|reg)\s++(?:\.align\s++[1-9]\d*+\s++)?{_TYPE}\s++"
    rf"(?:\.ptr\s++(?:{_SPACE}\s++)?(?:\.align\s++[1-9]\d*+\s++)?)?"
    rf"{_NAME}(?:\[(?:[1-9]\d*+)?\])?\s*+"
)
_LIST: Final = rf"\((?:{_PARAMETER}(?:,{_PARAMETER})*|\s*+)\)"
HEAD: Final = re.compile(
    rf"(?P<linkage>(?:\.(?:visible|extern|weak)\s++)?)\.(?P<kind>entry|func)\s++"
    rf"(?P<returns>{_LIST}\s*+)?(?P<name>{_NAME})\s*+(?P<parameters>{_LIST}\s*+)?"
    rf"(?:{_TUNING}(?:\s++[1-9]\d*+(?:\s*+,\s*+[1-9]\d*+)*)?\s*+)*(?P<end>[{{;])",
    re.ASCII,
).fullmatch
PARAMETER: Final = re.compile(
    rf"\.(?P<space>param|reg)\s++(?:\.align\s++(?P<alignment>\d++)\s++)?(?P<type>{_TYPE})\s++"
    rf"(?:\.ptr\s++(?:{_SPACE}\s++)?(?:\.align\s++\d++\s++)?)?"
    rf"(?P<name>{_NAME})(?P<array>\[(?P<size>\d*+)\])?",
    re.ASCII,
).finditer
"""The parameters of a list in a head that `HEAD` matched."""
