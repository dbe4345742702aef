"""The scripts of `ptx-ls completions`, each in its shell: tests press keys and read the line."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generators.command_line import commands
from docs.generators.completions import FREE, completer, files
from ptx_ls.cli.commands.completions import SHELLS, script
from ptx_ls.cli.main import main
from tests.support.programs import require_program

SHOW = "\x01printf '<%s>\\n' \x05\n"
"""Keys that go to the start of the line, insert a command that prints all words, and run it."""
SETUP = {
    "bash": "bind 'set completion-query-items 0'; source {script}",
    "zsh": 'autoload -Uz compinit; compinit -u -D; eval "$(cat {script})"',
}
INTERACTIVE = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]}
WORDS = re.compile(rb"^<(.*)>\r?$", re.MULTILINE)

slow_shell = pytest.mark.parametrize(
    "shell", [pytest.param(shell, marks=pytest.mark.slow) for shell in SHELLS]
)


def check_completed(shell: str, typed: str, expected: str, folder: Path) -> None:
    """Completes the last word of a line in a shell, and compares it with the only candidate."""
    program = require_program(shell, f"apt-get install {shell}")
    if shell == "fish":
        code = f"source {shlex.quote(script('fish'))}; complete -C {shlex.quote(typed)}"
        done = subprocess.run(
            [program, "--no-config", "-c", code],
            cwd=folder,
            env={**os.environ, "HOME": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        )
        candidates = [line.partition("\t")[0] for line in done.stdout.splitlines()]
        assert [each.rstrip("/") for each in candidates] == [expected]
    else:
        keys = [SETUP[shell].format(script=shlex.quote(script(shell))), f"{typed}\t{SHOW}exit\n"]
        output = in_terminal([str(program), *INTERACTIVE[shell]], "\n".join(keys), folder)
        words = [word.decode() for word in WORDS.findall(output)]
        assert words, output.decode()
        assert words[-1].rstrip("/") == expected, output.decode()


def in_terminal(command: list[str], keys: str, folder: Path) -> bytes:
    """Types into a program that runs in a terminal, until it ends; returns what it shows."""
    if sys.platform == "win32":
        pytest.skip("needs a terminal as POSIX has it")
    import pty  # noqa: PLC0415 (not on every system)

    controller, terminal = pty.openpty()
    environment = {**os.environ, "HOME": str(folder), "TERM": "dumb", "HISTFILE": ""}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    ):
        os.close(terminal)
        os.write(controller, keys.encode())
        shown = bytearray()
        try:
            while part := os.read(controller, 4096):
                shown += part
        except OSError:  # Linux says so when the program has ended
            pass
    os.close(controller)
    return bytes(shown)


@slow_shell
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ptx-ls requ", "requirements"),
        ("ptx-ls lint --stati", "--statistics"),
        ("ptx-ls lint --output-format sar", "sarif"),
        ("ptx-ls lint --select operand-w", "operand-width"),
        ("ptx-ls lint --select decl", "declarations"),
        ("ptx-ls lint --select operand-width,decl", "operand-width,declarations"),
        ("ptx-ls lint --output sar", "sarif:"),
        ("ptx-ls lint --output sarif:spa", "sarif:space d.ptx"),
        ("ptx-ls lint --output=json:spa", "--output=json:space d.ptx"),
        ("ptx-ls lint --ignore=operand-width,decl", "--ignore=operand-width,declarations"),
        ("ptx-ls lint --color=nev", "--color=never"),
        ("ptx-ls lint -q spa", "space d.ptx"),
        ("ptx-ls explain unknown-op", "unknown-opcode"),
        ("ptx-ls isa --category 'control", "control flow"),
        ("ptx-ls isa clusterl", "clusterlaunchcontrol"),
        ("ptx-ls isa .maxntid mapa", "mapa"),
        ("ptx-ls requirements --target sm_103f", "sm_103f"),
        ("ptx-ls requirements --version 8.8", "8.8"),
        ("ptx-ls completions z", "zsh"),
        ("ptx-ls serve --folder fold", "folder"),
    ],
)
def test_values(shell: str, typed: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "space d.ptx").touch()
    (tmp_path / "folder").mkdir()
    check_completed(shell, typed, expected, tmp_path)


@slow_shell
def test_nothing_is_run_for_a_name(shell: str, tmp_path: Path) -> None:
    (tmp_path / "a$(touch pwned)b.ptx").touch()
    check_completed(shell, "ptx-ls lint a", "a$(touch pwned)b.ptx", tmp_path)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_up_to_date(shell: str) -> None:
    path = Path(script(shell))
    assert path.read_text("utf-8") == files()[path], "run ./dev docs"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", shell]) == 0
    assert capsys.readouterr().out == Path(script(shell)).read_text("utf-8")


def test_every_value_is_completed_or_free() -> None:
    unknown = [
        f"{command.name} {argument.name}: {argument.value}"
        for command in commands()
        for argument in command.arguments
        if argument.value
        and not argument.choices
        and argument.value not in FREE
        and completer(command.name, argument) is None
    ]
    assert unknown == []
