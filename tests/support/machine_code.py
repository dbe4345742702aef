"""Compiles modules, and reads the machine code, for tests of what is slow."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Final

from ptx_ls.toolchain import disassembler
from tests.support.assembling import require_ptxas
from tests.support.programs import require_program

if TYPE_CHECKING:
    from pathlib import Path

_INSTRUCTION: Final = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)").findall
_PADDING: Final = ("NOP", "BRA")
"""Opcodes after the last instruction: a branch to itself, and filling."""


def machine_code(text: str, folder: Path, architecture: str) -> list[str]:
    """Returns the opcodes of the machine code of a module in the order of the addresses.

    Fails the test if ptxas rejects the module. Skips it if a program is missing.
    """
    ptxas = require_ptxas()
    shown_by = require_program(
        "nvdisasm", disassembler.INSTALL_HINT, lambda _: disassembler.find(ptxas)
    )
    source, binary = folder / "module.ptx", folder / "module.cubin"
    source.write_text(text, encoding="utf-8", newline="")
    command = [str(ptxas), f"-arch={architecture}", str(source), "-o", str(binary)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    option = "-sass" if "cuobjdump" in shown_by.name else "-c"
    shown = subprocess.run(
        [str(shown_by), option, str(binary)], capture_output=True, text=True, check=True
    )
    found: list[str] = _INSTRUCTION(shown.stdout)
    while found and found[-1] in _PADDING:
        found.pop()
    return found
