from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.identity.fingerprint import fingerprints
from ptx_ls.lint.identity.sites import sites

HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n"
KERNEL = """\
.entry k()
{
\t.reg .b32 %r<9>;
\tadd.lo.s32 %r1, %r2, %r3;
\tadd.lo.s32 %r1, %r2, %r3;
\tbra NOWHERE;
}
"""


def check_fingerprints(text: str, *expected: tuple[str, str, str, int]) -> None:
    """Checks the rule, function, statement and ordinal of each diagnostic."""
    document = Document.read(HEADER + text)
    found = fingerprints(lint(document), partial(sites, document))
    assert [tuple(each) for each in found] == list(expected)


def identities(text: str) -> list[str]:
    document = Document.read(text)
    return [
        each.of_file("a.ptx") for each in fingerprints(lint(document), partial(sites, document))
    ]


def test_statements_of_a_function() -> None:
    check_fingerprints(
        KERNEL,
        ("unknown-modifier", "k", "add.lo.s32 %r0 , %r0 , %r0 ;", 0),
        ("unknown-modifier", "k", "add.lo.s32 %r0 , %r0 , %r0 ;", 1),
        ("undeclared-label", "k", "bra NOWHERE ;", 0),
    )


def test_module_scope() -> None:
    check_fingerprints(
        ".entry k() { ret; }\n.global .b32 a;\n.global .b32 a;\n",
        ("duplicate-declaration", "", ".global .b32 a ;", 0),
    )


def test_a_statement_over_lines_is_read_as_a_whole() -> None:
    check_fingerprints(
        ".entry k() {\n.reg .b32 %r<9>;\nadd.lo.s32 %r1, // first\n  %r2,\n  %r3;\n}\n",
        ("unknown-modifier", "k", "add.lo.s32 %r0 , %r0 , %r0 ;", 0),
    )


@given(st.lists(st.sampled_from(["\n", "// a comment\n", "\t.loc 1 2 3\n", "  \n"]), max_size=4))
def test_they_stay_when_lines_come_between(between: list[str]) -> None:
    lines = [*HEADER.splitlines(keepends=True)[:3], *KERNEL.splitlines(keepends=True)]
    moved = "".join(line + "".join(between if n >= 6 else []) for n, line in enumerate(lines))
    # The file of a `.loc` is not declared, which is another diagnostic.
    without_loc = [it for it in identities(moved) if it in identities(HEADER + KERNEL)]
    assert without_loc == identities(HEADER + KERNEL)


def test_they_differ_between_files() -> None:
    document = Document.read(HEADER + KERNEL)
    (first, *_) = fingerprints(lint(document), partial(sites, document))
    assert first.of_file("a.ptx") != first.of_file("b.ptx")
