"""Keywords as the command's flags."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import os
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from loupe_render import _options
from loupe_render._errors import UsageError, in_python

Value = str | int | float | bool
"""A value of a job's option."""


def describe(function: Any, kind: type) -> None:
    """Puts the keywords into the function's signature, which notebooks complete from, and their texts into its help."""
    signature = inspect.signature(function)
    named = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    names = [name for name in kind.__annotations__ if name not in signature.parameters]
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in names]
    function.__signature__ = signature.replace(parameters=[*named, *keywords])
    if function.__doc__:
        found = texts(kind.__name__)
        lines = [f"{name}: {found[name]}" for name in names if name in found]
        filled = [textwrap.fill(line, 100, initial_indent="    ", subsequent_indent="        ") for line in lines]
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__), "", "Keywords:", *filled])


@functools.cache
def texts(kind: str) -> dict[str, str]:
    """The text of each keyword of a class of options, as it stands below the keyword in the table."""
    try:
        source = inspect.getsource(_options)
    except OSError:
        return {}
    block = re.search(rf"^class {kind}\((\w+).*?(?=^class |\Z)", source, re.MULTILINE | re.DOTALL)
    if block is None:
        return {}
    found = re.findall(r'^    (\w+): [^\n]*\n    """(.*?)"""$', block[0], re.MULTILINE | re.DOTALL)
    return texts(block[1]) | {name: in_python(" ".join(text.split())) for name, text in found}


def check_names(names: Iterable[str], allowed: Collection[str], function: str) -> None:
    """Raises an error about the first name that the function does not have."""
    for name in names:
        if name not in allowed:
            close = difflib.get_close_matches(name, allowed, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise UsageError(f"{function} has no keyword {name}{hint}", 64)


def checked(options: Mapping[str, Any], kind: type, function: str) -> dict[str, Any]:
    """The options by their flags' names, without those that say nothing: None, and False for a flag."""
    check_names(options, kind.__annotations__, function)
    return {
        name.replace("_", "-"): value
        for name, value in options.items()
        if value is not None and not (value is False and _options.KINDS[name.replace("_", "-")] in ("flag", "switch", "letters"))
    }


def text(name: str, given: str, errors: str = "strict") -> str:
    """The text of a keyword.

    Raises UsageError where UTF-8 can't encode it. `surrogateescape` allows the bytes of a path that are not UTF-8.
    """
    try:
        given.encode("utf-8", errors)
    except UnicodeEncodeError as error:
        wrong = f"{given[error.start]!r} is a lone surrogate, which UTF-8 can't encode"
        raise UsageError(f"{name.replace('-', '_')}: {wrong}; remove it, or rename the file that has it", 64) from None
    return given


def path(name: str, given: str | os.PathLike[str]) -> str:
    """The absolute path of a keyword."""
    return os.path.abspath(text(name, os.fspath(given), "surrogateescape"))


def encoded(job: Mapping[str, Any]) -> bytes:
    """A job as JSON."""
    try:
        return json.dumps(job, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        for name, one in job.items():
            text(name if name in _options.KINDS else "save" if name == "output" else "page", json.dumps(one, ensure_ascii=False))
        raise


def value(flag: str, given: Any) -> Value | list[Value]:
    """What follows the flag: a text, a number, True for a flag alone, or several."""
    kind = _options.KINDS[flag]
    if flag in ("callout", "loupe", "ignore"):
        if isinstance(given, str):
            return [given]
        if not isinstance(given, Sequence):
            raise _wrong(flag, given, "a list")
        return [_one(flag, kind, part) for part in given]
    return _one(flag, kind, given)


def _one(flag: str, kind: str, given: Any) -> Value:
    if isinstance(given, str) and kind != "path":
        choices = _choices(flag)
        if choices and given not in choices:
            raise _wrong(flag, given, f"one of {', '.join(choices)}")
        if kind == "number" and not re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", given):
            raise _wrong(flag, given, "a number")
        return text(flag, given)
    if kind in ("flag", "switch"):
        if given is not True:
            raise _wrong(flag, given, "True or False" if kind == "flag" else "True or a text")
        return True
    if kind == "path":
        if not isinstance(given, (str, os.PathLike)):
            raise _wrong(flag, given, "a path")
        return path(flag, given)
    if kind == "size":
        return "x".join(str(int(side)) for side in _numbers(flag, given, 2))
    if kind == "shape":
        return "x".join(_text(side) for side in _numbers(flag, given, 2))
    if kind in ("point", "offset"):
        return _point(flag, given)
    if kind == "focus":
        return _place(flag, given)
    if kind == "block":
        x, y, width, height = (int(side) for side in _numbers(flag, given, 4))
        return f"{x},{y},{width}x{height}"
    if kind == "callout":
        focus, center = pair(given)
        return _place(flag, focus) + ("" if center is None else "@" + _point(flag, center))
    if kind == "letters" and given is True:
        return "a"
    if kind == "color":
        return _color(flag, given)
    if kind in ("text", "letters"):
        is_length = flag in ("width", "height")
        raise _wrong(flag, given, 'a length on paper; give a text such as "85mm", or scale=2 for more pixels' if is_length else "a text")
    if kind in ("bits", "device") and isinstance(given, int):
        return str(int(given))
    return _number(flag, given)


def _color(flag: str, given: Any) -> str:
    """A colour of three or four numbers from 0 to 1, as matplotlib has it."""
    parts = list(given) if hasattr(given, "__len__") else []
    if len(parts) not in (3, 4) or not all(_is_number(one) and 0 <= float(one) <= 1 for one in parts):
        raise _wrong(flag, given, "a text, or three or four numbers from 0 to 1")
    return "#" + "".join(f"{round(255 * float(one)):02x}" for one in parts)


def pair(given: Any) -> tuple[Any, Any]:
    """What a loupe shows, and its centre."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        hint = "; each has a point in brackets: [((x, y), None)]" if _is_number(given) else ""
        raise _wrong("callout", given, f"a pair of what a loupe shows and its centre, or None{hint}")
    return given[0], given[1]


@functools.cache
def _choices(flag: str) -> list[str]:
    """The texts that a keyword may have, where there are only some."""
    name = flag.replace("-", "_")
    for kind in (_options.RenderOptions, _options.DiffOptions, _options.VerifyOptions):
        declared = str(getattr(kind.__annotations__.get(name), "__forward_arg__", ""))
        if declared.startswith("Literal["):
            return re.findall(r"""["']([^"']*)["']""", declared)
    return []


def _place(flag: str, given: Any) -> str:
    """A point, or a region by two corners."""
    if not isinstance(given, str) and hasattr(given, "__len__") and len(given) == 2 and not _is_number(given[0]):
        first, second = (_point(flag, corner) for corner in given)
        # "page:" stands before the first corner only.
        return f"{first}..{second.removeprefix('page:')}"
    return _point(flag, given)


def _point(flag: str, given: Any) -> str:
    return text(flag, given) if isinstance(given, str) else ",".join(_text(one) for one in _numbers(flag, given, 2))


def _numbers(flag: str, given: Any, count: int) -> list[float]:
    try:
        numbers = [_number(flag, one) for one in given]
    except TypeError:
        numbers = []
    if len(numbers) != count:
        raise _wrong(flag, given, f"{count} numbers")
    return numbers


def _is_number(given: Any) -> bool:
    return not isinstance(given, (str, bool)) and hasattr(given, "__float__") and not hasattr(given, "__len__")


def _number(flag: str, given: Any) -> float:
    if not hasattr(given, "__float__") or isinstance(given, bool):
        raise _wrong(flag, given, "a number")
    number = float(given)
    if number != number or number in (float("inf"), float("-inf")):
        raise _wrong(flag, given, "a finite number")
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _text(number: float) -> str:
    return repr(number)


def _wrong(flag: str, given: Any, needed: str) -> UsageError:
    return UsageError(f"{flag.replace('-', '_')}: {given!r} is not {needed}", 64)


def arguments(options: Mapping[str, Any]) -> list[str]:
    """The options as words of a command line."""
    words: list[str] = []
    for flag, given in options.items():
        found = value(flag, given)
        for one in found if isinstance(found, list) else [found]:
            words.append(f"--{flag}" if one is True else f"--{flag}={one}")
    return words
