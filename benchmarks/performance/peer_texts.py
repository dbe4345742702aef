"""Writes Python and C for tools that read no PTX: functions of 50 lines that only calculate."""

from collections.abc import Callable, Iterator
from itertools import count

_N_STATEMENTS = 46


def python_text(n_bytes: int = 0, n_lines: int = 0) -> str:
    """Returns Python of about this size in bytes or lines."""
    return _text(_python_function, n_bytes, n_lines)


def c_text(n_bytes: int = 0, n_lines: int = 0) -> str:
    """Returns C of about this size in bytes or lines."""
    return _text(_c_function, n_bytes, n_lines)


def _text(function: Callable[[int], str], n_bytes: int, n_lines: int) -> str:
    def parts() -> Iterator[str]:
        size = lines = 0
        for number in count():
            text = function(number)
            yield text
            size += len(text)
            lines += text.count("\n")
            if size >= n_bytes and lines >= n_lines:
                return

    return "".join(parts())


def _python_function(number: int) -> str:
    lines = [f"    a = (a + b * {k + 1}) ^ (b >> {k % 7 + 1})" for k in range(_N_STATEMENTS)]
    return "\n".join([f"def function_{number}(a, b):", *lines, "    return a", "", "", ""])


def _c_function(number: int) -> str:
    lines = [f"    a = (a + b * {k + 1}) ^ (b >> {k % 7 + 1});" for k in range(_N_STATEMENTS)]
    head = [f"int function_{number}(int a, int b) {{"]
    return "\n".join([*head, *lines, "    return a;", "}", "", ""])
