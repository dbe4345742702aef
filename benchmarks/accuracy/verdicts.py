"""The verdicts of ptxas and ptx-ls on a text; those of ptxas are stored."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from certify.reading_errors import reading_errors
from ptx_ls import lint
from ptx_ls.document.document import Document
from ptx_ls.source import Diagnostic
from ptx_ls.toolchain import ptxas


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of ptxas: whether it accepts, and the lines of its errors (from 1).

    `message` is its first error. `is_known` is False where it crashed or hung.
    """

    accepts: bool
    lines: tuple[int, ...] = ()
    message: str = ""
    is_known: bool = True


def find_ptxas() -> Path:
    """Returns the program to ask. Raises `RuntimeError` if there is none."""
    program = ptxas.find()
    if program is None:
        raise RuntimeError(f"ptxas not found: {ptxas.INSTALL_HINT}")
    return program


def ask(text: str, program: Path, memory: Path) -> Verdict:
    """Asks ptxas about a module, for the target that it names (the highest of several).

    `memory`: a file that keeps verdicts, one per line, for several processes.
    """
    known = _remembered(program, memory)
    key = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:24]
    if key not in known:
        known[key] = _run(program, text)
        row = json.dumps({"key": key, "ptxas": _identity(program), **asdict(known[key])})
        with memory.open("a", encoding="utf-8") as file:
            file.write(f"{row}\n")
    return known[key]


@cache
def _remembered(program: Path, memory: Path) -> dict[str, Verdict]:
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory.touch()
    known = {}
    for line in memory.read_text("utf-8").splitlines():
        row = json.loads(line)
        key, identity = row.pop("key"), row.pop("ptxas")
        if identity == _identity(program):
            known[key] = Verdict(**row | {"lines": tuple(row["lines"])})
    return known


def _identity(program: Path) -> int:
    """Returns what distinguishes one ptxas from another: the size of the program."""
    return program.stat().st_size


def _run(program: Path, text: str) -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "module.ptx")
        path.write_bytes(text.encode())
        try:
            run = ptxas.run(program, path, ptxas.target_of(text), timeout=30)
        except subprocess.TimeoutExpired:
            return Verdict(accepts=False, is_known=False, message="timeout")
    errors = [it for it in run.messages if it.is_error]
    lines = tuple(it.line for it in errors if it.line is not None)
    message = errors[0].text if errors else ""
    return Verdict(run.status == 0, lines, message, not run.crashed)


def errors_of(text: str) -> list[Diagnostic]:
    """Returns our errors in a module, except those that ptxas reports only when it compiles.

    They are without offers, which hold on to the document: another process may get them.
    """
    found = reading_errors(lint.lint(Document.read(text)))
    return [each._replace(offers=None) for each in found]
