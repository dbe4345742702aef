"""No access is wrong that shows at a glance that it is right."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.addresses import suspects
from tests.support.fixture import parse_fixture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.source import Diagnostic

RULES = (
    *("out-of-bounds", "misaligned-access", "wrong-address-space"),
    *("invalid-address", "truncated-address", "zero-extended-index"),
)
FOLDER = Path(__file__).parent.parent
TEXTS = sorted(
    [
        *(path for rule in RULES for path in (FOLDER / "pairs" / rule).glob("*.ptx")),
        *(FOLDER / "quiet").glob("*.ptx"),
    ]
)
CHANGES = (1, 2, 4, 8, 64, -1, -4)


def every_access(
    _seen: CheckInput,
    flow: FunctionFlow,
    rows: list[int],
    pointers: set[int] | None,
) -> Iterator[Found]:
    """Yields all accesses, so that each is judged by the values of its registers."""
    assert pointers is None
    return flow.text.statements(rows)


def changed(text: str, seed: int) -> str:
    """Returns a text in which some numbers are others, so that some accesses become wrong."""
    chosen = random.Random(seed)  # noqa: S311  any numbers will do

    def other(match: re.Match[str]) -> str:
        is_kept = chosen.random() > 0.1
        return match[0] if is_kept else str(abs(int(match[0]) + chosen.choice(CHANGES)))

    return re.sub(r"(?<=[ +])\d+(?=[;\],])", other, text)


def found_in(text: str) -> list[Diagnostic]:
    return [each for each in lint(Document.read(text)) if each.rule in RULES]


def check_all_suspicious(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = found_in(text)
    with monkeypatch.context() as patch:
        patch.setattr(suspects, "suspicious_accesses", every_access)
        assert quick == found_in(text)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_right_at_a_glance(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = parse_fixture(path.read_text(encoding="utf-8")).text
    check_all_suspicious(text, monkeypatch)
    check_all_suspicious(changed(text, len(path.name)), monkeypatch)


def test_conversion_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_suspicious(
        """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel()
{
    .reg .b64 %rd<2>;
    .shared .align 8 .b8 slot[8];
    mov.u64 %rd1, slot;
    cvta.shared.u64 %rd1, %rd1;
    cvta.shared.u64 %rd1, %rd1;
    st.f64 [%rd1+4], 0d0000000000000000;
    ret;
}
""",
        monkeypatch,
    )


def test_negative_constant_that_is_extended(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all_suspicious(
        """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 p, .param .u32 n)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    or.b32 %r2, %r1, -2147483648;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
""",
        monkeypatch,
    )
