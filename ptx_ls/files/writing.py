"""Overwrites files so that neither a kill nor a full disk loses or spoils their contents.

The reasons are in docs/decisions/writing-files.md.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
import sys
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ptx_ls.files.named import stream_number

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMELESS: Final = getattr(os, "O_TMPFILE", 0)
"""The flag to open a file without a name, which vanishes with the process; only Linux has it."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
_NEW: Final = ".ptx-ls-new-"
"""Begins the name of a file that is written before it replaces another."""
_RANDOM: Final = 16
"""The number of random bytes in such a name, so that two runs never choose the same one."""
_NAME_OF_NEW: Final = re.compile(rf"{re.escape(_NEW)}[0-9a-f]{{{2 * _RANDOM}}}")
_OLD: Final = 3_600_000_000_000
"""Age in nanoseconds from which such a file was left by a run that did not end."""
_tidied: set[str] = set()
"""The folders from which this process has removed such files."""


def overwrite(path: str, content: bytes, before: bytes) -> None:
    """Replaces `before`, which was read from a file, with `content`.

    Links to the file, its mode, owner and attributes are kept. If this process is killed or an
    error is raised, the file has one of the two contents, and no other file remains. Files that
    earlier runs left beside it, because the machine stopped, are removed.

    Raises:
        OSError: if the file is read-only, has changed since, or cannot be written.
    """
    path = os.path.realpath(path)
    status = os.stat(path)
    if is_read_only(path):
        raise OSError(errno.EACCES, "read-only, so not changed")
    with open(path, "rb") as stream:
        present = stream.read()
    if present == content:  # another run was faster
        return
    if present != before:
        raise OSError(errno.EBUSY, "changed by another program in the meantime, so not overwritten")

    is_tidy = status.st_nlink > 1 or _is_tidy(os.path.dirname(path))

    def work() -> None:
        # A file with several names must remain one file, so it is written in place.
        if status.st_nlink > 1 or not _replace(path, content, status, is_tidy=is_tidy):
            _write_into(path, content, before)

    _spared(work)


def is_read_only(path: str) -> bool:
    """Whether a file that exists may not be written, by its mode or by the rights of the user.

    Root may write everything, but the mode says what the owner wants.

    Raises:
        OSError: if it does not exist.
    """
    return not os.stat(path).st_mode & stat.S_IWUSR or not os.access(path, os.W_OK)


def write_whole(path: str, content: bytes) -> None:
    """Writes a file that may exist already, so that it never has only a part of the content.

    Keeps the mode, owner and links of an existing file. Writes into a pipe or a device, and after
    what a stream of this process already has.

    Raises:
        OSError: if it cannot be written; an existing file is then unchanged.
    """
    stream = stream_number(path)
    path = os.path.realpath(path)
    if stream is not None:
        _write_all(stream, content)
    elif os.path.isfile(path):
        with open(path, "rb") as file:
            before = file.read()
        overwrite(path, content, before)
    elif os.path.lexists(path):
        with open(path, "wb") as file:
            file.write(content)
    else:
        _write_new(path, content)


def _write_new(path: str, content: bytes) -> None:
    """Creates a file."""
    folder = os.path.dirname(path)
    is_tidy = _is_tidy(folder)

    def work() -> None:
        new = _beside(folder)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        try:
            try:
                _write_all(descriptor, content)
                if not is_tidy:
                    _tidy(folder, os.fstat(descriptor))
            finally:
                os.close(descriptor)
            os.replace(new, path)
        finally:
            _remove(new)

    _spared(work)


def _beside(folder: str) -> str:
    """Returns a new name for a file that is written before it replaces another in a folder."""
    return os.path.join(folder, _NEW + os.urandom(_RANDOM).hex())


def _is_tidy(folder: str) -> bool:
    """Whether this process has removed left-over files from a folder; true from the next call."""
    is_tidy = folder in _tidied
    _tidied.add(folder)
    return is_tidy


def _tidy(folder: str, present: os.stat_result) -> None:
    """Removes the files that this user's earlier runs left in a folder.

    `present`: the status of a file that was just written, so that no clock has to agree with that
    of the file system.
    """
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if _NAME_OF_NEW.fullmatch(each.name)]
    except OSError:
        return
    for path in (os.path.join(folder, name) for name in names):
        with suppress(OSError):
            status = os.lstat(path)
            is_ours = stat.S_ISREG(status.st_mode) and status.st_uid == present.st_uid
            if is_ours and present.st_mtime_ns - status.st_mtime_ns > _OLD:
                os.unlink(path)


def _spared(work: Callable[[], None]) -> None:
    """Runs work in a process that survives if this one is killed; if forking fails, in this one."""
    if sys.platform == "win32":
        work()
        return
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        try:
            with warnings.catch_warnings():  # about other threads, which the child does not use
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
        except OSError:  # the limit on processes is reached
            work()
            return
        if not child:
            _do_and_exit(work)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        number = code if code > 0 else errno.EINTR
        raise OSError(number, os.strerror(number))


def _do_and_exit(work: Callable[[], None]) -> None:
    """Runs work and ends the process, with the number of the error as its status."""
    number = errno.EIO
    try:
        os.setsid()  # signals of the terminal or to the group do not reach another session
        work()
        number = 0
    except OSError as error:
        number = error.errno or number
    finally:
        os._exit(number)


def _replace(path: str, content: bytes, status: os.stat_result, *, is_tidy: bool) -> bool:
    """Renames a new file to `path`; returns False if that fails or would lose attributes."""
    folder = os.path.dirname(path)
    new = _beside(folder)
    try:
        descriptor = _create(folder, new)
    except OSError:
        return False
    try:
        try:
            _write_all(descriptor, content)
            if not is_tidy:
                _tidy(folder, os.fstat(descriptor))
            if not os.path.lexists(new) and not _give_name(descriptor, new):
                return False
        finally:
            os.close(descriptor)
        os.chmod(new, stat.S_IMODE(status.st_mode))
        if _owned(new) != _owned(path):
            return False
        return _rename(new, path)
    finally:
        _remove(new)


def _rename(new: str, path: str) -> bool:
    try:
        os.replace(new, path)
    except OSError:  # a file that is mounted, as in a container, cannot be replaced
        return False
    return True


def _create(folder: str, new: str) -> int:
    """Opens a file without a name, or `new` if the system has no such files."""
    if _NAMELESS:
        try:
            return os.open(folder, os.O_WRONLY | _NAMELESS, 0o600)
        except OSError:  # not every file system supports it
            pass
    return os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)


def _give_name(descriptor: int, new: str) -> bool:
    try:
        # An absolute path needs no directory, but without one, Python does not follow the link.
        os.link(f"/proc/self/fd/{descriptor}", new, src_dir_fd=descriptor, follow_symlinks=True)
    except OSError:
        return False
    return True


def _owned(path: str) -> tuple[object, ...]:
    """Returns the owner, group and extended attributes of a file, including access lists."""
    status = os.stat(path)
    names = os.listxattr(path) if sys.platform == "linux" else []
    return status.st_uid, status.st_gid, [(name, os.getxattr(path, name)) for name in sorted(names)]


def _write_into(path: str, content: bytes, before: bytes) -> None:
    """Changes the bytes of a file; restores the old ones if the new ones do not all fit."""
    descriptor = os.open(path, os.O_RDWR | _BINARY)
    try:
        try:
            _write_all(descriptor, content)
            os.ftruncate(descriptor, len(content))
        except OSError:
            end = os.lseek(descriptor, 0, os.SEEK_CUR)
            os.lseek(descriptor, 0, os.SEEK_SET)
            _write_all(descriptor, before[:end])
            os.ftruncate(descriptor, len(before))
            raise
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _remove(path: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)
