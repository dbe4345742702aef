"""Spellings that no manual shows: an error of ours exactly where ptxas has one.

Each is judged twice: by the rules, and, where ptxas is installed, by ptxas, reading only.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from certify.reading_errors import reading_errors
from ptx_ls import lint
from ptx_ls.document.document import Document
from tests.support.assembling import assemble

HEADER = ".version 9.5\n.target sm_100a\n.address_size 64\n"
KERNEL = """\
.visible .entry kernel(.param .u64 p)
{{
.reg .pred %p<10>;
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
{}
ret;
}}
"""


def in_body(statement: str) -> str:
    """A module with a statement in the body of a kernel."""
    return HEADER + KERNEL.format(statement)


def after_functions(statement: str) -> str:
    """A module with a statement in the body of a kernel, which may call `f` and `g`."""
    return HEADER + FUNCTIONS + KERNEL.format(statement)


def in_module(text: str) -> str:
    """A module with a text before a kernel."""
    return HEADER + text + "\n" + KERNEL.format("")


DETACHED = (
    "tcgen05.wait ::ld.sync.aligned;",
    "tcgen05.wait\t::st.sync.aligned;",
    "tcgen05.wait\n::ld.sync.aligned;",
    "tcgen05.wait/* why */::ld /* so */ .sync.aligned;",
    "tcgen05.wait // why\n::ld.sync.aligned;",
    "@%p1 tcgen05.wait ::ld.sync.aligned; mov.b32 %r1, %r2;",
    "tcgen05.wait.sync ::st .aligned;",
    "tcgen05.wait.sync.aligned ::ld;",
    "tcgen05.fence ::after_thread_sync;",
    "tcgen05.fence/**/::before_thread_sync;",
    "mov.b32 ::ld %r1, %r2;",
    "mov ::after_thread_sync.b32 %r1, %r2;",
    "exit ::st;",
)
NOT_DETACHED = (
    "tcgen05.wait:: ld.sync.aligned;",
    "tcgen05.wait : :ld.sync.aligned;",
    "tcgen05.wait ::ldx.sync.aligned;",
    "tcgen05.wait.sync::ld.aligned;",
    "tcgen05.wait ::ld ::st.sync.aligned;",
    "tcgen05.wait::ld ::ld.sync.aligned;",
    "tcgen05 .wait ::ld.sync.aligned;",
    "tcgen05.fence ::after_thread_sync.sync;",
    "tcgen05.fence::after_thread_sync ::before_thread_sync;",
    "tcgen05.alloc.cta_group ::1.sync.aligned.shared::cta.b32 [%rd1], 32;",
    "ld.shared ::cta.b32 %r1, [%rd1];",
    "ld.global.L1 ::evict_last.b32 %r1, [%rd1];",
    "fence.proxy.tensormap ::generic.release.gpu;",
    "mov.b32 %r1, ::ld;",
    "mov.b32 %r1, %tid ::ld;",
    "::ld: ret;",
)
STRINGS_OVER_LINES = (
    '.pragma "a\nb";',
    '.pragma "a\r\nb", "c\rd";',
    '.pragma "noun\nroll";',
    '.pragma\n"a\n\n// b\n/* c"\n, "d\n"\n;',
    '.pragma "' + "a\n" * 60 + '";',
)
FILES_OVER_LINES = (
    '.file 1 "a\nb"',
    '.file 1 "a\nb", 1, 2\n.file 2 "c"',
    '.file\n1\n"\n"/* c */ .file 2 "d\n" .file 3 "e"',
    '.file 1 "a\\\n"',
)
STRINGS_CUT_SHORT = (
    '.pragma "a;',
    '.pragma "a\n.pragma "b";',
    '.pragma "a\n" "b";',
    '.pragma "a\né";',
    '.pragma "a\n\0";',
    '.file 1 "a\n.file 2 "b"',
    '.file 1 "a\n\n\n',
    '.section "a\nb" { .b8 1 }',
    '.global .b8 x[] = "a\\nb";',
    '.section .debug_str { .b8 "a\nb" }',
    '.metadata_section "a\nb" { }',
)
FILE_NAMES = (
    "a\nb",
    "a\r\nb",
    "a\rb",
    "a\n\nb\n",
    "\n",
    "a\n// b",
    "/*\n*/",
    "a\nret;\n}",
    "\n" * 60,
)
MARKERS_OVER_LINES = (
    *(f'# 1 "{name}"' for name in FILE_NAMES),
    '# 1 "a\nb" 1 3',
    '# 1 "a\nb"\t',
    '#line 1 "a\nb"',
    '#line1 "a\nb"',
    '# line 1 "a"',
)
"""Line markers of a preprocessor with line ends in the name of the file."""
NO_MARKERS = (
    '# 1 "a\nb" // c',
    '# 1 "a\nb" x',
    '# 1 "a\nb";',
    '# 1 "a\nb" /* c */',
    '# 1 "a\nb" # 2 "c"',
    '# 1 "a\n',
    '# 1 "a\né"',
    '# 1\n"a"',
    '#1"a\nb"',
)
RAW_TEXTS = (
    ".source_begin\nx\n.source_end",
    ".source_begin\n.source_end",
    ".source_begin \t\nx\n\t .source_end \t",
    ".source_begin\n\n.source_begin\n.source_end",
    ".source_begin\n/* .source_end */\n.source_end",
    '.source_begin\n"a .source_end"\nx .source_end\n.source_end',
    ".source_begin\n.source_end_\n..source_end\n.source_end",
    '.source_begin\n# 1 "\n} ; " /*\n.source_end',
    ".source_begin\nx\r\n.source_end",
)
"""Raw text and the directives around it, each of which ends its line."""
NO_RAW_TEXTS = (
    "",
    ".source_begin x\n.source_end",
    ".source_begin .source_end",
    ".source_begin.source_end",
    ".source_begin // c\nx\n.source_end",
    ".source_begin /* c */\nx\n.source_end",
    ".source_begin;\nx\n.source_end",
    ".source_begin$\nx\n.source_end",
    ".source_begin::a\nx\n.source_end",
    ".source_begin\f\nx\n.source_end",
    ".source_begin\nx .source_end",
    ".source_begin\nx.source_end",
    ".source_begin\n.source_endx",
    ".source_begin\n.source_end // c",
    ".source_begin\n.source_end /* c */",
    ".source_begin\n.source_end }",
    ".source_begin\n.source_end;",
    ".source_begin\n// .source_end",
    ".source_begin\né\n.source_end",
    ".source_begin\n.source_end\n.source_begin\n.source_end",
)
LONE = tuple(
    f"{word}{gap}{instruction}"
    for word in (
        ".visible", ".weak", ".extern", ".common", ".global", ".shared", ".local", ".const",
        ".param", ".reg", ".v2", ".align 4", ".attribute", ".visible .global",
    )
    for gap, instruction in (("\n", "ret;"), (" ", "exit;"), ("\n// why\n\n", "trap;"))
)  # fmt: skip
"""Half a declaration before an instruction without operands, which is not a variable's name."""
NAMED_AS_INSTRUCTIONS = (
    ".global .b32 ret; .shared .b32 exit;",
    ".reg .b32\nret;\nmov.b32 ret, %r1;\nadd.u32 %r1, %r2,\nret;",
)
DATA_TYPES = tuple(
    text.format(data)
    for text in ("{};", ".reg {} x;", ".global {};", ".shared {} x;", ".align 4 {};")
    for data in (".byte", ".4byte", ".quad")
)
"""Types of the data of sections, in declarations."""
ESCAPED = ("\\ add.u32 %r1, %r2, 1;", "@%p1 \\ exit;", "\\bra L; L:", "{ \\ ret; }")
"""A backslash before an opcode."""
ESCAPED_CALLS = tuple(
    text.format(call)
    for text in ("\\ {}", "\\{}", "@%p1 \\ {}", "{{ \\\n{} }}")
    for call in ("call f;", "call.uni f, ();", "call\n.uni f;", "call (%r1), g;")
)
FUNCTIONS = ".func f() { ret; }\n.func (.reg .b32 a) g() { ret; }\n"
NO_OPCODE = (
    "WARP_SZ;",
    "WARP_SZ .global .u32 x;",
    "WARP_SZ.u32 %r1;",
    "@%p1 WARP_SZ .u32 %r1, %r2;",
    "\\ WARP_SZ .u32;",
)


def in_section(text: str) -> str:
    """A module with a text where a section of another compiler has its source."""
    head = '.file 1 "a"\n.nv_intermediate_source_section {\n.code_block {\n.ir_name: "T"\n'
    return in_module(f"{head}.sourceFileName: 1 {text}\n}}\n}}")


def around(marker: str) -> tuple[str, ...]:
    """Modules with a line marker in every place."""
    return (
        marker + "\n" + in_module(""),
        ".version 9.5\n" + marker + in_module("").removeprefix(".version 9.5"),
        in_module(marker),
        in_module(f".global .b32 x; {marker}"),
        in_module(f'.file 1\n{marker}\n"a"'),
        in_body(marker),
        in_body(f"mov.b32 %r1,\n{marker}\n%r2;"),
        in_body(f"mov.b32 %r1, %r2; {marker}"),
        in_module("") + marker + "\n",
    )


ACCEPTED = (
    *map(in_section, RAW_TEXTS),
    *map(in_body, ESCAPED),
    *(after_functions(each.replace("\\", "")) for each in ESCAPED_CALLS),
    *(text for marker in MARKERS_OVER_LINES for text in around(marker)),
    *map(in_body, NAMED_AS_INSTRUCTIONS),
    *map(in_body, DETACHED),
    *map(in_body, STRINGS_OVER_LINES),
    *map(in_module, STRINGS_OVER_LINES),
    *map(in_module, FILES_OVER_LINES),
)
REJECTED = (
    *map(in_section, NO_RAW_TEXTS),
    *map(in_module, RAW_TEXTS),
    *map(in_body, RAW_TEXTS),
    *map(after_functions, ESCAPED_CALLS),
    *(text for marker in NO_MARKERS for text in around(marker)),
    in_module("") + '# 1 "a"',
    in_module("") + '# 1 "a\nb" ',
    *map(in_body, NOT_DETACHED),
    *map(in_body, STRINGS_CUT_SHORT),
    *map(in_module, STRINGS_CUT_SHORT),
    *map(in_body, LONE),
    *map(in_module, LONE),
    *map(in_body, DATA_TYPES),
    *map(in_module, DATA_TYPES),
    *map(in_body, NO_OPCODE),
    *map(in_module, NO_OPCODE),
)


def check_accepted(text: str) -> bool:
    """Whether the rules find no error in a module that ptxas would have while it reads."""
    return not reading_errors(lint.lint(Document.read(text)))


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_ptxas_accepts_is_no_error(text: str) -> None:
    assert check_accepted(text)


@pytest.mark.slow
@pytest.mark.parametrize("text", REJECTED)
def test_what_ptxas_rejects_is_an_error(text: str) -> None:
    assert not check_accepted(text)


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("text", ACCEPTED + REJECTED)
def test_ptxas_says_so(text: str, tmp_path: Path) -> None:
    assert (assemble(text, tmp_path, "compute_100a").status == 0) is (text in ACCEPTED)
