"""The files with patterns that git reads besides each `.gitignore`, for one repository.

Sources: gitignore(5), git-config(1), gitrepository-layout(5). Files that are included by others are
not read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.files.configuration.access import FileAccess

_SYSTEM_FILE: Final = "/etc/gitconfig"
_ESCAPES: Final = {"n": "\n", "t": "\t", "b": "\b"}


def files_of_repository(root: str, access: FileAccess) -> Iterator[tuple[str, str]]:
    """Yields the paths of further files with patterns, and what leads to each, if a file does.

    The first one wins: that of the repository, then that of the user.
    """
    entry = os.path.join(root, ".git")
    folder, led_by = _git_folder(entry, access)
    yield os.path.join(folder, "info", "exclude"), led_by
    own_file = os.path.join(folder, "config")
    home = os.path.expanduser("~")
    configured = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    of_user = [os.path.join(home, ".gitconfig"), os.path.join(configured, "git", "config")]
    if "GIT_CONFIG_GLOBAL" in os.environ:
        of_user = [os.environ["GIT_CONFIG_GLOBAL"]]
    own = _excludes_file(own_file, led_by, access)
    if own is not None:
        yield os.path.join(root, os.path.expanduser(own)), own_file
        return
    for path in (*of_user, _SYSTEM_FILE):
        found = _excludes_file(path, "", access)
        if found is not None:
            yield os.path.join(root, os.path.expanduser(found)), ""
            return
    yield os.path.join(configured, "git", "ignore"), ""


def _git_folder(entry: str, access: FileAccess) -> tuple[str, str]:
    """Returns the folder of a repository, and the file that leads to it, if a file does.

    `.git` is such a file in a submodule and in a further work tree.
    """
    text = _text(entry, "", access)
    if not text.startswith("gitdir:"):
        return entry, ""
    named = text.removeprefix("gitdir:").strip()
    folder = os.path.normpath(os.path.join(os.path.dirname(entry), named))
    shared = _text(os.path.join(folder, "commondir"), entry, access).strip()
    return os.path.normpath(os.path.join(folder, shared)), entry


def _excludes_file(path: str, led_by: str, access: FileAccess) -> str | None:
    """Returns the value of `core.excludesFile` in a configuration of git; None if it has none."""
    section, found = "", None
    for line in _joined_lines(_text(path, led_by, access).removeprefix("\ufeff")):
        stripped = line.strip()
        if stripped.startswith("["):
            section, _, stripped = stripped[1:].partition("]")
            section, stripped = section.strip().lower(), stripped.strip()
        key, equals, value = stripped.partition("=")
        if section == "core" and equals and key.strip().lower() == "excludesfile":
            found = _value(value)
    return found


def _joined_lines(text: str) -> Iterator[str]:
    """Yields lines, each joined with the next one if a backslash ends it; comments are not."""
    joined = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        joined += line
        n_backslashes = len(joined) - len(joined.rstrip("\\"))
        if n_backslashes % 2 and not joined.lstrip().startswith(("#", ";")):
            joined = joined[:-1]
        else:
            yield joined
            joined = ""
    yield joined


def _value(text: str) -> str:
    """Returns a value without its quotes and comment."""
    made, is_quoted, place = "", False, 0
    text = text.strip()
    while place < len(text):
        character, place = text[place], place + 1
        if character == '"':
            is_quoted = not is_quoted
        elif character == "\\":
            escaped = text[place : place + 1]
            made += _ESCAPES.get(escaped, escaped)
            place += 1
        elif character in "#;" and not is_quoted:
            return made.rstrip()
        else:
            made += character
    return made


def _text(path: str, led_by: str, access: FileAccess) -> str:
    """Returns the text of a file; "" if it cannot be read."""
    try:
        return access.read(path, led_by).decode("utf-8", "surrogateescape")
    except (OSError, ValueError, ConfigurationError):
        return ""
