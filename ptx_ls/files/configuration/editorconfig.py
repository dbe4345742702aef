"""Reads the style of a file from `.editorconfig` files, which editors share."""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.named import read_named
from ptx_ls.files.search import reason_of
from ptx_ls.formatting import OPTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME: Final = ".editorconfig"
_LINE_ENDS: Final = {"lf": "\n", "crlf": "\r\n"}
"""`cr` is not among them: it does not end a comment in PTX, so it would change the code."""
_BOUNDS: Final = {option.field: (option.least, option.most) for option in OPTIONS}


class EditorStyle(NamedTuple):
    """What `.editorconfig` files say about the layout of a file.

    Attributes:
        fields: values for fields of `FormatStyle`.
        line_end: the end of each line; "" to keep those of the file.
    """

    fields: Mapping[str, int]
    line_end: str = ""


NO_STYLE: Final = EditorStyle({})


class EditorStyles:
    """The styles of the files of a run; each folder is searched once."""

    def __init__(self) -> None:
        self._has_file: dict[str, bool] = {}

    def of(self, path: str) -> EditorStyle:
        """Returns the style of a file; values that are invalid or out of bounds are ignored.

        Raises:
            ConfigurationError: if an `.editorconfig` cannot be read.
        """
        path = os.path.abspath(path)
        if not self._is_below_a_file(os.path.dirname(path)):
            return NO_STYLE
        return _style(_properties(path))

    def _is_below_a_file(self, folder: str) -> bool:
        """Whether a folder or one above it has an `.editorconfig`."""
        passed: list[str] = []
        found = False
        while folder not in self._has_file:
            passed.append(folder)
            text = _text(folder)
            found = found or text is not None
            above = os.path.dirname(folder)
            if above == folder or (text is not None and _is_root(text)):
                break
            folder = above
        found = found or self._has_file.get(folder, False)
        # A folder above the file may be marked, too, which only costs a further look.
        self._has_file.update(dict.fromkeys(passed, found))
        return found


def _text(folder: str) -> str | None:
    """Returns the text of the `.editorconfig` in a folder; None if there is none.

    Raises:
        ConfigurationError: if it cannot be read; the library ignores or waits for such a file.
    """
    path = os.path.join(folder, _NAME)
    if not os.path.lexists(path):
        return None
    try:
        return read_named(path).decode("utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: {reason_of(error)}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8") from None


def _is_root(text: str) -> bool:
    """Whether files in the folders above are not read either."""
    head = text.partition("[")[0].lower()
    return any("".join(line.split()) == "root=true" for line in head.splitlines())


def _properties(path: str) -> Mapping[str, str]:
    from editorconfig import get_properties  # noqa: PLC0415  few projects have such a file
    from editorconfig.exceptions import ParsingError  # noqa: PLC0415

    try:
        with warnings.catch_warnings():  # about patterns such as `[[`
            warnings.simplefilter("ignore", FutureWarning)
            return get_properties(path)
    except ParsingError as error:
        place = f"{error.source}:{error.errors[0][0]}"
        raise ConfigurationError(f"{place}: expected `key = value`") from None
    except (OSError, ValueError, re.error, RecursionError):
        folder = os.path.dirname(path)
        raise ConfigurationError(f"{folder}: a pattern in its {_NAME} is invalid") from None


def _style(properties: Mapping[str, str]) -> EditorStyle:
    fields: dict[str, Any] = {}
    kind = properties.get("indent_style")
    if kind in ("tab", "space"):
        fields["tabs"] = kind == "tab"
    # The library makes `indent_size = tab` the `tab_width`.
    indent = properties.get("tab_width" if kind == "tab" else "indent_size", "")
    width = properties.get("max_line_length", "")
    given = {"indent": indent, "width": str(_BOUNDS["width"][1]) if width == "off" else width}
    for name, text in given.items():
        least, most = _BOUNDS[name]
        if text.isascii() and text.isdigit() and least <= decimal(text) <= most:
            fields[name] = decimal(text)
    return EditorStyle(fields, _LINE_ENDS.get(properties.get("end_of_line", ""), ""))
