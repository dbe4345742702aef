"""Calls over several lines are read as the cutter reads them."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax import reader as reader_module
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import MultiLine
from tests.support.reading import describe

CORPUS = Path(__file__).parents[2] / "corpus"
PARTS = [
    *["call", "call.uni", "call.uni ", "\tcall ", "(r), ", "(r),", "(%r1), ", "(r)"],
    *[
        "\n",
        " \n\t",
        "\r\n",
        "// x\n",
        "f,",
        "add,",
        "%rd1,",
        "ret",
        "bra,",
        "_",
        "WARP_SZ,",
        "mov.b32",
    ],
    *[
        "(\n",
        "(",
        ")",
        ");\n",
        "\n)\n",
        "\n);\n",
        ", p;",
        "\n, p;",
        "a,\n",
        "a\n",
        "7,\n",
        "a",
        ";",
        "@%p ",
    ],
    *["{", "}", "l:", ".param", "/* */", '"', "a b\n", "%r1\n", "é"],
]


def check_calls(text: str) -> int:
    """Compares what begins on each line with the cutter's reading; returns the number of calls."""
    lines = split_lines(text)
    plain = 0
    for row in range(len(lines)):
        reader = Reader()
        quick = reader._read_call(lines, row)  # noqa: SLF001
        if quick is None:
            continue
        found, stop = reader.read(lines, row)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reader_module, "read_call", lambda *_: None)
            slow, slow_stop = reader.read(lines, row)
        assert isinstance(found, MultiLine)
        assert isinstance(slow, MultiLine)
        assert (describe(found), stop) == (describe(slow), slow_stop)
        assert found.pieces[0].record is slow.pieces[0].record
        plain += 1
    return plain


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("\tcall.uni (retval0), \n\tf, \n\t(\n\tparam0, \n\tparam1\n\t);\n", 1),
        ("call.uni \nf, \n(\n);\n", 1),
        ("call (r), \n%rd1, \n(\na\n)\n, prototype_0;\n", 1),
        ("call.uni\nf,\n(\na\n); // note\n", 1),
        ("call.uni\nf,\n(\na\n); ret;\n", 0),
        ("call.uni\nf,\n(\na b\n);\n", 0),
        ("call.uni\nf,\n(\n7\n);\n", 0),
        ("call.uni\nf,\n(\na,\n);\n", 0),
        ("call.uni f,\n(a);\n", 0),
        ("call.uni\nf,\n(\na\n)\n", 0),
    ],
)
def test_plain_calls(text: str, count: int) -> None:
    assert check_calls(text) == count


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
@example("call.uni\nadd,\n(\nret\n);\n")
@example("call.uni\nl,\n(\nbra,\n_\n);\n")
def test_any_parts(text: str) -> None:
    check_calls(text)


def test_any_names() -> None:
    names = [
        "f",
        "add",
        "ret",
        "exit",
        "bra",
        "call",
        "mov",
        "_",
        "%r1",
        "WARP_SZ",
        "$L",
        "pmevent",
        "x",
    ]
    for first, second in product(names, repeat=2):
        assert check_calls(f"call.uni ({first}), \n{second}, \n(\n{first}, \n{second}\n);\n") <= 1
        assert check_calls(f"call \n{first}, \n(\n{second}\n)\n, {first};\n") <= 1


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.ptx")), ids=lambda path: path.stem)
def test_calls_of_the_corpus(path: Path) -> None:
    assert check_calls(path.read_bytes().decode(errors="replace")) >= 0
