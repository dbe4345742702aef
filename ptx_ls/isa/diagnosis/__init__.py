"""Why an instruction is illegal: which of its parts is to blame, and what is legal there.

`isa.diagnose` is the entry. The layers, from below: `alignment` and `edits` (single changes after
which a form takes all modifiers), `grouped_form`, `lineup` and `readings` (how a form takes
modifiers, as they are and after an edit), `operand_needs` (the demands of a form on the
operands), `remedies` (the changes that make the instruction legal), `likelihood` (which of them
mends the likeliest mistake), `blame` and `mismatch` (violations of one form), `explanation` (the
verdict), `diagnose` (asks for it). `insertion` puts a modifier that is missing in its place. All
but `diagnose` is loaded when the first instruction is illegal: most files have none, and the start
of a lint run has to be quick.
"""
