"""No feature raises, whatever the text and wherever the cursor."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.completion.completion import completions
from ptx_ls.features.control_flow.flow_dot import dot
from ptx_ls.features.control_flow.flow_svg import svg
from ptx_ls.features.control_flow.flow_text import flow_at
from ptx_ls.features.hover.describe_item import resolve
from ptx_ls.features.hover.hover import hover
from ptx_ls.features.hover.register_value import register_at, register_value
from ptx_ls.features.navigation import call_hierarchy, goto, value_flow
from ptx_ls.features.navigation.goto_source import source_place
from ptx_ls.features.navigation.highlight import highlights
from ptx_ls.features.navigation.linkage import linked_at
from ptx_ls.features.navigation.references import references
from ptx_ls.features.rename import rename
from ptx_ls.features.rename.linked_editing import linked
from ptx_ls.features.signature.signature_help import signature_help
from ptx_ls.features.structure.module_symbols import module_symbols
from ptx_ls.features.structure.selection import selections
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import occurrences
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length

CORPUS = Path(__file__).parents[1] / "corpus"
TEXTS = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted([*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")])
]
TOKENS = [
    *".version 8.5|.target sm_90|.entry|.func|.reg|.b32|.param|.shared|.pragma|.loc|.section".split(
        "|"
    ),
    *'{ } ( ) [ ] < > , ; : @ ! | . + - % " // /* */ = _ 1 0f3F800000 0x'.split(),
    *"%r1 %r<5> %tid.x %p k L L: add.u32 ld.param.u64 bra call mov. setp.eq é 😀".split(),
    *("\n", "\r", "\r\n", "\t", "\0"),
]
texts = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join),
    st.text(max_size=80),
)


def check_features(text: str, line: int, column: int) -> None:
    """Asks everything at one place, before and after a letter is typed there."""
    document = Document.read(text)
    position = Position(line, column)
    for typed in ("", "a", "."):
        document = edited(document, position, position, typed)
        analysis = Analysis(document)
        found = hover(analysis, position)
        assert found is None or found.range.start <= found.range.end
        for item in completions(analysis, position).items:
            assert item.range.end == document.clamped(position)
            assert item.range.start.line == item.range.end.line
        for item in completions(analysis, position).items[:3]:
            resolve(item.data, analysis, position)
        shown = signature_help(analysis, position)
        for signature in shown.signatures if shown is not None else ():
            assert -1 <= signature.active < len(signature.parameters)
        check_navigation(analysis, position)
        for symbol in module_symbols(document):
            assert symbol.range.start <= symbol.selection.start < symbol.selection.end
            assert symbol.selection.end <= symbol.range.end
        linked_at(analysis, position)
        for place in references(analysis, position, include_declaration=True):
            assert place.start <= place.end


def check_navigation(analysis: Analysis, position: Position) -> None:
    """Asks where to go from a place."""
    document = analysis.document
    for find in (goto.definition, goto.declaration, goto.type_definition, goto.implementation):
        for link in find(analysis, position):
            start, end = link.selection
            assert link.target.start <= start <= end <= link.target.end
            assert link.target.end.column <= content_length(document.lines[link.target.end.line])
    source = source_place(analysis, position)
    assert source is None or source.line >= 0
    for place, _ in highlights(analysis, position):
        assert place.start <= place.end
    flow = flow_at(analysis, position)
    if flow is not None:
        assert dot(flow, lambda: False).endswith("}\n")
        assert svg(flow).endswith("</svg>\n")
    around = selections(analysis, position)
    for inner, outer in pairwise(around):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert inner != outer
    texts = {
        document.lines[it.start.line][it.start.column : it.end.column]
        for it in linked(analysis, position)
    }
    assert len(texts) <= 1
    check_calls(analysis, position)
    check_rename(analysis, position)


def check_calls(analysis: Analysis, position: Position) -> None:
    """Asks for both ends of the calls of the function at a place."""
    register = register_at(analysis, position)
    if register is not None:
        register_value(analysis, register)
    for flow in value_flow.prepare(analysis, position):
        value_flow.sources(analysis, flow.range.start)
        value_flow.readers(analysis, flow.range.start)
        assert value_flow.found_again(analysis, flow.range.start, flow.text) is not None
    found = call_hierarchy.prepare(analysis, position)
    declared = call_hierarchy.named(analysis, found.name) if found is not None else None
    if declared is not None:
        places = list(occurrences(analysis, declared, declared.symbol.name))
        lines = call_hierarchy.prototype_lines(analysis.document.lines)
        call_hierarchy.incoming(analysis, declared, places, lines)
        call_hierarchy.outgoing(analysis, declared)


def check_rename(analysis: Analysis, position: Position) -> None:
    """Renames what is at a place, or is refused with a reason."""
    try:
        asked = rename.prepare(analysis, position)
        if asked is None:
            return
        places = sorted(occurrences(analysis, asked.wanted.declared, asked.name))
        rename.check(analysis, asked, "new_name", places)
    except rename.RefusalError:
        return
    edits = [it.range for it in rename.replacements(analysis, asked, "new_name", places)]
    for one, other in pairwise(sorted(edits)):
        assert one.end <= other.start


@settings(max_examples=60)
@given(st.data())
def test_prefixes_of_real_files(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    start = data.draw(st.integers(0, len(text)))
    stop = min(len(text), start + data.draw(st.integers(0, 3000)))
    prefix = text[:400] + text[start:stop] if data.draw(st.booleans()) else text[:stop][-4000:]
    last = prefix.count("\n")
    line = data.draw(st.integers(max(0, last - 30), last))
    check_features(prefix, line, data.draw(st.integers(0, 60)))


@settings(max_examples=150)
@given(texts, st.integers(0, 6), st.integers(0, 40))
def test_any_text(text: str, line: int, column: int) -> None:
    check_features(text, line, column)


@settings(max_examples=30)
@given(texts)
def test_the_end_of_any_text(text: str) -> None:
    check_features(text, 10**6, 10**6)


@pytest.mark.slow
@pytest.mark.parametrize("opened", ["(", "[", "{", "a[", "-(", "1?", "([{"])
def test_features_far_inside_of_brackets(opened: str) -> None:
    for place in ("mov.b64 %rd0, ", ".global .b64 a = "):
        text = f".version 8.0\n.target sm_90\n.entry k {{\n{place}{opened * 500}"
        check_features(text, 3, len(text.splitlines()[3]))
