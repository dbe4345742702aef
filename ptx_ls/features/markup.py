"""Markdown, as hovers and completions show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RULE: Final = "\n\n---\n\n"


def code(text: str) -> str:
    """Inline code, safe for text that has backquotes itself."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def block(text: str, language: str = "ptx") -> str:
    """A fenced block."""
    return f"```{language}\n{text.strip()}\n```"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown on one line. Without rows nothing."""
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join(["| " + " | ".join(header) + " |", "|" + " --- |" * len(header), *lines])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def paragraphs(*parts: str) -> str:
    """The parts that are not empty, with a blank line between them."""
    return "\n\n".join(part.strip() for part in parts if part.strip())
