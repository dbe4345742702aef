"""The `ptx-ls` command. Imports neither pygls nor lsprotocol except to serve."""
