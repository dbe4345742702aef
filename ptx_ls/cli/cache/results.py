"""The results of earlier runs: the diagnostics of a text, and how many of them can be fixed."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ptx_ls.cli.cache.digest import digest, digest_of_parts
from ptx_ls.cli.cache.values import PlainValues
from ptx_ls.cli.linting.file_findings import FileFindings
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ptx_ls.cli.cache.store import Store
    from ptx_ls.lint.identity.sites import Site
    from ptx_ls.lint.rule_settings import RuleSettings

DAMAGE = (zlib.error, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""Exceptions raised by reading an entry that is not in the format of this version."""


def as_json(value: object) -> str:
    """Returns a value as JSON on one line, in ASCII."""
    import json  # which a file without findings does not need

    return json.dumps(value, separators=(",", ":"))


class LintCache:
    """The results of earlier runs of this program. Where it cannot be written, it stays as it is.

    `program`: identifies the program; results of other ones are not found.
    """

    def __init__(self, store: Store, program: bytes) -> None:
        self._store, self._program = store, program
        self._is_writable = True

    def key(self, *parts: str | bytes) -> bytes:
        """Returns the key of what depends on the program and on these parts."""
        encoded = (
            part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
            for part in parts
        )
        return digest_of_parts(self._program, *encoded)

    def get(self, key: bytes) -> list[str]:
        """Returns the lines of a key; none if they are missing or damaged."""
        content = self._store.get(key)
        if content is None:
            return []
        with suppress(*DAMAGE):
            return zlib.decompress(content).decode("ascii").split("\n")
        return []

    def put(self, key: bytes, lines: Iterable[str]) -> None:
        """Writes the lines of a key, which are ASCII without line ends, if that is possible."""
        if not self._is_writable:
            return
        try:
            self._store.put(key, zlib.compress("\n".join(lines).encode("ascii"), 1))
        except OSError:
            self._is_writable = False  # the disk is full or read-only; each try would take time

    def of_text(self, content: bytes, settings: RuleSettings) -> TextResults:
        """Returns the results for the bytes of a file, checked with settings of rules."""
        return TextResults(self, (digest(content), settings.identity))


class TextResults:
    """The results for the content of a file, and the cache that has them."""

    def __init__(self, cache: LintCache, parts: Sequence[str | bytes]) -> None:
        self.cache, self._parts = cache, parts
        self._key = cache.key("diagnostics", *parts)

    def found(self) -> FileFindings | None:
        """Returns what was found in the text; None if unknown.

        Fixes that are found on demand are missing if they were not asked for before: the `found` of
        their `Offers` is then None, and `fixes()` returns none.
        """
        values, lines = PlainValues(), self.cache.get(self._key)
        with suppress(*DAMAGE):
            if lines:
                suppressed, *diagnostics = lines
                pairs = (each.split("=") for each in suppressed.split())
                counts = {Severity(name): int(count) for name, count in pairs}
                return FileFindings([*map(values.value, _from_json(diagnostics))], counts)
        return None

    def keep(self, found: FileFindings) -> None:
        """Stores what was found in the text."""
        values = PlainValues()
        suppressed = (f"{each.value}={count}" for each, count in found.suppressed.items())
        lines = (as_json(values.plain(each)) for each in found.diagnostics)
        self.cache.put(self._key, [" ".join(suppressed), *lines])

    def sites(
        self,
        lines: Iterable[int],
        find: Callable[[Iterable[int]], Mapping[int, Site]],
    ) -> Mapping[int, Site]:
        """Returns the sites of lines of the text; finds and stores those that are not known."""
        key, found = self.cache.key("sites", *self._parts), dict[int, tuple[str, str]]()
        with suppress(*DAMAGE):
            for row in _from_json(self.cache.get(key)):
                line, function, statement = row
                found[int(line)] = str(function), str(statement)
        missing = {*lines} - found.keys()
        if missing:
            found |= find(missing)
            self.cache.put(key, [as_json([line, *site]) for line, site in found.items()])
        return found

    def n_fixable(self, severities: Iterable[str]) -> tuple[int, int] | None:
        """Returns the numbers that `keep_fixable` stored for the same severities, or None."""
        lines = self.cache.get(self.cache.key("fixable", *self._parts, "", *severities))
        with suppress(*DAMAGE):
            if lines:
                certain, unsafe = map(int, lines)
                return certain, unsafe
        return None

    def keep_fixable(self, severities: Iterable[str], counts: tuple[int, int]) -> None:
        """Stores how many diagnostics have certain fixes, and how many have unsafe ones.

        `severities`: texts that determine which diagnostics are wanted.
        """
        self.cache.put(self.cache.key("fixable", *self._parts, "", *severities), map(str, counts))


def _from_json(lines: list[str]) -> list[Any]:
    """Returns the value on each line.

    Raises:
        ValueError: if a line is not JSON.
    """
    if not lines:
        return []
    import json

    return [*map(json.loads, lines)]
