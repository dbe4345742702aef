"""The statement parser: every construct of the language, exact problems, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.syntax import tokens
from ptx_ls.syntax.offsets import StatementPosition
from ptx_ls.syntax.parser import Parsed, SyntaxProblem, parse, problem_of
from ptx_ls.syntax.tokens import ENDMARKER, MAX_NESTING, MAX_STATEMENT_LENGTH, Token, tokenize

if TYPE_CHECKING:
    from ptx_ls.syntax.parser import StatementProblem

INSTRUCTIONS = """
ret;
add.s32 %r1, %r2, %r3;
add.s32 %r1,%r2,-1;
@p bra L;
@!p bra L;
@ %p bra L;
@ ! %p bra L;
@%p1 bra.uni $L__BB0_2;
setp.lt.s32 %p1|%p2, %r1, %r2;
setp.lt.s32 p | q, a, b;
mov.b64 {%r1, %r2}, %rd1;
mov.b64 {_, %r2}, %rd1;
mov.b32 %r1, %tid.x;
mov.u32 %r1, WARP_SZ;
and.pred %p1, !%p2, %p3;
neg.f32 %f1, -%f2;
ld.global.u32 %r1, [%rd1];
ld.global.u32 %r1, [%rd1+4];
ld.global.u32 %r1, [%rd1+-4];
ld.global.u32 %r1, [%rd1 + 0x10];
ld.global.u32 %r1, [table];
ld.global.u32 %r1, [table+4];
ld.global.u32 %r1, table[0];
ld.global.u32 %r1, [64];
ld.global.u32 %r1, [%rd1].unified;
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
ld.global.L1::no_allocate.L2::128B.u32 %r1, [%rd1];
tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, samp, {%f5, %f6}];
tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}], {1, 2}, %f1;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [a], [b, {c, d}], [e];
atom.global.add.u32 _, [%rd1], 1;
vadd.s32.u32.u32.sat a, b.b0, c.h1;
vmad.u32.u32.u32 d, -a, b.b3, c;
mov.f32 %f1, 0f3F800000;
mov.f64 %fd1, 0d3FF0000000000000;
mov.f64 %fd1, 1.5e-3;
mov.f64 %fd1, .5;
mov.f64 %fd1, 1.;
mov.u32 %r1, 0x7fU;
mov.u32 %r1, 017;
mov.u32 %r1, 0b1010U;
mov.u64 %rd1, 18446744073709551615;
mov.u32 %r1, 1 + 2 * (3 - 4) << 2;
mov.u32 %r1, (.s64)(1) ? 2 : 3;
mov.u32 %r1, !0 && 1 || 0 == 1;
mov.u32 %r1, ~0 ^ 1 & 2 | 3 % 4 / 5;
call f;
call.uni (r), f, (a, b);
call (r), %rd1, (a), prototype;
call %rd1, (), targets;
brx.idx %r1, list;
shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a,b,c,d}, {e,f,g,h}, {i,j}, {a,b,c,d};
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {a, b, c, d}, %rd1, %rd2, p, 1, -1, 0, 1;
fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
add .s32 %r1, %r2, %r3;
add.s32
  %r1, // first
  /* second */ %r2,
  %r3;
""".strip()

STATEMENTS = """
.version 8.5
.target sm_90
.target sm_20, texmode_independent
.target sm_90a, debug
.address_size 64
.file 1 "a b.cu"
.file 1 "a.cu", 1339013327, 64118
.loc 1 2 3
.loc 1 2 3, function_name $L__info_string0, inlined_at 1 4 5
.loc 1 2 3, function_name .debug_str+16, inlined_at 1 4 5
.loc 1 2 3, function_name info+4, inlined_at 1 4 5
.loc_intermediate 2 23 6
.pragma "nounroll";
.pragma "a", "b";
.alias f, g;
.branchtargets L1, L2;
.branchtargets N<5>;
.calltargets f, g;
.callprototype _;
.callprototype _ (.param .f32 _);
.callprototype (.param .u32 _) _ (.param .f32 _, .param .align 8 .b8 _[12]);
.callprototype _ (.param .b32 _) .noreturn;
.callprototype (.reg .u32 a) _ (.reg .u32 b) .abi_preserve 10 .abi_preserve_control 3;
.section .debug_info {
.b8 1,2,0x3f
.b8 -1, 255
.b32 .debug_abbrev
.b32 label+12
.b64 end-begin
.b32 .debug_loc+0x4
.b16 -5, -65535
.reg .pred p, q, r;
.reg .b32 %r<100>;
.reg .v4 .f32 accel;
.reg .b32 a, %b<3>, c;
.reg .align 4 .u32 a;
.global .u32 loc;
.global .align 16 .b8 table[64];
.align 16 .global .b8 table[64];
.global .v4 .f32 V;
.global .u32 index[] = { 0, 1, 2, 3 };
.global .s32 offset[][2] = { {-1, 0}, {0, -1}, {1, 0}, {0, 1} };
.global .f32 blur[][3] = {{.05,.1,.05},{.1,.4,.1},{.05,.1,.05}};
.global .u64 p = generic(foo)+8;
.global .u64 p[] = { generic(foo), foo, foo+4, f };
.global .u8 addr[] = {0xff(foo), 0xff00(foo+4), 0xFF(generic(foo)), 0xFF(1000 + 546)};
.global .u32 size[WARP_SZ];
.const .f32 bias[] = {-1.0, 1.0};
.shared .align 8 .b8 smem[];
.local .u16 kernel[19][19];
.param .align 8 .b8 buffer[12];
.tex .u32 a, b;
.global .texref t;
.global .samplerref s = { filter_mode = nearest };
.global .surfref s;
.extern .shared .align 16 .b8 smem[];
.visible .global .u32 x;
.weak .const .u32 x = 3;
.common .global .u32 x;
.extern .func f;
.extern .func (.param .b32 r) f (.param .b32 a, .param .b64 b);
.visible .func f(.reg .b32 a) ;
.entry k {
.entry k() {
.visible .entry k(.param .u64 .ptr.global.align 16 a, .param .u32 b) {
.entry k(.param .u64 .ptr .global a, .param .u64 .ptr .align 8 b, .param .u64 .ptr c) {
.entry k(.param .align 8 .b8 a[16], .param .texref t) {
.entry k() .maxntid 16, 16, 4 .minnctapersm 2 .maxnreg 32 {
.entry k() .reqntid 128 .reqnctapercluster 2, 1, 1 .explicitcluster .blocksareclusters {
.entry k() .maxclusterrank 8 .pragma "nounroll"; .language "cuda c++", 3 {
.entry k() .minperctamemory 2048 .local_maxnreg 32 {
.func (.reg .b32 r) f (.reg .b32 N, .reg .f64 dbl) {
.func f (.param .b32 a, .param .align 4 .b8 more[]) .noreturn .abi_preserve 8 {
.func .attribute(.unified(0xAB, 0xCD)) f() {
.global .attribute(.managed) .s32 g;
.global .attribute(.unified(19,95)) .f32 f;
@@DWARF .section .debug_pubnames, "", @progbits
# 1 "a.cu" 3
;
{
}
.nv_intermediate_source_section {
  .code_block {
    .ir_name: "TileIR"
    .sourceFileName: 2
    .source_begin
      any { text ; "here
    .source_end
  }
}
""".strip()


def texts(block: str) -> list[str]:
    """Statements of a block; lines that are indented belong to the one before."""
    found: list[str] = []
    for line in block.split("\n"):
        if found and (line.startswith(" ") or (line == "}" and found[-1].startswith(".nv"))):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def check_parse(text: str, problem: StatementProblem | None) -> Parsed:
    """Parses; the tree has lost nothing, and the problem is the one expected."""
    parsed = parse(text)
    assert parsed.tree.get_code() == text
    assert parsed.problem == problem
    assert problem_of(text) == problem
    return parsed


@pytest.mark.parametrize("text", texts(INSTRUCTIONS) + texts(STATEMENTS))
def test_construct(text: str) -> None:
    check_parse(text, None)
    check_parse(f"  {text} // comment", None)
    check_parse(text.replace("\n", "\r\n"), None)


@pytest.mark.parametrize(
    ("text", "start", "end", "found", "expected"),
    [
        ("add.s32 %r1, %r2, %r3", (0, 21), (0, 21), "", {",", ";"}),
        ("add.s32 %r1 %r2, %r3;", (0, 12), (0, 15), "%r2", {",", ";"}),
        ("add.s32 %r1, , %r3;", (0, 13), (0, 14), ",", {"REG", "NUMBER", "["}),
        ("add.s32 %r1, %r2, ;", (0, 18), (0, 19), ";", {"REG"}),
        ("ld.u32 %r1, [%r2;", (0, 16), (0, 17), ";", {"]", "+"}),
        ("ld.u32 %r1, %r2];", (0, 15), (0, 16), "]", {";"}),
        ("mov.b64 {a, b, %r1;", (0, 18), (0, 19), ";", {"}", ","}),
        ("@%p;", (0, 3), (0, 4), ";", {"WORD"}),
        (".version", (0, 8), (0, 8), "", {"NUMBER"}),
        (".version x", (0, 9), (0, 10), "x", {"NUMBER"}),
        (".target 90", (0, 8), (0, 10), "90", {"WORD"}),
        (".reg .b32 r, ;", (0, 13), (0, 14), ";", {"REG", "WORD"}),
        (".reg .b32 %r<x>;", (0, 13), (0, 14), "x", {"NUMBER"}),
        (".entry ()", (0, 9), (0, 9), "", {"REG", "WORD"}),
        (".entry k(.param .u32 a .param .u32 b)", (0, 23), (0, 29), ".param", {",", ")"}),
        ("add.s32 %r1,\n  %r2,\n  );", (2, 2), (2, 3), ")", {"REG"}),
        ("add.s32 %r1, é, 3;", (0, 13), (0, 14), "é", {"REG"}),
        ('.pragma "a;', (0, 8), (0, 11), '"a;', {"STRING"}),
        ("mov.u32 %r1, 12ab;", (0, 13), (0, 17), "12ab", {"NUMBER"}),
    ],
)
def test_problem(
    text: str, start: tuple[int, int], end: tuple[int, int], found: str, expected: set[str]
) -> None:
    problem = parse(text).problem
    assert problem is not None
    assert expected <= set(problem.expected)
    assert problem.expected == tuple(sorted(set(problem.expected)))
    where = StatementPosition(start), StatementPosition(end)
    check_parse(text, SyntaxProblem(*where, found, problem.expected))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "mov.u32 %r1, " + "(" * (MAX_NESTING + 1),
        "\\call f;",
        "\\add.s32 %r1, %r2 %r3;",
        "add.s32 " + "%r1, " * MAX_STATEMENT_LENGTH,  # of which only the beginning is read
        ".global .b8 x[] = {" + "1, " * MAX_STATEMENT_LENGTH,
        ".global .b8 x[] = {" + "1 " * MAX_STATEMENT_LENGTH,
        "add.s32 %r1 %r2" + ", 1" * MAX_STATEMENT_LENGTH,
        '{\n"key": [1, 2],\r\n' * MAX_STATEMENT_LENGTH,
        "add.s32 %r1, " + "1 + " * (MAX_STATEMENT_LENGTH // 4) + '"' + "a" * MAX_STATEMENT_LENGTH,
        "add.s32 %r1, " + "1 + " * (MAX_STATEMENT_LENGTH // 8) + "/*" + "a" * MAX_STATEMENT_LENGTH,
        "add.s32 %r1," + " " * (MAX_STATEMENT_LENGTH - 14) + "12 34;",  # cut within the wrong token
    ],
)
def test_problem_of_a_text_that_is_read_in_another_way(text: str) -> None:
    assert problem_of(text) == parse(text).problem


def test_nothing_is_read_after_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Token] = []

    def counted(text: str) -> Iterator[Token]:
        for token in tokenize(text):
            read.append(token)
            yield token

    monkeypatch.setattr(tokens, "tokenize", counted)
    problem = problem_of("add.s32 %r1 %r2" + ", 1" * 100 + ";")
    assert problem is not None
    assert problem.found == read[-1].string == "%r2"


@given(st.text(max_size=60))
def test_any_text_is_kept(text: str) -> None:
    check_parse(text, parse(text).problem)


@given(st.lists(st.sampled_from([*texts(INSTRUCTIONS), *"; , ( ) { } [ ] @ é .x".split()])))
def test_any_mixture_is_kept_and_has_one_problem_at_most(parts: list[str]) -> None:
    text = " ".join(parts)
    parsed = check_parse(text, parse(text).problem)
    if parsed.problem is not None:
        assert parsed.problem.start <= parsed.problem.end


@given(st.text(alphabet=' \t\r\n\f%.r1aA0xf_$@{}[](),;:!|"/*+-é<>=', max_size=40))
def test_tokens_join_to_the_text(text: str) -> None:
    stream = list(tokenize(text))
    assert "".join(token.prefix + token.string for token in stream) == text
    assert stream[-1].type is ENDMARKER
    positions = [token.start_pos for token in stream]
    assert positions == sorted(positions)
