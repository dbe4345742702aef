"""Each rule about performance is about code that ptxas compiles to slower machine code.

The example of a page is compiled for several targets, pairs of wrong and right modules for theirs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from ptx_ls.lint.rule import rules
from tests.support.fixture import parse_fixture
from tests.support.lint import example_module
from tests.support.machine_code import machine_code

RULES: Final = [name for name, rule in rules().items() if rule.group == "performance"]
CODE: Final = re.compile(r"```ptx\n(.*?)```", re.DOTALL)
TARGET: Final = re.compile(r"\.target\s+sm_(\d+)([af]?)")
NEWER: Final = ("90", "100")
"""Architectures for which modules for older targets are compiled, too."""
PAIRS: Final = [
    path
    for rule in RULES
    for path in sorted(Path(__file__).parent.glob(f"pairs/{rule}/*.wrong.ptx"))
]
SLOW: Final = {
    "generic-access": r"(LD|ST)\.|ATOM\.",
    "cacheable-load": r"LDG(?!.*CONSTANT)",
    "local-index": r"(LD|ST)L|SEL|ISETP",
    "unfused-multiplication": r"[FDH](ADD|MUL|FMA)",
    "warp-reduction": r"SHFL",
    "scalar-accesses": r"(LD|ST)G",
    "register-limit": r"(LD|ST)L",
    "emulated-instruction": r"SGXT|PRMT|HFMA2|FFMA|IMMA|BMMA|USHF|UIMAD|USGXT|UPRMT",
    "double-precision": r"D(ADD|MUL|FMA|SETP)|F2F|MUFU\.RCP64H|CALL",
}
"""The opcodes that there are fewer of; for other rules, there are fewer instructions."""


def architectures(text: str) -> list[str]:
    """Returns the architectures for which a module is compiled."""
    match = TARGET.search(text)
    assert match is not None
    number, suffix = match.groups()
    newer = [each for each in NEWER if not suffix and int(each) > int(number)]
    return [f"sm_{max(int(number), 75)}{suffix}", *[f"sm_{each}" for each in newer]]


def check_faster(rule: str, before: str, after: str, folder: Path, *, has_newer: bool) -> None:
    """Fails unless the machine code of one module is slower than that of another one.

    `has_newer`: whether it is compiled for newer targets, too.
    """
    is_counted = re.compile(SLOW.get(rule, "")).match
    for architecture in architectures(before)[: None if has_newer else 1]:
        slow, fast = (
            [each for each in machine_code(text, folder, architecture) if is_counted(each)]
            for text in (before, after)
        )
        assert len(slow) > len(fast), (architecture, slow, fast)


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("rule", RULES)
def test_example_is_slower_than_what_to_use_instead(rule: str, tmp_path: Path) -> None:
    before, after = map(example_module, CODE.findall(rules()[rule].doc))
    check_faster(rule, before, after, tmp_path, has_newer=True)


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_wrong_twin_is_slower(path: Path, tmp_path: Path) -> None:
    right = path.with_name(path.name.replace(".wrong.", ".right."))
    before, after = (parse_fixture(each.read_text("utf-8")).text for each in (path, right))
    check_faster(path.parent.name, before, after, tmp_path, has_newer=False)
