"""`verify` by the module of the reference renderer, in place of the command."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from loupe_render import _anywhere
from loupe_render._errors import LoupeError, MissingError
from loupe_render._files import write_whole

_STATES = ("passed", "failed", "missing", "broken", "written")


def verify(options: Mapping[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """The results for machines, as `verify --json` writes them."""
    for name in ("accept", "device", "hashes", "junit", "mask", "report"):
        if name in options:
            raise _anywhere.missing(name)
    limits, update = _anywhere.limits_of(options), options.get("update")
    began = time.perf_counter()
    scenes: dict[str, tuple[str, str]] = {}
    for path in paths:
        for scene, suite, root in _cases(path):
            scenes.setdefault(scene, (suite, root))
    if not scenes:
        raise MissingError(f"{', '.join(paths)}: no scene (.json); nothing to verify", 66)
    cases = []
    for scene in sorted(scenes, key=os.fsencode):
        suite, root = scenes[scene]
        start = time.perf_counter()
        case: dict[str, Any] = {"suite": suite, "name": os.path.basename(scene).removesuffix(".json"), "scene": scene}
        case |= _case(scene, limits, update, None if options.get("allow-outside") else root)
        case["milliseconds"] = round(1000 * (time.perf_counter() - start), 3)
        cases.append(case)
    counts = {state: sum(case["state"] == state for case in cases) for state in _STATES}
    return {
        "format": "loupe-verify/1", "same": counts["passed"] == len(cases), "counts": counts,
        "milliseconds": round(1000 * (time.perf_counter() - began), 3), "obsolete": [], "cases": cases,
    }  # fmt: skip


def summary(found: Mapping[str, Any]) -> str:
    """The number of cases in each state, and the time."""
    counts = ", ".join(f"{count} {state}" for state, count in found["counts"].items() if count)
    noun = "case" if len(found["cases"]) == 1 else "cases"
    advice = "; written: run again" if found["counts"]["written"] else ""
    kinds = sorted({case["difference"]["compared"] for case in found["cases"] if "difference" in case})
    compared = f"; compared in {'; '.join(kinds)}" if kinds else ""
    return f"{len(found['cases'])} {noun}: {counts} in {round(found['milliseconds'] / 1000, 2)} s{compared}{advice}"


def _case(scene: str, limits: Mapping[str, Any], update: str | None, root: str | None) -> dict[str, Any]:
    """The result of a scene."""
    reference = scene.removesuffix(".json") + ".png"
    known = reference if os.path.exists(reference) and update != "all" else None
    try:
        said, png = _anywhere.engine().verify(limits, scene, known, root)
    except LoupeError as error:
        return {"state": "broken", "message": str(error)}
    if known is None:
        found = {"state": "missing", "message": f"there is no reference {reference}; draw it with --update missing"}
    else:
        found = {"state": "passed" if said["same"] else "failed", "message": said["message"]}
        found |= {key: said[key] for key in ("limits", "difference")}
    if update == "all" or found["state"] == "missing" and update or found["state"] == "failed" and update == "failed":
        write_whole(reference, png)
        return {"state": "written", "message": f"wrote {reference}"}
    return found


def _cases(path: str) -> Iterator[tuple[str, str, str]]:
    """Scenes, each with its suite and the folder that was searched. Hidden entries and links to folders are passed over."""
    if path.endswith(".json") and os.path.isfile(path):
        yield path, os.path.basename(os.path.dirname(os.path.abspath(path))), os.path.dirname(path)
        return
    if not os.path.isdir(path):
        raise MissingError(f"{path}: can't be read: No such file or directory", 66)
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        suite = os.path.relpath(folder, path).replace(os.sep, "/")
        for name in sorted(files):
            if name.endswith(".json") and not name.startswith("."):
                yield os.path.join(folder, name), os.path.basename(os.path.abspath(path)) if suite == "." else suite, path
