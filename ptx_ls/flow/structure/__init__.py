"""The structure of a flow graph: components, dominators and loops."""
