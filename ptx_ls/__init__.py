"""ptx-ls: a linter and language server for NVIDIA PTX.

Programs can use what `ptx_ls.api` defines as `ptx_ls.check(...)` and so on. It is loaded on first
use, because the command and the server start without it; `__init__.pyi` has its types.
"""

__version__ = "0.1.0"
_OF_API = (
    "FormatStyle",
    "FunctionChange",
    "ModuleChanges",
    "ModuleFunction",
    "ModuleInstruction",
    "ModuleNeeds",
    "NeedReason",
    "Problem",
    "ProblemFix",
    "PropertyChange",
    "PtxModule",
    "StatementChange",
    "TextEditAt",
    "TextNote",
    "TextSpan",
    "check",
    "compare",
    "describe",
    "explain",
    "format",
    "normalize",
    "parse",
    "requirements",
)
"""The names of `ptx_ls.api`; to ask it for them would load it for each import of a submodule."""
__all__ = ("__version__", *_OF_API)  # noqa: PLE0604  all are texts


def __getattr__(name: str) -> object:
    """Returns a name of `ptx_ls.api`.

    Raises:
        AttributeError: if it has no such name.
    """
    if name not in _OF_API:
        raise AttributeError(f"module `ptx_ls` has no attribute `{name}`")
    from importlib import import_module  # noqa: PLC0415  the command never needs it

    return getattr(import_module("ptx_ls.api"), name)


def __dir__() -> list[str]:
    """Returns the names of the interface, and the version."""
    return list(__all__)
