"""What `ptx-ls diff` reads and writes."""
