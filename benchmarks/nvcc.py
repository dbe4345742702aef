"""Finds nvcc and runs it: CUDA source in, PTX out. Needs no GPU and no CUDA installation."""

import importlib.util
import os
import shutil
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path

VARIABLE = "PTX_LS_NVCC"
HOW_TO_INSTALL = (
    "found no nvcc, or none with all its headers: `./dev bench` installs one, and so does "
    "pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime "
    f"nvidia-cuda-cccl; or set ${VARIABLE}"
)
_OTHER_WHEELS = ("nvvm/bin/cicc", "include/cuda_runtime.h", "include/crt", "include/nv/target")
"""Files from other wheels that nvcc needs; `./dev test` installs only nvcc's own wheel."""


class NvccError(RuntimeError):
    """nvcc is missing or failed on a source; the message says what to do, or what it printed."""


def find() -> Path | None:
    """Returns the nvcc of ``$PTX_LS_NVCC``, else of the wheels if complete, else of PATH.

    The programs in wheels lack the permission to execute, which is set here.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named) if Path(named).is_file() else None
    spec = importlib.util.find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for program in sorted(Path(place).glob("cu1*/bin/nvcc"), reverse=True):
            toolkit = program.parent.parent
            if all((toolkit / part).exists() for part in _OTHER_WHEELS):
                _make_runnable(toolkit)
                return program
    on_path = shutil.which("nvcc")
    return Path(on_path) if on_path else None


def compile_to_ptx(
    source: Path,
    output: Path,
    target: str,
    flags: Sequence[str] = (),
    program: Path | None = None,
) -> None:
    """Compiles ``source`` for ``target`` (such as ``sm_90a``) and writes the PTX to ``output``.

    ``output`` is written completely or not at all. Raises `NvccError` if nvcc is missing or fails.
    """
    program = program or find()
    if program is None:
        raise NvccError(HOW_TO_INSTALL)
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f"{output.name}.{os.getpid()}.part")
    command = [program, "-ptx", f"-arch={target}", "-std=c++17", *flags, source.name]
    try:
        run = subprocess.run(
            [*map(str, command), "-o", str(partial)],
            cwd=source.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            raise NvccError(f"nvcc failed on {source.name} for {target}:\n{run.stdout}")
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


def _make_runnable(toolkit: Path) -> None:
    for program in (*toolkit.glob("bin/*"), *toolkit.glob("nvvm/bin/*")):
        mode = program.stat().st_mode
        if program.is_file() and not mode & stat.S_IXUSR:
            program.chmod(mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
