"""Tests of the rule warp-reduction."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import check_rule, module

RULE = "warp-reduction"

STEPS = [
    f"shfl.sync.bfly.b32 %r2, %r1, {distance}, 31, -1;\nxor.b32 %r1, %r1, %r2;\n"
    for distance in (1, 2, 4, 8, 16)
]


def is_reported(statements: str) -> bool:
    """Whether the rule reports something in a kernel."""
    return RULE in {one.rule for one in lint(Document.read(module(statements)))}


def test_reported() -> None:
    check_rule(
        RULE,
        "".join(STEPS)
        + "//  ^^^ warp-reduction: `redux.sync.xor.b32` computes the same\n".replace(
            "//  ^^^", "^^^^^^^"
        ),
    )
    assert is_reported("".join(reversed(STEPS)))
    assert is_reported("".join(STEPS).replace("%r1, %r1, %r2", "%r1, %r2, %r1"))
    assert is_reported("".join(STEPS).replace("bfly", "down").replace("xor.b32", "min.s32"))


def test_quiet() -> None:
    whole = "".join(STEPS)
    assert not is_reported("".join(STEPS[:4]))
    assert not is_reported("".join([*STEPS[:4], STEPS[0]]))
    for written, other in (
        ("xor.b32", "add.f32"),
        ("31, -1", "0x1c1f, -1"),
        ("31, -1", "31, 0xFFFF"),
        ("bfly", "up"),
        ("bfly", "idx"),
        ("%r1, %r1, %r2", "%r1, %r3, %r2"),
    ):
        assert not is_reported(whole.replace(written, other)), other
    assert not is_reported(whole.replace("xor.b32", "add.u32", 1))
    assert not is_reported(whole.replace("xor", "@%p1 xor"))
    assert not is_reported(whole.replace("xor.b32 %r1", "mov.b32 %r1, 5;\nxor.b32 %r1"))


def test_older_targets() -> None:
    text = module("".join(STEPS))
    for target, version in (("sm_75", "6.5"), ("sm_80", "7.0")):
        changed = text.replace("sm_90", target).replace("8.0", version)
        found = {one.rule for one in lint(Document.read(changed))}
        assert (RULE in found) is (target == "sm_80")
