"""The examples of the rules, as ptxas judges them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptx_ls.lint import rule as registry
from ptx_ls.lint.rules.functions import uncompilable
from ptx_ls.source import Severity
from ptx_ls.toolchain import ptxas
from tests.support.assembling import assemble
from tests.support.lint import diagnostics, example_module

RULES = registry.rules()
CODE = re.compile(r"```ptx\n(.*?)```", re.DOTALL)
TARGET = re.compile(r"\.target\s+(\w+)")


def check_rejected(code: str, folder: Path, *, compiles: bool = False) -> bool:
    """Whether ptxas rejects an example of a page, for the target it was made for.

    It only reads the module, or with `compiles` compiles it for the target that it names.
    """
    text = example_module(code)
    target = TARGET.search(text)
    named = target[1] if target else "sm_90"
    architecture = named if compiles else ptxas.architecture(named)
    runs = [assemble(text, folder, architecture, *options) for options in ([], ["-c"])]
    return all(any(message.is_error for message in run.messages) for run in runs)


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("name", RULES)
def test_only_what_ptxas_rejects_is_an_error(name: str, tmp_path: Path) -> None:
    example, instead = CODE.findall(RULES[name].doc)
    compiles = name == uncompilable.NAME
    is_error = RULES[name].severity is Severity.ERROR
    assert check_rejected(example, tmp_path, compiles=compiles) is is_error
    assert not check_rejected(instead, tmp_path, compiles=compiles)


@pytest.mark.ptxas
@pytest.mark.parametrize(
    "code",
    [
        "ld.global.u32 %r1, [%r2];",
        "st.u32 [%r2+4], %r1;",
        "atom.global.add.u32 %r1, [%r2], %r3;",
        "bra End; prefetch.global.L1 [%r2]; End:",
        '.version 8.0\n.target sm_90\n.address_size 64\n.pragma "unknown";\n.entry k() { ret; }',
    ],
)
def test_what_is_only_refused_when_it_is_compiled(code: str, tmp_path: Path) -> None:
    assert not check_rejected(code, tmp_path)
    assert check_rejected(code, tmp_path, compiles=True)
    errors = [each for each in diagnostics(example_module(code)) if each.severity is Severity.ERROR]
    assert [each.rule for each in errors] == [uncompilable.NAME]
