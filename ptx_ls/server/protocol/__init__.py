"""JSON-RPC over a pipe or a port: transport, framing, dispatch, and the lifecycle of a session."""
