"""The options of the layout that a user can choose."""

from __future__ import annotations

from typing import Final

from ptx_ls.source.named_tuple import NamedTuple


class FormatStyle(NamedTuple):
    """The choices of a user; `OPTIONS` explains each."""

    indent: int = 4
    tabs: bool = False
    width: int = 100
    operand_column: int = 20
    comment_column: int = 40
    blank_lines: int = 1

    def margin(self, level: int) -> str:
        """Returns the white space before a row of a level."""
        return "\t" * level if self.tabs else " " * (self.indent * level)


class Option(NamedTuple):
    """A field of `FormatStyle`, the numbers that it may be (none for a switch), and its meaning."""

    field: str
    about: str
    least: int = 0
    most: int = 0

    @property
    def is_switch(self) -> bool:
        """Whether the option is a switch."""
        return not self.most


OPTIONS: Final = (
    Option("indent", "columns per level of indentation", 1, 16),
    Option("tabs", "indent with tabs; `indent` is then the width of a tab"),
    Option(
        "width", "line width beyond which lists of operands, values and parameters wrap", 40, 1000
    ),
    Option(
        "operand_column",
        "column of the operands, relative to the start of the statement; 0 puts one space after "
        "the opcode",
        0,
        80,
    ),
    Option(
        "comment_column",
        "minimum column for trailing comments in function bodies; 0 leaves comments unaligned",
        0,
        200,
    ),
    Option("blank_lines", "maximum number of consecutive blank lines", 0, 10),
)
"""All options, for the command line and for editors."""
