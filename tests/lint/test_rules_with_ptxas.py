"""The examples of the rules, as ptxas judges them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from ptx_ls import lint
from ptx_ls.source import Severity
from ptx_ls.toolchain import ptxas
from tests.support.lint import module
from tests.support.programs import require_program

RULES = lint.rules()
CODE = re.compile(r"```ptx\n(.*?)```", re.DOTALL)
TARGET = re.compile(r"\.target\s+(\w+)")


def check_rejected(code: str, folder: Path) -> bool:
    """Whether ptxas, reading only, rejects an example of a page, whatever it is compiled for."""
    program = require_program("ptxas", ptxas.INSTALL_HINT, lambda _: ptxas.find())
    is_module = code.startswith((".version", ".target", ".address_size"))
    text = code if is_module else module(code)
    path = folder / "example.ptx"
    path.write_text(text, "utf-8")
    target = TARGET.search(text)
    architecture = ptxas.architecture(target[1] if target else "sm_90")
    command = [str(program), f"-arch={architecture}", str(path), "-o", os.devnull]
    return all(_is_rejected([*command, *options]) for options in ([], ["-c"]))


def _is_rejected(command: list[str]) -> bool:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return any(message.is_error for message in ptxas.parse_messages(done.stderr + done.stdout))


@pytest.mark.ptxas
@pytest.mark.parametrize("name", RULES)
def test_only_what_ptxas_rejects_is_an_error(name: str, tmp_path: Path) -> None:
    example, instead = CODE.findall(RULES[name].doc)
    assert check_rejected(example, tmp_path) is (RULES[name].severity is Severity.ERROR)
    assert not check_rejected(instead, tmp_path)
