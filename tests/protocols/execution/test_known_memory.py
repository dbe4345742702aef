"""The known contents of shared memory, and the columns of Tensor Memory that are in use."""

from __future__ import annotations

from ptx_ls.protocols.execution.known_memory import KnownMemory


def check_columns(script: list[tuple[int, int]], expected: list[int | None]) -> None:
    """Compares the first columns that blocks get: a rank with a number, negative to free them."""
    memory = KnownMemory()
    found: list[int | None] = []
    for rank, number in script:
        if number < 0:
            memory.free(-number, rank)
        else:
            is_given = memory.allocate(8, number, rank)
            found.append(memory.answers[8] if is_given else None)
    assert found == expected


def test_columns_of_a_block() -> None:
    check_columns([(0, 128), (0, 256), (0, 256)], [0, 128, None])
    check_columns([(0, 256), (0, 256), (0, -256), (0, 128)], [0, 256, 256])


def test_columns_of_two_blocks() -> None:
    check_columns([(0, 512), (1, 512), (0, 32)], [0, 0, None])


def test_unknown_number_of_columns() -> None:
    memory = KnownMemory()
    assert memory.allocate(8, None, 0)
    assert not memory.allocate(8, 32, 0)
    memory.free(None, 0)
    assert memory.allocate(8, 32, 0)


def test_stores_and_copies() -> None:
    memory = KnownMemory()
    memory.store(16, 3)
    memory.store(32, None)
    memory.store(48, 5)
    memory.forget(16, 32)
    assert memory.stored == {48: 5}
    memory.store(None, 7)
    assert memory.stored == {}


def test_requests_are_numbered() -> None:
    memory = KnownMemory()
    memory.try_to_cancel([16, 32])
    memory.try_to_cancel([16])
    assert memory.answers == {16: 2, 32: 1}
