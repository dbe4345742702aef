"""Input and output of `ptx-ls diff`."""
