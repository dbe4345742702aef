"""Why an instruction is illegal: which of its parts is to blame, and what is legal there.

`isa.diagnose` is the entry point. The layers, from the lowest up: `alignment` and `edits` (single
changes after which a form takes all modifiers), `grouped_form`, `lineup` and `readings` (how a form
takes modifiers, as they are and after an edit), `operand_needs` (what a form requires of the
operands), `remedies` (the changes that make the instruction legal), `likelihood` (which of them
fixes the most likely mistake), `blame` and `mismatch` (violations against one form), `explanation`
(the verdict). `insertion` puts a missing modifier in its place. The package is loaded when the
first instruction is illegal: most files have none, and a lint run has to start quickly.
"""
