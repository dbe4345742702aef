"""Where lines end, in PTX as in LSP: after a line feed, a carriage return, or the two together."""

from io import StringIO

# `str.splitlines` is the fastest splitter, but ends lines at these as well. In PTX a form feed is
# white space, and the others may be in comments.
_OTHER_BREAKS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def split_lines(text: str) -> list[str]:
    """Splits a text into lines that keep their terminators, so that joining them restores the text.

    Only the last line has no terminator. It is empty if the text is, or ends with one.
    """
    if any(map(text.__contains__, _OTHER_BREAKS)):
        lines = StringIO(text, newline="").readlines()
    else:
        lines = text.splitlines(keepends=True)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def content_length(line: str) -> int:
    """Returns the number of code points in a line before its terminator."""
    if line.endswith("\r\n"):
        return len(line) - 2
    if line.endswith(("\n", "\r")):
        return len(line) - 1
    return len(line)
