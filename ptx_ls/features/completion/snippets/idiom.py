"""An idiom of PTX as a snippet, and the names that it declares."""

from __future__ import annotations

from functools import lru_cache

from ptx_ls.document.document import Document
from ptx_ls.features.completion.snippets.snippet import plain
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source.named_tuple import NamedTuple


class Idiom(NamedTuple):
    """A piece of PTX with placeholders.

    `version` and `target` are the oldest that support it. `in_function`: it belongs in a body, else
    at module scope. `has_pointers`: its addresses have 64 bits.
    """

    name: str
    summary: str
    version: str
    target: str
    template: str
    in_function: bool = True
    has_pointers: bool = False


@lru_cache(maxsize=64)
def declared_names(idiom: Idiom) -> frozenset[str]:
    """Returns the names that an idiom declares in the scope that it is inserted into."""
    text = plain(idiom.template)
    document = Document.read(f".func f()\n{{\n{text}\n}}\n" if idiom.in_function else text)
    facts = region_facts(document.leaf(len(document.functions) - 1))
    symbols = facts.symbols if idiom.in_function else facts.exports
    return frozenset(
        symbol.name for symbol in symbols if symbol is not facts.function or not idiom.in_function
    )
