"""Lines that hold one plain statement, taken apart by a single match: most of what compilers write.

Each reader returns the match of a whole line with its line end, or None if the line has to be read
token by token. The last group is the comment after the statement, None without one.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.names import NAME_CHARACTERS, OF_NAMES
from ptx_ls.syntax.tokens import SUFFIX

_END: Final = r"[ \t]*+(//[^\r\n]*+)?(?:\r?\n)?$"
_OPERAND: Final = rf"[\[{{]*+[!\-]?[%{OF_NAMES}.+\-|]++[\]}}]*+"

instruction_parts: Final = re.compile(
    rf"[ \t]*+(?:(@!?{NAME_CHARACTERS})[ \t]++)?"
    rf"([a-z]\w*+{SUFFIX}*)"
    rf"(?:[ \t]++(?!\.)({_OPERAND}(?:, ?{_OPERAND})*))?;{_END}",
    re.ASCII,
).match
"""Guard, opcode and operands, which have no white space but blanks after commas."""
register_parts: Final = re.compile(
    rf"[ \t]*+\.reg[ \t]++(\.\w++)[ \t]++({NAME_CHARACTERS}(?:<\d++>)?;){_END}", re.ASCII
).match
"""Type and name, with its `;`, of a declaration of one name."""
label_parts: Final = re.compile(rf"[ \t]*+({NAME_CHARACTERS}):{_END}", re.ASCII).match
"""The name of a label."""
location_parts: Final = re.compile(
    r"[ \t]*+\.loc[ \t]++(\d++)[ \t]++(\d++)[ \t]++(\d++)"
    rf"((?:, function_name [{OF_NAMES}]++(?:\+\d++)?)?(?:, inlined_at \d++ \d++ \d++)?)"
    rf"{_END}",
    re.ASCII,
).match
"""File, line and column of a `.loc`, and all that follows them."""
data_parts: Final = re.compile(
    rf"[ \t]*+(\.b\d++)[ \t]++([{OF_NAMES}.,+\-]++){_END}", re.ASCII
).match
"""Type and values of data in a section."""
block_comment_label: Final = re.compile(
    rf"//[ \t]*[%{OF_NAMES}.]+:(?:[ \t]*//.*)?$", re.ASCII
).match
"""A comment that looks like a label: LLVM uses it to name blocks that nothing jumps to."""
split_at_numbers: Final = re.compile(r"(\d+)", re.ASCII).split
"""The parts of a text between digits and the digits, in turns; begins and ends with the former."""
