"""A kernel is typed key by key, from nothing, and nothing of the server's gets in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.formatter import formatted
from ptx_ls.toolchain import ptxas
from tests.server.client import Client
from tests.server.profiles import VSCODE
from tests.server.typist import start
from tests.support.assembling import require_ptxas

pytestmark = pytest.mark.slow

KEYS = """\
.version 8.5
.target sm_90
.address_size 64

.global .align 4 .u32 limits[2] = {1, 2};

.func twice(.param .b32 x)
{
.reg .b32 %r<3>;
ld.param.b32 %r1, [x];
ret;
}

.visible .entry saxpy(
.param .u64 x,
.param .u32 n
)
.maxntid 256
{
.reg .pred %p<3>;
.reg .b32 %r<8>;
.reg .f32 %f<5>;
.reg .b64 %rd<6>;

.pragma "nounroll";
ld.param.u64 %rd1, [x];  // where it is
ld.param.u32 %r1, [n];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r2, %ctaid.x;
mad.lo.s32 %r5, %r2, %r2, %r2;
setp.ge.s32 %p1, %r5, %r1;
@%p1 bra DONE;
mul.wide.s32 %rd3, %r5, 4;
ld.global.v2.f32 {%f2, %f3}, [%rd2+8];
fma.rn.f32 %f4, %f2, %f3, 0f3F800000;
{
.reg .b32 t;
mov.b32 t, -1;
}
@!%p1 st.global.f32 [%rd3], %f4;
DONE:
bar.sync 0;
ret;
}"""


def check_typed(keys: str, program: Path, place: Path) -> None:
    """Fails if a key did what it should not, or the text is not laid out or no module."""
    with Client() as client:
        typist = start(client, VSCODE)
        typist.type(keys)
        text = "\n".join(typist.lines)
    assert typist.surprises == []
    assert text.split() == KEYS.split()
    assert formatted(text, FormatStyle()) == f"{text}\n"
    check_assembled(text, program, place)


def check_assembled(text: str, program: Path, place: Path) -> None:
    """Fails if ptxas does not take a text."""
    source = place / "module.ptx"
    source.write_text(text, encoding="utf-8")
    assert ptxas.run(program, source, ptxas.target_of(text)).status == 0, text


@pytest.fixture(scope="module")
def program() -> Path:
    return require_ptxas()


def test_a_kernel_is_typed_without_a_look_at_lists(program: Path, tmp_path: Path) -> None:
    check_typed(KEYS, program, tmp_path)


CHOICES: Final = (
    (".v", ".version"),
    ("8.5\n.t", ".target"),
    ("sm_9", "sm_90"),
    ("\n.ad", ".address_size"),
    ("64\n\n.v", ".visible"),
    (".e", ".entry"),
    (" k(\n.", ".param"),
    (" .u6", ".u64"),
    (" .", ".ptr"),
    (" .g", ".global"),
    (" out\n)\n{\n.r", ".reg"),
    (".", ".pred"),
    ("\t%p<4>\t\n.r", ".reg"),
    (".b", ".b32"),
    ("\t%r<9>\t\n.r", ".reg"),
    (".b6", ".b64"),
    ("\t%rd<9>\t\nl", "ld"),
    ("param\tu64\t%", "%rd0"),
    ("\tou", "out"),
    ("\t\ncvta.t", ".to"),
    (".g", ".global"),
    (".", ".u64"),
    ("%", "%rd1"),
    ("\t%", "%rd0"),
    ("\t\nmo", "mov"),
    ("u32\t%", "%r0"),
    ("\t%ti", "%tid.x"),
    ("\t\nsetp.", ".eq"),
    (".", ".s32"),
    ("%", "%p0"),
    ("\t%", "%r0"),
    ("\t4\t\n@", "%p0"),
    (" bra DONE;\nst.", ".global"),
    (".u3", ".u32"),
    ("%", "%rd1"),
    ("\t%", "%r0"),
    ("\t\n", ""),
)
"""Keys, among them Tab to the next place of a snippet, and what is taken from the list then."""


def test_a_kernel_is_made_of_the_first_proposals(program: Path, tmp_path: Path) -> None:
    with Client() as client:
        typist = start(client, VSCODE)
        for keys, label in CHOICES:
            for number, part in enumerate(keys.split("\t")):
                if number:
                    typist.tab()
                typist.type(part)
            if label:
                typist.choose(label)
        typist.type("DO")
        typist.choose("DONE:")
        typist.type("\nre")
        typist.choose("ret")
        text = "\n".join(typist.lines)
    assert typist.surprises == []
    assert formatted(text, FormatStyle()) == f"{text}\n"
    check_assembled(text, program, tmp_path)
