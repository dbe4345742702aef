"""The values read from the output of `ptxas -v`, as different versions print it."""

from __future__ import annotations

from ptx_ls.toolchain.ptxas import parse_messages
from ptx_ls.toolchain.resources import ResourceUsage, is_usage, usages

NEW = """\
ptxas info    : 16 bytes gmem, 8 bytes cmem[4]
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    32 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers, 1024 bytes smem, 360 bytes cmem[0], 4 bytes cmem[2]
ptxas info    : Compile time = 22.366 ms
ptxas info    : Function properties for f
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
"""  # noqa: E501
OLD = """\
ptxas info    : Compiling entry function '_Z1kv' for 'sm_20'
ptxas info    : Function properties for _Z1kv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 8+16 bytes lmem, 20+16 bytes smem, 52 bytes cmem[0]
"""


def check_usages(output: str, *expected: ResourceUsage) -> None:
    assert usages(output) == list(expected)
    assert all(is_usage(message.text) for message in parse_messages(output))


def test_kernels_and_functions() -> None:
    kernel = ResourceUsage("k", True, 24, 1, 32, 4, 8, 1024, 0, {0: 360, 2: 4})
    check_usages(NEW, kernel, ResourceUsage("f", False))


def test_memory_that_is_told_in_two_parts() -> None:
    check_usages(OLD, ResourceUsage("_Z1kv", True, 10, shared=36, local=24, constant={0: 52}))


def test_nothing() -> None:
    check_usages("")
    check_usages(
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nUsed 1 registers"
    )
    assert not is_usage("(C7510) Potential Performance Loss: wgmma.mma_async is serialized")
