"""Jobs on a file that is not open: its symbols are read, or it is checked.

Jobs and their results go to another process and back (`file_process.py`), so they are plain values.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from ptx_ls.lint import LintSession, LintSettings
from ptx_ls.server.diagnostics.items import items
from ptx_ls.server.workspace import disk, index
from ptx_ls.source import Severity
from ptx_ls.source.columns import ColumnUnit

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.lint.shared_caches import Learned

Json = dict[str, Any]
Result_co = TypeVar("Result_co", covariant=True)


class Job(Protocol[Result_co]):
    """Work on one file."""

    @property
    def path(self) -> str:
        """The file."""

    def run(self, learned: Learned, should_stop: Callable[[], bool]) -> Result_co:
        """Does it; what it returns is of no use once `should_stop()` is true."""


class Symbols(NamedTuple):
    """Reads the symbols of a file."""

    path: str
    unit: ColumnUnit

    def run(self, learned: Learned, _should_stop: Callable[[], bool]) -> index.IndexedFile | None:
        """None if it cannot be read."""
        return index.read_file(self.path, self.unit, learned)


class CheckSettings(NamedTuple):
    """Those that make a difference to diagnostics."""

    ignored: frozenset[str]
    limit: int
    folds_related: bool = False


class KnownResult(NamedTuple):
    """The result for a file in one state, under some settings."""

    stamp: disk.Stamp
    settings: CheckSettings
    result_id: str
    counts: Counter[Severity]


class Checked(NamedTuple):
    """The diagnostics of a file. `result_id` is the same for the same diagnostics.

    `items` is None if they are those of the id that they were asked for with. `counts` tells how
    many there are, the ones that are not shown included.
    """

    result_id: str
    items: list[Json] | None
    counts: Counter[Severity]


class Check(NamedTuple):
    """Checks a file. `previous_id`: of what is known, and not to be sent again."""

    path: str
    unit: ColumnUnit
    settings: CheckSettings
    previous_id: str | None

    def run(
        self, learned: Learned, should_stop: Callable[[], bool]
    ) -> tuple[KnownResult, Checked] | None:
        """None if it cannot be read."""
        settings = self.settings
        stamp = disk.stamp_of(self.path)
        if stamp is None:
            return None
        opened = disk.load(self.path, self.unit, learned)
        if opened is None:
            return None
        session = LintSession(opened.document, LintSettings(settings.ignored), learned.judges)
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
    """The same for the same diagnostics, in another session, too."""
    text = json.dumps(found, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=9).hexdigest()
