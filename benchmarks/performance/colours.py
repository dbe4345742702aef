"""The time in which other tools find the colours of a text of C: Pygments, and tree-sitter."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

from benchmarks.performance.measurement import Sample
from benchmarks.performance.peer_texts import c_text

_N_BYTES = 1_000_000
"""They get a text of this size, and their time is multiplied: both take linear time."""


def of_pygments(text: str) -> Sample:
    """Returns the CPU time in ms for C of the size of a text."""
    try:
        lexers: Any = import_module("pygments.lexers")
    except ImportError as error:
        raise RuntimeError("pip install pygments") from error
    lexer = lexers.get_lexer_by_name("c")
    source = c_text(_N_BYTES)
    before = time.process_time()
    sum(1 for _ in lexer.get_tokens(source))
    return _scaled(time.process_time() - before, source, text)


def of_tree_sitter(text: str) -> Sample:
    """Returns the CPU time in ms for C of the size of a text: parsing, and highlight queries."""
    try:
        tree_sitter: Any = import_module("tree_sitter")
        grammar: Any = import_module("tree_sitter_c")
    except ImportError as error:
        raise RuntimeError("pip install tree-sitter tree-sitter-c") from error
    language = tree_sitter.Language(grammar.language())
    query = tree_sitter.Query(language, grammar.HIGHLIGHTS_QUERY)
    source = c_text(_N_BYTES)
    before = time.process_time()
    tree = tree_sitter.Parser(language).parse(source.encode())
    tree_sitter.QueryCursor(query).captures(tree.root_node)
    return _scaled(time.process_time() - before, source, text)


def _scaled(seconds: float, source: str, text: str) -> Sample:
    return Sample(1000 * seconds * len(text) / len(source))
