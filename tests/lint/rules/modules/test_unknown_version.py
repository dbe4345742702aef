from ptx_ls.source import Severity
from tests.support.lint import check_module, diagnostics


def test_there_is_none() -> None:
    check_module("""
    .version 8.9
    //       ^^^ unknown-version: PTX ISA 8.9 does not exist; the last version before it is 8.8
    .target sm_90
    """)


def test_newer_than_known() -> None:
    check_module("""
    .version 99.0
    //       ^^^^ unknown-version: PTX ISA 99.0 is newer than 9.5, the latest version that ptx-ls
    .target sm_90
    """)


def test_what_nothing_can_assemble_is_a_warning() -> None:
    (found,) = diagnostics(".version 9.9\n.target sm_90\n.address_size 64\n")
    assert (found.rule, found.severity) == ("unknown-version", Severity.WARNING)
