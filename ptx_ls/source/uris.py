"""File URIs, as editors send them, and paths, as the system takes them.

Both kinds of paths are supported on every system: functions depend on the `PathFlavour` that they
are given, and none accesses a disk.
"""

import re
import sys
from enum import Enum
from functools import lru_cache
from urllib.parse import quote, unquote


class PathFlavour(Enum):
    """The rules by which a path is read."""

    POSIX = "posix"
    WINDOWS = "windows"


NATIVE_FLAVOUR = PathFlavour.WINDOWS if sys.platform == "win32" else PathFlavour.POSIX

# RFC 3986, without its query and fragment, which mean nothing for a file.
_URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(//(?P<host>[^/?#]*))?(?P<path>[^?#]*)")
_DRIVE = re.compile(r"/?(?P<letter>[A-Za-z])[:|](?P<rest>.*)", re.DOTALL)
_EXTENDED_PREFIX = re.compile(r"//\?/(?P<share>[Uu][Nn][Cc]/)?")


def to_path(uri: str, flavour: PathFlavour = NATIVE_FLAVOUR) -> str | None:
    r"""Returns the path of the file that a URI names: `file:///c%3A/a.ptx` is `C:\a.ptx`.

    Returns None if the URI does not name a file of this system, such as `untitled:Untitled-1`.
    """
    match = _URI.match(uri)
    if match is None or match["scheme"].lower() != "file":
        return None
    host = unquote(match["host"] or "")
    path = unquote(match["path"], errors="surrogateescape")
    if host.lower() == "localhost":
        host = ""
    if not path or "\0" in path:
        return None
    if flavour is PathFlavour.WINDOWS:
        return _to_windows_path(host, path)
    return path if path.startswith("/") and not host else None


def from_path(path: str, flavour: PathFlavour = NATIVE_FLAVOUR) -> str:
    """Returns the URI of a file, spelled as VS Code spells it.

    Raises:
        ValueError: if the path is not absolute.
    """
    host, slashed = "", path
    if flavour is PathFlavour.WINDOWS:
        host, slashed = _from_windows_path(path)
    if not slashed.startswith("/"):
        raise ValueError(f"not an absolute path: {path}")
    if slashed.startswith("//"):
        slashed = f"/{slashed.lstrip('/')}"  # else its first part would become the host
    return f"file://{quote(host)}{quote(slashed, errors='surrogateescape')}"


@lru_cache(maxsize=256)
def normalized(uri: str, flavour: PathFlavour = NATIVE_FLAVOUR) -> str:
    """Returns the spelling of a URI under which a document is kept.

    Editors differ: `file:///C:/a.ptx` and `file:///c%3A/a.ptx` are the same file.
    A URI that does not name a file is unchanged.
    """
    path = to_path(uri, flavour)
    try:
        return uri if path is None else from_path(path, flavour)
    except ValueError:
        return uri


def _to_windows_path(host: str, path: str) -> str | None:
    drive = _DRIVE.fullmatch(host + path)  # with a host too: `file://c:/a.ptx` is a common mistake
    if drive:
        rest = drive["rest"]
        separator = "" if rest.startswith(("/", "\\")) else "/"
        path = f"{drive['letter'].upper()}:{separator}{rest}"
    elif not path.startswith("/"):
        return None
    elif host:
        path = f"//{host}{path}"
    return path.replace("/", "\\")


def _from_windows_path(path: str) -> tuple[str, str]:
    """Returns the host of a share ("" for a local path), and the path with slashes."""
    path = path.replace("\\", "/")
    extended = _EXTENDED_PREFIX.match(path)
    if extended:
        path = ("//" if extended["share"] else "") + path[extended.end() :]
    drive = _DRIVE.fullmatch(path)
    if drive and drive["rest"].startswith("/"):
        return "", f"/{drive['letter'].lower()}:{drive['rest']}"
    if drive:
        return "", path  # `c:a.ptx` is relative to a directory that only the system knows
    if path.startswith("//"):
        host, _, rest = path[2:].partition("/")
        return host, f"/{rest}"
    return "", path
