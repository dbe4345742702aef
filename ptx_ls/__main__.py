"""Makes `python -m ptx_ls` the same as the `ptx-ls` command."""

from ptx_ls.cli.main import process

if __name__ == "__main__":
    process()
