"""The target that a module is compiled for."""

import pytest

from ptx_ls.toolchain import ptxas


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".version 8.0\n.target sm_90a\n", "sm_90a"),
        (".target\tsm_80,texmode_independent\n", "sm_80"),
        (".target compute_80 // .target sm_90\n", "sm_80"),
        (".target sm_80\n.target sm_100f\n.target sm_90a\n", "sm_100f"),
        (".target debug\n", "sm_75"),
        (".target", "sm_75"),
        ("", "sm_75"),
    ],
)
def test_target_of_a_module(text: str, expected: str) -> None:
    assert ptxas.target_of(text) == expected
