"""The entry of a chapter: its facts and its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.chapters.figures import figure
from ptx_ls.handbook.chapters.litmus import litmus_test
from ptx_ls.handbook.page import Block, Entry, Heading, Page, TableOfContents, Text, plain
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.sentences import manual

if TYPE_CHECKING:
    from ptx_ls.isa.chapters import Chapter, ChapterPart

_MIN_PARTS_FOR_CONTENTS: Final = 5


def chapter(found: Chapter) -> Entry:
    """Returns the entry of a chapter."""
    blocks: list[Block] = [Text(f"**{found.summary}**"), Text(_origin(found))]
    if len(found.parts) >= _MIN_PARTS_FOR_CONTENTS:
        blocks.append(TableOfContents(2, 2))
    for part in found.parts:
        blocks += _part(part)
    facts = {
        "name": found.name,
        "title": found.title,
        "summary": found.summary,
        "sections": plain(found.sections),
        "explains": plain(found.explains),
        "parts": plain(found.parts),
    }
    return Entry("chapter", found.name, found.summary, facts, Page(found.title, tuple(blocks)))


def _origin(found: Chapter) -> str:
    topics = ", ".join(
        code(each) if each.startswith(".") else f"[{code(each)}]({each.partition('.')[0]})"
        for each in found.explains
    )
    return " · ".join(filter(None, ("Chapter", manual(found.sections), topics)))


def _part(part: ChapterPart) -> list[Block]:
    blocks: list[Block] = [Heading(2, part.title)]
    if part.text:
        blocks.append(Text(part.text))
    if part.threads:
        blocks.append(litmus_test(part.threads))
    if part.outcome:
        blocks.append(Text(part.outcome))
    for text in part.figures:
        blocks += figure(text)
    if part.note:
        blocks.append(Text(part.note))
    return blocks
