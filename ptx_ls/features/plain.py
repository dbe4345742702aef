"""Converts Markdown to plain text, for editors that show nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE: Final = re.compile(r"(```+)[^`]*$").match
_SPAN: Final = re.compile(
    r"(?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?P<image>!\[[^\]]*+\]\([^)]*+\))"
    r"|\[(?P<link>[^\]]*+)\]\((?P<target>[^)]*+)\)"
    r"|\*\*(?P<strong>.+?)\*\*"
    r"|(?<!\w)(?P<mark>[*_])(?P<emphasis>[^\s*_](?:[^*_]*[^\s*_])?)(?P=mark)(?!\w)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
_BREAK: Final = "---"
_BLANKS: Final = re.compile(r"\n{3,}")


def plain(markdown: str) -> str:
    """Returns the text of Markdown that `markup` made, without its markup."""
    return _BLANKS.sub("\n\n", "\n".join(_lines(markdown.split("\n")))).strip()


def _lines(lines: list[str]) -> Iterator[str]:
    table: list[list[str]] = []
    fence = ""  # of the block that the line is in
    for line in lines:
        if line.startswith("|") and not fence:
            table.append(_cells(line))
            continue
        yield from _table(table)
        table = []
        match = _FENCE(line)
        if match is not None and fence in ("", line):
            fence = "" if fence else match[1]
        elif fence:
            yield line
        elif line.strip() == _BREAK:
            yield ""
        else:
            yield _text(line.lstrip("#").lstrip() if line.startswith("#") else line)
    yield from _table(table)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [_text(cell.strip().replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner)]


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Aligns rows in columns; drops the second row, which separates the header."""
    shown = rows[:1] + rows[2:]
    widths = [max(map(len, column)) for column in zip(*shown, strict=False)]
    for row in shown:
        yield "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=False)
        ).rstrip()


def _text(line: str) -> str:
    return _SPAN.sub(_inner, line)


def _inner(match: re.Match[str]) -> str:
    if match["ticks"]:
        code = match["code"]
        return code[1:-1] if len(match["ticks"]) > 1 else code
    if match["image"]:
        return ""
    if match["link"] is not None:
        return _text(match["link"])
    if match["strong"]:
        return _text(match["strong"])
    return match["emphasis"] or match["escaped"]
