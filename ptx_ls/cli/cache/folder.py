"""The folder of the cache: where it is, and whether it may be used."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.console import escaped
from ptx_ls.source.user_folders import cache_folder

VARIABLE: Final = "PTX_LS_CACHE_DIR"
"""The environment variable with the folder; if it is set and empty, no cache is used."""
_NAME: Final = "lint"
"""The folder in that of the user's caches of ptx-ls."""
_TAG: Final = "CACHEDIR.TAG"
_TAG_TEXT: Final = b"""\
Signature: 8a477f597d28d172789f06886806bc55
# Results of ptx-ls lint. All of this may be deleted; `ptx-ls cache clean` does so.
"""
"""The first line marks caches for backup programs (bford.info/cachedir)."""
_OTHERS_MAY_WRITE: Final = 0o022


def chosen_folder(option: str | None) -> str:
    """Returns the folder that the option or the environment names, or the user's; "" for none.

    Raises:
        UsageError: if the option is empty, as a variable that is not set would make it.
    """
    if option == "":
        raise UsageError("--cache-dir: expected a folder, found nothing")
    named = os.environ.get(VARIABLE) if option is None else option
    if named is not None:
        return os.path.abspath(named) if named else ""
    folder = cache_folder(sys.platform, os.environ, os.path.expanduser("~"))
    return os.path.join(folder, _NAME) if os.path.isabs(folder) else ""


def is_cache(folder: str) -> bool:
    """Whether a folder is one that `make_folder` made, so that its contents may be deleted."""
    try:
        with open(os.path.join(folder, _TAG), "rb") as stream:
            return stream.read() == _TAG_TEXT
    except OSError:
        return False


def make_folder(folder: str) -> None:
    """Makes the folder of a cache unless it is there; only its owner can read it.

    Raises:
        OSError: if it cannot be made, if it has other files, or if others may write into it.
    """
    if is_cache(folder):
        require_own(folder)
        return
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    require_own(folder)
    has_others = not all(name.startswith(_TAG) for name in os.listdir(folder))
    if has_others and not is_cache(folder):  # which another run may have just made it
        raise OSError(f"{escaped(folder)} contains files that do not belong to this cache")
    new = os.path.join(folder, f"{_TAG}.{os.getpid()}")
    try:
        with open(new, "wb") as stream:
            stream.write(_TAG_TEXT)
        os.replace(new, os.path.join(folder, _TAG))
    except OSError:
        with suppress(OSError):
            os.unlink(new)
        raise


def require_own(folder: str) -> None:
    """Checks that only this user can change what is in a folder.

    Raises:
        OSError: if others can, or if it is not a folder.
    """
    state = os.stat(folder)
    if sys.platform == "win32":  # the folders of a user are protected by its access lists
        return
    if state.st_uid != os.geteuid() or state.st_mode & _OTHERS_MAY_WRITE:
        raise OSError(f"other users may write to {escaped(folder)}")
