"""Rules about modifiers and operands, as sentences."""

import pytest

from ptx_ls.handbook.wording.rules import rule_facts

SUBJECTS = {".type", ".rnd", "a", "b"}


def check_sentence(text: str, reason: str, expected: str, *, enforced: bool = True) -> None:
    assert rule_facts(text, "!.sat", reason, SUBJECTS, enforced=enforced).sentence == expected


@pytest.mark.parametrize(
    ("text", "reason", "expected"),
    [
        ("`.type` must be `.f32`", "", "`.type` must be `.f32`."),
        ("", "", "`!.sat`."),
        (
            "if `.sat` is given, then `.type` must be `.s32`",
            "only 32-bit integers saturate",
            "If `.sat` is given, then `.type` must be `.s32`: only 32-bit integers saturate.",
        ),
        ("if `a` is a vector, then `b` must be a vector", "both must match", "Both must match."),
        ("the value of `a` must be at most 7", "at most 7 groups", "At most 7 groups."),
        (
            "the value of `a` must be at most 7",
            "3 bits count",
            "The value of `a` must be at most 7: 3 bits count.",
        ),
        (
            "if `.sat` is given, then `.type` must be `.b32` or `.b64`",
            "saturation needs `.b32` or `.b64`",
            "If `.sat` is given, then `.type` must be `.b32` or `.b64`.",
        ),
        (
            "if `.sat` is given, then `.type` must not be `.b32`",
            "`.b32` is untyped",
            "If `.sat` is given, then `.type` must not be `.b32`: `.b32` is untyped.",
        ),
        ("`a` must be `x` or (`b` must be `y`)", "ptxas needs one", "ptxas needs one."),
    ],
)
def test_reason_replaces_a_condition_that_says_no_more(
    text: str, reason: str, expected: str
) -> None:
    check_sentence(text, reason, expected)


def test_rules_that_ptxas_does_not_check() -> None:
    rule = "`.rnd` must be given"
    by_manual = "The manual requires `.rz`; ptxas does not check this."
    check_sentence(rule, "the manual requires `.rz`", by_manual, enforced=False)
    absent = "The manual does not allow `.rz`, but ptxas does."
    check_sentence(rule, "the manual does not allow `.rz`", absent, enforced=False)
    check_sentence(rule, "", "`.rnd` must be given (ptxas does not check this).", enforced=False)
