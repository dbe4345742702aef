import json
from pathlib import Path

import pytest

from ptx_ls.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"
MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel()
{
    cp.async.wait_all;
    ret;
}
"""


@pytest.fixture
def check_requirements(capsys: pytest.CaptureFixture[str]) -> "Check":
    return Check(capsys)


class Check:
    """Runs `ptx-ls requirements` and returns what it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = 0, err: str = "") -> str:
        assert main(("requirements", *arguments)) == status
        printed = self._capsys.readouterr()
        assert printed.err == err
        return printed.out


@pytest.fixture
def module(tmp_path: Path) -> str:
    path = tmp_path / "module.ptx"
    path.write_text(MODULE, encoding="utf-8")
    return str(path)


def test_what_a_file_needs(check_requirements: Check, module: str) -> None:
    text = check_requirements(module)
    assert text.startswith(f"{module}: needs PTX ISA 7.8 for `sm_90`, and declares 8.0\n")
    assert "  lowest version for any target: PTX ISA 7.0 (CUDA 11.0, driver 450.51.05)" in text
    assert "  oldest target: `sm_80`\n    line 6: `cp.async.wait_all`\n" in text


def test_what_is_in_the_way(check_requirements: Check, module: str) -> None:
    text = check_requirements("--target", "sm_75", module, status=1)
    assert text == (
        f"{module}: 1 feature not supported by sm_75\n"
        "  line 6: `cp.async.wait_all` needs PTX ISA 7.0 and sm_80 or newer\n"
    )


def test_nothing_in_the_way(check_requirements: Check, module: str) -> None:
    text = check_requirements("--target", "sm_80", "--version", "7.0", module)
    assert text == f"{module}: compatible with PTX ISA 7.0 and sm_80\n"


def test_json(check_requirements: Check, module: str) -> None:
    (facts,) = json.loads(check_requirements("--json", "--version", "6.5", module, status=1))
    assert facts["declared"] == {"version": "8.0", "target": "sm_90"}
    assert facts["version_for_target"] == {"value": "7.8", "forced_by": []}
    assert facts["target"]["value"] == facts["targets"][0] == "sm_80"
    assert facts["lacking"] == [{"line": 6, "what": "cp.async.wait_all"}]


def test_several_files(check_requirements: Check) -> None:
    assert check_requirements(str(EXAMPLES)).count(": needs PTX ISA") >= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a PATH, such as `ptx-ls requirements .` for all files below this directory"),
        (
            ["--version", "7.9", "x.ptx"],
            "--version: unknown PTX ISA version `7.9` (did you mean `7.8`?)",
        ),
        (["--target", "debug", "x.ptx"], "--target: unknown target `debug`"),
        (["missing.ptx"], "missing.ptx: No such file or directory"),
        (["no\nsuch.ptx"], "no\\nsuch.ptx: No such file or directory"),
    ],
)
def test_bad_input(check_requirements: Check, arguments: list[str], message: str) -> None:
    check_requirements(*arguments, status=2, err=f"ptx-ls: {message}\n")


def test_a_binary_keeps_nobody_from_the_rest(
    capsys: pytest.CaptureFixture[str], module: str, tmp_path: Path
) -> None:
    (tmp_path / "binary.ptx").write_bytes(b"\x7fELF\0\0\xff\xfe")
    assert main(["requirements", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{module}: needs")
    assert printed.err.count("\n") == 1
