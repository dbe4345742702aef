"""The cache of `ptx-ls lint`: results of earlier runs, by the text that they are for."""
