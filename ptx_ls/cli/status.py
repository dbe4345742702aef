"""The meaning of the exit status of the process."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """Exit statuses; if several apply to a run, the largest of the first four wins."""

    CLEAN = 0
    FINDINGS = 1
    """Diagnostics at or above the severity of `--fail-on`."""
    BAD_INPUT = 2
    """Wrong arguments, or a file that cannot be read."""
    INTERNAL_ERROR = 3
    """A bug in ptx-ls itself."""
    INTERRUPTED = 130
    """Ctrl-C, as shells report it."""
    TERMINATED = 143
    """SIGTERM, as shells report it."""
    CLOSED_OUTPUT = 141
    """The output has no reader left, as in `ptx-ls lint . | head`; as shells report SIGPIPE."""
