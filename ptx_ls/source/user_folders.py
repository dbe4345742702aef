"""Where programs keep data of a user, by the conventions of each operating system."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME = "ptx-ls"


def cache_folder(platform: str, environment: Mapping[str, str], home: str) -> str:
    """Returns the folder for what this program can compute again; not absolute if it has none.

    Args:
        platform: as `sys.platform`.
        environment: the environment variables.
        home: the user's home folder.
    """
    if platform == "win32":
        return f"{environment.get('LOCALAPPDATA', '')}\\{_NAME}"
    if platform == "darwin":
        return f"{home.rstrip('/')}/Library/Caches/{_NAME}"
    base = environment.get("XDG_CACHE_HOME", "")
    if not base.startswith("/"):  # the convention is to ignore relative paths
        base = f"{home.rstrip('/')}/.cache"
    return f"{base}/{_NAME}"
