"""The corpus is what it says it is, according to ptxas."""

import re
from pathlib import Path

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from ptx_ls.toolchain import ptxas
from tests.corpus.make import PRODUCTS, plan
from tests.support.assembling import require_ptxas

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ACCEPTED = sorted((*HERE.glob("ptx/*.ptx"), *HERE.glob("handwritten/*.ptx")))
EXAMPLES = HERE.parents[1] / "examples"
REJECTED = sorted(HERE.glob("rejected/*.ptx"))
TARGETS = {"sm_75", "sm_80", "sm_86", "sm_90a", "sm_100a", "sm_120a"}
CLAIM = re.compile(r"// ptxas: error at line (\d+): \S.*")
MACHINE_PATH = re.compile(r"/(?:tmp|work|root|home|Users)/")
LARGEST = 12_000_000  # bytes, all PTX together


def check_with_ptxas(path: Path) -> list[int | None]:
    """Returns the lines of the errors that ptxas reports, in its order; none if it accepts."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text("utf-8"), flags=re.DOTALL)
    target = re.search(r"\.target\s+(sm_\w+)", code)
    program = require_ptxas()
    run = ptxas.run(program, path, target[1] if target else "sm_90")
    errors = [it.line for it in run.messages if it.is_error]
    assert bool(errors) == (run.status != 0)
    return errors


def bytes_of_dwarf(text: str) -> bytes:
    rows = re.findall(r"^\s*\.b8 ([\d, ]+)", text, re.MULTILINE)
    return bytes(int(number) & 255 for row in rows for number in row.split(","))


@pytest.mark.ptxas
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_ptxas_accepts(path: Path) -> None:
    assert check_with_ptxas(path) == []


@pytest.mark.ptxas
@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_ptxas_rejects_at_the_line_named(path: Path) -> None:
    claim = CLAIM.match(path.read_text("utf-8"))
    assert claim
    errors = check_with_ptxas(path)
    assert errors
    assert errors[0] in {int(claim[1]), None}


@pytest.mark.ptxas
@pytest.mark.parametrize("name", ["saxpy", "silent", "softmax"])
def test_ptxas_accepts_the_good_examples(name: str) -> None:
    assert check_with_ptxas(EXAMPLES / f"{name}.ptx") == []


@pytest.mark.ptxas
def test_the_lines_marked_as_mistakes_are_those_that_ptxas_rejects() -> None:
    path = EXAMPLES / "mistakes.ptx"
    lines = path.read_text("utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, 1) if re.search(r"// \(\d\)", line)}
    assert set(check_with_ptxas(path)) - {None} == marked
    assert len(marked) == 8


def test_the_lines_marked_as_silent_mistakes_draw_the_warnings() -> None:
    text = (EXAMPLES / "silent.ptx").read_text("utf-8")
    lines = text.splitlines()
    marked = {number for number, line in enumerate(lines) if re.search(r"// \(\d\)", line)}
    found = lint(Document.read(text))
    assert {one.range.start.line for one in found} == marked
    assert {one.severity for one in found} == {Severity.WARNING}
    assert len(marked) == 5


def test_every_product_of_the_plan_is_there() -> None:
    assert {it.name for it in plan()} <= {path.stem for path in PRODUCTS.glob("*.ptx")}
    assert {it.target for it in plan()} == TARGETS


def test_no_file_names_a_place_of_the_machine_that_made_it() -> None:
    for path in (*ACCEPTED, *REJECTED, *EXAMPLES.glob("*.ptx")):
        text = path.read_text("utf-8")
        found = MACHINE_PATH.search(text + bytes_of_dwarf(text).decode("latin-1"))
        assert found is None, f"{path.name}: {found}"


def test_corpus_stays_small() -> None:
    assert sum(path.stat().st_size for path in (*ACCEPTED, *REJECTED)) < LARGEST
