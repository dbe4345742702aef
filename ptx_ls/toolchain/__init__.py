"""Programs outside ptx-ls, which may be absent, slow or wrong."""
