"""Tests of ptx_ls.protocols.execution."""
