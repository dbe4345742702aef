"""The pseudo-code of instructions, as a language that is parsed and executed.

`evaluate` executes an instruction on bits. The layers, from the lowest up: `formats` and `reals`
(exact numbers of every type), `tree`, `parser`, `printer` and `folding` (the language), `values`,
`functions` and `interpreter` (its execution), `variant` and `specialize` (the lines that apply to
an instruction, with its modifiers filled in), `program` (the interface).
"""

from __future__ import annotations

from ptx_ls.isa.execution.program import Outcome, Program, evaluate, find_program, program_of

__all__ = ["Outcome", "Program", "evaluate", "find_program", "program_of"]
