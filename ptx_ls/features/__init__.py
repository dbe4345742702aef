"""One module for each thing an editor asks. Plain data in and out, positions of `ptx_ls.source`."""
