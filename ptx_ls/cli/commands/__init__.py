"""The subcommands of `ptx-ls`: a module for each, imported when it runs."""
