"""One module for each rule, in a folder for each group; `ptx_ls.lint.rule` imports them all."""
