"""Reads a configuration file; a mistake is reported with its line and the nearest key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.keys import FILE, TABLES, ConfigurationTable
from ptx_ls.files.configuration.kinds import InvalidValueError
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT_FILE: Final = "pyproject.toml"
NAMES: Final = ("ptx-ls.toml", ".ptx-ls.toml", PROJECT_FILE)
"""The names of configuration files; in a folder with several, the first one is read."""
_TOOL: Final = ("tool", "ptx-ls")
"""The table of `pyproject.toml` that is ours."""
_HEADER: Final = re.compile(r"\s*\[{1,2}\s*([^\]]+?)\s*\]")
_KEY: Final = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*[.=]""")


class _Place(NamedTuple):
    """A table: its names in the file, and which of the tables with these names it is."""

    names: tuple[str, ...]
    number: int = 0


class Values(NamedTuple):
    """The values that one file sets.

    Attributes:
        path: the file; "" for values of the command line.
        tables: the values by table and key; the keys of the file itself are in table "".
        overrides: those of each `[[overrides]]`.
    """

    path: str
    tables: dict[str, dict[str, Any]]
    overrides: tuple[dict[str, Any], ...] = ()

    def get(self, table: str, key: str, default: Any) -> Any:  # noqa: ANN401  of any kind
        """Returns the value of a key."""
        return self.tables.get(table, {}).get(key, default)


def read(path: str) -> Values | None:
    """Returns the values of a file; None for a `pyproject.toml` that has none of ours.

    Raises:
        ConfigurationError: if it cannot be read, or has a mistake.
    """
    import tomllib  # noqa: PLC0415  most runs have no configuration

    try:
        with open(path, "rb") as stream:
            content = stream.read()
        text = content.decode("utf-8-sig")
        found = tomllib.loads(text)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path}: {_first_line(error)}") from None
    prefix: tuple[str, ...] = ()
    if path.endswith(PROJECT_FILE):
        prefix = _TOOL
        for name in prefix:
            inner = found.get(name)
            if not isinstance(inner, dict):
                return None
            found = inner
    return _Reader(path, text, prefix).values(found)


class _Reader:
    """Checks the values of one file."""

    def __init__(self, path: str, text: str, prefix: tuple[str, ...]) -> None:
        self._path, self._text, self._prefix = path, text, prefix

    def values(self, found: dict[str, Any]) -> Values:
        names = {table.name: table for table in TABLES}
        top = {key: value for key, value in found.items() if key not in names}
        read = {"": self._table(FILE, top, _Place(()), also=names)}
        overrides: list[dict[str, Any]] = []
        for name, table in names.items():
            given = found.get(name, [] if table.is_repeated else {})
            if table.is_repeated:
                if not isinstance(given, list):
                    raise self._error(_Place(()), name, f"expected `[[{name}]]`")
                for index, each in enumerate(given):
                    overrides.append(self._table(table, each, _Place((name,), index)))
                    for key in table.keys:
                        if key.is_required and key.name not in overrides[-1]:
                            raise self._error(_Place(()), name, f"`{key.name}` is missing")
            else:
                read[name] = self._table(table, given, _Place((name,)))
        return Values(self._path, read, tuple(overrides))

    def _table(
        self,
        table: ConfigurationTable,
        given: object,
        place: _Place,
        also: dict[str, ConfigurationTable] | None = None,
    ) -> dict[str, Any]:
        """Returns the values of a table by key; `also`: names of tables that it may have."""
        if not isinstance(given, dict):
            raise self._error(_Place(()), table.name, f"expected a table `[{table.name}]`")
        keys = {key.name: key for key in table.keys}
        read = {}
        for name, value in given.items():
            key = keys.get(name)
            if key is None:
                near = did_you_mean(name, [*keys, *(also or ())])
                raise self._error(place, name, f"there is no key `{name}`{near}")
            try:
                read[name] = key.kind.read(value)
            except InvalidValueError as error:
                within = _Place((*place.names, name), place.number)
                is_within = isinstance(value, dict) and error.key != ""
                where, what = (within, error.key) if is_within else (place, name)
                raise self._error(where, what, f"`{name}`: expected {error}") from None
        return read

    def _error(self, place: _Place, key: str, message: str) -> ConfigurationError:
        line = _line_of(self._text, (*self._prefix, *place.names), place.number, key)
        where = f"{self._path}:{line}" if line else self._path
        return ConfigurationError(f"{where}: {message}")


def _line_of(text: str, table: tuple[str, ...], index: int, key: str) -> int:
    """Returns the line, from 1, of a key of a table; 0 if it is not spelt in a usual way.

    `index`: which of the tables with that name.
    """
    for number, before in _tables(text):
        lines = text.splitlines()[number : number + 1]
        match = _KEY.match(lines[0]) if lines else None
        name = next(filter(None, match.groups()), "") if match else ""
        if before == (table, index) and name == key:
            return number + 1
        header = _HEADER.match(lines[0]) if lines else None
        if header and _names(header[1]) == (*table, key):
            return number + 1
    return 0


def _tables(text: str) -> Iterator[tuple[int, tuple[tuple[str, ...], int]]]:
    """Yields each line with the table that it is in, and the index of that table."""
    counts: dict[tuple[str, ...], int] = {}
    current: tuple[tuple[str, ...], int] = ((), 0)
    for number, line in enumerate(text.splitlines()):
        header = _HEADER.match(line)
        if header:
            names = _names(header[1])
            current = names, counts.get(names, 0)
            counts[names] = current[1] + 1
        yield number, current


def _names(header: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in header.split("."))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
