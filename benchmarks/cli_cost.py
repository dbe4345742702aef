"""Measures CPU time and memory of whole processes, as the operating system counts them."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence


def lint_command(*arguments: str) -> list[str]:
    """Returns the command that lints, with this Python."""
    return [sys.executable, "-m", "ptx_ls", "lint", *arguments]


def cpu_seconds(
    command: Sequence[str],
    statuses: Sequence[int] = (0,),
    environment: Mapping[str, str] | None = None,
) -> float:
    """Returns user and system time of one run of a command, including its children.

    Raises `RuntimeError` if it ends with a status that is not in `statuses`.
    """
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_environment() if environment is None else environment,
    )
    _, wait_status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(wait_status)
    if process.returncode not in statuses:
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def peak_bytes(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Returns the most memory that a run of a command has in RAM, whatever its exit status."""
    # The peak of a process includes that of the one that starts it, so that one has to be small.
    launcher = (
        "import resource, subprocess, sys;"
        "subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    run = [sys.executable, "-c", launcher, *command]
    report = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    return 1024 * int(report.stdout)


def alternating(commands: Mapping[str, Sequence[str]], n_runs: int) -> dict[str, list[float]]:
    """Returns CPU seconds of each command, run in turns, so that a busy machine slows all alike.

    A first round, which fills the caches, is not counted. Commands may exit with 0 or 1.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for n_round in range(n_runs + 1):
        for name, command in commands.items():
            spent = cpu_seconds(command, statuses=(0, 1))
            if n_round:
                seconds[name].append(spent)
    return seconds


def described(seconds: Sequence[float]) -> str:
    """Describes how many runs there were, and their shortest and longest times."""
    return f"{len(seconds)} runs, {min(seconds):.3f} to {max(seconds):.3f} s"


def _environment() -> dict[str, str]:
    """Returns an environment in which Python may cache compiled modules, but ptx-ls no results."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PTX_LS_DEBUG")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "PTX_LS_CACHE_DIR": ""}  # all runs check everything
