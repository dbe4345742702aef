"""Explains the rules that a comment suppresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features import markup
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_names import rule_url
from ptx_ls.lint.suppression.function_comments import suppression_at
from ptx_ls.source import Position, Range

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.features.markup import Markdown


def rule_at(document: Document, position: Position) -> tuple[Range, Markdown] | None:
    """Returns the name of a rule in a comment at a position, and its meaning; None elsewhere."""
    comment = suppression_at(document, position)
    for name, start, end in (comment.listed if comment is not None else None) or ():
        if start <= position.column <= end:
            text = rule(name)
            place = Range.on_line(position.line, start, end)
            return None if text is None else (place, text)
    return None


def rule(name: str) -> Markdown | None:
    """Returns the meaning of a rule with a link to its page; None if no rule has the name."""
    found = rules().get(name)
    if found is None:
        return None
    head = markup.filled("{}: rule, {}", markup.code(name), found.severity.value)
    link = markup.link(markup.own("Why is this bad?"), rule_url(name))
    return markup.paragraphs(head, markup.own(found.summary), link)
