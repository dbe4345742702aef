"""ptx-ls: a linter and language server for NVIDIA PTX.

Programs can use what `ptx_ls.api` defines as `ptx_ls.check(...)` and so on. It is loaded on first
use, because the command and the server start without it; `__init__.pyi` has its types.
"""

from importlib import import_module

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Returns a name of `ptx_ls.api`.

    Raises:
        AttributeError: if it has no such name.
    """
    if not name.startswith("_"):
        api = import_module("ptx_ls.api")
        if name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module `ptx_ls` has no attribute `{name}`")


def __dir__() -> list[str]:
    """Returns the names of the interface, and the version."""
    return ["__version__", *import_module("ptx_ls.api").__all__]
