"""When work runs: on threads, or while the client is silent."""
