"""Finds the command and runs it once."""

from __future__ import annotations

import functools
import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence

from loupe_render import _anywhere
from loupe_render._errors import CrashError, LoupeError, MissingError, error_of

NAME = "loupe-render"


@functools.cache
def _search(named: str | None, path: str | None) -> str:
    if named:
        found = shutil.which(named)
        if found is None:
            raise MissingError(f"LOUPE_RENDER: {named}: there is no such program", 66)
        return os.path.abspath(found)
    # Of `pip install --target`; of a virtual environment and `pip install --user`, as bin is beside
    # lib/python3.11/site-packages.
    site = pathlib.Path(__file__).resolve().parent.parent
    for folder in [site, *site.parents[2:3]]:
        if os.access(folder / "bin" / NAME, os.X_OK):
            return str(folder / "bin" / NAME)
    found = shutil.which(NAME, path=path)
    if found is None:
        raise MissingError(
            f"{NAME} is neither beside this package nor on the PATH; install the wheel again, or name it by LOUPE_RENDER",
            66,
        )
    return found


def command() -> str:
    """The path of the command: LOUPE_RENDER, or what was installed with this package, or the first on the PATH."""
    if _anywhere.is_used():
        raise _anywhere.missing("the command")
    return _search(os.environ.get("LOUPE_RENDER"), os.environ.get("PATH"))


def run(
    arguments: list[str], *, also: frozenset[int] = frozenset(), files: Sequence[int] = ()
) -> tuple[int, bytes]:
    """Runs the command to its end and returns its exit code and what it wrote to standard output.

    A code other than 0 and those of `also` is an error. It gets the open `files`.
    """
    if _anywhere.is_used():
        raise _anywhere.missing(arguments[0])
    done = subprocess.run(
        [command(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        pass_fds=files,
    )  # fmt: skip
    if done.returncode and done.returncode not in also:
        raise ended(done.returncode, done.stderr)
    return done.returncode, done.stdout


def ended(code: int, errors: bytes) -> LoupeError:
    """The error for a run that ended with this code, negative for a signal, and these last words."""
    words = errors.decode("utf-8", "replace").strip()
    mark = f"{NAME}: error: "
    if code > 0 and mark in words:
        return error_of(code, words[words.rindex(mark) + len(mark) :])
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    said = f"its last words: {words[-2000:]}" if words else "it said nothing"
    return CrashError(f"{NAME} ended with {how}; {said}", code)
