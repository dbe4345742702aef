"""Named tuples of our own behave like those of `typing`."""

from __future__ import annotations

import pickle
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ptx_ls
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Plain(NamedTuple):
    """A pair."""

    first: int | Undefined  # type: ignore[name-defined]  # noqa: F821  never evaluated
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


@pytest.mark.parametrize("cls", [Plain, Typed])
def test_wrong_fields_raise(cls: type[Any]) -> None:
    with pytest.raises(TypeError):
        cls()
    with pytest.raises(TypeError):
        cls(1, third=3)
    with pytest.raises(TypeError):
        cls._make((1, 2, 3))
    with pytest.raises(ValueError, match="third"):
        cls(1)._replace(third=3)


@pytest.mark.parametrize("cls", [Plain, Typed])
def test_derived_classes(cls: type[Any]) -> None:
    class Derived(cls):  # type: ignore[misc]
        __slots__ = ()

    value = Derived(1, "c")
    assert type(value._replace(first=2)) is Derived
    assert repr(value) == "Derived(first=1, second='c')"


@pytest.mark.parametrize("cls", [Plain, Typed])
def test_patterns_match_fields(cls: type[Any]) -> None:
    match cls(1):
        case cls(first, second):
            assert (first, second) == (1, "b")
        case _:
            pytest.fail("no match")


def test_annotations_are_texts() -> None:
    for path in Path(ptx_ls.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        is_concerned = "source.named_tuple import NamedTuple" in text
        assert not is_concerned or "from __future__ import annotations\n" in text, path


def test_values_have_no_dictionary() -> None:
    with pytest.raises(AttributeError):
        Plain(1).third = 1  # type: ignore[attr-defined]
