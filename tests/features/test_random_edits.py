"""After any edits, every answer about a document is that about its text read from scratch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.document.fact_checking import check_facts
from ptx_ls.lint import LintSession
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length
from tests.support import answers
from tests.support.answers import highlighter as anew

CORPUS = Path(__file__).parents[1] / "corpus"
PATHS = sorted(path for path in CORPUS.glob("handwritten/*.ptx") if path.stat().st_size < 20_000)
LINES = (
    "\n",
    "// a comment\n",
    "/* a comment\nof lines */\n",
    '.file 1 "above.cu"\n',
    ".global .align 4 .b8 above[4] = {1, 2, 3, 4};\n",
    ".func above(.param .b32 p)\n{\n\tret;\n}\n",
    ".version 8.5\n.target sm_90a\n.address_size 64\n",
    "\t.reg .b32 %r<99>;\n",
    "\tadd.s32 %r1, %r2, %r3;\n",
    "$L__new:\n",
    "\t.loc 1 3 7, function_name $L__info, inlined_at 1 2 3\n",
    "\tadd.s32 %r1, %undeclared, %r3;\n",
    "// ptx-ls: ignore\n",
    "// ptx-ls: ignore[undeclared-register, unknown-opcode]\n",
    "// ptx-ls: ignore-function[undeclared-register, module-header] reason\n",
    "// ptx-ls: ignore-file[undeclared-register]\n",
    "// ptx-ls: ignore-start[syntax-error, undeclared-register]\n",
    "/* ptx-ls: ignore-start */ ",
    "// ptx-ls: ignore-end\n",
)
TYPED = (
    "// ptx-ls: ignore-file",
    "\n",
    "\n\n",
    "x",
    "1",
    ";",
    "{",
    "}",
    "//",
    "/*",
    "*/",
    ".",
    "%",
    '"',
    " ",
    ",",
)


class Edit:
    """A random edit of a document: `text` in place of what is from `start` to `end`."""

    def __init__(self, document: Document, random: Random) -> None:
        lines = document.lines
        top = random.random() < 0.3
        line = random.randrange(min(4, len(lines)) if top else len(lines))
        self.start = self.end = Position(line, 0)
        self.text = ""
        kind = random.randrange(6)
        if kind <= 1:
            self.text = random.choice(LINES)
        elif kind == 2:
            self.end = document.clamped(Position(line + random.randint(1, 3), 0))
        elif kind == 3:
            self.text = "//"
        elif kind == 4:  # what a comment hid
            column = lines[line].find("//")
            self.start = Position(line, max(0, column))
            self.end = Position(line, max(0, column) + 2 * (column >= 0))
        else:
            column = random.randint(0, content_length(lines[line]))
            self.start = self.end = Position(line, column)
            self.text = random.choice(TYPED)

    def __repr__(self) -> str:
        return f"({self.start}, {self.end}, {self.text!r})"


def check_edits(path: Path, seed: int, n_edits: int) -> None:
    """Asks for everything after each of some random edits of a file."""
    random = Random(f"{path.name} {seed}")  # noqa: S311  the same in every run
    document = Document.read(path.read_bytes().decode("utf-8", "replace"))
    session, highlighter = LintSession(document), anew()
    answers.of_document(document, highlighter)
    answers.of_check(document, session)
    done: list[Edit] = []
    for _ in range(n_edits):
        edit = Edit(document, random)
        done.append(edit)
        document = session.document = edited(document, edit.start, edit.end, edit.text)
        fresh = Document.read(document.text)
        near = random.random() < 0.5
        line = edit.start.line if near else random.randrange(len(document.lines))
        line = min(line, len(document.lines) - 1)
        place = Position(line, random.randint(0, content_length(document.lines[line])))
        asked = [
            (answers.of_document(document, highlighter), answers.of_document(fresh, anew())),
            (answers.at_place(document, place), answers.at_place(fresh, place)),
        ]
        if random.random() < 0.5:  # what is kept depends on who asked before
            anew_session = LintSession(fresh)
            asked.append(
                (answers.of_check(document, session), answers.of_check(fresh, anew_session))
            )
        for found, expected in asked:
            for name, wanted in expected.items():
                assert found[name] == wanted, (
                    path.name,
                    seed,
                    name,
                    place,
                    found[name],
                    wanted,
                    done,
                )


@pytest.fixture(autouse=True)
def _checked_facts() -> Iterator[None]:
    check_facts(is_on=True)
    yield
    check_facts(is_on=False)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS[::12], ids=lambda path: path.stem)
def test_every_answer_is_that_from_scratch(path: Path) -> None:
    check_edits(path, 0, 12)
