"""The rule unknown-opcode."""

from __future__ import annotations

from functools import lru_cache

from ptx_ls import isa
from ptx_ls.isa.match import takes
from ptx_ls.lint.near import declares, nearest
from ptx_ls.lint.rule import Edit, Finding, Repair, Surroundings, rule
from ptx_ls.semantics.mismatch import UnknownOpcode


@rule("unknown-opcode", on=UnknownOpcode)
def unknown_opcode(mismatch: UnknownOpcode, surroundings: Surroundings) -> Finding:
    """Reports an instruction whose opcode PTX does not have.

    ## Why is this bad?
    The assembler rejects the module. Opcodes are lower case, and a module whose `.version` is
    newer than this tool knows is given the benefit of the doubt.

    ## Example
    ```ptx
    ad.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    add.s32 %r1, %r2, %r3;
    ```
    """
    del surroundings
    message = f"unknown opcode `{mismatch.opcode}`"
    if mismatch.is_label:
        repair = Repair("Insert `:`", (Edit(mismatch.end, mismatch.end, ":"),))
        return Finding(f"missing `:` behind the label `{mismatch.opcode}`", repairs=(repair,))
    is_directive = declares(mismatch.opcode)
    near = f".{mismatch.opcode}" if is_directive else _near(mismatch.opcode, mismatch.modifiers)
    if near is None:
        return Finding(message)
    repair = Repair(f"Replace by `{near}`", (Edit(mismatch.start, mismatch.end, near),))
    return Finding(f"{message}; did you mean `{near}`?", repairs=(repair,))


@lru_cache(maxsize=1024)
def _near(opcode: str, modifiers: tuple[str, ...]) -> str | None:
    """The opcode that is meant: of those that look like it, one that has the modifiers."""

    def fits(other: str) -> bool:
        instruction = isa.database().instruction(other)
        return instruction is not None and any(
            takes(form.row, modifiers, frozenset()) for form in instruction.forms
        )

    return nearest(opcode, isa.database().keywords, fits)
