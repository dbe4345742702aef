"""The functions and statements on lines, which identify diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.syntax.normalize import with_zero_registers
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.document import Document

_MAX_STATEMENT: Final = 2_000
"""Number of characters of a statement that count."""
_MAX_LINES: Final = 50
"""Number of lines of a statement that count."""

Site = tuple[str, str]
"""The function around a line, "" at module scope, and the statement there in normal form."""


def sites(document: Document, lines: Iterable[int]) -> dict[int, Site]:
    """Returns the site of each of some lines of a document."""
    return {
        line: (function_around(document, line), _statement(document, line)) for line in {*lines}
    }


def function_around(document: Document, line: int) -> str:
    """Returns the name of the kernel or device function on a line; "" at module scope."""
    located = document.located_on(line)
    facts = region_facts(located.function)
    is_after = located.close is not None and line > located.close
    return "" if facts.function is None or is_after else facts.function.name


def _statement(document: Document, line: int) -> str:
    rows = document.run_at(line)
    text = "".join(document.lines[row] for row in rows[:_MAX_LINES])[:_MAX_STATEMENT]
    words = (token.string for token in tokenize(text))
    return with_zero_registers(" ".join(words).strip())
