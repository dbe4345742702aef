import pytest

from ptx_ls.cli.arguments import ArgumentParser, UsageError, number_from


def check_parsed(arguments: list[str], names: list[str], count: int | None) -> None:
    options = parser().parse(arguments)
    assert (options.names, options.count) == (names, count)


def check_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parser().parse(arguments)
    assert str(caught.value) == f"{message}; see `tool --help`"


def parser() -> ArgumentParser:
    tool = ArgumentParser(prog="tool")
    tool.add_argument("names", nargs="*")
    tool.add_argument("--count", type=number_from(1))
    return tool


def test_options_may_stand_anywhere() -> None:
    check_parsed(["a", "--count", "2", "b"], ["a", "b"], 2)
    check_parsed(["--count=2", "a"], ["a"], 2)
    check_parsed(["-", "a"], ["-", "a"], None)


def test_a_near_option_is_proposed() -> None:
    check_refused(["--cuont", "2"], "unknown option `--cuont` (did you mean `--count`?)")
    check_refused(["--cuont=2"], "unknown option `--cuont` (did you mean `--count`?)")
    check_refused(["--xyz"], "unknown option `--xyz`")
    check_refused(["--cat"], "unknown option `--cat`")  # the dashes alone are not similar


def test_an_option_is_not_to_be_shortened() -> None:
    check_refused(["--cou", "2"], "unknown option `--cou` (did you mean `--count`?)")


@pytest.mark.parametrize("count", ["0", "-1", "x", "1.5", ""])
def test_a_count_is_positive(count: str) -> None:
    check_refused(
        [f"--count={count}"],
        f"argument --count: expected a whole number of at least 1, found `{count}`",
    )
