"""Layered layout of a directed graph: the places of its boxes, and the paths of its links.

Sugiyama's method: `ranks` puts each box below those that lead to it, `bundles` routes long links
through the layers between, `ordering` sorts each layer, `x_coordinates` places its items sideways,
`ports` and `channels` route the links between layers, and `layout` combines these.
"""
