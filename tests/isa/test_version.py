"""Versions, targets, and which target has which feature."""

from __future__ import annotations

import pytest

from ptx_ls.isa import version


def check_runs_on(target: str, required: str) -> bool:
    first, second = version.parse_target(target), version.parse_target(required)
    assert first is not None
    assert second is not None
    return version.runs_on(first, second)


@pytest.mark.parametrize(
    ("target", "required", "expected"),
    [
        ("sm_90", "sm_80", True),
        ("sm_75", "sm_80", False),
        ("sm_90a", "sm_90", True),
        ("sm_100", "sm_90a", False),
        ("sm_90a", "sm_90a", True),
        ("sm_103a", "sm_100f", True),
        ("sm_103", "sm_100f", False),
        ("sm_120f", "sm_100f", False),
        ("sm_101a", "sm_110a", True),
    ],
)
def test_runs_on(target: str, required: str, *, expected: bool) -> None:
    assert check_runs_on(target, required) is expected


def test_options_are_no_targets() -> None:
    assert version.parse_target("texmode_independent") is None
    assert version.module_target(("debug", "sm_90a")) == (90, "a")
