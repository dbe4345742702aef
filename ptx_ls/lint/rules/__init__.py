"""One module for each rule; `ptx_ls.lint.rule` imports them all."""
