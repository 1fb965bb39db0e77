"""`loupe-render` by the module of the reference renderer: `render`, `diff` and `verify` with the command's flags."""

from __future__ import annotations

import difflib
import importlib.metadata
import json
import os
import sys
import textwrap
import warnings
from collections.abc import Sequence
from typing import Any

from loupe_render import _anywhere, _errors, _flags, _verify
from loupe_render._compare import diff
from loupe_render._draw import draw
from loupe_render._errors import LoupeError, UsageError
from loupe_render._files import write_whole
from loupe_render._options import KINDS, DiffOptions, RenderOptions, VerifyOptions
from loupe_render._pages import source

# What only the command has.
_MISSING = ("inspect", "check", "batch", "replay", "report", "crops", "bench", "cost", "live", "edit", "devices", "trace")
# The flags beside those of the keywords, and whether a value follows.
_OWN = {
    "render": {"output": True, "print-scene": False, "quiet": False, "color": True},
    "diff": {"output": True, "json": True, "quiet": False, "color": True},
    "verify": {"json": True, "quiet": False, "color": True},
}
_KINDS = {"render": RenderOptions, "diff": DiffOptions, "verify": VerifyOptions}
_USAGE = {"render": "INPUT -o OUT [options]", "diff": "REFERENCE ACTUAL [options]", "verify": "FOLDER… [options]"}
_SEVERAL = ("callout", "loupe", "ignore")


def main(words: Sequence[str]) -> int:
    """Runs the command with these words and returns its exit code."""
    _errors.names_flags = True
    warnings.showwarning = lambda message, *_: print(f"loupe-render: warning: {message}", file=sys.stderr)
    warnings.simplefilter("always", _errors.LoupeWarning)
    try:
        return _run(list(words))
    except LoupeError as error:
        print(f"loupe-render: error: {error}", file=sys.stderr)
        return error.code


def script() -> None:
    """The program that the package installs."""
    sys.exit(main(sys.argv[1:]))


def _run(words: list[str]) -> int:
    if not words:
        raise UsageError("there is nothing to draw; name a picture or a scene, or see loupe-render --help", 64)
    if words[0] == "--version":
        print(importlib.metadata.version("loupe-render"))
        return 0
    if words[0] in _MISSING:
        raise _anywhere.missing(words[0])
    command = words.pop(0) if words[0] in _KINDS else "render"
    if words[:1] == ["help"] or "--help" in words or "-h" in words:
        _help(command)
        return 0
    given, own, names = _parsed(command, words)
    return {"render": _render, "diff": _diff, "verify": _verified}[command](given, own, names)


def _parsed(command: str, words: list[str]) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """The options of the table, the command's own, and the words that are neither."""
    allowed = {name.replace("_", "-") for name in _KINDS[command].__annotations__}
    found: dict[str, Any] = {}
    names: list[str] = []
    words = [{"-o": "--output", "-q": "--quiet"}.get(word, word) for word in words]
    while words:
        word = words.pop(0)
        if word == "--":
            names += words
            break
        if not word.startswith("--"):
            names.append(word)
            continue
        flag, equals, value = word[2:].partition("=")
        if flag not in allowed and flag not in _OWN[command]:
            close = difflib.get_close_matches(flag, [*allowed, *_OWN[command]], 1)
            raise UsageError(f"Unknown option '--{flag}'" + (f". Did you mean '--{close[0]}'?" if close else ""), 64)
        if _OWN[command].get(flag, KINDS.get(flag) not in ("flag", "switch")) and not equals:
            if not words:
                raise UsageError(f"Missing value for '--{flag}'", 64)
            value = words.pop(0)
        elif not equals:
            found[flag] = True
            continue
        if flag in _SEVERAL:
            found.setdefault(flag, []).append(value)
        else:
            found[flag] = value
    own = {flag: found.pop(flag) for flag in _OWN[command] if flag in found}
    return found, own, names


def _write(path: str, data: bytes) -> None:
    if path == "-":
        sys.stdout.buffer.write(data)
    else:
        write_whole(os.path.abspath(path), data)


def _render(given: dict[str, Any], own: dict[str, Any], names: list[str]) -> int:
    if len(names) != 1:
        raise UsageError("one input is drawn: a page, a scene, or - for standard input", 64)
    if "output" not in own and "print-scene" not in own:
        raise UsageError("say where the picture goes, with -o OUT", 64)
    output = own.get("output", "-")
    if os.path.splitext(output)[1].lower() in (".pdf", ".svg"):
        raise _anywhere.missing("PDF and SVG")
    given = {flag: value for flag, value in given.items() if flag != "reference"}
    picture = draw(source(sys.stdin.buffer.read() if names[0] == "-" else names[0]), given)
    if "print-scene" in own:
        print(json.dumps(picture.scene, indent=2, ensure_ascii=False))
    if output == "-" and "print-scene" not in own:
        sys.stdout.buffer.write(picture.png)
    elif output != "-":
        picture.save(output)
    return 0


def _diff(given: dict[str, Any], own: dict[str, Any], names: list[str]) -> int:
    if len(names) != 2:
        raise UsageError("two pictures are compared: the reference and the actual one", 64)
    if any(map(os.path.isdir, names)):
        raise _anywhere.missing("diff of two folders")
    found = diff(*names, **{flag.replace("-", "_"): value for flag, value in given.items()})
    if "output" in own:
        _write(own["output"], found.png)
    if "json" in own:
        _write(own["json"], json.dumps(found.json, indent=2, ensure_ascii=False).encode() + b"\n")
    if not own.keys() & {"quiet"} and "-" not in (own.get("output"), own.get("json")):
        print(found.summary)
    return 0 if found.same else 1


def _verified(given: dict[str, Any], own: dict[str, Any], names: list[str]) -> int:
    if not names:
        raise UsageError("name a folder of scenes", 64)
    found = _verify.verify(given, names)
    if "json" in own:
        _write(own["json"], json.dumps(found, indent=2, ensure_ascii=False).encode() + b"\n")
    if "quiet" not in own and own.get("json") != "-":
        for case in found["cases"]:
            if case["state"] != "passed":
                print(f"{case['state']} {case['suite']}/{case['name']}: {case['message']}")
        print(_verify.summary(found))
    return 65 if found["counts"]["broken"] else 0 if found["same"] else 1


def _help(command: str) -> None:
    print(f"loupe-render {command} {_USAGE[command]}\n\nThe reference renderer: exact, on the CPU. Commands: render, diff, verify.\n")
    for name, text in _flags.texts(_KINDS[command].__name__).items():
        print(textwrap.fill(f"--{name.replace('_', '-')}: {text}", 100, initial_indent="  ", subsequent_indent="      "))
