"""Identifies diagnostics in a way that survives when lines move.

A fingerprint has the rule, the function, the statement without white space, comments and numbers of
registers, and the number of earlier diagnostics for which these are the same.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.normalize import with_zero_registers
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.source import Diagnostic

_MAX_STATEMENT: Final = 2_000
"""Number of characters of a statement that count."""
_MAX_LINES: Final = 50
"""Number of lines of a statement that count."""


class Fingerprint(NamedTuple):
    """The identity of a diagnostic in its file.

    Attributes:
        rule: the name of the rule.
        function: the function around it; "" at module scope.
        statement: the statement in normal form.
        ordinal: how many diagnostics before it have the same other attributes.
    """

    rule: str
    function: str
    statement: str
    ordinal: int

    @property
    def key(self) -> tuple[str, str, str]:
        """The attributes without the ordinal."""
        return self.rule, self.function, self.statement

    def of_file(self, path: str) -> str:
        """Returns a hash of the fingerprint and the path of the file: 32 hexadecimal digits."""
        parts = "\0".join((path, self.rule, self.function, self.statement, str(self.ordinal)))
        return sha256(parts.encode("utf-8", "backslashreplace")).hexdigest()[:32]


Site = tuple[str, str]
"""The function around a line, "" at module scope, and the statement there in normal form."""


def sites(document: Document, lines: Iterable[int]) -> dict[int, Site]:
    """Returns the site of each of some lines of a document."""
    return {
        line: (function_around(document, line), _statement(document, line)) for line in {*lines}
    }


def fingerprints(
    diagnostics: Sequence[Diagnostic],
    sites_of: Callable[[Iterable[int]], Mapping[int, Site]],
) -> Iterator[Fingerprint]:
    """Yields the fingerprint of each diagnostic of a document.

    `sites_of`: returns the sites of lines, as `sites` does.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    found = sites_of(each.range.start.line for each in diagnostics)
    for each in diagnostics:
        key = each.rule, *found[each.range.start.line]
        yield Fingerprint(*key, seen[key])
        seen[key] += 1


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
