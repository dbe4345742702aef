"""Recognizes directives as compilers write them; the statement parser reads the others."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern

_S: Final = r"[ \t]++"
_NUMBER: Final = r"(?:0|[1-9]\d{0,17})"
is_plain_directive: Final = LazyPattern(
    rf"\.version{_S}\d\.\d|\.address_size{_S}(?:32|64)"
    rf"|\.target{_S}[a-z][a-z\d_]*+(?:[ \t]*+,[ \t]*+[a-z][a-z\d_]*+)*"
    rf"|\.file{_S}{_NUMBER}{_S}\"[ !#-~]*+\"(?:[ \t]*+,[ \t]*+{_NUMBER}){{0,2}}"
    r"|\.section[ \t]++\.debug_[a-z]++[ \t\r\n]*+\{",
    re.ASCII,
).fullmatch
"""Matches a directive of the header, or the head of a debug section, without a syntax error."""
