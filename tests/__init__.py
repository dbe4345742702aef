"""The tests of ptx-ls, laid out as the package is."""
