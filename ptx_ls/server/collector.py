"""Keeps Python's garbage collector away from large documents.

A collection looks at everything that is known of them, and no hover is answered meanwhile. Little
of it is ever garbage before the document is closed.
"""

import gc


def pause() -> None:
    """To be called before a large document is read, and followed by `spare`."""
    gc.disable()


def spare() -> None:
    """To be called when a large document was read and checked: leaves alone what there is now."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def forget() -> None:
    """To be called when a large document was closed: takes back what it needed."""
    gc.unfreeze()
    gc.enable()
    gc.collect()
    gc.freeze()
