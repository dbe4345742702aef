"""Runs commands in the settings of faults."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import ptx_ls
from tests.cli.faults.table import DEFAULT, Setting

if sys.platform != "win32":
    import resource

_ROOT = str(Path(ptx_ls.__file__).parents[1])
_DROP_CAPABILITY = 24
"""The operation of `prctl` that takes a right from this process and all that it starts."""
_RIGHTS_OF_ROOT = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: to read and to write everything."""
_START = "from ptx_ls.cli.main import process; process()"
_MAX_SECONDS = 300


def command_of(command: str, setting: Setting) -> list[str]:
    """Returns the command line, without the files."""
    code = f"{setting.script}\n{_START}"
    return [sys.executable, "-P", "-c", code, *command.split(), *setting.options]


def environment_of(setting: Setting) -> dict[str, str]:
    """Returns the variables of the process."""
    found = {**os.environ, **setting.environment, "PYTHONPATH": _ROOT}
    for name in ("NO_COLOR", "FORCE_COLOR", "PTX_LS_DEBUG"):
        found[name] = None
    return {name: value for name, value in found.items() if value is not None}


def run(
    command: str, folder: Path, setting: Setting = DEFAULT, *others: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in a folder, on the files of its setting and others."""

    def prepare() -> None:
        """Runs in the new process, before the command."""
        if not setting.has_rights:
            for right in _RIGHTS_OF_ROOT:
                ctypes.CDLL(None).prctl(_DROP_CAPABILITY, right, 0, 0, 0)
        for name, limit in setting.limits.items():
            resource.setrlimit(getattr(resource, name), (limit, limit))
        for number, stream in enumerate((setting.stdin, setting.stdout)):
            if stream == "closed":
                os.close(number)

    stdin = _opened(setting.stdin, os.O_RDONLY, folder)
    stdout = _opened(setting.stdout, os.O_WRONLY, folder)
    try:
        return subprocess.run(  # the tests have no other threads
            [*command_of(command, setting), *setting.arguments, *others],
            cwd=folder,
            env=environment_of(setting),
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=subprocess.PIPE,
            check=False,
            preexec_fn=prepare,
            timeout=_MAX_SECONDS,
        )
    finally:
        for each in (stdin, stdout):
            if each is not None:
                os.close(each)


def _opened(stream: str, flags: int, folder: Path) -> int | None:
    if stream == "no reader":
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    if stream in ("", "closed"):
        return None
    return os.open(folder / stream, flags)
