"""Other places that a diagnostic points to, wherever in the module they are."""

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession
from ptx_ls.source import Diagnostic, Position

MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.global .b32 table;
.func advance(.param .b32 by) { ret; }
.visible .entry kernel()
{
    .reg .b32 %r<4>;
    ld.shared.b32 %r1, [table];
    call advance;
    ret;
}
.func advance(.param .b64 by) { ret; }
"""


def check_related(session: LintSession) -> dict[str, int]:
    """The line, from 0, that the diagnostics of each rule point to."""
    work = session.pending()
    if work is not None:
        work.run(lambda: False)
    found: list[Diagnostic] = session.diagnostics()
    return {one.rule: related.range.start.line for one in found for related in one.related}


def test_declarations_in_other_regions() -> None:
    session = LintSession(Document.read(MODULE))
    assert check_related(session) == {
        "state-space": 3,
        "call-arguments": 4,
        "duplicate-declaration": 4,
    }


def test_they_move_without_a_new_check() -> None:
    document = Document.read(MODULE)
    session = LintSession(document)
    check_related(session)
    document = edited(document, Position(3, 0), Position(3, 0), "// what is shared by all\n\n")
    session.document = document
    assert check_related(session) == {
        "state-space": 5,
        "call-arguments": 6,
        "duplicate-declaration": 6,
    }
