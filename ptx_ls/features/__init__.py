"""Answers to the requests of editors, as plain values with positions of `ptx_ls.source`."""
