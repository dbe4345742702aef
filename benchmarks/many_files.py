"""Hundreds of small PTX files of real compilers."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks import inputs, triton_kernels
from benchmarks.accuracy.fresh import fresh_files
from tests.corpus.make import PRODUCTS

_OTHERS = ("llvm-", "numba-", "nvrtc", "triton-")


def of_nvcc() -> list[Path]:
    """Returns what nvcc makes of tests/corpus/cuda for many targets with many flags.

    The first call takes minutes. Raises `RuntimeError` if nvcc is missing.
    """
    fresh = fresh_files(os.cpu_count() or 1)
    return [*fresh, *(path for path in _corpus() if not path.name.startswith(_OTHERS))]


def of_others() -> list[Path]:
    """Returns what Triton makes of its kernels in tests/corpus, and the corpus of other compilers.

    Raises `RuntimeError` if Triton is missing.
    """
    folder = inputs.CACHE / "triton"
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for variant in triton_kernels.variants():
        path = folder / f"{variant.name}.ptx"
        if not path.exists():
            path.write_text(triton_kernels.compiled(variant), encoding="utf-8", newline="\n")
        paths.append(path)
    return [*paths, *(path for path in _corpus() if path.name.startswith(_OTHERS))]


def _corpus() -> list[Path]:
    return sorted(PRODUCTS.glob("*.ptx"))
