"""The generated pages of docs/ are up to date, whole and linked."""

import re
from functools import cache
from pathlib import Path

import pytest

from docs.generate import ISA, ROOT, RULES, pages, stale
from ptx_ls.handbook.markdown import slug
from ptx_ls.isa import database

LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
FILES = sorted((*ISA.glob("*.md"), *RULES.glob("*.md")))
LARGEST = 120_000  # bytes


@cache
def made() -> dict[Path, str]:
    """All generated pages, made once."""
    return pages()


def check_links(path: Path, text: str) -> None:
    """Every relative link leads to a page, generated or not, and to a heading of it."""
    for target, anchor in LINK.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        place = (path.parent / target).resolve() if target else path
        assert place in made() or place.exists(), f"{path.name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", made()[place], re.MULTILINE)
            slugs = [slug(heading) for heading in headings]
            numbered = {f"{each}-{slugs[:at].count(each)}" for at, each in enumerate(slugs)}
            assert anchor in {*slugs, *numbered}, f"{path.name}: #{anchor}"


@pytest.mark.slow
def test_pages_are_up_to_date() -> None:
    assert [path.relative_to(ROOT).as_posix() for path in stale()] == [], "run ./dev docs"


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_page(path: Path) -> None:
    text = made()[path]
    check_links(path, text)
    assert len(text) < LARGEST
    assert "\n\n\n" not in text


def test_every_mnemonic_has_a_page_and_stands_in_the_index() -> None:
    index = made()[ISA / "README.md"]
    for opcode in database().opcodes:
        assert ISA / f"{opcode}.md" in made()
        assert f"[`{opcode}`]({opcode}.md)" in index


@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_every_form_modifier_and_operand_is_on_the_page(opcode: str) -> None:
    text = made()[ISA / f"{opcode}.md"]
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        assert form.syntax in text
        for slot in form.slots:
            for value in slot.values:
                assert f"`{value}`" in text, value
        for operand in form.operands:
            assert operand.name in text
    for name in instruction.prose.see:
        assert f"[`{name}`]({name}.md)" in text
