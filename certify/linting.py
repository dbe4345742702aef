"""The second opinion: the verdict of the whole linter, from the text, on single statements.

`certify.judging` asks the database about operands that certify itself made. The linter reads the
text, so it also rejects text that is not PTX; and it could be wrong where the database is right.
"""

from __future__ import annotations

from collections.abc import Sequence

from certify.oracle import FOOTER, Configuration, header
from certify.reading_errors import reading_errors
from ptx_ls.document.document import Document
from ptx_ls.lint.session import lint

_TOGETHER = 400


def lint_errors(statements: Sequence[str], configuration: Configuration) -> list[str | None]:
    """For each statement the first error of the linter, or None.

    They are together in a kernel, as they are for ptxas; each with an error is checked again by
    itself, because a statement that cannot be parsed may affect its neighbours.
    """
    found: list[str | None] = []
    for start in range(0, len(statements), _TOGETHER):
        part = statements[start : start + _TOGETHER]
        errors = _errors(part, configuration)
        if len(part) > 1:
            errors = {
                index: again[0]
                for index in errors
                if (again := _errors([part[index]], configuration))
            }
        found += [errors.get(index) for index in range(len(part))]
    return found


def _errors(statements: Sequence[str], configuration: Configuration) -> dict[int, str]:
    """Errors by the number of the statement; 0 for all when there is but one."""
    before = header(configuration)
    first = before.count("\n")
    text = f"{before}{chr(10).join(statements)}\n{FOOTER}"
    found: dict[int, str] = {}
    for diagnostic in reading_errors(lint(Document.read(text))):
        index = diagnostic.range.start.line - first if len(statements) > 1 else 0
        found.setdefault(index, f"{diagnostic.rule}: {diagnostic.message}")
    return found


def lint_one(statement: str, configuration: Configuration) -> str | None:
    """The first error of the linter on one statement, or None."""
    return _errors([statement], configuration).get(0)
