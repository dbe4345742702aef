"""Identifies diagnostics in a way that survives when lines move.

A fingerprint has the rule, the function, the statement without white space, comments and numbers of
registers, and the number of earlier diagnostics for which these are the same.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ptx_ls.lint.identity.sites import Site
    from ptx_ls.source import Diagnostic


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


def fingerprints(
    diagnostics: Sequence[Diagnostic],
    sites_of: Callable[[Iterable[int]], Mapping[int, Site]],
) -> Iterator[Fingerprint]:
    """Yields the fingerprint of each diagnostic of a document.

    `sites_of`: returns the sites of lines, as `sites.sites` does.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    found = sites_of(each.range.start.line for each in diagnostics)
    for each in diagnostics:
        key = each.rule, *found[each.range.start.line]
        yield Fingerprint(*key, seen[key])
        seen[key] += 1
