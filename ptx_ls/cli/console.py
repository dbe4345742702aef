"""Output to a terminal, file or pipe: streams that never fail to encode, colours, widths."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from ptx_ls.source.encoding import FOREIGN, foreign_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

DEBUG_VARIABLE = "PTX_LS_DEBUG"
_DEFAULT_WIDTH = 200
_MIN_WIDTH = 40


class OutputError(Exception):
    """The output could not be written, as on a full disk; the message is the system's."""


def has_current_directory() -> bool:
    """Whether the directory that relative paths begin at has not been removed."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def prepare_streams() -> None:
    """Makes every text printable, whatever encoding the streams have."""
    if sys.stdout is None:  # in a process without a console
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open to the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.FileIO):
        sys.stdout = _buffered(sys.stdout)


def _buffered(stream: io.TextIOWrapper) -> TextIO:
    """Returns a buffered stream to the same place, if PYTHONUNBUFFERED removed the buffer.

    Without one, Python drops what the system did not accept at the first attempt.
    """
    encoding, errors = stream.encoding, stream.errors
    return open(stream.fileno(), "w", encoding=encoding, errors=errors, closefd=False)


def write(text: str) -> None:
    """Writes to standard output.

    Raises:
        BrokenPipeError: if its reader is gone.
        OutputError: if it cannot be written for another reason.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from None


def write_bytes(content: bytes) -> None:
    """Writes bytes to standard output; raises as `write` does."""
    write("")
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from None


def complain(message: str, prefix: str = "ptx-ls: ", end: str = "\n") -> None:
    """Writes one line, or lines that have their ends, to standard error, if it is open."""
    try:
        sys.stderr.write(f"{prefix}{message}{end}")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def complain_about_bug(error: Exception) -> None:
    """Reports a bug in ptx-ls in one line, after a traceback if that was requested."""
    message, details = bug_report(error)
    sys.stderr.write(details)
    complain(message)


def bug_message(error: Exception) -> str:
    """Returns the message about a bug in ptx-ls."""
    what = f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")
    return (
        f"internal error: {escaped(what)}; please report it as a bug in ptx-ls"
        f" ({DEBUG_VARIABLE}=1 shows where it happened)"
    )


def bug_report(error: Exception) -> tuple[str, str]:
    """Returns the message about a bug in ptx-ls, and the traceback if that was requested."""
    details = ""
    if is_debugging():
        import traceback

        details = "".join(traceback.format_exception(error))
    return bug_message(error), details


def is_debugging() -> bool:
    """Whether the user wants to see tracebacks."""
    return os.environ.get(DEBUG_VARIABLE, "") not in ("", "0")


def discard_output() -> None:
    """Drops buffered standard output, so that flushing it at exit does not fail."""
    discard(sys.stdout)


def discard(stream: TextIO) -> None:
    """Discards everything written to a stream of the process, past and future."""
    try:
        descriptor = stream.fileno()
        sink = os.open(os.devnull, os.O_WRONLY)
    except (OSError, ValueError):
        return
    os.dup2(sink, descriptor)
    os.close(sink)


def has_colour(stream: TextIO, wish: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to write colours to a stream.

    Args:
        stream: where to write.
        wish: `always`, `never` or `auto`. `auto` obeys NO_COLOR and FORCE_COLOR
            (no-color.org, force-color.org), and otherwise colours only terminals.
        environment: the variables of the process.
    """
    if wish != "auto":
        return wish == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and environment.get("TERM") != "dumb" and _understands_escapes()


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal; a closed stream is not."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def width(stream: TextIO) -> int:
    """Returns the number of columns of the terminal; a large number if there is none."""
    if not is_terminal(stream):
        return _DEFAULT_WIDTH
    import shutil

    return max(_MIN_WIDTH, shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).columns)


def escaped(text: str) -> str:
    """Returns the text with control characters, format characters and surrogates escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(visible, valid_text(text)))


def visible(character: str) -> str:
    """Returns a character, or its escape if it is invisible or changes how others are shown."""
    if character.isprintable():
        return character
    if FOREIGN.match(character):
        return foreign_bytes(character)
    return character.encode("unicode_escape").decode("ascii")


def valid_text(text: str) -> str:
    r"""Returns the text with bytes of a path that are not UTF-8 as `\xff`.

    Python keeps them as lone surrogates (PEP 383); no encoding and few JSON readers accept these.
    """
    return text if text.isascii() else os.fsencode(text).decode("utf-8", "backslashreplace")


def _understands_escapes() -> bool:
    """Whether a terminal interprets escape sequences; a Windows console has to be asked to."""
    if sys.platform != "win32":
        return True
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.GetStdHandle(-11)
    mode = ctypes.c_ulong()
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | 0x4))
