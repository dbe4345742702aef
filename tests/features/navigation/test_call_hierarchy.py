"""Call hierarchy: direct calls, and those through lists of targets, tables and prototypes."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.features.navigation import call_hierarchy
from ptx_ls.features.structure.module_symbols import module_symbol
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import occurrences
from tests.support.fixture import parse_fixture

TEXT = """\
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.func a(.param .b32 x);
.func b(.param .b32 x) { ret; }
.func c(.param .b64 x) { ret; }
.func a(.param .b32 x)
{
    call b, (x);
    call (r), vprintf, (p, q);
    @%p1 call.uni
        b, (x);
    ret;
}
.global .u64 table[2] = { a, b };
.visible .entry listed() { t: .calltargets a, c; call %rd1, (x), t; }
.visible .entry tabled() { call %rd1, (x), table; }
.visible .entry typed()
{
    p: .callprototype _ (.param .b32 _);
    q: .callprototype _ (.param .b64 _);
    mov.u64 %rd1, b;
    call %rd1, (x), p;
    call %rd1, (x), q;
}
.entry _Z6kernelPi() { call a, (x); }
.func (.param .b32 r) body(.param .f32 x) { ret; }
.func (.param .b32 r) other(.param .f32 x);
.alias other, body;
.entry aliased()
{
    call (r), other, (x);
    t: .calltargets other;
    call (r), %rd1, (x), t;
}
.func (.param .b32 r) area(.param .f64 x) { ret; }
.global .u64 methods[3] = { 0, area, 0 };
.entry looked_up()
{
    ld.global.u64 %rd1, [table]; // methods
    p: .callprototype _ (.param .b32 _);
    call %rd1, (x), p;
}
.entry virtual()
{
    ld.u64 %rd1, [%rd2];
    p: .callprototype (.param .b32 _) _ (.param .f64 _);
    call (r), %rd1, (x), p;
}
"""


def check_calls(name: str, direction: str, *expected: str) -> None:
    """The functions at the other end, each with the lines of the calls."""
    analysis = Analysis(Document.read(TEXT))
    declared = call_hierarchy.named(analysis, name)
    assert declared is not None
    if direction == "out":
        found = call_hierarchy.outgoing(analysis, declared)
    else:
        places = list(occurrences(analysis, declared, name))
        for alias in call_hierarchy.other_names(analysis, declared, places):
            places += occurrences(analysis, alias, alias.symbol.name)
        for table in call_hierarchy.tables(analysis, places):
            places += occurrences(analysis, table, table.symbol.name)
        is_taken = call_hierarchy.is_address_taken(analysis, places)
        lines = call_hierarchy.prototype_lines(analysis.document.lines) if is_taken else []
        found = call_hierarchy.incoming(analysis, declared, places, lines)
    shown = [
        f"{call.function.name} {' '.join(str(place.start.line) for place in call.places)}"
        for call in found
    ]
    assert shown == list(expected)


def check_prepared(marked: str, expected: str | None) -> None:
    """Name and detail of the function at the cursor."""
    fixture = parse_fixture(marked)
    found = call_hierarchy.prepare(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert (f"{found.name}: {found.detail}" if found else None) == expected


def test_what_a_function_calls() -> None:
    check_calls("a", "out", "b 6 9", "vprintf 7")
    check_calls("listed", "out", "a 13", "c 13")
    check_calls("tabled", "out", "a 14", "b 14")
    check_calls("typed", "out", "b 20")
    check_calls("looked_up", "out", "a 39", "b 39")
    check_calls("virtual", "out", "area 45")
    check_calls("b", "out")
    check_calls("vprintf", "out")


def test_who_calls_a_function() -> None:
    check_calls("a", "in", "listed 13", "tabled 14", "typed 20", "_Z6kernelPi 23", "looked_up 39")
    check_calls("b", "in", "a 6 9", "tabled 14", "typed 20", "looked_up 39")
    check_calls("area", "in", "virtual 45")
    check_calls("c", "in", "listed 13")
    check_calls("vprintf", "in", "a 7")
    check_calls("typed", "in")
    check_calls("body", "in", "aliased 29 31")
    check_calls("other", "in", "aliased 29 31")


def test_the_function_at_a_place() -> None:
    check_prepared(TEXT.replace("call b,", "call <|>b,"), "b: device function")
    check_prepared(TEXT.replace("call b,", "ca<|>ll b,"), "b: device function")
    check_prepared(TEXT.replace(".func c", ".func <|>c"), "c: device function")
    check_prepared(TEXT.replace("typed", "ty<|>ped"), "typed: .visible kernel")
    check_prepared(TEXT.replace("vprintf(", "<|>vprintf("), "vprintf: .extern device function")
    check_prepared(TEXT.replace("_Z6k", "_<|>Z6k"), "_Z6kernelPi: kernel(int*) (kernel)")
    for marked in (TEXT.replace("@%p1", "@<|>%p1"), TEXT.replace("ret;", "<|>ret;", 1), "<|>"):
        check_prepared(marked, None)


def test_ranges() -> None:
    analysis = Analysis(Document.read(TEXT))
    declared = call_hierarchy.named(analysis, "a")
    assert declared is not None
    found = module_symbol(analysis.document, declared)
    assert (found.range.start, found.range.end) == ((4, 0), (11, 1))
    assert (found.selection.start, found.selection.end) == ((4, 6), (4, 7))
