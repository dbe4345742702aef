"""A `.target` in a body holds for everything after it, as ptxas has it; the manual has none there.

Each module is judged twice: by the rules, and, where ptxas is installed, by ptxas.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from certify.reading_errors import reading_errors
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.source import Position
from ptx_ls.toolchain import ptxas
from tests.support.assembling import require_ptxas
from tests.support.lint import check_module, diagnostics

pytestmark = pytest.mark.excerpts

NEWEST = "sm_100a"
"""ptxas is asked with this architecture, which has all that these modules use."""


def module(header: str, body: str, after: str = "", head: str = ".entry k()") -> str:
    """A module of a target, with a kernel's body and what follows the kernel."""
    lines = [".version 8.6", f".target {header}", ".address_size 64", f"{head} {{"]
    return "\n".join([*lines, ".reg .b32 r<4>;", body, "ret;", "}", after]) + "\n"


WAIT = "cp.async.wait_all;"  # needs sm_80
CLUSTERED = ".entry j() .reqnctapercluster 1 { ret; }"  # needs sm_90
ACCEPTED = (
    module("sm_70", f".target sm_90\n{WAIT}"),
    module("sm_70", f".target compute_80\n{WAIT}"),
    module("sm_70", f".target sm_80 {WAIT}"),
    module("sm_70", f"L: .target sm_80\n{WAIT}"),
    module("sm_70", f"{{ .target sm_80\n}}\n{WAIT}"),
    module("sm_90", f"{WAIT}\n.target sm_70"),
    module("sm_70", f".target sm_60\n.target sm_80\n{WAIT}"),
    module("sm_70", ".target sm_90", f".entry j() {{ {WAIT} ret; }}"),
    module("sm_70", ".target sm_90", ".entry j() { .reg .b32 s; mov.b32 s, %clusterid.x; ret; }"),
    module("sm_70", ".target sm_90", CLUSTERED),
    module("sm_90", ".target sm_70", "", CLUSTERED.partition(" {")[0]),
    module("sm_60", ".target sm_90", ".global .b128 g;"),
    module("sm_70", f".target {NEWEST}\ntcgen05.wait::ld.sync.aligned;"),
    module("sm_70", ".target texmode_unified"),
    module("sm_70, texmode_independent", ".target texmode_independent"),
    module("sm_70, texmode_independent", ".target sm_80\n.target sm_90, texmode_independent"),
    module("sm_12", ".target map_f64_to_f32"),
    module("sm_70", ".target sm_90x"),
    *(module("sm_70", f".target {name}\n{WAIT}") for name in ("sm_90x", "compute_80x", "sm_080")),
    module("compute_80", WAIT),
    module("sm_70", f".target /* sm_60 */ sm_80\n{WAIT}"),
)  # fmt: skip
REJECTED = (
    module("sm_70", f"{WAIT}\n.target sm_90"),
    module("sm_90", f".target sm_70\n{WAIT}"),
    module("sm_70", f".target sm_90\n.target sm_60\n{WAIT}"),
    *(module("sm_90", f".target {name}\n{WAIT}") for name in ("compute_60", "sm_60x", "sm_060")),
    module("compute_60", WAIT),
    module("sm_60x", WAIT),
    module("sm_90", ".target sm_70", f".entry j() {{ {WAIT} ret; }}"),
    module("sm_90", ".target sm_70", CLUSTERED),
    module("sm_70", ".target sm_90", "", CLUSTERED.partition(" {")[0]),
    module("sm_70", "mov.b32 r1, %clusterid.x; .target sm_90"),
    module("sm_70", f".target {NEWEST}\n.target sm_70\ntcgen05.wait::ld.sync.aligned;"),
    module("sm_70", ".target texmode_independent"),
    module("sm_70", ".target sm_70, texmode_independent"),
    module("sm_70, texmode_independent", ".target sm_70, texmode_unified"),
    module("sm_13, texmode_independent", ".target map_f64_to_f32"),
    module("sm_70", ".target debug"),
    module("sm_70", ".target sm_80, debug"),
    module("sm_70", ".target nothing"),
    module("sm_70", ".target sm_99"),
    module("sm_70", ".target sm_121a"),
    module("sm_70", ".target sm_80;"),
    module("sm_70", ".version 8.6"),
    module("sm_70", ".address_size 64"),
    module("sm_70", "", f".target sm_80\n.entry j() {{ {WAIT} ret; }}"),
)


def check_target_in_body(text: str, *, is_accepted: bool) -> None:
    """Checks whether a module has no error that ptxas reports while it reads."""
    found = [(each.range.start.line, each.message) for each in reading_errors(diagnostics(text))]
    assert (not found) is is_accepted, found


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_ptxas_accepts_is_no_error(text: str) -> None:
    check_target_in_body(text, is_accepted=True)


@pytest.mark.parametrize("text", REJECTED)
def test_what_ptxas_rejects_is_an_error(text: str) -> None:
    check_target_in_body(text, is_accepted=False)


@pytest.mark.ptxas
@pytest.mark.parametrize("text", ACCEPTED + REJECTED)
def test_ptxas_says_so(text: str, tmp_path: Path) -> None:
    program = require_ptxas()
    path = tmp_path / "module.ptx"
    path.write_text(text, "utf-8")
    assert (ptxas.run(program, path, NEWEST).status == 0) is (text in ACCEPTED)


def test_each_stretch_has_its_own_target() -> None:
    check_module("""
    .version 8.0
    .target sm_60
    .address_size 64
    .entry k() {
    fence.sc.cta;
    ^^^^^^^^^^^^ unsupported-target: needs PTX ISA 6.0 and sm_70 or newer, but `.target` is sm_60
    .target sm_80
    fence.sc.cta;
    .target sm_61
    fence.sc.cta;
    ^^^^^^^^^^^^ unsupported-target: needs PTX ISA 6.0 and sm_70 or newer, but `.target` is sm_61
    ret;
    }
    """)


def test_no_fix_raises_a_target_that_is_not_in_force() -> None:
    in_header, in_body = (
        lint(Document.read(text))[0].fixes
        for text in (module("sm_70", WAIT), module("sm_90", f".target sm_70\n{WAIT}"))
    )
    assert [fix.title for fix in in_header] == ["Raise `.target` to sm_80"]
    assert in_body == ()


@pytest.mark.parametrize("target", ["sm_70", "sm_90", "sm_60, texmode_independent"])
def test_an_edit_of_the_target_is_seen_by_what_follows(target: str) -> None:
    text = module("sm_70", f".target sm_80\n{WAIT}", f".entry j() {{ {WAIT} ret; }}")
    document = Document.read(text)
    session = LintSession(document)
    for _ in range(2):
        while (work := session.pending()) is not None:
            work.run(lambda: False)
        assert session.diagnostics() == lint(Document.read(document.text))
        document = edited(document, Position(5, 8), Position(5, 13), target)
        session.document = document
