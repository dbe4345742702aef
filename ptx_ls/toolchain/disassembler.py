"""NVIDIA's disassemblers: `nvdisasm`, or `cuobjdump` if only that is installed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.toolchain import programs
from ptx_ls.toolchain.assembler import ToolError, printed_by

if TYPE_CHECKING:
    from pathlib import Path

INSTALL_HINT: Final = "pip install nvidia-cuda-nvdisasm"
_NAMES: Final = ("nvdisasm", "cuobjdump")


def find(ptxas: Path) -> Path | None:
    """Returns the disassembler to use: beside ptxas, else on `PATH`; nvdisasm if possible."""
    for name in _NAMES:
        beside = ptxas.with_name(programs.file_name(name))
        if beside.is_file() and os.access(beside, os.X_OK):
            return beside
    return next(filter(None, map(programs.on_path, _NAMES)), None)


async def disassemble(program: Path, binary: Path, patience: float) -> str:
    """Returns the machine code (SASS) of a compiled module, as text.

    Raises:
        ToolError: if the program cannot be started, takes too long, or rejects the module.
    """
    option = "-sass" if "cuobjdump" in program.name else "-c"
    done = await printed_by([str(program), option, str(binary)], patience)
    if done.status or not done.printed:
        said = done.complained.strip().partition("\n")[0]
        raise ToolError(f"`{program}` ended with status {done.status}: {said or 'no message'}")
    return done.printed
