"""Regenerates the PTX of compilers other than nvcc: `python -m tests.corpus.make_others`.

Needs `pip install llvmlite numba-cuda[cu13] triton nvidia-cuda-nvrtc-cu12` for what is asked for,
in an environment of its own (a folder on PYTHONPATH does not do: numba-cuda puts itself into a
site); no GPU. The kernels are in tests/corpus/others.
"""

import argparse
import ctypes
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.corpus.make import PRODUCTS, neutral_text

KERNELS = Path(__file__).resolve().parent / "others"


def kernels(name: str) -> ModuleType:
    """The module in a file of `others`, whose suffix keeps it from our own checks."""
    loader = SourceFileLoader("kernels", str(KERNELS / name))
    spec = spec_from_loader("kernels", loader)
    assert spec
    module = module_from_spec(spec)
    sys.modules["kernels"] = module
    loader.exec_module(module)
    return module


def llvm() -> Iterator[tuple[str, str]]:
    """Name and PTX of what LLVM's back end makes of kernels.ll for old and new targets."""
    binding: Any = import_module("llvmlite.binding")
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple("nvptx64-nvidia-cuda")
    text = (KERNELS / "kernels.ll").read_text()
    for cpu, features, level in (
        ("sm_20", "+ptx32", 2),
        ("sm_35", "+ptx41", 0),
        ("sm_90", "+ptx83", 1),
    ):
        machine = target.create_target_machine(cpu=cpu, features=features, opt=level)
        yield f"{cpu}-kernels-O{level}", machine.emit_assembly(binding.parse_assembly(text))


def numba() -> Iterator[tuple[str, str]]:
    """Name and PTX of each Numba kernel; the last one is a debug build."""
    cuda: Any = import_module("numba.cuda")
    module = kernels("numba_kernels.txt")
    for name, signature, capability, options in (
        ("saxpy", "void(float32[:], float32[:], float32)", (7, 5), {}),
        ("hist", "void(float64[:], int32[:])", (7, 5), {"lineinfo": True}),
        ("matmul", "void(float64[:,:], float64[:,:], float64[:,:])", (7, 5), {}),
        ("warp", "void(int32[:])", (7, 5), {}),
        (
            "matmul",
            "void(float64[:,:], float64[:,:], float64[:,:])",
            (9, 0),
            {"debug": True, "opt": False},
        ),
    ):
        ptx, _ = cuda.compile(
            getattr(module, name), signature, device=False, cc=capability, abi="numba", **options
        )
        yield f"sm_{capability[0]}{capability[1]}-{name}", ptx


def triton(only: int | None = None) -> Iterator[tuple[str, str]]:
    """Name and PTX of each Triton kernel for some targets, or for the capability `only`."""
    compiler: Any = import_module("triton.compiler")
    backend: Any = import_module("triton.backends.compiler")
    module = kernels("triton_kernels.txt")
    matrices = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
    for name, capabilities, types, constants in (
        ("add", (80,), {"x": "*fp32", "y": "*fp32", "o": "*fp32", "n": "i32"}, {"B": 1024}),
        ("atomics", (80,), {"x": "*i32", "h": "*i32", "n": "i32"}, {"B": 256}),
        ("softmax", (90, 100), {"o": "*fp16", "x": "*fp16", "s": "i32", "n": "i32"}, {"B": 2048}),
        ("matmul", (80, 90, 100), matrices, {"BM": 64, "BN": 64, "BK": 32}),
    ):
        signature = types | dict.fromkeys(constants, "constexpr")
        source = compiler.ASTSource(
            fn=getattr(module, name), signature=signature, constexprs=constants
        )
        for capability in capabilities if only is None else (only,):
            target = backend.GPUTarget("cuda", capability, 32)
            yield f"sm_{capability}-{name}", compiler.compile(source, target=target).asm["ptx"]


def nvrtc() -> Iterator[tuple[str, str]]:
    """Name and PTX of kernels.cu by the NVRTC that is installed: 12.x or 11.x."""
    folder = import_module("nvidia.cuda_nvrtc").__path__[0]
    path = next(Path(folder, "lib").glob("libnvrtc.so.1*"))
    library = ctypes.CDLL(str(path))
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    targets = ("sm_50", "sm_89") if major.value == 12 else ("sm_35", "sm_70")
    for target, options in zip(targets, ((), (b"-lineinfo",)), strict=True):
        program = ctypes.c_void_p()
        source = (KERNELS / "kernels.cu").read_bytes()
        library.nvrtcCreateProgram(ctypes.byref(program), source, b"kernels.cu", 0, None, None)
        architecture = f"--gpu-architecture={target.replace('sm', 'compute')}".encode()
        flags = (architecture, b"-default-device", *options)
        array = (ctypes.c_char_p * len(flags))(*flags)
        status = library.nvrtcCompileProgram(program, len(flags), array)
        if status:
            raise RuntimeError(f"NVRTC refused kernels.cu for {target}: status {status}")
        size = ctypes.c_size_t()
        library.nvrtcGetPTXSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        library.nvrtcGetPTX(program, text)
        yield f"{major.value}.{minor.value}-{target}-kernels", text.value.decode()


PRODUCERS: dict[str, tuple[str, Callable[[], Iterator[tuple[str, str]]]]] = {
    "llvm": ("llvm-", llvm),
    "numba": ("numba-", numba),
    "triton": ("triton-", triton),
    "nvrtc": ("nvrtc", nvrtc),
}


def main() -> int:
    """Runs all producers, or those named, and writes what they make."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PRODUCERS))
    folders = {str(KERNELS): "/kernels", str(Path.cwd()): "/kernels", sys.prefix: "/python"}
    for name in parser.parse_args().names or PRODUCERS:
        prefix, produce = PRODUCERS[name]
        for product, text in produce():
            path = PRODUCTS / f"{prefix}{product}.ptx"
            path.write_text(neutral_text(text, folders))
            sys.stdout.write(f"{path.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
