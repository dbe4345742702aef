"""A file that was read, for reports and baselines that need its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ptx_ls.cli.cache.results import TextResults
    from ptx_ls.cli.reports.report import OpenFile
    from ptx_ls.document.document import Document
    from ptx_ls.lint.identity.sites import Site


def sites_of(
    file: OpenFile, lines: Iterable[int], results: TextResults | None
) -> Mapping[int, Site]:
    """Returns the sites of lines of a file, from the cache if it has them."""

    def find(lines: Iterable[int]) -> Mapping[int, Site]:
        from ptx_ls.lint.identity.sites import sites

        return sites(file.document, lines)

    return find(lines) if results is None else results.sites(lines, find)


class ReadFile(NamedTuple):
    """A file that was read, and where results of its text are stored, if there is a cache."""

    document: Document
    results: TextResults | None = None

    @property
    def lines(self) -> Sequence[str]:
        """The lines, each with its line end."""
        return self.document.lines

    def sites(self, lines: Iterable[int]) -> Mapping[int, Site]:
        """Returns the function and the statement on each of some lines."""
        return sites_of(self, lines, self.results)
