import pytest

from ptx_ls.syntax.written.directive_arguments import number_after


def check_number_after(directive: str, text: str, expected: str | None) -> None:
    found = number_after(directive, text)
    assert (None if found is None else found.string) == expected
    if found is not None:
        assert text[found.start[1] :].startswith(found.string)


@pytest.mark.parametrize(
    ("directive", "text", "expected"),
    [
        (".maxnreg", ".entry k() .maxnreg 32 {", "32"),
        (".maxnreg", ".entry k() .maxnreg /* as before */ 0x20", "0x20"),
        (".maxnreg", ".entry k() .local_maxnreg 8 .maxnreg 32", "32"),
        (".maxnreg", ".entry k() .maxnreg {", None),
        (".maxnreg", ".entry k() // .maxnreg 32", None),
        (".maxnreg", ".entry k()", None),
        (".abi_preserve", ".func f() .abi_preserve_control 2 .abi_preserve 8;", "8"),
    ],
)
def test_number_after(directive: str, text: str, expected: str | None) -> None:
    check_number_after(directive, text, expected)
