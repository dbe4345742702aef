"""`ptx-ls pressure`: the live registers of files as text, as JSON and as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ptx_ls.cli.main import main

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
KERNEL = """\
.visible .entry {name}(.param .u64 out)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, 0;
again:
    mul.lo.u32 %r2, %r1, %r1;
    add.u32 %r3, %r1, 7;
    st.global.v2.u32 [%rd1], {{%r2, %r3}};
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 9;
    @%p1 bra again;
    ret;
}}
"""


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.ptx"
    path.write_text(HEAD + KERNEL.format(name="first") + KERNEL.format(name="second"))
    return path


def check_pressure(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path, status: int = 0
) -> tuple[str, str]:
    """Runs the command, and returns its output and its errors."""
    assert main(["pressure", *map(str, arguments)]) == status
    found = capsys.readouterr()
    return found.out, found.err


def test_text(kernels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = check_pressure(capsys, "--function", "first", kernels)
    assert out == (
        f"first ({kernels}:4)\n"
        "  peak: 5 registers of 32 bits (1 × 64-bit, 3 × 32-bit), after line 13\n"
        "    32-bit: %r1 %r2 %r3\n"
        "    64-bit: %rd1\n"
        "  loop at line 11: 5 registers of 32 bits (1 × 64-bit, 3 × 32-bit), after line 13\n"
    )


def test_consecutive_numbers_are_a_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sums.ptx"
    path.write_text(
        f"""{HEAD}.func sums(.reg .b32 a, .reg .b32 b)
{{
    .reg .b32 %r<10>;
    ld.global.v4.b32 {{%r1, %r2, %r3, %r4}}, [0];
    ld.global.v4.b32 {{%r7, %r8, %r9, %r6}}, [16];
    st.global.v4.b32 [32], {{%r1, %r2, %r3, %r4}};
    st.global.v4.b32 [48], {{%r7, %r8, %r9, a}};
    st.global.v2.b32 [64], {{%r6, b}};
}}
"""
    )
    out, _ = check_pressure(capsys, path)
    assert "    32-bit: %r1 … %r4 %r6 … %r9 a b\n" in out


def test_json(kernels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = json.loads(check_pressure(capsys, "--json", kernels)[0])
    assert (first["function"], second["function"], second["line"]) == ("first", "second", 20)
    assert first["peak"]["alive"] == {"32-bit": ["%r1", "%r2", "%r3"], "64-bit": ["%rd1"]}
    assert [(loop["line"], loop["depth"]) for loop in first["loops"]] == [(11, 1)]
    assert [each["line"] for each in first["lines"]] == [9, 10, 12, 13, 14, 15, 16, 17]
    assert first["lines"][-1]["registers"]["predicates"] == 0


def test_picture(kernels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "picture.svg"
    options = "--output-format", "svg", "-o", picture
    check_pressure(capsys, "--function", "second", *options, kernels)
    root = ET.parse(picture).getroot()  # noqa: S314  our own output
    title = root.findtext("{http://www.w3.org/2000/svg}title")
    assert title == "second: 5 registers of 32 bits (1 × 64-bit, 3 × 32-bit)"
    space = "{http://www.w3.org/2000/svg}"
    classes = {each.get("class"): each for each in root.iter(f"{space}rect")}
    assert classes.keys() == {"paper", "loop"}  # a dark picture is dark everywhere
    loop, right = classes["loop"], float(root.findall(f"{space}text")[-1].get("x", ""))
    # The function ends after the loop.
    assert float(loop.get("x", "")) + float(loop.get("width", "")) == pytest.approx(right)
    assert "line 29" in [each.text for each in root.iter(f"{space}text")]
    assert "2 functions" in check_pressure(capsys, *options, kernels, status=2)[1]
    missing = check_pressure(capsys, "--function", "third", *options, kernels, status=2)[1]
    assert "no function whose name contains `third` uses registers" in missing


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, errors = check_pressure(capsys, tmp_path / "none.ptx", status=2)
    assert "none.ptx" in errors


@pytest.mark.parametrize(
    "text",
    ["", "ret;", ".entry k() { ret; }", ".entry k() {", f"{HEAD}.func f();", ".reg .b32 %r1;"],
)
def test_nothing_to_show(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.ptx"
    path.write_text(text)
    assert check_pressure(capsys, path) == ("", "")
