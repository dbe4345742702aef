"""Versions and targets that are what a module needs."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.actions.module_needs import choices, directive_at
from ptx_ls.features.requirements.requirements import requirements
from ptx_ls.semantics.analysis import Analysis
from tests.support.actions import changed, errors
from tests.support.fixture import parse_fixture

BODY = ".address_size 64\n.entry k()\n{{\n.reg .b32 %r<9>;\n{}\nret;\n}}\n"
REDUX = BODY.format("redux.sync.add.s32 %r1, %r2, -1;")
RAISE = "Raise `.target` to sm_80 and `.version` to 7.0: `redux.sync.add.s32` on line 7 needs this"


def check_choices(marked: str, titles: list[str], expected: str) -> None:
    """The actions at `<|>`, and the text after each, which has no errors."""
    fixture = parse_fixture(marked)
    assert fixture.selection is not None
    analysis = Analysis(Document.read(fixture.text))
    name = directive_at(analysis, fixture.selection)
    found = list(choices(analysis, requirements(fixture.text), name)) if name else []
    assert [action.title for action in found] == titles
    text = fixture.text
    for action in found:
        assert callable(action.work)
        text = changed(text, action.work())
    assert text == expected
    assert not found or errors(text) == []


@pytest.mark.parametrize(
    ("head", "body", "titles", "expected"),
    [
        (
            ".version 8<|>.3\n.target sm_80\n",
            REDUX,
            ["Lower `.version` from 8.3 to 7.0: the first that has `sm_80`"],
            ".version 7.0\n.target sm_80\n",
        ),
        (
            ".version 6<|>.0\n.target sm_80, texmode_independent\n",
            REDUX,
            ["Raise `.version` from 6.0 to 7.0: the first that has `sm_80`"],
            ".version 7.0\n.target sm_80, texmode_independent\n",
        ),
        (
            ".version 8.3\n.target sm_<|>90\n",
            REDUX,
            ["Lower `.target` to sm_80: `redux.sync.add.s32` on line 7 needs this"],
            ".version 8.3\n.target sm_80\n",
        ),
        (
            ".version 6.0\n.target sm_<|>70\n",
            REDUX,
            [RAISE],
            ".version 7.0\n.target sm_80\n",
        ),
        (
            ".version 8.0\n.target sm_9<|>99\n",
            REDUX,
            ["Set `.target` to sm_80: `redux.sync.add.s32` on line 7 needs this"],
            ".version 8.0\n.target sm_80\n",
        ),
        (".version 7.<|>0\n.target sm_80\n", REDUX, [], ".version 7.0\n.target sm_80\n"),
        (".version 7.0\n.target sm_80\n", "<|>" + REDUX, [], ".version 7.0\n.target sm_80\n"),
    ],
)
def test_header(head: str, body: str, titles: list[str], expected: str) -> None:
    check_choices(head + body, titles, expected + body.replace("<|>", ""))
