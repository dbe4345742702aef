"""CPU time of whole processes, as the system counts it."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence


def lint_command(*arguments: str) -> list[str]:
    """The command that lints, with this Python."""
    return [sys.executable, "-m", "ptx_ls", "lint", *arguments]


def cpu_seconds(command: Sequence[str], statuses: Sequence[int] = (0,)) -> float:
    """User and system time of one run of a command, its own children included.

    Raises `RuntimeError` when it ends with another status than `statuses`.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment()
    )
    _, wait_status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(wait_status)
    if process.returncode not in statuses:
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def alternating(commands: Mapping[str, Sequence[str]], n_runs: int) -> dict[str, list[float]]:
    """CPU seconds of each command, run in turns, so that a busy machine slows all alike.

    A first round, which fills the caches, does not count. Lint may find something.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for n_round in range(n_runs + 1):
        for name, command in commands.items():
            spent = cpu_seconds(command, statuses=(0, 1))
            if n_round:
                seconds[name].append(spent)
    return seconds


def described(seconds: Sequence[float]) -> str:
    """How many runs, and their span."""
    return f"{len(seconds)} runs, {min(seconds):.3f} to {max(seconds):.3f} s"


def _environment() -> dict[str, str]:
    """The environment, in which Python may keep compiled modules as after an installation."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PTX_LS_DEBUG")
    return {name: value for name, value in os.environ.items() if name not in dropped}
