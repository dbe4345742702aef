"""Rules with a check of their own; written by `./dev docs` from the rules.

Each entry has the name of the rule, its module, and the opcodes that the check is for. Without
opcodes, the check is called for all functions.
"""

from __future__ import annotations

from typing import Final

CHECKS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (
        "constant-expression",
        "ptx_ls.lint.rules.declarations.constant_expression",
        (),
    ),
    (
        "constant-pointer",
        "ptx_ls.lint.rules.instructions.constant_pointer",
        ("cvta",),
    ),
    (
        "foreign-line",
        "ptx_ls.lint.rules.syntax.foreign_line",
        (),
    ),
    (
        "memory-limit",
        "ptx_ls.lint.rules.declarations.memory_limit",
        (),
    ),
    (
        "missing-wait",
        "ptx_ls.lint.rules.instructions.missing_wait",
        ("wgmma",),
    ),
    (
        "mixed-groups",
        "ptx_ls.lint.rules.instructions.mixed_groups",
        ("tcgen05",),
    ),
    (
        "no-abi",
        "ptx_ls.lint.rules.functions.no_abi",
        (),
    ),
    (
        "parameter-space",
        "ptx_ls.lint.rules.declarations.parameter_space",
        (),
    ),
    (
        "register-pragma",
        "ptx_ls.lint.rules.functions.register_pragma",
        (),
    ),
    (
        "return-address",
        "ptx_ls.lint.rules.functions.return_address",
        (),
    ),
)
