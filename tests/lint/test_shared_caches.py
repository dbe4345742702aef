"""Texts that share caches: each has the diagnostics that it has alone."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.lint import lint, shared_caches
from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.source import Diagnostic

CORPUS = Path(__file__).parent.parent / "corpus"
MAX_SIZE = 20_000
"""Maximum size, in bytes, of the files that are read."""

HEADER = ".version 9.4\n.target sm_107a\n.address_size 64\n"
READS_A_SPECIAL_REGISTER = """
.entry first() .minperctamemory 1024
{
    .reg .b32 %r<2>;
    mov.u32 %r0, %perctamemorysize;
}
"""
DECLARES_ITS_NAME = """
.entry second()
{
    .reg .b32 %r<2>, %perctamemorysize;
    mov.u32 %r0, %perctamemorysize;
}
"""


def checked(text: str, caches: SharedCaches) -> list[Diagnostic]:
    """The diagnostics of a text that shares caches."""
    caches.begin(len(text))
    return lint(Document.read(text, caches.reader), checkers=caches.checkers)


def check_alike(texts: Iterable[str]) -> None:
    """Fails unless each text has the diagnostics that it has alone."""
    caches = SharedCaches()
    for text in texts:
        assert checked(text, caches) == lint(Document.read(text))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_files_does_not_matter(seed: int) -> None:
    files = sorted(path for path in CORPUS.glob("*/*.ptx") if path.stat().st_size < MAX_SIZE)
    random.Random(seed).shuffle(files)  # noqa: S311  # an order, not a secret
    check_alike(path.read_bytes().decode() for path in files)


def test_a_name_that_is_a_special_register_in_another_file() -> None:
    check_alike([HEADER + READS_A_SPECIAL_REGISTER, HEADER + DECLARES_ITS_NAME])


def test_nothing_is_judged_twice_until_the_caches_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n_judged = 0
    diagnose = isa.diagnose

    def counted(*arguments: object) -> isa.Verdict:
        nonlocal n_judged
        n_judged += 1
        return diagnose(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(isa, "diagnose", counted)
    text = HEADER + READS_A_SPECIAL_REGISTER
    monkeypatch.setattr(shared_caches, "_MAX_CHARACTERS", len(text))
    caches = SharedCaches()
    counts = []
    for _ in range(4):
        checked(text, caches)
        counts.append(n_judged)
    n_of_one = counts[0]
    assert n_of_one > 0
    assert counts == [n_of_one, n_of_one, 2 * n_of_one, 2 * n_of_one]
