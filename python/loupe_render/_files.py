"""Files that are read whole, or appear whole."""

from __future__ import annotations

import contextlib
import os
import threading

from loupe_render._errors import MissingError, OutputError


def read(path: str) -> bytes:
    """The bytes of a file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise MissingError(f"{path}: can't be read: {error.strerror}", 66) from None


def write_whole(path: str, data: bytes) -> None:
    """Writes a file that appears whole or not at all."""
    temporary = os.path.join(os.path.dirname(path), f".loupe-{os.getpid()}-{threading.get_ident():x}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise OutputError(f"{path}: can't be written: {error.strerror}", 73) from None
        raise
