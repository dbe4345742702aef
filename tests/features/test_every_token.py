"""No feature raises at any token of the corpus, nor at any token of a broken copy of it.

The tests look at some tokens, the same ones in every run. `PTX_LS_EVERY_TOKEN=1` looks at all of
the small files, at some of each large one, and at some of twenty broken copies of each small one;
this takes about an hour.
"""

from __future__ import annotations

import os
import re
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.actions.suppress import suppression
from ptx_ls.features.control_flow.flow_dot import dot
from ptx_ls.features.control_flow.flow_svg import svg
from ptx_ls.features.control_flow.flow_text import flow_at
from ptx_ls.lint import LintSession
from ptx_ls.lint.fixes.apply import fix
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from tests.features.test_any_input import check_calls
from tests.support import answers
from tests.support.answers import highlighter

if TYPE_CHECKING:
    from collections.abc import Sequence

CORPUS: Final = Path(__file__).parents[1] / "corpus"
SMALL: Final = [
    path
    for folder in ("handwritten", "rejected", "warned", "others")
    for path in sorted((CORPUS / folder).glob("*.ptx"))
]
LARGE: Final = sorted(CORPUS.glob("ptx/*.ptx"))
IS_WHOLE: Final = os.environ.get("PTX_LS_EVERY_TOKEN") == "1"
FILES_OF_A_SAMPLE: Final = 16
PLACES_OF_A_MUTANT: Final = 12
PLACES_OF_A_LARGE_FILE: Final = 250 if IS_WHOLE else 4
PLACES_OF_A_SMALL_FILE: Final = 100_000 if IS_WHOLE else 12
MUTANTS_OF_A_FILE: Final = 20 if IS_WHOLE else 1
LARGEST_MUTANT: Final = 6_000
"""Characters of a text that is mutated: a longer one is cut."""
MAX_CHANGES: Final = 4
TOKEN: Final = re.compile(r"\w+|[^\w\s]")
ODD: Final = (
    *("0xFFFFFFFFFFFFFFFFFFFF", "9" * 30, "0" * 40, "08", "0b2", "0x", "0U", "0" + "7" * 30),
    *("0f123", "0d7FF0000000000000", "1e999", "1.5", "-0x8000000000000000", "0xFF00000000(x)"),
    *("é", "😀", "٣", "²", "ǅ", "\u2028", "\0", "\f", "\r", "\\", '"', "/*", "//"),
    *"{ } ( ) [ ] ; : , . % @ ! | < > - $ _ :: %r<5> <99999999999999> 1?2:3 %envreg99".split(),
)
"""Large numbers, digits that are none of theirs or not ASCII, and marks out of place."""


def text_of(path: Path) -> str:
    """The text of a file, which may not be UTF-8."""
    return path.read_bytes().decode("utf-8", "replace")


def tokens(document: Document) -> list[Position]:
    """The start of each token, and a place in it or at its end."""
    found = [(line, it) for line, text in enumerate(document.lines) for it in TOKEN.finditer(text)]
    return [
        Position(line, column)
        for line, it in found
        for column in (it.start(), (it.start() + it.end() + 1) // 2)
    ]


def check_answers(text: str, random: Random, n_places: int) -> None:
    """Asks for everything about a text, and at some of its tokens."""
    document = Document.read(text)
    answers.of_document(document, highlighter())
    found = answers.of_check(document, LintSession(document))["diagnostics"]
    assert isinstance(found, list | tuple)
    for one in found:
        assert all(it.title and it.edits for it in one.fixes)
        suppression(Analysis(document), one)
    fix(text)
    places = tokens(document)
    for place in random.sample(places, min(n_places, len(places))):
        answers.at_place(document, place)
        check_pictures(Analysis(document), place)


def check_pictures(analysis: Analysis, place: Position) -> None:
    """Asks for the picture of the function at a place, and for its calls."""
    flow = flow_at(analysis, place)
    if flow is not None:
        dot(flow, lambda: False)
        svg(flow)
    check_calls(analysis, place)


def mutated(text: str, random: Random) -> str:
    """A text with some tokens taken out, doubled, replaced by others of it or by odd ones."""
    if len(text) > LARGEST_MUTANT:
        start = random.randrange(len(text))
        text = text[:300] + text[start : start + LARGEST_MUTANT // 2]
    for _ in range(random.randint(1, MAX_CHANGES)):
        found = list(TOKEN.finditer(text))
        numbers = [it for it in found if it[0][0].isdigit()]
        if not found:
            return text
        one = random.choice(numbers if numbers and random.random() < 0.3 else found)
        new = random.choice(
            ("", one[0] * 2, f"{one[0]} {one[0]}", random.choice(found)[0], *random.sample(ODD, 3))
        )
        text = text[: one.start()] + new + text[one.end() :]
    return text


def chosen(paths: Sequence[Path], seed: str) -> list[Path]:
    """All files, or some of them."""
    random = Random(seed)  # noqa: S311  the same in every run
    return list(paths) if IS_WHOLE else random.sample(list(paths), FILES_OF_A_SAMPLE)


@pytest.mark.parametrize("path", chosen(SMALL, "small"), ids=lambda path: path.stem)
def test_tokens_of_small_files(path: Path) -> None:
    check_answers(text_of(path), Random(path.stem), PLACES_OF_A_SMALL_FILE)  # noqa: S311


@pytest.mark.parametrize("path", chosen(LARGE, "large")[::4], ids=lambda path: path.stem)
def test_tokens_of_compiler_output(path: Path) -> None:
    text = text_of(path)[:60_000]
    check_answers(text, Random(path.stem), PLACES_OF_A_LARGE_FILE)  # noqa: S311


@pytest.mark.parametrize(
    ("path", "seed"),
    list(product(chosen(SMALL, "mutants"), range(MUTANTS_OF_A_FILE))),
    ids=lambda it: it.stem if isinstance(it, Path) else str(it),
)
def test_tokens_of_broken_files(path: Path, seed: int) -> None:
    random = Random(f"{path.stem} {seed}")  # noqa: S311  the same in every run
    check_answers(mutated(text_of(path), random), random, PLACES_OF_A_MUTANT)


def test_mutants_differ_from_their_text() -> None:
    text = text_of(SMALL[0])
    assert len({mutated(text, Random(seed)) for seed in range(20)} - {text}) >= 19  # noqa: S311
