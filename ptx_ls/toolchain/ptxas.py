"""NVIDIA's ptxas: finding it, running it, and reading its messages.

ptxas checks a file without generating code when `-arch` names a virtual architecture, such as
`compute_90`. Its messages have a line but no column; a fatal one ends the run, and the rest is not
checked.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sysconfig
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ptx_ls.isa.version import parse_target
from ptx_ls.syntax.comments import without_comments
from ptx_ls.toolchain import programs

INSTALL_HINT = "pip install nvidia-cuda-nvcc"
OLDEST_ARCHITECTURE = 75
"""The oldest architecture of ptxas 13; modules for older targets are checked for this one."""
_OTHER_NAME = {"101": "110", "82": "86"}
"""Targets that are not (or no longer) an architecture, with the target that runs their code."""
_MESSAGE = re.compile(
    r"^ptxas (?P<file>.*?), line (?P<line>\d+); (?P<severity>\w+)\s*: (?P<text>.*)$"
)
_GENERAL = re.compile(r"^ptxas (?P<severity>fatal|error|warning|info)\s*: (?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of ptxas. `line` starts at 1; None if the message names no line."""

    line: int | None
    severity: str
    """`error`, `fatal`, `warning`, `info` or `advisory`."""
    text: str

    @property
    def is_error(self) -> bool:
        """Whether ptxas rejects the file because of the message."""
        return self.severity in ("error", "fatal")


@dataclass(frozen=True, slots=True)
class PtxasRun:
    """One run of ptxas. A negative `status` is the signal that ended it."""

    messages: tuple[Message, ...]
    status: int
    output: str = ""
    """Everything that it printed."""

    @property
    def crashed(self) -> bool:
        """Whether ptxas crashed or was killed."""
        return self.status < 0 or self.status not in (0, 1, 255)


def find() -> Path | None:
    """Finds ptxas: `$PTX_LS_PTXAS`, this environment's wheel, `$CUDA_HOME`, then `PATH`."""
    chosen = os.environ.get("PTX_LS_PTXAS")
    if chosen:
        return Path(chosen) if Path(chosen).is_file() else None
    name = programs.file_name("ptxas")
    for key in ("purelib", "platlib"):
        for wheel in ("nvidia/cu13", "nvidia/cuda_nvcc"):
            path = Path(sysconfig.get_path(key)) / wheel / "bin" / name
            if path.is_file() and _make_runnable(path):
                return path
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        home = os.environ.get(variable)
        if home and (Path(home) / "bin" / name).is_file():
            return Path(home) / "bin" / name
    return programs.on_path("ptxas")


def _make_runnable(path: Path) -> bool:
    """Makes a file executable, which unpacking a wheel may not do; returns False on failure."""
    if os.access(path, os.X_OK):
        return True
    try:
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    except OSError:
        return False
    return True


def architecture(target: str) -> str:
    """Returns the `-arch` to check a module of that `.target` with: `sm_90a` -> `compute_90a`."""
    name = target.partition(",")[0].strip().removeprefix("sm_")
    number = name.rstrip("af")
    suffix = name[len(number) :]
    number = _OTHER_NAME.get(number, number)
    if not number.isdecimal() or int(number) < OLDEST_ARCHITECTURE:
        return f"compute_{OLDEST_ARCHITECTURE}"
    return f"compute_{number}{suffix}"


def target_of(text: str) -> str:
    """Returns the newest target in `.target`; without one, the oldest that ptxas compiles for.

    A linked module may name several.
    """
    words = without_comments(text).replace(",", " ").split()
    names = [name for word, name in pairwise(words) if word == ".target"]
    numbers = {found: name.partition("_")[2] for name in names if (found := parse_target(name))}
    return f"sm_{numbers[max(numbers)] if numbers else OLDEST_ARCHITECTURE}"


def run(ptxas: Path, source: Path, target: str, timeout: float = 60.0) -> PtxasRun:
    """Checks a file without generating code.

    Raises OSError when ptxas cannot be started, subprocess.TimeoutExpired after `timeout` seconds.
    """
    command = [str(ptxas), f"-arch={architecture(target)}", str(source), "-o", os.devnull]
    done = subprocess.run(  # noqa: S603  the caller chose the program
        command, capture_output=True, text=True, errors="replace", timeout=timeout, check=False
    )
    return run_of(done.returncode, done.stderr + done.stdout)


def run_of(status: int, output: str) -> PtxasRun:
    """Reads the result of a run."""
    return PtxasRun(parse_messages(output), status, output)


def parse_messages(output: str) -> tuple[Message, ...]:
    """Reads the output of ptxas, one message a line, without its closing summary."""
    messages = []
    for line in output.splitlines():
        match = _MESSAGE.match(line)
        if match:
            messages.append(Message(int(match["line"]), match["severity"], match["text"]))
            continue
        match = _GENERAL.match(line)
        if match and "aborted due to" not in line:
            messages.append(Message(None, match["severity"], match["text"]))
    return tuple(messages)
