"""When work runs: in turns on the event loop, on threads, or while the client is silent."""
