"""The differences of files as a page of HTML with the old and the new text side by side.

The page is one file without scripts and without references to other files.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.cli.diffs.report import description, full_name, summary
from ptx_ls.comparison.hunks import hunks, is_label
from ptx_ls.comparison.result import ChangeKind
from ptx_ls.comparison.vocabulary import Vocabulary
from ptx_ls.comparison.words import words_of
from ptx_ls.source.sequences import SequencePart, equal_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.cli.diffs.report import FileDifference
    from ptx_ls.comparison.result import DiffRow, FactChange, FunctionDifference

_STYLE: Final = """\
:root { color-scheme: light dark; --line: #8884; --removed: #f8514926; --added: #3fb95026;
  --moved: #a371f726; --old-word: #f8514966; --new-word: #3fb95066; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 1.5rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .8rem 0; }
summary { cursor: pointer; padding: .4rem .8rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
td, th { font: 12px/1.5 ui-monospace, monospace; padding: 0 .5rem; text-align: left;
  vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; }
.n { width: 4.5rem; text-align: right; opacity: .6; user-select: none; }
.facts { margin: .4rem .8rem; width: auto; table-layout: auto; }
.skip td { border-block: 1px solid var(--line); opacity: .7; }
.removed .o, .changed .o { background: var(--removed); }
.added .w, .changed .w { background: var(--added); }
.moved .o, .moved .w { background: var(--moved); }
del { background: var(--old-word); text-decoration: none; }
ins { background: var(--new-word); text-decoration: none; }
"""


def difference_page(found: Iterable[FileDifference], n_context: int) -> Iterator[str]:
    """Yields the parts of a page about files, with `n_context` equal statements around each."""
    yield "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
    yield "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
    yield f"<title>PTX differences</title>\n<style>\n{_STYLE}</style>\n"
    yield "<h1>PTX differences</h1>\n"
    for each in found:
        yield f"<h2>{_text(each.old)} &rarr; {_text(each.new)}</h2>\n"
        yield f"<p>{_text(summary(each))}</p>\n{_facts(each.facts)}"
        for function in each.differing:
            yield from _function(function, n_context)
    yield "</html>\n"


def _text(text: str) -> str:
    return escape(console.escaped(text))


def _facts(facts: Sequence[FactChange]) -> str:
    if not facts:
        return ""
    rows = "".join(
        f"<tr><th>{_text(fact.name)}<td>{_text(fact.old) or 'none'}<td>&rarr;"
        f"<td>{_text(fact.new) or 'none'}\n"
        for fact in facts
    )
    return f"<table class=facts>\n{rows}</table>\n"


def _function(function: FunctionDifference, n_context: int) -> Iterator[str]:
    is_open = " open" if function.kind is ChangeKind.CHANGED else ""
    title = f"<b>{_text(full_name(function))}</b>: {_text(description(function))}"
    yield f"<details{is_open}>\n<summary>{title}</summary>\n"
    if function.remark:
        yield f"<p>{_text(function.remark)}</p>\n"
    yield _facts(function.facts)
    if function.rows:
        yield "<table>\n<col class=n><col><col class=n><col>\n"
        for hunk in hunks(function.rows, n_context):
            if hunk.n_skipped:
                label = f" {hunk.label}" if hunk.label else ""
                yield f"<tr class=skip><td class=n>&#8942;<td colspan=3>{_text(label.strip())}\n"
            yield from map(_row, hunk.rows)
        yield "</table>\n"
    yield "</details>\n"


def _row(row: DiffRow) -> str:
    old, new = _indented(row.old), _indented(row.new)
    if row.kind is ChangeKind.CHANGED:
        old, new = _with_marks(old, new)
    else:
        old, new = _text(old), _text(new)
    title = "" if row.other_line is None else f" title='moved, line {row.other_line + 1}'"
    return (
        f"<tr class={row.kind.value}{title}><td class=n>{_number(row.old_line)}<td class=o>{old}"
        f"<td class=n>{_number(row.new_line)}<td class=w>{new}\n"
    )


def _indented(text: str) -> str:
    return f"  {text}" if text and not is_label(text) else text


def _number(line: int | None) -> str:
    return "" if line is None else str(line + 1)


def _with_marks(old: str, new: str) -> tuple[str, str]:
    """Returns both texts with marks around the words that differ."""
    one, two = words_of(old), words_of(new)
    vocabulary = Vocabulary()
    numbers, others = (list(map(vocabulary.number, words)) for words in (one, two))
    pairs = equal_pairs(numbers, others, SequencePart(0, len(one), 0, len(two)))
    return (
        _marked(one, {pair.old for pair in pairs}, "del"),
        _marked(two, {pair.new for pair in pairs}, "ins"),
    )


def _marked(words: Sequence[str], equal: set[int], tag: str) -> str:
    return "".join(
        _text(word) if number in equal or word.isspace() else f"<{tag}>{_text(word)}</{tag}>"
        for number, word in enumerate(words)
    )
