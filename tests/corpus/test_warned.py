"""Warnings of ptxas about files that it accepts; ptx-ls reports each on the same line."""

import re
from pathlib import Path

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from ptx_ls.toolchain import ptxas
from tests.support.assembling import assemble

pytestmark = pytest.mark.slow

WARNED = sorted((Path(__file__).parent / "warned").glob("*.ptx"))
CLAIM = re.compile(r"// ptxas: (error|warning|info) at line (\d+)(?:, compiled)?: \S.*")
UNCOMPILABLE = "uncompilable"
"""The rule that only files marked with "compiled" may break."""
SEVERITIES = {
    "error": (Severity.WARNING,),  # what it refuses only when it generates code
    "warning": (Severity.WARNING,),
    "info": (Severity.INFORMATION, Severity.HINT),
}


def check_with_ptxas(path: Path, folder: Path, *, is_compiled: bool) -> list[ptxas.Message]:
    """Returns what ptxas says of a file, compiled or only read; an error is a failure."""
    text = path.read_text("utf-8")
    target = re.search(r"\.target\s+(sm_\w+)", text)
    assert target is not None
    architecture = ptxas.architecture(target[1])
    if is_compiled:
        architecture = architecture.replace("compute", "sm")
    return list(assemble(text, folder, architecture).messages)


def claim_of(path: Path) -> tuple[str, int, bool]:
    first = path.read_text("utf-8").partition("\n")[0]
    claim = CLAIM.fullmatch(first)
    assert claim is not None
    return claim[1], int(claim[2]), ", compiled" in first


@pytest.mark.ptxas
@pytest.mark.parametrize("path", WARNED, ids=lambda path: path.stem)
def test_ptxas_warns_at_the_line_named(path: Path, tmp_path: Path) -> None:
    severity, line, is_compiled = claim_of(path)
    messages = check_with_ptxas(path, tmp_path, is_compiled=is_compiled)
    wanted = {severity, "error", "fatal"} if is_compiled else {severity}  # compiling refuses more
    assert any(it.line in (line, None) and it.severity in wanted for it in messages)
    assert is_compiled or not any(it.is_error for it in messages)


@pytest.mark.parametrize("path", WARNED, ids=lambda path: path.stem)
def test_a_warning_is_given_there(path: Path) -> None:
    severity, line, is_compiled = claim_of(path)
    found = lint(Document.read(path.read_text("utf-8")))
    refused = [it for it in found if it.severity is Severity.ERROR]
    assert all(is_compiled and it.rule == UNCOMPILABLE for it in refused)
    # Of what only the whole compile says, a linker may still supply a symbol.
    wanted = {*SEVERITIES[severity], *([Severity.INFORMATION] if is_compiled else [])}
    told = [*refused, *(it for it in found if it.severity in wanted)]
    assert line in {it.range.start.line + 1 for it in told}
