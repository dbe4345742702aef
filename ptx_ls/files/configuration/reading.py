"""Reads a configuration file; a mistake is reported with its line and the nearest key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.files.configuration.access import ANY_FILE
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.keys import FILE, TABLES, ConfigurationTable
from ptx_ls.files.configuration.kinds import InvalidValueError
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.near_names import did_you_mean, nearest
from ptx_ls.source.patterns import LazyPattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.files.configuration.access import FileAccess

PROJECT_FILE: Final = "pyproject.toml"
NAMES: Final = ("ptx-ls.toml", ".ptx-ls.toml", PROJECT_FILE)
"""The names of configuration files; in a folder with several, the first one is read."""
_TOOL: Final = ("tool", "ptx-ls")
"""The table of `pyproject.toml` that is ours."""
_NAME: Final = r"""(?:"[^"]*+"|'[^']*+'|[\w-]++)"""
_DOTTED: Final = rf"({_NAME}(?:\s*+\.\s*+{_NAME})*)\s*+"
_HEADER: Final = LazyPattern(rf"\s*+(\[{{1,2}})\s*+{_DOTTED}\]")
_KEY: Final = LazyPattern(rf"\s*+{_DOTTED}=")
_MAX_PARTS: Final = 50
"""Maximum number of names in a dotted key: the time that the TOML parser takes grows with the
square of it."""
_EXACT_NAME: Final = r"""(?:"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"|'[^'\n]*+'|[\w-]++)"""
_LONG_KEY: Final = LazyPattern(rf"(?:\.[ \t]*+{_EXACT_NAME}[ \t]*+){{{_MAX_PARTS}}}")


class _TomlPlace(NamedTuple):
    """A table or key: its names from the outermost, and the number of the table with its names."""

    names: tuple[str, ...]
    number: int = 0

    def of(self, name: str) -> _TomlPlace:
        """Returns the place of a key of this table."""
        return self._replace(names=(*self.names, name))


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


def read(path: str, access: FileAccess = ANY_FILE, extended_by: str = "") -> Values | None:
    """Returns the values of a file; None for a `pyproject.toml` that has none of ours.

    `extended_by`: the file whose `extend` leads to it.

    Raises:
        ConfigurationError: if it cannot be read, or has a mistake.
    """
    import tomllib  # noqa: PLC0415  most runs have no configuration

    try:
        text = access.read(path, extended_by).decode("utf-8-sig")
        _require_short_keys(path, text)
        found = tomllib.loads(text)
    except OSError as error:
        where = f"{extended_by}: `extend` leads to {path}" if extended_by else path
        raise ConfigurationError(f"{where}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path}: {_first_line(error)}") from None
    except RecursionError:
        raise ConfigurationError(f"{path}: nested too deeply") from None
    except ValueError:  # the only one that is not about the syntax
        raise ConfigurationError(f"{path}: a number has too many digits") from None
    prefix: tuple[str, ...] = ()
    if path.endswith(PROJECT_FILE):
        prefix = _TOOL
        tools = found.get(_TOOL[0])
        own = tools.get(_TOOL[1]) if isinstance(tools, dict) else None
        if own is None:
            return None
        found = own
    return _Reader(path, text, prefix).values(found)


def _require_short_keys(path: str, text: str) -> None:
    """Checks that a text has no dotted key that would take the TOML parser minutes.

    Raises:
        ConfigurationError: if it has.
    """
    found = _LONG_KEY.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise ConfigurationError(f"{path}:{line}: a key has more than {_MAX_PARTS} parts")


class _Reader:
    """Checks the values of one file."""

    def __init__(self, path: str, text: str, prefix: tuple[str, ...]) -> None:
        self._path, self._text, self._prefix = path, text, prefix

    def values(self, found: object) -> Values:
        if not isinstance(found, dict):
            raise self._error(_TomlPlace(()), f"expected a table `{FILE.header_in(self._prefix)}`")
        names = {table.name: table for table in TABLES}
        top = {key: value for key, value in found.items() if key not in names}
        read = {"": self._table(FILE, top, _TomlPlace(()), also=names)}
        overrides: list[dict[str, Any]] = []
        for name, table in names.items():
            given = found.get(name, [] if table.is_repeated else {})
            if table.is_repeated:
                if not isinstance(given, list):
                    raise self._error(
                        _TomlPlace((name,)), f"expected `{table.header_in(self._prefix)}`"
                    )
                for index, each in enumerate(given):
                    place = _TomlPlace((name,), index)
                    overrides.append(self._table(table, each, place))
                    for key in table.keys:
                        if key.is_required and key.name not in overrides[-1]:
                            raise self._error(place, f"`{key.name}` is missing")
            else:
                read[name] = self._table(table, given, _TomlPlace((name,)))
        return Values(self._path, read, tuple(overrides))

    def _table(
        self,
        table: ConfigurationTable,
        given: object,
        place: _TomlPlace,
        also: dict[str, ConfigurationTable] | None = None,
    ) -> dict[str, Any]:
        """Returns the values of a table by key; `also`: names of tables that it may have."""
        if not isinstance(given, dict):
            raise self._error(place, f"expected a table `{table.header_in(self._prefix)}`")
        keys = {key.name: key for key in table.keys}
        read = {}
        for name, value in given.items():
            key = keys.get(name)
            if key is None:
                hint = self._hint(name, [*keys, *(also or ())])
                raise self._error(place.of(name), f"unknown key `{name}`{hint}")
            try:
                read[name] = key.kind.read(value)
            except InvalidValueError as error:
                where = place.of(name)
                if isinstance(value, dict) and error.key:
                    where = where.of(error.key)
                raise self._error(where, f"`{name}`: expected {error}") from None
        return read

    def _hint(self, name: str, keys: list[str]) -> str:
        """Returns where a key belongs that a table with `keys` lacks, or the nearest key, or ""."""
        home = self._home(name)
        if home:
            return f" (it belongs {home})"
        near = did_you_mean(name, keys)
        if near:
            return near
        other = nearest(name, [key.name for table in (FILE, *TABLES) for key in table.keys])
        return f" (did you mean `{other}` {self._home(other)}?)" if other else ""

    def _home(self, name: str) -> str:
        """Returns the place of a key in a file, such as "in `[lint]`"; "" if it does not exist."""
        for table in (FILE, *TABLES):
            if name in {key.name for key in table.keys}:
                header = table.header_in(self._prefix)
                return f"in `{header}`" if header else "above all tables"
        return ""

    def _error(self, place: _TomlPlace, message: str) -> ConfigurationError:
        line = _line_of(self._text, place._replace(names=(*self._prefix, *place.names)))
        where = f"{self._path}:{line}" if line else self._path
        return ConfigurationError(f"{where}: {message}")


def _line_of(text: str, wanted: _TomlPlace) -> int:
    """Returns the line, from 1, of a table or key, or of the nearest one around it; 0 for none."""
    nearest = depth = 0
    for line, (names, number) in _places(text):
        if number == wanted.number and names[: len(wanted.names)] == wanted.names:
            return line
        if number in (0, wanted.number) and names == wanted.names[: len(names)]:
            nearest, depth = (line, len(names)) if len(names) >= depth else (nearest, depth)
    return nearest


def _places(text: str) -> Iterator[tuple[int, _TomlPlace]]:
    """Yields the place on each line with a header or key, and the number of the line, from 1."""
    counts: dict[tuple[str, ...], int] = {}
    table = _TomlPlace(())
    for number, line in enumerate(text.split("\n"), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            names = _names(header[2])
            if header[1] == "[[":
                counts[names] = counts.get(names, -1) + 1
            around = (names[:end] for end in range(len(names) + 1))
            table = _TomlPlace(names, next((counts[it] for it in around if it in counts), 0))
            yield number, table
        elif key:
            yield number, table._replace(names=(*table.names, *_names(key[1])))


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
