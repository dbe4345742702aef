"""Puts the pictures of the extension's page into the page itself.

VS Code shows only pictures from the web or in the page, and those on the web are not there for
a version that is not published, or on a machine without a network.

usage: inline_pictures.py VSIX
"""

from __future__ import annotations

import base64
import re
import sys
import zipfile
from pathlib import Path

PAGE = "extension/readme.md"
PICTURE = re.compile(r"(?<=\]\()[^()\s]*?(media/pictures/[\w-]+\.png)(?=\))")


def inlined(page: str, read: zipfile.ZipFile) -> str:
    """Returns a page with the pictures of the package in it."""

    def data(found: re.Match[str]) -> str:
        content = base64.b64encode(read.read(f"extension/{found[1]}")).decode()
        return f"data:image/png;base64,{content}"

    return PICTURE.sub(data, page)


def main(path: str) -> None:
    """Changes the page in a package, and removes the pictures that are in it now."""
    new = f"{path}.new"
    with zipfile.ZipFile(path) as read, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as made:
        page = read.read(PAGE).decode()
        pictures = {f"extension/{found[1]}" for found in PICTURE.finditer(page)}
        if not pictures:
            raise SystemExit(f"{PAGE} has no pictures")
        for item in read.infolist():
            if item.filename == PAGE:
                made.writestr(item, inlined(page, read))
            elif item.filename not in pictures:
                made.writestr(item, read.read(item))
    Path(new).replace(path)


if __name__ == "__main__":
    main(sys.argv[1])
