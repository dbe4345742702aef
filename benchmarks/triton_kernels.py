"""Compiles the Triton kernels of tests/corpus/others, in many sizes, types and for many targets."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.corpus import make_others

SOURCE = make_others.KERNELS / "triton_kernels.txt"
HOW_TO_INSTALL = "found no Triton: `./dev bench` installs it on Linux (x86_64)"
_TARGETS = (80, 90, 100, 120)
_TYPES = ("fp16", "bf16", "fp32")
_TILES = ((32, 32, 32), (64, 32, 32), (64, 64, 32), (128, 64, 32), (128, 128, 32), (128, 128, 64))
_BLOCKS = {"add": (128, 512, 2048), "softmax": (512, 2048, 8192), "atomics": (128, 256, 1024)}


@dataclass(frozen=True, slots=True)
class Variant:
    """A kernel for elements of a type and a target; `sizes` are those of its blocks."""

    kernel: str
    type: str
    target: int
    sizes: tuple[int, ...]

    @property
    def name(self) -> str:
        """A name for its file."""
        return "-".join([f"sm_{self.target}", self.kernel, self.type, *map(str, self.sizes)])


def variants() -> Iterator[Variant]:
    """Yields about 150 different ones."""
    for target in _TARGETS:
        for item in _TYPES:
            for tile in _TILES:
                yield Variant("matmul", item, target, tile)
        for kernel, blocks in _BLOCKS.items():
            for item in _TYPES if kernel == "add" else ("i32" if kernel == "atomics" else "fp16",):
                for block in blocks:
                    yield Variant(kernel, item, target, (block,))


def compiled(variant: Variant) -> str:
    """Returns the PTX of a variant. Raises `RuntimeError` if Triton is missing."""
    item = f"*{variant.type}"
    match variant.kernel:
        case "matmul":
            types = {"a": item, "b": item, "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
        case "softmax":
            types = {"o": item, "x": item, "s": "i32", "n": "i32"}
        case "atomics":
            types = {"x": item, "h": "*i32", "n": "i32"}
        case _:
            types = {"x": item, "y": item, "o": item, "n": "i32"}
    names = ("BM", "BN", "BK") if variant.kernel == "matmul" else ("B",)
    constants = dict(zip(names, variant.sizes, strict=True))
    try:
        compiler: Any = import_module("triton.compiler")
        backend: Any = import_module("triton.backends.compiler")
    except ImportError as error:
        raise RuntimeError(HOW_TO_INSTALL) from error
    kernel = getattr(make_others.kernels(SOURCE.name), variant.kernel)
    signature = types | dict.fromkeys(constants, "constexpr")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):
        os.environ["TRITON_CACHE_DIR"] = folder  # by default, it fills one in the home
        source = compiler.ASTSource(fn=kernel, signature=signature, constexprs=constants)
        target = backend.GPUTarget("cuda", variant.target, 32)
        text: str = compiler.compile(source, target=target).asm["ptx"]
    return text.replace(str(Path(make_others.__file__).parents[2]), "")
