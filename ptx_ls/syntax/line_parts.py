"""Splits a line of one plain statement, as most lines of compilers are, by a single match.

Each function returns the match of a whole line with its line end, or None if the line has to be
read token by token. The last group is the comment after the statement, None if there is none.
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
"""The guard, opcode and operands of an instruction, without white space but after commas."""
register_parts: Final = re.compile(
    rf"[ \t]*+\.reg[ \t]++(\.\w++)[ \t]++({NAME_CHARACTERS}(?:<\d++>)?;){_END}", re.ASCII
).match
"""The type, and the name with its `;`, of a declaration of one register or range."""
label_parts: Final = re.compile(rf"[ \t]*+({NAME_CHARACTERS}):{_END}", re.ASCII).match
"""The name of a label."""
location_parts: Final = re.compile(
    r"[ \t]*+\.loc[ \t]++(\d++)[ \t]++(\d++)[ \t]++(\d++)"
    rf"((?:, function_name [{OF_NAMES}]++(?:\+\d++)?)?(?:, inlined_at \d++ \d++ \d++)?)"
    rf"{_END}",
    re.ASCII,
).match
"""The file, line and column of a `.loc`, and the text after them."""
data_parts: Final = re.compile(
    rf"[ \t]*+(\.b\d++)[ \t]++([{OF_NAMES}.,+\-]++){_END}", re.ASCII
).match
"""The type and the values of data in a section."""
block_comment_label: Final = re.compile(
    rf"//[ \t]*[%{OF_NAMES}.]+:(?:[ \t]*//.*)?$", re.ASCII
).match
"""Matches a comment such as `// %bb.1:`, with which LLVM names blocks without a label."""
split_at_numbers: Final = re.compile(r"(\d+)", re.ASCII).split
"""Splits a text at its numbers; texts and numbers alternate in the result, texts first and last."""
