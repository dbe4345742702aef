"""The values in shared memory that are known while a kernel runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_COLUMNS: Final = 512


class KnownMemory:
    """The values in shared memory that are known, by their addresses.

    Attributes:
        stored: what threads have stored.
        answers: what instructions have stored: addresses of columns of Tensor Memory, and numbers
            of requests to cancel a launch.
    """

    def __init__(self) -> None:
        self.stored: dict[int, int | None] = {}
        self.answers: dict[int, int] = {}
        self._n_columns: dict[int, int] = {}
        self._n_tries = 0

    def store(self, address: int | None, value: int | None) -> None:
        """Notes a store; with an unknown address, nothing is known after it."""
        if address is None:
            self.stored.clear()
        else:
            self.stored[address] = value

    def forget(self, address: int, n_bytes: int) -> None:
        """Notes that a copy writes to shared memory."""
        for each in [it for it in self.stored if address <= it < address + n_bytes]:
            del self.stored[each]

    def allocate(self, address: int | None, n_columns: int | None, rank: int) -> bool:
        """Gives a block columns of Tensor Memory; returns whether it has as many left.

        Their address is stored at another one.
        """
        first, wanted = self._n_columns.get(rank, 0), n_columns or _MOST_COLUMNS
        if first + wanted > _MOST_COLUMNS:
            return False
        if address is not None:
            self.answers[address] = first
        self._n_columns[rank] = first + wanted
        return True

    def free(self, n_columns: int | None, rank: int) -> None:
        """Takes columns of Tensor Memory back; all of them if their number is unknown."""
        left = self._n_columns.get(rank, 0) - (n_columns or _MOST_COLUMNS)
        self._n_columns[rank] = max(0, left)

    def try_to_cancel(self, addresses: Iterable[int]) -> None:
        """Notes that a request to cancel a launch answers to some addresses.

        As many requests succeed as the number in all parameters says.
        """
        self._n_tries += 1
        self.answers.update(dict.fromkeys(addresses, self._n_tries))
