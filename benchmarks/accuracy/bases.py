"""The modules that mutants are made from: small ones whole, and single functions of large ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.accuracy.source import Source, Statement

LARGEST = 16_000
"""Maximum number of characters; ptxas and ptx-ls both take longer for more."""
_EVERYWHERE = {".version", ".target", ".address_size", ".file"}
_LONE_RETURN = re.compile(r"\r(?!\n)")


def bases(paths: Iterable[Path]) -> Iterator[Source]:
    """Yields the modules in files, none larger than `LARGEST`.

    Files whose lines ptxas counts differently are left out: those with lone carriage returns, or
    with line markers such as `# 1 "x.cu"`.
    """
    for path in paths:
        text = path.read_bytes().decode(errors="replace")
        if _LONE_RETURN.search(text) or re.search(r"^\s*(?:#|//\s*#)", text, re.MULTILINE):
            continue
        source = Source(path.stem, text)
        if len(text) <= LARGEST:
            yield source
        else:
            yield from _pieces(source)


def _pieces(source: Source) -> Iterator[Source]:
    """Yields a module for each function, with all that it names and the header."""
    items = list(_items(source))
    names = [_names(source, item) for item in items]
    owners: dict[str, list[int]] = {}
    for number, found in enumerate(names):
        for name in found:
            owners.setdefault(name, []).append(number)
    always = {n for n, item in enumerate(items) if source.tokens[item.first].text in _EVERYWHERE}
    seen = set()
    for number, item in enumerate(items):
        if item.kind != "head" or source.tokens[item.end - 1].text == ";":
            continue
        kept, due = set(always), [number]
        while due:
            current = due.pop()
            if current not in kept:
                kept.add(current)
                words = set(source.words(items[current]))
                due += [owner for word in words for owner in owners.get(word, ())]
        text = "\n".join(source.between(items[n].first, items[n].end) for n in sorted(kept)) + "\n"
        shape = re.sub(r"\d+", "0", text)
        if len(text) <= LARGEST and shape not in seen:
            seen.add(shape)
            yield Source(f"{source.name}#{min(names[number])}", text)


def _items(source: Source) -> Iterator[Statement]:
    """Yields the statements at module scope, with a whole function as one; no sections."""
    head: Statement | None = None
    for statement in source.statements:
        first, last = source.tokens[statement.first].text, source.tokens[statement.end - 1].text
        if statement.depth:
            continue
        if head is not None:
            if first == "}":
                yield Statement("head", head.first, statement.end, 0)
                head = None
        elif statement.kind == "head" and last != ";":
            head = statement
        elif statement.kind in ("directive", "head") and first != ".section":
            yield statement


def _names(source: Source, item: Statement) -> set[str]:
    """Returns the names that an item of the module declares."""
    tokens = source.tokens
    if tokens[item.first].text in _EVERYWHERE:
        return set()
    if item.kind != "head":
        return {t.text for t in tokens[item.first : item.end] if t.kind == "word"} - {"generic"}
    depth = 0
    for token in tokens[item.first : item.end]:
        depth += (token.text == "(") - (token.text == ")")
        if token.kind == "word" and not depth:
            return {token.text}
    return set()
