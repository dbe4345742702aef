"""The configuration files of a project: `ptx-ls.toml`, or `[tool.ptx-ls]` in `pyproject.toml`."""
