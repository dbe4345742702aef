"""Reads the style of a file from `.editorconfig` files, which editors share.

Source: EditorConfig Specification 0.17.2.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.globs import Glob
from ptx_ls.files.configuration.matching import MatchedPath
from ptx_ls.files.search import reason_of
from ptx_ls.formatting import OPTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ptx_ls.files.configuration.access import FileAccess

NAME: Final = ".editorconfig"
_LINE_ENDS: Final = {"lf": "\n", "crlf": "\r\n"}
"""`cr` is not among them: it does not end a comment in PTX, so it would change the code."""
_BOUNDS: Final = {option.field: (option.least, option.most) for option in OPTIONS}
_KEYS: Final = frozenset(
    {"indent_style", "indent_size", "tab_width", "max_line_length", "end_of_line"}
)
_UNSET: Final = "unset"
_MAX_SIZE: Final = 1_000_000
"""Maximum size, in bytes, of a file."""
_MAX_PATTERN: Final = 1024
"""Maximum number of characters of a pattern; a longer one matches nothing."""
_MAX_PATTERNS: Final = 100_000
"""Maximum number of characters of all patterns in a file."""


class EditorStyle(NamedTuple):
    """The layout of a file according to `.editorconfig` files.

    Attributes:
        fields: values for fields of `FormatStyle`.
        line_end: the end of each line; "" to keep those of the file.
    """

    fields: Mapping[str, int]
    line_end: str = ""


NO_STYLE: Final = EditorStyle({})


class EditorFile(NamedTuple):
    """The content of an `.editorconfig`.

    Attributes:
        is_root: whether files in the folders above do not count.
        sections: the pattern and the values of each section; later ones win.
    """

    is_root: bool = False
    sections: tuple[tuple[Glob, Mapping[str, str]], ...] = ()


class EditorStyles:
    """The styles of the files of a run.

    `read` returns the content of the `.editorconfig` with a path; None if there is none.
    """

    def __init__(self, read: Callable[[str], EditorFile | None]) -> None:
        self._read = read
        self._by_folder: dict[str, tuple[tuple[str, EditorFile], ...]] = {}

    def of(self, path: str) -> EditorStyle:
        """Returns the style of a file; values that are invalid or out of bounds are ignored.

        Raises:
            ConfigurationError: if an `.editorconfig` cannot be read.
        """
        path = os.path.abspath(path)
        found: dict[str, str] = {}
        for folder, file in self._files(os.path.dirname(path)):
            beside = os.path.relpath(path, folder).replace(os.sep, "/")
            globbed = MatchedPath(f"/{beside}")
            for glob, values in file.sections:
                if glob.matches(globbed):
                    found.update(values)
        return _style({key: value for key, value in found.items() if value != _UNSET})

    def _files(self, folder: str) -> tuple[tuple[str, EditorFile], ...]:
        """Returns the files that count in a folder, with their folders; the nearest one is last."""
        below: list[tuple[str, EditorFile | None]] = []
        known: tuple[tuple[str, EditorFile], ...] = ()
        while True:
            if folder in self._by_folder:
                known = self._by_folder[folder]
                break
            file = self._read(os.path.join(folder, NAME))
            below.append((folder, file))
            above = os.path.dirname(folder)
            if above == folder or (file is not None and file.is_root):
                break
            folder = above
        for each, file in reversed(below):
            if file is not None:
                known = (*known, (each, file))
            self._by_folder[each] = known
        return known


def editor_file(path: str, access: FileAccess) -> EditorFile:
    """Returns the content of an `.editorconfig`.

    Raises:
        ConfigurationError: if it cannot be read, or has a mistake.
    """
    try:
        content = access.read(path)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path}: {reason_of(error)}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8") from None
    if len(content) > _MAX_SIZE:
        raise ConfigurationError(f"{path}: larger than {_MAX_SIZE:,} bytes")
    is_root, sections, n_characters = False, [], 0
    for pattern, values in _sections(path, text):
        if pattern is None:
            is_root = values.get("root", "").lower() == "true"
            continue
        wanted = {key: value.lower() for key, value in values.items() if key in _KEYS}
        if not wanted or len(pattern) > _MAX_PATTERN:
            continue
        n_characters += len(pattern)
        if n_characters > _MAX_PATTERNS:
            raise ConfigurationError(f"{path}: more than {_MAX_PATTERNS:,} characters in patterns")
        sections.append((Glob(pattern), wanted))
    return EditorFile(is_root, tuple(sections))


def _sections(path: str, text: str) -> Iterator[tuple[str | None, Mapping[str, str]]]:
    """Yields the pattern and the values of each section; None for those before the first one."""
    pattern, values = None, dict[str, str]()
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if stripped[0] == "[" and stripped[-1] == "]":
            yield pattern, values
            pattern, values = stripped[1:-1], {}
            continue
        key, equals, value = stripped.partition("=")
        if not equals:
            key, equals, value = stripped.partition(":")
        if not equals or not key.strip():
            raise ConfigurationError(f"{path}:{number}: expected `key = value`")
        values[key.strip().lower()] = value.strip()
    yield pattern, values


def _style(values: Mapping[str, str]) -> EditorStyle:
    fields: dict[str, Any] = {}
    kind = values.get("indent_style")
    if kind in ("tab", "space"):
        fields["tabs"] = kind == "tab"
    size = values.get("indent_size", "")
    if kind == "tab" or size == "tab":
        size = values.get("tab_width", size)
    width = values.get("max_line_length", "")
    given = {"indent": size, "width": str(_BOUNDS["width"][1]) if width == "off" else width}
    for name, text in given.items():
        least, most = _BOUNDS[name]
        if text.isascii() and text.isdigit() and least <= decimal(text) <= most:
            fields[name] = decimal(text)
    return EditorStyle(fields, _LINE_ENDS.get(values.get("end_of_line", ""), ""))
