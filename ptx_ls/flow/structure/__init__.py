"""The structure of a flow graph: dominators and loops."""
