"""Makes `python -m ptx_ls` the same as the `ptx-ls` command."""

import sys

from ptx_ls.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
