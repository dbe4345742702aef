"""Runs libnvvm, NVIDIA's compiler from NVVM IR to PTX, in a process of its own.

A mistake in the IR may end the process that compiles it, so it is not this one.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self


def find() -> Path | None:
    """The library of the `nvidia-nvvm` wheel, None when it is not installed."""
    spec = importlib.util.find_spec("nvidia")
    for directory in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(directory).glob("**/libnvvm.so*")):
            return path
    return None


class _Library:
    """The C interface of libnvvm."""

    def __init__(self, path: Path) -> None:
        self._functions = ctypes.CDLL(str(path))

    def compile(self, module: str, architecture: str) -> tuple[bool, str]:
        """Whether it was compiled, and the PTX or the log."""
        functions, program = self._functions, ctypes.c_void_p()
        functions.nvvmCreateProgram(ctypes.byref(program))
        text = module.encode()
        functions.nvvmAddModuleToProgram(program, text, ctypes.c_size_t(len(text)), b"module")
        options = (ctypes.c_char_p * 1)(f"-arch={architecture}".encode())
        failed = functions.nvvmCompileProgram(program, 1, options) != 0
        what = "ProgramLog" if failed else "CompiledResult"
        size = ctypes.c_size_t()
        getattr(functions, f"nvvmGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(functions, f"nvvmGet{what}")(program, buffer)
        functions.nvvmDestroyProgram(ctypes.byref(program))
        return not failed, buffer.value.decode(errors="replace")


class Compiler:
    """A compiler process, started anew when a module has ended it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def compile(self, module: str, architecture: str) -> str | None:
        """The PTX of a module of NVVM IR; None when the compiler refuses it."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "certify.nvvm_compiler", str(self._path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the compiler process has no pipes")
        try:
            process.stdin.write(json.dumps([module, architecture]) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.close()
            return None
        compiled, text = json.loads(answer)
        return str(text) if compiled else None

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


def _serve(path: Path) -> None:
    library = _Library(path)
    for line in sys.stdin:
        module, architecture = json.loads(line)
        print(json.dumps(library.compile(module, architecture)), flush=True)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
