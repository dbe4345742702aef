"""Faults of paths: files that do not exist, cannot be read, or are not files."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tests.cli.faults.table import GOOD, LINKS, NAMES, PATHS, UNTIDY, Outcome, Setting, fault

CLEAN = Outcome(0)


@fault(PATHS, Outcome(2, "a.ptx: No such file or directory"))
def missing(_folder: Path) -> None:
    """A file that does not exist."""


@fault(PATHS, Outcome(2, "a.ptx: Permission denied"))
def unreadable(folder: Path) -> Setting:
    """A file that the user has no permission to read."""
    (folder / "a.ptx").write_text(UNTIDY)
    (folder / "a.ptx").chmod(0)
    return Setting(has_rights=False)


@fault(PATHS, Outcome(2, "d/secret: Permission denied"))
def unreadable_folder(folder: Path) -> Setting:
    """A directory without read permission, below a directory that is searched."""
    (folder / "d/secret").mkdir(parents=True)
    (folder / "d/a.ptx").write_text(GOOD)
    (folder / "d/secret").chmod(0)
    return Setting(("d",), has_rights=False)


@fault(PATHS, Outcome(2, "a.ptx: no .ptx file in this directory"))
def directory(folder: Path) -> None:
    """An empty directory, even if it is called `a.ptx`."""
    (folder / "a.ptx").mkdir()


@fault(PATHS, Outcome(2, "a.ptx: a FIFO, not a file; `-` reads standard input"))
def fifo(folder: Path) -> None:
    """A FIFO."""
    os.mkfifo(folder / "a.ptx")


@fault(PATHS, Outcome(2, "a.ptx: a socket, not a file"))
def unix_socket(folder: Path) -> None:
    """A socket."""
    before = Path.cwd()
    os.chdir(folder)  # the length of the path of a socket is limited
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("a.ptx")
    finally:
        os.chdir(before)


@fault(PATHS, Outcome(2, "/dev/zero: a device, not a file"))
def device(_folder: Path) -> Setting:
    """A device with endless data."""
    return Setting(("/dev/zero",))


@fault(LINKS, Outcome(2, "a.ptx: a broken link"))
def broken_link(folder: Path) -> None:
    """A link to a file that does not exist."""
    (folder / "a.ptx").symlink_to("nowhere")


@fault(LINKS, Outcome(2, "a.ptx: Too many levels of symbolic links"))
def loop(folder: Path) -> None:
    """A link to itself."""
    (folder / "a.ptx").symlink_to("a.ptx")


@fault(LINKS, Outcome(0, note="links to directories are not followed"))
def loop_of_directories(folder: Path) -> Setting:
    """A directory with a link to itself."""
    (folder / "d").mkdir()
    (folder / "d/a.ptx").write_text(GOOD)
    (folder / "d/again").symlink_to(".")
    return Setting(("d",))


@fault(NAMES, Outcome(2, r"\xff.ptx: No such file or directory"))
def any_bytes(_folder: Path) -> Setting:
    """A missing file whose name is not UTF-8."""
    return Setting((os.fsdecode(b"\xff.ptx"),))


@fault(NAMES, CLEAN)
def any_bytes_found(folder: Path) -> Setting:
    """A file whose name is not UTF-8, in a directory that is searched."""
    (folder / "d").mkdir()
    (folder / "d" / os.fsdecode(b"\xff.ptx")).write_text(GOOD)
    return Setting(("d",))


@fault(NAMES, Outcome(2, r"a\nb\x1b[31m.ptx: No such file or directory"))
def control_characters(_folder: Path) -> Setting:
    """A missing file whose name contains a newline and an escape sequence."""
    return Setting(("a\nb\x1b[31m.ptx",))


@fault(NAMES, lint=Outcome(1), fix=Outcome(0, is_written=True), format=Outcome(0, is_written=True))
def longest_name(folder: Path) -> Setting:
    """A file with a name of 255 bytes."""
    name = "n" * 251 + ".ptx"
    (folder / name).write_text(UNTIDY)
    return Setting((name,))


@fault(NAMES, Outcome(2, f"{'n' * 300}.ptx: File name too long"))
def too_long_name(_folder: Path) -> Setting:
    """A file name of 304 bytes."""
    return Setting(("n" * 300 + ".ptx",))


@fault(NAMES, CLEAN)
def deep(folder: Path) -> Setting:
    """A file 150 directories deep."""
    return _deep(folder, 150)


@fault(NAMES, CLEAN)
def very_deep(folder: Path) -> Setting:
    """A file 700 directories deep."""
    return _deep(folder, 700)


@fault(NAMES, CLEAN)
def very_deep_search(folder: Path) -> Setting:
    """A directory tree 700 directories deep that is searched."""
    _deep(folder, 700)
    return Setting(("d",))


@fault(NAMES, Outcome(2, "/".join(["d" * 200] * 21) + ": File name too long"))
def too_deep(folder: Path) -> Setting:
    """A directory tree that is searched, and in which a path becomes too long for the system."""
    before = Path.cwd()
    os.chdir(folder)
    for _ in range(25):
        Path("d" * 200).mkdir()
        os.chdir("d" * 200)
    os.chdir(before)
    return Setting(("d" * 200,))


def _deep(folder: Path, n_folders: int) -> Setting:
    path = "/".join(["d"] * n_folders) + "/a.ptx"
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text(GOOD)
    return Setting((path,))
