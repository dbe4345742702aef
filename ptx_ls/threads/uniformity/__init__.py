"""Which threads surely agree on a value or run the same code, which surely do not, and why.

`function_uniformity` answers questions about a function. The layers, from the lowest up: `levels`
(the groups of threads), `launches` (the threads of a block), `control` (which branches decide what
runs), `index_values` (what follows from the index of a thread), `sources` (what instructions make
of their operands), `evaluation` (the levels of definitions and branches), `executing_threads`.
"""
