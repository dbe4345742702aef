"""Operators that know only tokens and lines: typing errors, wrong pastes, truncated files.

A change that replaces or removes a mark or white space affects the tokens on both sides, so a
message may point at these.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left

from benchmarks.accuracy.change import Change, Edit, Site, operator

_LINE = re.compile(r"[^\n]*\n")
_CHARACTERS = string.ascii_letters + string.digits + string.punctuation
_FURTHEST = 6
"""The maximum number of lines by which a line is moved."""


@operator
def tokens_swapped(site: Site) -> Change | None:
    """Swaps two neighbouring tokens."""
    at = site.dice.randrange(len(site.source.tokens) - 1)
    one, two = site.source.tokens[at], site.source.tokens[at + 1]
    between = site.source.text[one.end : two.start]
    return site.slice_replaced((at, at + 2), f"{two.text}{between}{one.text}")


@operator
def token_replaced(site: Site) -> Change | None:
    """Replaces a token by any other of the module."""
    token, other = site.dice.choice(site.source.tokens), site.dice.choice(site.source.tokens)
    around = _beside(site, token.start, token.end) if token.kind == "mark" else None
    is_other = token.text != other.text
    return Change((Edit(token.start, token.end, other.text),), around) if is_other else None


@operator
def character_changed(site: Site) -> Change | None:
    """Replaces a character anywhere."""
    at = site.dice.randrange(len(site.source.text))
    is_word = site.source.text[at].isalnum()
    around = None if is_word else _beside(site, at, at + 1)
    return Change((Edit(at, at + 1, site.dice.choice(_CHARACTERS)),), around)


@operator
def character_dropped(site: Site) -> Change | None:
    """Removes a character anywhere."""
    at = site.dice.randrange(len(site.source.text))
    return Change((Edit(at, at + 1, ""),), _beside(site, at, at + 1))


@operator
def line_dropped(site: Site) -> Change | None:
    """Removes a line."""
    found = site.pick(_lines(site))
    if found is None:
        return None
    start, end = found
    return Change((Edit(start, end, ""),), _beside(site, start, end))


@operator
def line_doubled(site: Site) -> Change | None:
    """Doubles a line."""
    found = site.pick(_lines(site))
    if found is None:
        return None
    start, end = found
    return Change((Edit(end, end, site.source.text[start:end]),))


@operator
def line_moved(site: Site) -> Change | None:
    """Moves a line up or down by some lines."""
    lines = _lines(site)
    if len(lines) < 2:  # noqa: PLR2004
        return None
    at = site.dice.randrange(len(lines) - 1)
    to = min(at + site.dice.randint(1, _FURTHEST), len(lines) - 1)
    text, (start, stop), (begin, end) = site.source.text, lines[at], lines[to]
    moved = text[stop:end] + text[start:stop]
    if site.dice.random() < 0.5:  # noqa: PLR2004
        moved = text[begin:end] + text[start:begin]
    return Change((Edit(start, end, moved),)) if moved != text[start:end] else None


@operator
def lines_joined(site: Site) -> Change | None:
    """Joins two lines."""
    found = site.pick(_lines(site)[:-1])
    return None if found is None else Change((Edit(found[1] - 1, found[1], " "),))


@operator
def line_broken(site: Site) -> Change | None:
    """Inserts a line end before a token."""
    token = site.dice.choice(site.source.tokens)
    return Change((Edit(token.start, token.start, "\n"),))


@operator
def module_cut(site: Site) -> Change | None:
    """Truncates the module."""
    start, end = site.dice.choice(site.source.tokens).start, len(site.source.text)
    return Change((Edit(start, end, ""),), (_beside(site, start, end)[0], end))


def _lines(site: Site) -> list[tuple[int, int]]:
    """Returns the spans of lines that have a token, with their line ends."""
    tokens = [token.start for token in site.source.tokens]
    return [
        match.span()
        for match in _LINE.finditer(site.source.text)
        if bisect_left(tokens, match.start()) < bisect_left(tokens, match.end())
    ]


def _beside(site: Site, start: int, end: int) -> tuple[int, int]:
    """Returns where the token before a gap begins, and where the one after it ends."""
    tokens = site.source.tokens
    before = bisect_left(tokens, start, key=lambda token: token.start) - 1
    behind = min(bisect_left(tokens, end, key=lambda token: token.start), len(tokens) - 1)
    first = tokens[before].start if before >= 0 else 0
    return min(first, start), max(tokens[behind].end, end)
