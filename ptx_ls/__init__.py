"""ptx-ls: a linter and language server for NVIDIA PTX."""

__version__ = "0.1.0"
