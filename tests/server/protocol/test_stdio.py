import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from ptx_ls.server.protocol.back_pressure import MAX_UNSENT, BackPressure
from ptx_ls.server.protocol.stdio import PipeWriter


async def check_written(messages: list[bytes]) -> None:
    """Checks that messages can be written before anybody reads them, and come in their order."""
    source, drain = os.pipe()
    failures: list[int] = []
    writer = PipeWriter(os.fdopen(drain, "wb", buffering=0), failures.append, BackPressure())
    for message in messages:
        writer.write(message)
    with os.fdopen(source, "rb") as reader, ThreadPoolExecutor() as pool:
        received = pool.submit(reader.read, sum(map(len, messages)))
        writer.close()
        assert received.result(10) == b"".join(messages)
    assert failures == []


async def test_the_loop_does_not_wait_for_a_reader() -> None:
    await check_written([b"a" * 1_000_000])
    await check_written([b"a" * 1_000_000, b"b", b"c" * 1_000_000, b"d", b"e"])


async def test_messages_small_and_large_keep_their_order() -> None:
    await check_written([bytes([65 + n]) * (1 + 20_000 * (n % 3)) for n in range(9)])


async def test_a_reader_that_is_gone_ends_the_session() -> None:
    for size in (1, 1_000_000):
        source, drain = os.pipe()
        os.close(source)
        ended = asyncio.Event()
        writer = PipeWriter(
            os.fdopen(drain, "wb", buffering=0),
            lambda _code, it=ended: it.set(),  # type: ignore[misc]
            BackPressure(),
        )
        writer.write(b"a" * size)
        await asyncio.wait_for(ended.wait(), 10)
        writer.close()
    assert not [it for it in threading.enumerate() if it.name == "ptx-ls stdout"]


async def test_work_is_held_until_most_is_read() -> None:
    source, drain = os.pipe()
    pressure = BackPressure()
    writer = PipeWriter(os.fdopen(drain, "wb", buffering=0), lambda _code: None, pressure)
    size = MAX_UNSENT // 4
    for n_written in range(4):
        assert not pressure.is_held, n_written
        writer.write(b"a" * size)
    writer.write(b"a" * size)
    assert pressure.is_held
    with os.fdopen(source, "rb") as reader, ThreadPoolExecutor() as pool:
        await asyncio.wrap_future(pool.submit(reader.read, 2 * size))
        assert pressure.is_held
        rest = pool.submit(reader.read, 3 * size)
        await asyncio.wait_for(pressure.room(), 60)
        assert not pressure.is_held
        rest.result(60)
        writer.close()
