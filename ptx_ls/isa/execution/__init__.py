"""The pseudo-code of instructions, as a language that is parsed and executed.

`evaluate` executes an instruction on bits. The layers, from below: `formats` and `reals` (numbers
of every type, exactly), `tree`, `parser`, `printer` and `folding` (the language), `values`,
`functions` and `interpreter` (executing it), `variant` and `specialize` (which lines are for an
instruction, with its modifiers in them), `program` (the interface).
"""

from __future__ import annotations

from ptx_ls.isa.execution.program import Outcome, Program, evaluate, find_program, program_of

__all__ = ["Outcome", "Program", "evaluate", "find_program", "program_of"]
