"""Makes the pages of docs/isa: one for each mnemonic, chapter and other kind, and an index."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docs.generators.memory_events import FILE, TITLE, memory_events_page
from ptx_ls.handbook.index import IndexLine, index
from ptx_ls.handbook.lookup import describe
from ptx_ls.handbook.markdown import markdown
from ptx_ls.handbook.page import Block, Entry, Heading, Page, Table, Text
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa import database

NOTE = "<!-- Written by `./dev docs` from ptx_ls/isa/data; change it there. -->\n\n"
_TITLES = {
    "special registers": "Special registers",
    "predefined names": "Predefined names",
    "directives": "Directives",
    "pragmas": "Pragmas",
    "types": "Types",
    "state spaces": "State spaces",
    "versions": "PTX ISA versions",
    "targets": "Targets",
}


def isa_pages(folder: Path) -> dict[Path, str]:
    """Every page by its path."""
    lines = index()
    made = {
        folder / f"{line.name}.md": markdown(_single(line.name, "instruction").page)
        for line in lines
        if line.kind == "instruction"
    }
    chapters = [line for line in lines if line.kind == "chapter"]
    made |= {
        folder / f"{line.name}.md": markdown(_single(line.name, "chapter").page)
        for line in chapters
    }
    for category, title in _TITLES.items():
        chosen = [line for line in lines if line.category == category]
        made[folder / f"{_file(category)}.md"] = markdown(_collection(title, chosen))
    made[folder / f"{FILE}.md"] = markdown(memory_events_page())
    made[folder / "README.md"] = markdown(_index_page(lines))
    return {path: NOTE + text for path, text in made.items()}


def _file(category: str) -> str:
    return category.replace(" ", "-")


def _single(name: str, kind: str) -> Entry:
    return next(entry for entry in describe(name) if entry.kind == kind)


def _collection(title: str, lines: Iterable[IndexLine]) -> Page:
    """All names of a kind on one page, each under its own heading."""
    entries = [_single(line.name.partition("<")[0], line.kind) for line in lines]
    rows = tuple((code(entry.name), entry.summary) for entry in entries)
    blocks: list[Block] = [Table(("name", ""), rows)]
    for entry in entries:
        blocks.append(Heading(2, entry.page.title))
        blocks += [_lowered(block) for block in entry.page.blocks if not _is_origin(block)]
    return Page(title, tuple(blocks))


def _lowered(block: Block) -> Block:
    return Heading(block.level + 1, block.text) if isinstance(block, Heading) else block


def _is_origin(block: Block) -> bool:
    """Whether a block says no more than the kind, which the page's title says."""
    return isinstance(block, Text) and block.text in {
        "Type", "State space", "Version", "Target", "Pragma", "Directive", "Special register",
    }  # fmt: skip


def _index_page(lines: Iterable[IndexLine]) -> Page:
    lines = tuple(lines)
    instructions = [line for line in lines if line.kind == "instruction"]
    chapters = tuple(
        (f"[{_single(line.name, line.kind).page.title}]({line.name})", line.summary)
        for line in lines
        if line.kind == "chapter"
    )
    newest = ".".join(map(str, database().newest_version))
    pages = {**_TITLES, FILE: TITLE}
    others = ", ".join(f"[{title}]({_file(category)})" for category, title in pages.items())
    blocks: list[Block] = [
        Text(
            f"The instructions of PTX ISA 1.0 to {newest} in our own words. `ptx-ls isa NAME` "
            "prints these pages; for a name with modifiers, it prints only what applies to them. "
            "Tools can read [JSON](../isa-json)."
        ),
        Text(f"See also: {others}."),
        Heading(2, "Chapters"),
        Table(("chapter", ""), chapters),
    ]
    for category in dict.fromkeys(line.category for line in instructions):
        rows = tuple(
            (f"[`{line.name}`]({line.name})", line.summary)
            for line in instructions
            if line.category == category
        )
        blocks += [Heading(2, category.capitalize()), Table(("instruction", ""), rows)]
    return Page("The PTX instruction set", tuple(blocks))
