"""Named tuples of our own behave like those of `typing`."""

import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from ptx_ls.source.named_tuple import NamedTuple


class Plain(NamedTuple):
    """A pair."""

    first: "int | Undefined"  # type: ignore[name-defined]  # noqa: F821  never evaluated
    second: str = "b"

    @property
    def both(self) -> str:
        """The text of both."""
        return f"{self.first}{self.second}"

    def __str__(self) -> str:
        return self.both


class Typed(typing.NamedTuple):
    """A pair."""

    first: int
    second: str = "b"

    @property
    def both(self) -> str:
        """The text of both."""
        return f"{self.first}{self.second}"

    def __str__(self) -> str:
        return self.both


@pytest.mark.parametrize(
    "look",
    [
        lambda cls: cls(1),
        lambda cls: cls(1, second="c")._replace(first=2),
        lambda cls: tuple(cls(first=1)),
        lambda cls: str(cls(1)),
        lambda cls: cls(1) == (1, "b"),
        lambda cls: hash(cls(1)),
        lambda cls: cls._fields,
        lambda cls: cls._field_defaults,
        lambda cls: cls.__doc__,
        lambda cls: cls.__module__,
        lambda cls: cls.__bases__,
        lambda cls: tuple(pickle.loads(pickle.dumps(cls(1)))),  # noqa: S301  made here
        lambda cls: [*cls.__annotations__],
        lambda cls: repr(cls(1)).partition("(")[2],
    ],
)
def test_it_is_like_that_of_typing(look: Callable[[type[Any]], object]) -> None:
    assert look(Plain) == look(Typed)


def test_values_have_no_dictionary() -> None:
    with pytest.raises(AttributeError):
        Plain(1).third = 1  # type: ignore[attr-defined]
