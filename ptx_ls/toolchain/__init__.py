"""Programs outside of ptx-ls, which may be absent, slow or wrong."""
