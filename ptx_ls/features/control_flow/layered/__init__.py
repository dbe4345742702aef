"""A layered picture of a directed graph: where its boxes stand and how its links run.

Sugiyama's method: `ranks` puts each box below those that lead to it, `bundles` lays what spans
several layers as a line through them, `ordering` sorts each layer, `x_coordinates` moves its items
sideways, `ports` and `channels` lead the links between layers, and `layout` does it all.
"""
