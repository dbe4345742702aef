"""The comparison of kept facts with fresh values, for tests."""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Callable


class StaleFactError(AssertionError):
    """Raised if a kept fact differs from the value computed from scratch."""


class FactChecking(local):
    """The comparison of facts with freshly computed ones on a thread; see `check_facts`."""

    def __init__(self) -> None:
        self.is_making = False

    is_on: ClassVar[bool] = False

    def compare(self, name: str, value: object, make: Callable[[], object]) -> None:
        """Compares a value, and the order of its keys, with the result of `make`.

        Raises:
            StaleFactError: if they differ.
        """
        if not self.is_on or self.is_making:
            return
        self.is_making = True
        try:
            fresh = make()
            if fresh != value or _keys(fresh) != _keys(value):
                raise StaleFactError(name)
        finally:
            self.is_making = False


def _keys(value: object) -> list[object]:
    return list(value) if isinstance(value, dict) else []


CHECKING: Final = FactChecking()


def check_facts(*, is_on: bool) -> None:
    """Makes each access to a fact, on any thread, compare it with a fresh value, for tests."""
    FactChecking.is_on = is_on
