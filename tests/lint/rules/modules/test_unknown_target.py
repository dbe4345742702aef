import pytest

from ptx_ls.source import Severity
from tests.support.lint import check_module, diagnostics


def test_near_one_is_proposed() -> None:
    check_module("""
    .version 8.0
    .target sm_91
    //      ^^^^^ unknown-target: unknown target `sm_91`; did you mean `sm_90`?
    """)


def test_option() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_unifed
    //             ^^^^^^^^^^^^^^ unknown-target: unknown target `texmode_unifed`; did you mean
    """)


def test_newer_version_may_have_it() -> None:
    check_module("""
    .version 99.0
    //       ^^^^ unknown-version: PTX ISA 99.0 is newer than 9.5, the latest version that ptx-ls
    .target sm_999
    """)


def test_compute() -> None:
    check_module("""
    .version 8.0
    .target compute_90
    """)


@pytest.mark.parametrize(
    ("name", "near", "severity"),
    [
        ("sm_90x", "sm_90", Severity.WARNING),
        ("compute_90x", "compute_90", Severity.WARNING),
        ("compute_090", "compute_90", Severity.WARNING),
        ("sm_90_a", "sm_90a", Severity.WARNING),
        ("compute_90fa", "compute_90a", Severity.WARNING),
        ("sm_91", "sm_90", Severity.ERROR),
        ("compute_91", "compute_90", Severity.ERROR),
        ("sm_90xf", "", Severity.ERROR),
        ("compute_75f", "compute_75", Severity.ERROR),
    ],
)
def test_ptxas_looks_at_the_number_and_the_last_letter(
    name: str, near: str, severity: Severity
) -> None:
    (found,) = diagnostics(f".version 9.5\n.target {name}\n.address_size 64\n")
    assert (found.rule, found.severity) == ("unknown-target", severity)
    guess = f"; did you mean `{near}`?" if near else ""
    assert found.message == f"unknown target `{name}`{guess}"


def test_a_misspelt_target_needs_the_version_of_what_it_is_read_as() -> None:
    check_module("""
    .version 7.0
    .target compute_90x
    //      ^^^^^^^^^^^ unknown-target: unknown target `compute_90x`; did you mean `compute_90`?
    //      ^^^^^^^^^^^ unsupported-version: `compute_90x` needs PTX ISA 7.8, but `.version` is 7.0
    .global .b32 g;
    """)
