"""The errors of this package."""

from __future__ import annotations

import contextvars
import errno
import functools
import os
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from loupe_render._options import KINDS


class LoupeError(Exception):
    """What went wrong, in the command's own sentence.

    `code` is the exit code of the command: 64 usage, 65 bad data, 66 no input, 69 no device, 70 a defect, 73 output.
    """

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self._sentence, self.code = sentence, code

    def __str__(self) -> str:
        return self._sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._sentence, self.code), self.__dict__


class UsageError(LoupeError, ValueError):
    """A keyword or its value is wrong (64)."""


class InputError(LoupeError, ValueError):
    """A page or a scene is there but is not what it should be (65)."""


class MissingError(LoupeError, FileNotFoundError):
    """An input is missing or unreadable (66). `filename` and `errno` are those of the system's error where one names a file."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence, code)
        path, separator, reason = sentence.partition(": can't be read: ")
        if separator:
            self.filename = path
            self.errno = next((one for one in (errno.ENOENT, errno.EACCES, errno.ENOTDIR) if reason == os.strerror(one)), None)


class DeviceError(LoupeError):
    """No usable OpenGL ES device (69). `loupe-render devices` says why and how to fix it."""


class OutputError(LoupeError, OSError):
    """A file cannot be written (73)."""


class CrashError(LoupeError):
    """The command ended before it answered. The sentence has its last words on standard error."""


class LoupeWarning(UserWarning):
    """Something about a picture that looks wrong, though it was drawn."""


for _kind in (LoupeError, *LoupeError.__subclasses__(), LoupeWarning):
    # Tracebacks show the name that programs use.
    _kind.__module__ = "loupe_render"


_is_strict: contextvars.ContextVar[bool] = contextvars.ContextVar("is_strict", default=False)
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def obeying_strict(function: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """The function in which every warning is an error if the keyword `strict` asks for that."""

    @functools.wraps(function)
    def obeying(*args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        token = _is_strict.set(bool(kwargs.get("strict")) or _is_strict.get())
        try:
            return function(*args, **kwargs)
        finally:
            _is_strict.reset(token)

    return obeying


def warn(sentence: str) -> None:
    """Warns at the line that called this package, or raises where warnings are errors."""
    if _is_strict.get():
        raise InputError(in_python(sentence), 65)
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and (
        frame.f_globals.get("__package__") == __package__ or frame.f_globals.get("__name__") == "contextlib"
    ):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(in_python(sentence), LoupeWarning, stacklevel=depth)


_KEYWORDS = {flag: flag.replace("-", "_") for flag in KINDS} | {"region": "regions"}
"""The keywords of Python by the command's flags. `crops` takes several regions at once."""

_ALLOWED = {
    "tolerance": "; allowed is a number from 0 to 255",
    "max_pixels": "; allowed is a whole number from 0",
    "ignore": "; allowed is X,Y,WxH or two opposite corners, X0,Y0..X1,Y1, in whole pixels",
}
"""What the command does not say about a value that it can't read."""

names_flags = False
"""Whether errors and warnings name flags, as those of a command do."""


def in_python(sentence: str) -> str:
    """The sentence with keywords in place of the command's flags: max_pixels=5 for --max-pixels 5.

    The page has that name, not the one that it has in a job.
    """
    if names_flags:
        return sentence
    sentence = re.sub(r"^(standard input(?=:)|(job\.)?input(?=\.\w+))", "page", sentence)

    def keyword(found: re.Match[str]) -> str:
        name = _KEYWORDS.get(found[1])
        return found[0] if name is None else f"{name}=" if found[2] else name

    return re.sub(r"--([a-z][a-z-]*[a-z])( (?=\d))?", keyword, sentence)


def error_of(code: int, sentence: str) -> LoupeError:
    """The error for an exit code of the command."""
    kinds: dict[int, type[LoupeError]] = {
        64: UsageError,
        65: InputError,
        66: MissingError,
        69: DeviceError,
        73: OutputError,
        74: OutputError,
    }
    sentence = in_python(sentence)
    unread = re.match(r"The value ('.*') is invalid for '(?:--)?([a-z_-]+)", sentence)
    if unread:
        name = unread[2].replace("-", "_")
        sentence = f"{name}: {unread[1]} is not a valid value{_ALLOWED.get(name, '')}"
    # What the command says about a job is about a keyword.
    about = re.match(r"the document: (\w+): |([\w-]+): '.*' is not ", sentence)
    name = (about[1] or about[2]).replace("-", "_") if about else ""
    if about and name in {name.replace("-", "_") for name in KINDS}:
        code = 64
        sentence = name + sentence[about.end(1) if about[1] else about.end(2) :]
    return kinds.get(code, LoupeError)(sentence, code)
