import pytest

from benchmarks import inputs, nvcc, ptx_texts

MODULE = """\
.version 8.0
.entry one()
{
	{
	ret;
	}
}
.func two()
{
	ret;
}
.entry three() { ret;
}
"""


def check_cut(lines: int, expected: str) -> None:
    kept = ptx_texts.cut(MODULE, lines)
    assert MODULE.startswith(kept)
    assert kept.splitlines()[-1] == "}"
    assert [word for word in ("one", "two", "three") if word in kept] == expected.split()


def test_cut_ends_with_the_function_that_reaches_the_number_of_lines() -> None:
    check_cut(1, "one")
    check_cut(7, "one")
    check_cut(8, "one two")
    check_cut(11, "one two")
    check_cut(12, "one two three")


def test_cut_keeps_a_short_module_whole() -> None:
    assert ptx_texts.cut(MODULE, 100) == MODULE


def test_a_missing_nvcc_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(nvcc.VARIABLE, "/nowhere/nvcc")
    with pytest.raises(nvcc.NvccError, match="pip install"):
        inputs.make("small")
