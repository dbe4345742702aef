"""Reads plain `.loc` directives: a place, and the function and place of an inlined call.

In debug builds, most lines may be `.loc` directives, so a single search reads all of them.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import OF_NAMES

_NUMBERS: Final = r"((?:0|[1-9]\d{0,8})[ \t]++(?:0|[1-9]\d{0,8})[ \t]++(?:0|[1-9]\d{0,8}))"
plain_locations: Final = LazyPattern(
    rf"^[ \t]*+\.loc[ \t]++{_NUMBERS}(?:[ \t]*+,[ \t]*+function_name[ \t]++([{OF_NAMES}]++)"
    rf"(?:[ \t]*+\+[ \t]*+\d++)?[ \t]*+,[ \t]*+inlined_at[ \t]++{_NUMBERS})?[ \t]*+(?://.*+)?$",
    re.ASCII | re.MULTILINE,
).findall
"""Returns the place, the label of the function and the place of the call of each plain `.loc`."""
