"""Why an instruction is illegal: which of its parts is to blame, and what is legal there.

`isa.diagnose` is the way in. The layers, from below: `alignment` and `edits` (single changes after
which a form takes all modifiers), `conditions` (what a form asks of the slot that is changed),
`remedies` (the changes that make the instruction legal), `likelihood` (which of them mends the
likeliest mistake), `blame` and `mismatch` (violations of one form), `explanation` (the verdict).
`insertion` puts a modifier that is missing in its place. Loaded when the first instruction is
illegal: most files have none, and the start of a lint run has to be quick.
"""
