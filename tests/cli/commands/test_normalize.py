from pathlib import Path

import pytest

from ptx_ls.cli.main import main

MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.global .u32 counter;
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];   // the address
$L1:
    ld.global.u32 %r1, [%rd1];
    add.s32 %r2, %r1, 0x10;
    st.global.u32 [%rd1+0], %r2;
    setp.ne.s32 %p1, %r2, 0;
    @%p1 bra $L1;
    ret;
}
"""


def check_normalize(
    capsys: pytest.CaptureFixture[str], path: Path, status: int = 0, err: str = ""
) -> str:
    assert main(("normalize", str(path))) == status
    printed = capsys.readouterr()
    assert printed.err == err
    return printed.out


def test_the_canonical_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(MODULE, encoding="utf-8")
    text = check_normalize(capsys, path)
    lines = text.splitlines()
    assert lines[:10] == [
        ".version 8.0",
        ".target sm_90",
        ".address_size 64",
        ".global .u32 counter;",
        "",
        ".visible .entry k(",
        "  .param .u64 param_0",
        ")",
        "{",
        "  .reg .b32 %r<100000>;",
    ]
    assert lines[-1] == "}"
    assert "//" not in text
    path.write_text(MODULE.replace("%r1", "%r0").replace("$L1", "Top"), encoding="utf-8")
    assert check_normalize(capsys, path) == text
    path.write_text(text, encoding="utf-8")
    assert check_normalize(capsys, path) == text


def test_one_changed_statement_changes_few_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(MODULE, encoding="utf-8")
    before = check_normalize(capsys, path).splitlines()
    inserted = MODULE.replace("$L1:\n", "st.global.u32 [counter], 5;\n$L1:\n")
    path.write_text(inserted, encoding="utf-8")
    after = check_normalize(capsys, path).splitlines()
    assert set(before) - set(after) == set()
    assert set(after) - set(before) == {"  st.global.u32 [counter], 5;"}


def test_names_of_variables_do_not_count(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "k.ptx"
    variables = "{\n.local .b8 stack[8];\n.shared .b8 tile[8];\n.global .u32 once = 1;\n"
    uses = "st.local.u8 [stack], 1;\nst.shared.u8 [tile], 1;\nst.global.u32 [once], 2;\nret;\n"
    old = MODULE.replace("{\n", variables).replace("ret;\n", uses)
    path.write_text(old, encoding="utf-8")
    text = check_normalize(capsys, path)
    names = (("stack", "depot"), ("tile", "counter_1"), ("once", "first"))
    for name, other in names:
        assert name not in text
        old = old.replace(name, other)
    path.write_text(old, encoding="utf-8")
    assert check_normalize(capsys, path) == text


def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    reason = f"ptx-ls: {path}: No such file or directory\n"
    assert check_normalize(capsys, path, status=2, err=reason) == ""
    path.write_text("hello", encoding="utf-8")
    reason = f"ptx-ls: {path}: not PTX: it does not begin with `.version`\n"
    assert check_normalize(capsys, path, status=2, err=reason) == ""
