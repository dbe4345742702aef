"""Servers forked from a process that has loaded them: loading takes most of a test's time."""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

_ROOT: Final = Path(__file__).resolve().parents[2]
_NUMBER: Final = struct.Struct("=i")
_N_PIPES: Final = 3


class ForkedServer:
    """A server, with what is used here of `subprocess.Popen`."""

    def __init__(self) -> None:
        """Starts `ptx-ls serve --stdio` in the directory and the environment of this process."""
        sys.audit("subprocess.Popen", sys.executable, [sys.executable], None, None)  # as if it were
        (stdin, self_in), (self_out, stdout), (self_err, stderr) = (os.pipe() for _ in range(3))
        self._status, status = socket.socketpair()
        theirs = [stdin, stdout, stderr, status.detach()]
        socket.send_fds(_orders(os.getpid()), [b"start"], theirs)
        for file in theirs:
            os.close(file)
        self._status.sendall(json.dumps([str(Path.cwd()), dict(os.environ)]).encode() + b"\n")
        self.stdin = os.fdopen(self_in, "wb")
        self.stdout = os.fdopen(self_out, "rb")
        self.stderr = os.fdopen(self_err, "rb")
        self.pid = self._number()
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while the server runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end, and returns the exit status."""
        if self.returncode is None:
            self._status.settimeout(timeout)
            try:
                self.returncode = self._number()
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("ptx-ls", timeout or 0) from None
            self._status.close()
        return self.returncode

    def kill(self) -> None:
        """Ends the server, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _number(self) -> int:
        number: int
        (number,) = _NUMBER.unpack(self._status.recv(_NUMBER.size))
        return number


@cache
def _orders(_process_id: int) -> socket.socket:
    """Where to order servers of a process that forks them, which ends with this one."""
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, __file__, str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(orders: socket.socket) -> None:
    """Forks a server for each order, until there can be no more."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # or those who watch had to be waited for
    while True:
        order, files, _, _ = socket.recv_fds(orders, len(b"start"), _N_PIPES + 1)
        if not order:
            return
        if os.fork() == 0:
            _watch(files)
        for file in files:
            os.close(file)


def _watch(files: list[int]) -> NoReturn:
    """Starts a server, and tells its process id and then its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with socket.socket(fileno=files[_N_PIPES]) as status:
        with status.makefile("rb") as lines:
            directory, environment = json.loads(lines.readline())
        process_id = os.fork()
        if process_id == 0:
            _become_server(files, directory, environment)
        for file in files[:_N_PIPES]:  # or no end of them were seen
            os.close(file)
        with suppress(OSError):  # no one waits for the result
            status.sendall(_NUMBER.pack(process_id))
            _, ended = os.waitpid(process_id, 0)
            status.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(ended)))
    os._exit(0)


def _become_server(files: list[int], directory: str, environment: dict[str, str]) -> NoReturn:
    """Does what `python -m ptx_ls serve --stdio` does, with each kept fact compared."""
    from ptx_ls.cli.main import process  # noqa: PLC0415  # loaded long before
    from ptx_ls.document.fact_checking import check_facts  # noqa: PLC0415

    check_facts(is_on=True)

    for number, file in enumerate(files[:_N_PIPES]):
        os.dup2(file, number)
    os.closerange(_N_PIPES, max(files) + 1)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace")
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = ["serve", "--stdio"]
    process()


def _load() -> None:
    """Imports all that a server imports in its life, as a server does: without collections."""
    gc.disable()
    from ptx_ls import isa  # noqa: PLC0415
    from ptx_ls.server import handlers  # noqa: PLC0415
    from ptx_ls.server.scheduling import preload  # noqa: PLC0415

    late = (
        module.name for module in pkgutil.iter_modules(handlers.__path__, "ptx_ls.server.handlers.")
    )
    names = ("ptx_ls.cli.commands.serve", "ptx_ls.server.app", "ptx_ls.server.language_server")
    for name in (*names, "ptx_ls.server.session", *late, *preload.LATE):
        importlib.import_module(name)
    isa.database()


if __name__ == "__main__":
    sys.path[0] = str(_ROOT)
    _load()
    _serve(socket.socket(fileno=int(sys.argv[1])))
