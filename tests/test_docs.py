"""The generated pages of docs/ are up to date, whole and linked."""

import gc
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from docs.folders import ROOT
from docs.generate import ISA, RULES, pages, stale
from ptx_ls.cli.main import main
from ptx_ls.handbook.markdown import slug
from ptx_ls.isa import database

LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
FILES = sorted((*ISA.glob("*.md"), *RULES.glob("*.md")))
README = ROOT / "README.md"
WRITTEN = (
    README,
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
)
ARCHITECTURE = ROOT / "docs" / "architecture.md"
SOURCES = ("ptx_ls", "tests", "docs", "certify")
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
            page = made()[place] if place in made() else place.read_text("utf-8")
            headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
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


def code_spans(path: Path) -> Iterator[str]:
    """The text in backquotes in a page, without its blocks."""
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    yield from re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_links_of_written_pages(path: Path) -> None:
    check_links(path, path.read_text("utf-8"))


def test_paths_in_the_architecture_exist() -> None:
    """They begin at the root or in ptx_ls; a word in capitals, as NAME, stands for anything."""
    paths = {
        span
        for span in code_spans(ARCHITECTURE)
        if re.fullmatch(r"[\w./*<>-]+", span)
        and ("/" in span or re.search(r"\.(py|md|toml)$", span))
    }
    assert len(paths) > 50
    for path in paths - {"./dev"}:
        pattern = re.sub(r"\b[A-Z]{4,}\b", "*", path).rstrip("/")
        found = [
            each
            for root in (ROOT, ROOT / "ptx_ls")
            for end in ("", ".py")
            for each in root.glob(pattern + end)
        ]
        assert found, path


def test_names_in_the_architecture_exist() -> None:
    files = [file for folder in SOURCES for file in (ROOT / folder).rglob("*.py")]
    words = set(re.findall(r"\w+", " ".join(file.read_text("utf-8") for file in files)))
    spans = {span for span in code_spans(ARCHITECTURE) if re.match(r"@?[A-Za-z_][\w.]*[\w(]", span)}
    names = {
        name
        for span in spans
        if "/" not in span and not span.endswith((".py", ".md"))
        for name in re.findall(r"[A-Za-z_]\w{2,}", span)
    }
    assert len(names) > 50
    assert names - words == set()


def test_the_example_of_the_readme_is_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    main(["lint", "examples/"])
    gc.enable()  # the command leaves it switched off
    printed = capsys.readouterr()
    block = re.search(
        r"^\$ ptx-ls lint examples/\n(.*?)```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert block is not None
    for part in block[1].split("...\n"):
        assert part.strip() in printed.out + printed.err


def test_modules_in_written_pages_exist() -> None:
    """A page may leave out the folders at the front of a path."""
    known = {
        f"/{file.relative_to(ROOT).as_posix()}"
        for pattern in ("*.py", *(f"{folder}/**/*.py" for folder in (*SOURCES, "benchmarks")))
        for file in ROOT.glob(pattern)
    }
    missing = {
        (path.name, span)
        for path in WRITTEN
        for span in code_spans(path)
        if re.fullmatch(r"[a-z_/]+\.py", span)
        and not any(each.endswith(f"/{span}") for each in known)
    }
    assert missing == set()
