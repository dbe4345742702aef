"""Known facts about the values in registers: bits, ranges, and affine forms.

`abstract_value`, `known_bits` and `affine` are the domain, `transfer` has what instructions do in
it, and `function_values` answers questions about a function on demand.
"""
