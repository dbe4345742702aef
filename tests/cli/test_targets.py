"""`ptx-ls lint` with targets and versions other than those of the files."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from ptx_ls.cli.main import main
from ptx_ls.cli.reports import sarif
from ptx_ls.cli.reports.choice import OutputFormat
from tests.support.schemas import public_schema

pytestmark = pytest.mark.excerpts

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
BODY = ".entry k()\n{\n.reg .b32 %r<3>;\nredux.sync.add.s32 %r1, %r2, -1;\nret;\n}\n"
NOT_ONE = "target names, but `{}` is not one (did you mean `{}`?)"
NEEDS = (
    "a.ptx:7:1: error: `redux.sync.add.s32` needs PTX ISA 7.0 and sm_80 or newer, but "
    "`.target` is {} [unsupported-target]"
)
FOR_ONE = (
    "a.ptx:2:9: error: `sm_100` needs PTX ISA 8.6, but `.version` is 8.0 (for sm_100)"
    " [unsupported-version]"
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ptx").write_text(HEADER + BODY, "utf-8")


def check_lint(
    capsys: pytest.CaptureFixture[str],
    arguments: str,
    out: tuple[str, ...] = (),
    err: tuple[str, ...] = (),
    status: int = 0,
) -> None:
    """Runs `ptx-ls lint` on the files `*.ptx`, and checks the lines that it writes."""
    assert main(["lint", "--output-format", "concise", *arguments.split()]) == status
    printed = capsys.readouterr()
    assert printed.out.splitlines() == list(out)
    assert printed.err.splitlines() == list(err)


def test_a_row_for_each_target(capsys: pytest.CaptureFixture[str]) -> None:
    check_lint(
        capsys,
        "--target sm_70,sm_80 --target sm_100",
        (FOR_ONE, NEEDS.format("sm_70")),
        (
            "target  accepts  errors  first error",
            f"sm_70   no       1       {NEEDS.format('sm_70').replace(' error:', '')}",
            "sm_80   yes      0",
            f"sm_100  no       1       {FOR_ONE.replace(' error:', '')}",
            "Found 2 errors in 1 file (1 checked)",
        ),
        status=1,
    )


def test_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.ptx").write_text(HEADER + ".entry k() { ret; }\n", "utf-8")
    check_lint(
        capsys,
        "--target sm_75,sm_80",
        (NEEDS.format("sm_75"),),
        (
            "target  accepts  errors  first error",
            f"sm_75   1 of 2   1       {NEEDS.format('sm_75').replace(' error:', '')}",
            "sm_80   2 of 2   0",
            "Found 1 error in 1 file (2 checked)",
        ),
        status=1,
    )


def test_another_version(capsys: pytest.CaptureFixture[str]) -> None:
    check_lint(capsys, "-q --target sm_100 --isa-version 8.6")
    found = (
        "a.ptx:2:9: error: `sm_80` needs PTX ISA 7.0, but `.version` is 6.5 [unsupported-version]"
    )
    check_lint(capsys, "-q --isa-version 6.5", (found,), status=1)


@pytest.mark.parametrize(
    "limit",
    ["--max-version 7.8", "--toolkit 11.8", "--driver 520.61.05", "--driver 524"],
)
def test_a_limit(capsys: pytest.CaptureFixture[str], limit: str) -> None:
    found = (
        "a.ptx:1:10: error: PTX ISA 8.0 (CUDA 12.0, driver 525) is newer than 7.8, the newest"
        " version that is allowed [unknown-version]"
    )
    check_lint(capsys, f"-q {limit}", (found,), status=1)
    Path("a.ptx").write_text((HEADER + BODY).replace("8.0", "7.8"), "utf-8")
    check_lint(capsys, f"-q {limit}")


def test_the_lowest_of_several_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-q", "--toolkit", "13.0", "--driver", "470", "a.ptx"]) == 1
    assert "is newer than 7.4" in capsys.readouterr().out


def test_the_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ptx-ls.toml").write_text('[lint]\ntarget = ["sm_75"]\nmax-version = "8.4"\n', "utf-8")
    check_lint(capsys, "-q", (NEEDS.format("sm_75"),), status=1)
    check_lint(capsys, "-q --target sm_80")
    check_lint(capsys, "-q --isolated")
    assert main(["lint", "--show-settings"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {'target = ["sm_75"]', 'max-version = "8.4"'} <= {*lines}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            'target = ["sm_90b"]',
            "target names, but `sm_90b` is not one (did you mean `sm_90`?)",
        ),
        ('target = "sm_80"', "a list of targets"),
        ("isa-version = 8.4", "a PTX ISA version from 1.0 to 9.5, in quotes"),
        ('max-version = "8.44"', "a PTX ISA version from 1.0 to 9.5, found `8.44`"),
    ],
)
def test_mistakes_in_the_configuration(
    capsys: pytest.CaptureFixture[str], line: str, complaint: str
) -> None:
    Path("ptx-ls.toml").write_text(f"[lint]\n{line}\n", "utf-8")
    assert main(["lint"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--target SM_80", f"expected {NOT_ONE.format('SM_80', 'sm_80')}"),
        ("--target sm_81", f"expected {NOT_ONE.format('sm_81', 'sm_89')}"),
        ("--target compute_80", f"expected {NOT_ONE.format('compute_80', 'sm_80')}"),
        ("--target debug", "expected target names, but `debug` is not one"),
        ("--target=,", "expected target names, found nothing"),
        ("--isa-version 8", "expected a PTX ISA version from 1.0 to 9.5, found `8`"),
        ("--toolkit 12", "expected a CUDA release from 1.0 to 13.5, found `12`"),
        ("--driver new", "expected a driver from 190 to 615, found `new`"),
        ("--isa-version 8.0 --toolkit 12.0", "--isa-version cannot be combined with --toolkit"),
    ],
)
def test_mistakes_on_the_command_line(
    capsys: pytest.CaptureFixture[str], arguments: str, complaint: str
) -> None:
    assert main(["lint", *arguments.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.count("\n") == 1


def test_json_has_the_targets(capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "--output-format", "jsonl", "-q", "--target", "sm_70,sm_75,sm_100"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["targets"] for each in found] == [["sm_100"], ["sm_70", "sm_75"]]


def test_sarif_has_the_targets(capsys: pytest.CaptureFixture[str]) -> None:
    main(["lint", "--output-format", "sarif", "-q", "--target", "sm_70,sm_80"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, public_schema(sarif.SCHEMA))
    (result,) = report["runs"][0]["results"]
    assert result["properties"] == {"targets": ["sm_70"]}


@pytest.mark.parametrize("output_format", [each.value for each in OutputFormat])
def test_every_format_says_which_targets(
    capsys: pytest.CaptureFixture[str], output_format: str
) -> None:
    main(["lint", "--output-format", output_format, "-q", "--target", "sm_70,sm_100"])
    out = capsys.readouterr().out
    assert "(for sm_100)" in out
    assert "`.target` is sm_70" in out


def test_a_byte_order_mark_is_wrong_for_all_targets(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.ptx").write_text(f"\ufeff{HEADER}{BODY}", "utf-8")
    mark = "a.ptx:1:1:{} byte order mark before the text: ptxas rejects it;"
    rest = " `--fix` removes it [syntax-error]"
    check_lint(
        capsys,
        "--target sm_80,sm_90",
        (mark.format(" error:") + rest,),
        (
            "target  accepts  errors  first error",
            f"sm_80   no       1       {mark.format('')}{rest}",
            f"sm_90   no       1       {mark.format('')}{rest}",
            "Found 1 error in 1 file (1 checked)",
        ),
        status=1,
    )
