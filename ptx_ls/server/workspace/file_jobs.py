"""Jobs on a file that is not open: reading its symbols, or checking it.

Jobs and results are plain values, as they are sent between processes (`file_process.py`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ptx_ls.lint import LintSession
from ptx_ls.server.diagnostics.items import items
from ptx_ls.server.workspace import disk, index
from ptx_ls.source import Severity
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.lint.shared_caches import SharedCaches

Json = dict[str, Any]
Result_co = TypeVar("Result_co", covariant=True)


class Job(Protocol[Result_co]):
    """Work on one file."""

    @property
    def path(self) -> str:
        """The path of the file."""

    def run(self, caches: SharedCaches, should_stop: Callable[[], bool]) -> Result_co:
        """Does the job; its result is not needed once `should_stop()` returns True."""


class Symbols(NamedTuple):
    """A job that reads the symbols of a file."""

    path: str
    unit: ColumnUnit

    def run(
        self, caches: SharedCaches, _should_stop: Callable[[], bool]
    ) -> index.IndexedFile | None:
        """Returns the symbols of the file; None if it cannot be read."""
        return index.read_file(self.path, self.unit, caches)


class CheckSettings(NamedTuple):
    """The settings that affect diagnostics."""

    rules: RuleSettings
    limit: int
    folds_related: bool = False


class KnownResult(NamedTuple):
    """The result for one version of a file, with certain settings."""

    stamp: disk.Stamp
    settings: CheckSettings
    result_id: str
    counts: Counter[Severity]


class Checked(NamedTuple):
    """The diagnostics of a file. `result_id` is the same for the same diagnostics.

    `items` is None if `result_id` equals the previous id in the request. `counts` includes the
    diagnostics that are not shown.
    """

    result_id: str
    items: list[Json] | None
    counts: Counter[Severity]


class Check(NamedTuple):
    """A job that checks a file. `previous_id`: the id of the result that the client already has."""

    path: str
    unit: ColumnUnit
    settings: CheckSettings
    previous_id: str | None

    def run(
        self, caches: SharedCaches, should_stop: Callable[[], bool]
    ) -> tuple[KnownResult, Checked] | None:
        """Returns the diagnostics of the file; None if it cannot be read."""
        settings = self.settings
        stamp = disk.stamp_of(self.path)
        if stamp is None:
            return None
        opened = disk.load(self.path, self.unit, caches)
        if opened is None:
            return None
        session = LintSession(opened.document, settings.rules, caches.checkers)
        while (work := session.pending()) is not None and not should_stop():
            work.run(should_stop)
        every = session.diagnostics()
        shown = every if len(every) <= settings.limit else session.diagnostics(settings.limit)
        left = session.counts() - Counter(one.rule for one in shown)
        found = items(opened, shown, left, folds_related=settings.folds_related)
        result_id = _id_of(found)
        counts = Counter(one.severity for one in every)
        is_same = result_id == self.previous_id
        return KnownResult(stamp, settings, result_id, counts), Checked(
            result_id, None if is_same else found, counts
        )


def _id_of(found: list[Json]) -> str:
    """Returns an id that is the same for the same diagnostics, even in other sessions."""
    text = json.dumps(found, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=9).hexdigest()
