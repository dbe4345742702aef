"""Detects when the client's process has ended, so that the server can also end."""

import os
import sys
from functools import cache


class Watched:
    """A process. It counts as ended only if it existed when this object was made.

    An editor outside of the server's container may send an id that means nothing inside.
    """

    def __init__(self, process_id: int) -> None:
        self._process_id = process_id
        self._was_parent = os.getppid() == process_id
        self._was_there = _is_running(process_id)

    def is_gone(self) -> bool:
        """Whether the process has ended."""
        if self._was_parent and sys.platform != "win32":
            return os.getppid() != self._process_id  # certain, even if the number is used again
        return self._was_there and not _is_running(self._process_id)


@cache
def watched(process_id: int) -> Watched:
    """Returns the object for a process that was made when it was first asked for."""
    return Watched(process_id)


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE = 0x100000
    _WAIT_TIMEOUT = 0x102

    def _is_running(process_id: int) -> bool:
        # Not by os.kill: on Windows, signal 0 is Ctrl-C.
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, process_id)
        if not handle:
            return False
        running: bool = kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT
        kernel.CloseHandle(handle)
        return running

else:

    def _is_running(process_id: int) -> bool:
        if process_id <= 0:
            return False  # it would mean a process group
        try:
            os.kill(process_id, 0)
        except PermissionError:
            return True  # another user's process, but it exists
        except (OSError, OverflowError):
            return False
        return True
