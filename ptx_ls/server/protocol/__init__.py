"""JSON-RPC over a pipe or a port: transport, framing, dispatch, and the life of a session."""
