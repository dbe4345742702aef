"""A substitute for ptxas, which prints the messages that comments of the module contain.

`// error WORDS` has it complain of that line, `// general fatal WORDS` of none; `// slow`,
`// crash` and `// mute` anywhere have it hang, end by a signal, and fail without a word. It notes
its runs in a file beside itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")

_SCRIPT = f"""\
#!{sys.executable} -IS
import os, re, signal, sys, time
source = next(it for it in sys.argv if it.endswith(".ptx"))
text = open(source).read()
with open(os.path.join(os.path.dirname(__file__), "runs"), "a") as runs:
    runs.write(f"{{os.getpid()}} {{sys.argv[1]}}\\n")
if "// crash" in text:
    os.kill(os.getpid(), signal.SIGKILL)
if "// slow" in text:
    time.sleep(1000)
is_wrong = "// mute" in text
for number, line in enumerate(text.split("\\n"), 1):
    if found := re.search("// (error|warning) (.*)", line):
        is_wrong |= found[1] == "error"
        sys.stderr.write(f"ptxas {{source}}, line {{number}}; {{found[1]:8}}: {{found[2]}}\\n")
    if found := re.search("// general (\\\\w+) (.*)", line):
        is_wrong |= found[1] == "fatal"
        sys.stderr.write(f"ptxas {{found[1]:8}}: {{found[2]}}\\n")
if "-v" in sys.argv:
    sys.stderr.write("ptxas info    : Compiling entry function 'k' for 'sm_80'\\n"
        "ptxas info    : Function properties for k\\n"
        "    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\\n"
        "ptxas info    : Used 24 registers, used 1 barriers, 1024 bytes smem\\n")
sys.exit(255 if is_wrong else 0)
"""


def make(folder: Path) -> Path:
    """Writes the program."""
    return script(folder / "ptxas", _SCRIPT)


def script(path: Path, text: str) -> Path:
    """Writes a program."""
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


def runs(folder: Path) -> list[tuple[int, str]]:
    """The process and the architecture of each run so far."""
    path = folder / "runs"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [(int(line.split()[0]), line.split()[1]) for line in lines]
