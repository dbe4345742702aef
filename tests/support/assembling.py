"""Runs ptxas on modules, for tests that compare with it."""

import os
import subprocess
from pathlib import Path

from ptx_ls.toolchain import ptxas
from tests.support.programs import require_program


def require_ptxas() -> Path:
    """Returns the path of ptxas, or skips the test."""
    return require_program("ptxas", ptxas.INSTALL_HINT, lambda _: ptxas.find())


def assemble(text: str, folder: Path, architecture: str, *options: str) -> ptxas.PtxasRun:
    """Runs ptxas on a module, which is written to a folder.

    Args:
        text: the module; its line ends stay as they are.
        folder: the folder that the module is written to.
        architecture: `sm_90` to generate code, `compute_90` only to read the module.
        options: further options of ptxas.
    """
    path = folder / "module.ptx"
    path.write_text(text, encoding="utf-8", newline="")
    command = [str(require_ptxas()), f"-arch={architecture}", str(path), "-o", os.devnull, *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return ptxas.run_of(done.returncode, done.stderr + done.stdout)
