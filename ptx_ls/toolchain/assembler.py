"""Runs ptxas without blocking an event loop: checks a file, or compiles it completely."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.toolchain import ptxas
from ptx_ls.toolchain.resources import is_usage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_UNRESOLVED: Final = "Unresolved extern"


class Output(NamedTuple):
    """The result of a program. A negative `status` is the signal that ended it."""

    status: int
    printed: str
    complained: str


class ToolError(Exception):
    """A program is missing or failed; the message gives the reason."""


async def check(program: Path, source: Path, target: str, patience: float) -> ptxas.PtxasRun:
    """Checks a file without generating code, for at most `patience` seconds.

    Raises:
        ToolError: if ptxas cannot be started, takes too long, or crashes.
    """
    return await _run(
        program, [ptxas.architecture(target), str(source), "-o", os.devnull], patience
    )


async def assemble(
    program: Path, source: Path, target: str, binary: Path, patience: float
) -> ptxas.PtxasRun:
    """Compiles a file for its target into `binary`, and makes ptxas report the resources used.

    A module that calls functions of other modules is compiled for linking. The report on
    resources is only in the run's `output`; see `resources.usages`.

    Raises:
        ToolError: if ptxas cannot be started, takes too long, or crashes.
    """
    real = ptxas.architecture(target).replace("compute_", "sm_")
    arguments = [real, "-v", str(source), "-o", str(binary)]
    run = await _run(program, arguments, patience)
    if any(it.is_error and it.text.startswith(_UNRESOLVED) for it in run.messages):
        run = await _run(program, [*arguments, "--compile-only"], patience)
    messages = tuple(it for it in run.messages if it.is_error or not is_usage(it.text))
    return replace(run, messages=messages)


async def printed_by(command: Sequence[str], patience: float) -> Output:
    """Runs a program for at most `patience` seconds; the first word of the command is its path.

    Raises:
        ToolError: if it cannot be started, or takes too long.
    """
    try:
        return await _output_of(command, patience)
    except TimeoutError:
        raise ToolError(f"`{command[0]}` took longer than {patience:g} s") from None
    except OSError as error:
        raise ToolError(f"`{command[0]}` cannot be started: {error.strerror or error}") from error


async def _run(program: Path, arguments: Sequence[str], patience: float) -> ptxas.PtxasRun:
    architecture, *rest = arguments
    done = await printed_by([str(program), f"-arch={architecture}", *rest], patience)
    run = ptxas.run_of(done.status, done.complained + done.printed)
    if run.crashed:
        how = f"signal {-run.status}" if run.status < 0 else f"status {run.status:#x}"
        raise ToolError(f"`{program}` crashed ({how})")
    if run.status and not any(it.is_error for it in run.messages):
        said = run.output.strip().partition("\n")[0]
        raise ToolError(f"`{program}` ended with status {run.status}: {said or 'no message'}")
    return run


async def _output_of(command: Sequence[str], patience: float) -> Output:
    """Runs a program to its end. When the awaiting task is cancelled, the program is also ended.

    Raises OSError when it cannot be started, TimeoutError after `patience` seconds.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    # In a session of its own, so that the processes it starts can be ended with it.
    process = await asyncio.create_subprocess_exec(
        *command, stdin=nothing, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        printed, complained = await asyncio.wait_for(process.communicate(), patience)
    finally:
        if process.returncode is None:
            _end(process)
            await asyncio.shield(process.wait())
    assert process.returncode is not None  # noqa: S101  it has ended
    return Output(
        process.returncode, printed.decode(errors="replace"), complained.decode(errors="replace")
    )


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
