import json
import re
from pathlib import Path

import pytest

from ptx_ls.cli.main import main
from ptx_ls.isa import database

PAGE = Path(__file__).parents[3] / "docs" / "isa-json.md"
ESCAPE = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def check_isa(capsys: pytest.CaptureFixture[str]) -> "Check":
    return Check(capsys)


class Check:
    """Runs `ptx-ls isa` and checks what it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = 0, err: str = "") -> str:
        assert main(("isa", *arguments)) == status
        printed = self._capsys.readouterr()
        assert printed.err == err
        return printed.out


def test_page(check_isa: Check) -> None:
    text = check_isa("shfl.sync")
    first = "**Exchanges a 32-bit value among the lanes of a warp.**\n"
    assert text.startswith(f"# `shfl.sync`\n\n{first}")
    for part in (
        "\n## Modifiers\n",
        "\n## Next modifiers\n",
        "\nshfl.sync.mode.b32",
        "`membermask`",
    ):
        assert part in text
    assert "\x1b" not in text
    assert ".md)" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("%tid", "threadIdx.x"),
        (".maxntid", "threads per block"),
        ("nounroll", "loops"),
        (".f16x2", "Two 16-bit floats"),
        ("sm_90a", "Hopper"),
        ("8.5", "CUDA 12.5"),
        (".shared", "Shared memory"),
        (".sat", "add"),
    ],
)
def test_other_names(check_isa: Check, name: str, expected: str) -> None:
    assert expected in check_isa(name)


def test_several_names(check_isa: Check) -> None:
    text = check_isa("add", "%tid")
    assert text.index("Adds two values.") < text.index("\n---\n") < text.index("# `%tid`")


def test_lines_are_not_wide(check_isa: Check) -> None:
    for name in ("ld", "cvt", "mbarrier", ".shared", "8.0"):
        for line in check_isa(name, "--color", "always").splitlines():
            assert len(ESCAPE.sub("", line).rstrip()) <= 100, line


def test_pages_are_laid_out_on_request(check_isa: Check) -> None:
    shown = ESCAPE.sub("", check_isa("add", "--color", "always"))
    assert "Adds two values." in shown
    assert not {"**", "```", "| ---"} & {part for part in ("**", "```", "| ---") if part in shown}
    words = re.findall(r"[a-z]{5,}", check_isa("add").replace("https", ""))
    assert not [word for word in words if word not in re.sub(r"\s+", "", shown)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adddd"], "nothing in PTX is called `adddd` (did you mean `add`?)"),
        (["ld.globl.u32"], "`ld` has no modifier `.globl` (did you mean `.global`?)"),
        (["mbarier.init"], "no opcode is called `mbarier` (did you mean `mbarrier`?)"),
        (["%tidd"], "nothing in PTX is called `%tidd` (did you mean `%tid`?)"),
        (["add.sat.cc"], "no form of `add` takes `.sat.cc`"),
        (["\x1b"], "nothing in PTX is called `\\x1b`"),
        (["add", "--stats"], "NAME cannot be combined with --stats"),
        (["add", "--list"], "--list cannot be combined with NAME"),
        (["--stats", "--list"], "--list cannot be combined with --stats"),
    ],
)
def test_complaints(check_isa: Check, arguments: list[str], message: str) -> None:
    check_isa(*arguments, status=2, err=f"ptx-ls: {message}\n")


def test_unknown_category(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("isa", "--category", "vido")) == 2
    message = "ptx-ls: no category `vido` (did you mean `video`?); the categories are arithmetic, "
    assert capsys.readouterr().err.startswith(message)


def test_index(check_isa: Check) -> None:
    text = check_isa()
    assert set(text.split()) >= database().opcodes | {"%tid", ".maxntid", "sm_90a", "9.5"}
    assert max(map(len, text.splitlines())) <= 100


def test_list(check_isa: Check) -> None:
    lines = check_isa("--list").splitlines()
    assert {line.split()[0] for line in lines} >= database().opcodes
    (line,) = (line for line in lines if line.startswith("shfl "))
    assert line.split(maxsplit=1)[1] == (
        "data movement      Exchanges a 32-bit value among the lanes of a warp."
    )
    only = check_isa("--category", "video").splitlines()
    assert len(only) > 10
    assert all(line.startswith("v") and "  video  " in line for line in only)


def test_facts_within_facts_keep_their_keys(check_isa: Check) -> None:
    (entry,) = json.loads(check_isa("sm_90a", "--json"))
    assert entry["limits"]["threads"] == 1024
    assert isinstance(entry["products"], list)


def test_list_as_json(check_isa: Check) -> None:
    listed = json.loads(check_isa("--json"))
    assert {each["name"] for each in listed if each["kind"] == "instruction"} == database().opcodes
    assert listed == json.loads(check_isa("--list", "--json"))
    assert all(set(each) == {"name", "kind", "category", "summary"} for each in listed)


def test_statistics(check_isa: Check) -> None:
    counts = json.loads(check_isa("--stats", "--json"))
    assert counts["mnemonics"] == len(database().opcodes)
    assert counts["forms"] > 500
    assert counts["documented"] <= counts["mnemonics"]
    lines = check_isa("--stats").splitlines()
    assert [line.split("  ")[0].replace(" ", "_") for line in lines] == list(counts)
    assert int(lines[0].split()[-1]) == counts["mnemonics"]


@pytest.mark.parametrize(
    "name", ["mma", "shfl.sync", "%tid", ".maxntid", "nounroll", ".f16x2", "sm_90a", "8.5", ".sat"]
)
def test_keys_of_json_are_documented(check_isa: Check, name: str) -> None:
    documented = set(
        re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", PAGE.read_text("utf-8"))))
    )
    for entry in json.loads(check_isa(name, "--json")):
        assert {"kind", "name", "summary"} <= set(entry)
        for value in (entry, *(each for key in entry for each in parts(entry[key]))):
            assert set(value) - documented - {"doc"} == set() or "registers" in value, value.keys()


def parts(value: object) -> list[dict[str, object]]:
    """The objects in a list; none of anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def test_any_case(check_isa: Check) -> None:
    assert check_isa("ADD.S32").startswith("# `add.s32`")
    assert check_isa("SM_90A").startswith("# `sm_90a`")


@pytest.mark.slow
def test_words_in_pages(check_isa: Check) -> None:
    note = "nothing in PTX is called `{}`; these pages contain the words:\n"
    words = "global memory"  # a name is near, but it is not what two words ask for
    assert "\nld " in check_isa(words, err=note.format(words))
    found = check_isa("interleave", err=note.format("interleave"))
    assert "tensormap" in {line.split()[0] for line in found.splitlines()}
    (first, *_) = check_isa("Async", "Proxy", err=note.format("Async Proxy")).splitlines()
    assert "async proxy" in first.lower()
    listed = json.loads(check_isa("interleave", "--json", err=note.format("interleave")))
    assert [it["name"] for it in listed] == [line.split()[0] for line in found.splitlines()]


@pytest.mark.slow
def test_words_in_no_page(check_isa: Check) -> None:
    check_isa("nosuch", status=2, err="ptx-ls: nothing in PTX is called `nosuch`\n")
