"""The symbols of the files in the workspace, by file and by name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ptx_ls.features.structure.module_symbols import module_symbol, module_symbols
from ptx_ls.server.documents import to_lsp
from ptx_ls.server.workspace import disk
from ptx_ls.source import uris
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.structure.module_symbols import ModuleSymbol
    from ptx_ls.lint.shared_caches import SharedCaches
    from ptx_ls.semantics.analysis import LocatedSymbol
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.workspace.disk import Stamp
    from ptx_ls.source.columns import ColumnUnit

Json = dict[str, Any]


class IndexedSymbol(NamedTuple):
    """A symbol and its ranges in the client's units.

    A range is (first line, first column, last line, last column), as there may be many symbols.
    """

    symbol: ModuleSymbol
    uri: str
    range: tuple[int, int, int, int]
    statement: tuple[int, int, int, int]
    selection: tuple[int, int, int, int]


class IndexedFile(NamedTuple):
    """The symbols of a file. `stamp` is the stamp of the file when it was read."""

    path: str
    uri: str
    stamp: Stamp
    symbols: tuple[IndexedSymbol, ...]


class WorkspaceIndex:
    """The indexed files by path. Use it on the event loop only."""

    def __init__(self) -> None:
        self._files: dict[str, IndexedFile] = {}
        self._by_name: dict[str, dict[str, None]] = {}
        self._by_directory: dict[str, dict[str, None]] = {}

    def __iter__(self) -> Iterator[IndexedFile]:
        return iter(self._files.values())

    def __len__(self) -> int:
        return len(self._files)

    def get(self, path: str) -> IndexedFile | None:
        """Returns an indexed file, or None."""
        return self._files.get(path)

    def add(self, file: IndexedFile) -> None:
        """Adds a file, replacing an older version of it."""
        self.remove(file.path)
        self._files[file.path] = file
        self._by_directory.setdefault(_directory(file.path), {})[file.path] = None
        for each in file.symbols:
            self._by_name.setdefault(each.symbol.name, {})[file.path] = None

    def remove(self, path: str) -> IndexedFile | None:
        """Removes a file, if it is indexed, and returns it."""
        file = self._files.pop(path, None)
        if file is not None:
            _take_out(self._by_directory, _directory(path), path)
            for each in file.symbols:
                _take_out(self._by_name, each.symbol.name, path)
        return file

    def declaring(self, name: str) -> list[IndexedFile]:
        """Returns the files that have a symbol called `name`."""
        return [self._files[path] for path in self._by_name.get(name, ())]

    def within(self, directory: str) -> list[str]:
        """Returns the paths of the files in a directory, but not in its subdirectories."""
        return list(self._by_directory.get(directory, ()))


def _directory(path: str) -> str:
    return os.path.dirname(path)  # noqa: PTH120  # for thousands of files in a row


def _take_out(paths_of: dict[str, dict[str, None]], key: str, path: str) -> None:
    paths = paths_of.get(key, {})
    paths.pop(path, None)
    if not paths:
        paths_of.pop(key, None)


def read_file(
    path: str, unit: ColumnUnit, caches: SharedCaches | None = None
) -> IndexedFile | None:
    """Returns the symbols of a file; None if it cannot be read. Blocks, so use a worker thread."""
    stamp = disk.sure_stamp_of(path)
    loaded = disk.load(path, unit, caches) if stamp is not None else None
    if stamp is None or loaded is None:
        return None
    symbols = tuple(indexed(loaded, each) for each in module_symbols(loaded.document))
    return IndexedFile(path, uris.from_path(path), stamp, symbols)


def indexed(opened: OpenDocument, symbol: ModuleSymbol) -> IndexedSymbol:
    """Returns a symbol of a document with its ranges in the client's units."""
    ranges = []
    for area in (symbol.range, symbol.statement, symbol.selection):
        found = to_lsp.range_(opened, area)
        start, end = found.start, found.end
        ranges.append((start.line, start.character, end.line, end.character))
    return IndexedSymbol(symbol, opened.uri, *ranges)


def indexed_declared(opened: OpenDocument, declared: LocatedSymbol) -> IndexedSymbol:
    """Like `indexed`, for a symbol at module scope that has been looked up."""
    return indexed(opened, module_symbol(opened.document, declared))


def json_range(area: tuple[int, int, int, int]) -> Json:
    """Returns a range in LSP's form."""
    line, character, last, end = area
    return {
        "start": {"line": line, "character": character},
        "end": {"line": last, "character": end},
    }
