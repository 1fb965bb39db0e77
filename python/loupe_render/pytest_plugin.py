"""Pictures in tests of pytest: `loupe_snapshot(picture)` compares one with its reference.

References lie beside the test, in `__loupe__/<test file>/<test>.png`. What differs is kept in `loupe-failures`, with one
page to look at, `report.html`, written at the end by the command's own `report merge`.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import inspect
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import struct
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from _pytest.unittest import TestCaseFunction

from loupe_render import _png
from loupe_render._errors import InputError, LoupeError, UsageError, warn
from loupe_render._files import read, write_whole
from loupe_render._flags import check_names, text, value
from loupe_render._options import DiffOptions

if TYPE_CHECKING:
    from loupe_render._compare import Difference
    from loupe_render._pages import Page

_CHECKED = pytest.StashKey[set[str]]()
_ACCEPTED = pytest.StashKey[dict[str, str]]()
_HASHES = pytest.StashKey[dict[str, str] | None]()
_FILES = pytest.StashKey[dict[str, str]]()
"""The pictures by their names in small letters."""
_REFERENCES = pytest.StashKey[dict[str, tuple[str, str, str]]]()
"""The key, the reference and the hash of the first picture that has a reference, by its path in small letters."""

_KEYWORDS = {*DiffOptions.__annotations__, "savefig_kwargs", "remove_text"} - {"figure", "junit", "pages", "dpi"}
"""The keywords of a call. Those of `loupe.diff` that write files or are about documents are not among them."""

_OF_MARKS = {"style", "backend", "filename", "baseline_dir", "deterministic"}
"""The further keywords of a mark, as pytest-mpl has them. Pictures are deterministic in any case."""

_OF_MPL = {"tolerance", "savefig_kwargs", "remove_text", "hash_library", "skip_hash", *_OF_MARKS}
"""The keywords of the mark of pytest-mpl."""

_KEYS_OF_MPL = (
    "mpl-use-full-test-name", "mpl-default-style", "mpl-default-tolerance", "mpl-default-backend", "mpl-baseline-path",
    "mpl-deterministic",
)  # fmt: skip
_UNREAD_KEYS_OF_MPL = ("mpl-hash-library", "mpl-results-path", "mpl-results-always", "mpl-generate-summary")
"""The keys of pytest-mpl in `pytest.ini` that are read here, and the others."""

_SUFFIXES = {
    b"\x89PNG": ".png", b"\xff\xd8": ".jpg", b"RIFF": ".webp", b"GIF8": ".gif", b"II*": ".tiff", b"MM\0": ".tiff",
    b"%PDF": ".pdf", b"<": ".svg",
}  # fmt: skip
"""What files are called that begin in these ways."""

_PARTS = ("reference", "actual", "difference", "figure")
"""What is kept of a picture that differs."""

_OF_RUN = {"files", "key", "hash", "wrote", "is_shared", "notes", "subject", "has_new_hash"}
"""What a record has that is not in the report."""

_OPTIONS = {
    "--loupe-output": ("DIR", "Where pictures that differ are kept, with report.html. Default: loupe-failures."),
    "--loupe-references": (
        "DIR|ADDRESS",
        "Where references are, in place of __loupe__ beside each test; {platform} is linux, darwin or win32.",
    ),
    "--loupe-hashes": ("FILE", "A JSON file with a hash for each picture, which needs no reference then; also with {platform}."),
    "--loupe-accept": ("LIST", "Write the references of the pictures that the list of a report accepts."),
}
_INI = {
    "loupe_tolerance": ("string", "The tolerance of loupe_snapshot. Default: 2; 0 for whole numbers of 16 bits."),
    "loupe_style": ("string", "The style of matplotlib in tests with loupe_snapshot. Default: default."),
    "loupe_remove_text": ("bool", "Compare figures of matplotlib without titles and tick labels."),
    "loupe_report": ("bool", "Write report.html also where all pictures passed."),
    "loupe_references": ("string", "As --loupe-references."),
    "loupe_hashes": ("string", "As --loupe-hashes."),
    "loupe_mpl": ("bool", "As --loupe-mpl."),
    "loupe_off": ("bool", "As --loupe-off."),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("loupe", "pictures (loupe)")
    group.addoption(
        "--loupe-update",
        action="store_true",
        help="Write the references of pictures that differ or have none. Tests whose reference was written still fail.",
    )
    group.addoption("--loupe-report", action="store_true", help="Write report.html also where all pictures passed.")
    group.addoption("--loupe-mpl", action="store_true", help="Compare what tests return that are marked for pytest-mpl.")
    group.addoption("--loupe-off", action="store_true", help="Draw pictures, and compare none.")
    for name, (metavar, words) in _OPTIONS.items():
        group.addoption(name, metavar=metavar, help=words)
    for name, (kind, words) in _INI.items():
        parser.addini(name, words, type=kind, default=None)  # type: ignore[arg-type]
    for name in (*_KEYS_OF_MPL, *_UNREAD_KEYS_OF_MPL):
        # pytest-mpl may declare them, too, with these types.
        kind = "bool" if name in ("mpl-use-full-test-name", "mpl-deterministic") else "string"
        parser.addini(name, "A key of pytest-mpl.", type=kind, default=None)  # type: ignore[arg-type]


def pytest_configure(config: pytest.Config) -> None:
    """Checks the settings, and starts without any result."""
    config.addinivalue_line(
        "markers",
        "loupe(tolerance, style, backend, savefig_kwargs, remove_text, filename, baseline_dir, …): how loupe_snapshot draws and"
        " compares pictures of this test; others are the keywords of loupe.diff",
    )
    if _is_on(config, "mpl"):
        config.addinivalue_line("markers", "mpl_image_compare: the mark of pytest-mpl, as loupe reads it")
    config.stash[_CHECKED], config.stash[_FILES], config.stash[_REFERENCES] = set(), {}, {}
    for name in (*_INI, *_KEYS_OF_MPL):
        try:
            config.getini(name)
        except (TypeError, ValueError, pytest.UsageError) as error:
            raise pytest.UsageError(f"{name}: {error}") from None
    tolerances = {"loupe_tolerance": config.getini("loupe_tolerance"), "mpl-default-tolerance": _of_mpl(config, "default-tolerance")}
    for name, given in tolerances.items():
        if given and not _is_tolerance(given) and (name in _INI or _is_on(config, "mpl")):
            raise pytest.UsageError(f"{name}: {given!r} is not a number from 0 to 255")
    accept = config.getoption("--loupe-accept")
    config.stash[_ACCEPTED] = _accepted(config.invocation_params.dir / accept) if accept else {}
    config.stash[_HASHES] = _read_hashes(config)
    place = _setting(config, "references")
    if _is_address(place) and (accept or config.getoption("--loupe-update")):
        raise pytest.UsageError("--loupe-update and --loupe-accept can't write references to an address")
    if place and "://" in place and not _is_address(place):
        raise pytest.UsageError(f"--loupe-references: {place} is neither a folder nor an address of http or https")


def _accepted(path: pathlib.Path) -> dict[str, str]:
    """The hashes of accepted pictures by their references."""
    try:
        members = json.loads(path.read_text("utf-8"))
        if members["format"] != "loupe-accept/1":
            raise ValueError(f"the format {members['format']} is not loupe-accept/1")
        return {one["scene"]: str(one["picture"]) for one in members["cases"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise pytest.UsageError(f"--loupe-accept: {path} is no list of a report: {error}") from None


def _setting(config: pytest.Config, name: str) -> str | None:
    """What the command line says, or the configuration, for this platform."""
    given = config.getoption(f"--loupe-{name}") or config.getini(f"loupe_{name}")
    return str(given).replace("{platform}", sys.platform) if given else None


def _is_on(config: pytest.Config, name: str) -> bool:
    """Whether the command line or the configuration switches it on."""
    return bool(config.getoption(f"--loupe-{name}") or config.getini(f"loupe_{name}"))


def _of_mpl(config: pytest.Config, name: str) -> Any:
    """What the command line or the configuration says of pytest-mpl."""
    return config.getoption(f"--mpl-{name}", None) or config.getini(f"mpl-{name}")


def _is_address(place: str | None) -> bool:
    return place is not None and re.match(r"https?://", place) is not None


class Reference:
    """Where the reference of a picture is: in a file, or at an address."""

    def __init__(self, item: pytest.Item, suite: str, name: str, baseline: str | None = None) -> None:
        """`baseline` is a folder beside the test, or an address, in which references are with no folder for the test's file."""
        place = _setting(item.config, "references")
        self.is_shared = baseline is not None and not place
        self.addresses: list[str] = []
        if baseline is not None and not place:
            place, below, folder = baseline, name, item.path.parent / baseline
        else:
            below = f"{suite.removesuffix('.py')}/{name}"
            folder = item.path.parent / "__loupe__" / item.path.stem
            if place:
                folder = item.config.rootpath / place / suite.removesuffix(".py")
        if place and _is_address(place):
            # pytest-mpl has mirrors.
            self.addresses = [f"{one.strip().rstrip('/')}/{urllib.parse.quote(below)}" for one in place.split(",")]
            self.shown, self.path = self.addresses[0], pathlib.Path()
            return
        # One of this platform goes before one of all.
        own = folder / sys.platform / name
        self.path = own if own.exists() else folder / name
        self.shown = os.path.relpath(self.path, item.config.rootpath)

    def read(self) -> bytes | None:
        """The picture; None where there is none."""
        if self.addresses:
            return next((found for found in map(_fetched, self.addresses) if found is not None), None)
        return self.path.read_bytes() if self.path.exists() else None


_MOST_BYTES, _MOST_SECONDS = 64 << 20, 60
"""The limits of a reference at an address."""


def _fetched(address: str) -> bytes | None:
    """The contents at an address; None where it has none.

    A thread reads them, as the timeout of a socket holds for each of many reads.
    """
    found: list[bytes | Exception] = []

    def fetch() -> None:
        try:
            # The thread ends later than the wait for it.
            with urllib.request.urlopen(address, timeout=2 * _MOST_SECONDS) as answer:
                data = answer.read(_MOST_BYTES + 1)
                if len(data) > _MOST_BYTES:
                    raise ValueError(f"it has more than {_MOST_BYTES >> 20} MiB")
                if answer.length:
                    raise ValueError("the connection ended before its last byte")
                found.append(data)
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=fetch, daemon=True)
    thread.start()
    thread.join(_MOST_SECONDS)
    result = found[0] if found else TimeoutError(f"it took more than {_MOST_SECONDS} s")
    if isinstance(result, bytes):
        return result
    if isinstance(result, urllib.error.HTTPError) and result.code == 404:
        return None
    words = str(result.reason if type(result) is urllib.error.URLError else result).strip().partition("\n")[0]
    if isinstance(result, http.client.HTTPException):
        words = f"{type(result).__name__}: {words}"
    # The server may have chosen them.
    words = re.sub(r"[\x00-\x1f\x7f-\x9f]", "?", words)
    raise pytest.fail.Exception(f"the reference {address} can't be read: {words}", pytrace=False)


class _Shot(NamedTuple):
    """A picture of a test, as it is and as pixels, and its reference."""

    suite: str
    plain: str
    suffix: str
    actual: bytes
    shown: bytes
    reference: Reference
    stored: bytes | None

    @property
    def key(self) -> str:
        return f"{self.suite}::{self.plain}"


class _Verdict(NamedTuple):
    """How a picture differs from its reference, why that can't be read, and what its root mean square is where that is judged."""

    difference: Difference | None
    broken: str
    is_same: bool
    error: str


class Snapshot:
    """Compares pictures of one test with their references."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self.names: list[str] = []
        if wrong := _wrong_mark(item):
            pytest.fail(wrong, pytrace=False)
        self._given: dict[str, Any] = {}
        for mark in reversed(list(item.iter_markers("loupe"))):
            self._given |= mark.kwargs
        self._notes: list[str] = []
        self._limit: float | None = None
        """The largest root mean square that passes, for marks of pytest-mpl; None where pixels are judged."""
        self._is_of_mpl = bool(_marks_of_mpl(item))
        for mark in _marks_of_mpl(item):
            self._read_as_mpl(mark.kwargs)
        self._style, self._backend, self._filename, self._baseline = (
            self._given.pop(name, usual)
            for name, usual in (
                ("style", item.config.getini("loupe_style") or "default"), ("backend", "agg"), ("filename", None), ("baseline_dir", None)
            )
        )  # fmt: skip
        self._given.pop("deterministic", None)
        self.records: list[dict[str, Any]] = []
        self.failures: list[str] = []

    def _read_as_mpl(self, given: Mapping[str, Any]) -> None:
        """Has the keywords of the mark mean what they mean in pytest-mpl."""
        item, config = self._item, self._item.config
        has_limits = bool(self._given.keys() & DiffOptions.__annotations__.keys())
        own = {name: one for name, one in given.items() if one is not None and name not in ("tolerance", "hash_library", "skip_hash")}
        place = _of_mpl(config, "baseline-path") or "baseline"
        if place != "baseline" and not _is_address(place):
            place = str(config.invocation_params.dir / place)
        self._given = {
            "style": _of_mpl(config, "default-style") or "classic", "backend": _of_mpl(config, "default-backend") or "agg",
            "baseline_dir": place, "filename": f"{item.name}.png", **self._given, **own,
        }  # fmt: skip
        if _of_mpl(config, "use-full-test-name"):
            parts = [getattr(getattr(item, one, None), "__name__", "") for one in ("module", "cls")]
            self._given["filename"] = ".".join([*filter(None, parts), item.name, "png"])
        self._given["filename"] = _name_of_mpl(self._given["filename"])
        limit = given.get("tolerance")
        if not has_limits and (limit is not None or not config.getini("loupe_tolerance")):
            self._limit = float(limit if limit is not None else _of_mpl(config, "default-tolerance") or 2)

    def __call__(self, picture: Page, tolerance: float | str | None = None, *, name: str | None = None, **options: Any) -> None:
        """Fails the test at its end unless the picture is its reference within the tolerance.

        `picture` is an array, a Pillow image, a figure of matplotlib, a `loupe.Picture`, the bytes of a picture, or a path.
        SVGs and PDFs of one page are compared as they are drawn. `tolerance` is the largest difference of a
        channel of 0 to 255 that passes, also a part of 1: 2 by default, and 0 for whole numbers of 16 bits, which are data more
        often than colours. Arrays of floats are compared in 16 bits. `name` tells several pictures of one test apart. `savefig_kwargs` and
        `remove_text` are for figures. The other keywords are those of `loupe.diff` that write no file. A mark
        `@pytest.mark.loupe(…)` has the same keywords, apart from `name`, and `style`.
        """
        __tracebackhide__ = True
        if tolerance is not None:
            options["tolerance"] = tolerance
        limit = None if options.keys() & DiffOptions.__annotations__.keys() else self._limit
        try:
            check_names(options, _KEYWORDS, "loupe_snapshot")
            self._compare(picture, name, {**self._given, **options}, limit)
        except LoupeError as error:
            # The test's own line is shown, not those of this package.
            raise error.with_traceback(None) from None

    def _compare(self, picture: Page, name: str | None, given: dict[str, Any], limit: float | None) -> None:
        start, config = time.perf_counter(), self._item.config
        drawing = {key: given.pop(key, None) for key in ("savefig_kwargs", "remove_text")}
        actual = self._bytes(picture, **drawing)
        suite, plain = self._title(name)
        if _is_on(config, "off"):
            return
        shot = self._shot(suite, plain, name, actual)
        if given.get("metric", "channel") == "channel":
            is_data = (_is_deep(actual) or _is_deep(shot.stored)) and getattr(getattr(picture, "dtype", None), "kind", "") != "f"
            given.setdefault("tolerance", config.getini("loupe_tolerance") or (0 if is_data else 2))
        verdict = self._judge(shot, given, limit)
        found = _hash(shot.shown, is_strict=given.get("metadata") == "strict")
        record = self._record(shot, verdict, found)
        self._settle(record, shot, verdict)
        record["milliseconds"] = round((time.perf_counter() - start) * 1000, 3)
        self.records.append(record)
        if record["state"] != "passed":
            self.failures.append(_advice(record, verdict, bool(shot.reference.addresses)))

    def _shot(self, suite: str, plain: str, name: str | None, actual: bytes) -> _Shot:
        """A picture with its reference."""
        suffix = _suffix(actual)
        file = plain + suffix
        if self._filename:
            stem, _, end = self._filename.rpartition(".")
            file = f"{stem or end}{f'-{name}' if name else ''}{suffix}"
        reference = Reference(self._item, suite, file, self._baseline)
        stored = reference.read()
        if suffix == ".pdf":
            for one in filter(None, (actual, stored)):
                _check_one_page(one)
        return _Shot(suite, plain, suffix, actual, _drawn(actual, suffix), reference, stored)

    def _judge(self, shot: _Shot, given: dict[str, Any], limit: float | None) -> _Verdict:
        """Whether a picture is its reference: by its pixels, or by a limit of the root mean square."""
        difference, broken = self._difference(shot, given if limit is None else {**given, "tolerance": 0})
        is_same, error = difference is not None and difference.same, ""
        if shot.stored is not None and difference is not None and limit is not None:
            found = _root_mean_square(_drawn(shot.stored, shot.suffix), shot.shown)
            is_same, error = found <= limit, f"root mean square {found:.4g}, allowed is {limit:g}"
            self._notes = [_NOTE_OF_MPL]
        return _Verdict(difference, broken, is_same or shot.stored == shot.actual, error)

    def _record(self, shot: _Shot, verdict: _Verdict, found: str) -> dict[str, Any]:
        """What the run keeps of a comparison. A picture with its hash passes, too."""
        config, difference = self._item.config, verdict.difference
        hashes = config.stash[_HASHES]
        expected = None if hashes is None else hashes.get(shot.key)
        state = "passed" if expected == found or verdict.is_same else "failed"
        if state == "failed" and shot.stored is None and expected is None:
            state = "missing"
        if state == "passed" and difference is not None and difference.json.get("metadata"):
            warn(f"{shot.key}: beside the pixels: {', '.join(difference.json['metadata'])}")
        # Those who keep hashes keep no references, unless they do.
        updates = bool(config.getoption("--loupe-update"))
        moves = updates and bool(config.getoption("--loupe-references"))
        has_file = hashes is None or shot.stored is not None or moves
        if has_file:
            self._check_file(shot.reference, shot.key, found, writes=state != "passed" and updates)
        if moves and shot.stored is None:
            state = "missing"
        subject = f"reference {shot.reference.shown}" if has_file else self._hash_of(shot)
        return {
            "suite": shot.suite, "name": shot.plain, "scene": shot.reference.shown if has_file else shot.key, "state": state,
            "message": _message(state, verdict, subject), "milliseconds": 0.0, "key": shot.key, "hash": found,
            "is_shared": shot.reference.is_shared, "notes": self._notes, "subject": subject,
            "has_new_hash": hashes is not None and expected != found,
            **({} if difference is None else {"difference": difference.json}),
        }  # fmt: skip

    def _settle(self, record: dict[str, Any], shot: _Shot, verdict: _Verdict) -> None:
        """Writes the reference of a picture that did not pass, where that is asked for, or keeps the picture."""
        config, has_passed = self._item.config, record["state"] == "passed"
        folder = output_folder(config) / shot.suite.removesuffix(".py")
        kept = {part: folder / f"{shot.plain}-{part}.png" for part in _PARTS}
        for old in (*kept.values(), kept["actual"].with_suffix(shot.suffix)):
            old.unlink(missing_ok=True)
        if has_passed and not record["has_new_hash"]:
            return
        if config.getoption("--loupe-update") or config.stash[_ACCEPTED].get(record["scene"]) == record["hash"]:
            record["state"] = "written"
            if has_passed:
                # Its reference is right, and only its hash was written.
                record["subject"] = record["wrote"] = self._hash_of(shot)
            elif record["scene"] != shot.key:
                _write(shot.reference.path, shot.actual)
        elif not has_passed:
            self._keep(record, kept, shot, verdict.difference)

    def _hash_of(self, shot: _Shot) -> str:
        return f"hash of {shot.key} in {_setting(self._item.config, 'hashes')}"

    def finish(self) -> None:
        """Fails where a picture was not its reference."""
        if self.failures:
            pytest.fail("\n\n".join(self.failures), pytrace=False)

    def _bytes(self, picture: Page, savefig_kwargs: dict[str, Any] | None, remove_text: bool | None) -> bytes:
        from loupe_render._pages import is_figure, needs_pillow, png_of

        if remove_text not in (None, True, False):
            raise UsageError(f"remove_text: {remove_text!r} is not True or False", 64)
        # As pytest-mpl does; a grid of seaborn saves itself tight.
        save = getattr(picture, "savefig", None) if self._is_of_mpl else None
        picture = _figure_of(picture)
        if isinstance(picture, (str, os.PathLike)) and not needs_pillow(picture):
            return read(text("page", os.fspath(picture), "surrogateescape"))
        if save is None and is_figure(picture):
            save = picture.savefig
        if save is None:
            return png_of(picture, is_compared=True)
        import matplotlib

        settings: dict[str, Any] = {"format": "png", **(savefig_kwargs or {})}
        # Nothing that another run would write otherwise.
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        settings.setdefault("metadata", dates.get(settings["format"]))
        written = io.BytesIO()
        removes = self._item.config.getini("loupe_remove_text") if remove_text is None else remove_text
        if removes and is_figure(picture):
            from matplotlib.testing.decorators import remove_ticks_and_titles

            remove_ticks_and_titles(picture)
        with matplotlib.rc_context({"svg.hashsalt": "loupe"}):
            save(written, **settings)
        return png_of(written.getvalue())

    def _difference(self, shot: _Shot, given: dict[str, Any]) -> tuple[Difference | None, str]:
        """How the picture differs, None where there is nothing to compare; and why the reference can't be read, if it can't.

        The keywords are checked in any case, once, and each new picture.
        """
        import loupe_render as loupe

        checked, key = self._item.config.stash[_CHECKED], repr(sorted(given.items(), key=lambda one: one[0]))
        difference, shown = None, shot.shown
        if shot.stored is not None and shot.stored != shot.actual:
            try:
                difference = loupe.diff(_drawn(shot.stored, shot.suffix), shown, **given)
            except InputError as error:
                # What is wrong with the picture or the mask is an error here, too.
                loupe.diff(shown, shown, **given)
                return None, re.sub("^(the )?reference: ", "", str(error))
        elif shot.stored is None or key not in checked:
            loupe.diff(shown, shown, **given)
        checked.add(key)
        return difference, ""

    def _keep(self, record: dict[str, Any], kept: dict[str, pathlib.Path], shot: _Shot, difference: Difference | None) -> None:
        """Keeps the pictures of a failure. Vectors are kept as they are, too."""
        pictures = {"actual": shot.shown}
        if shot.stored is not None and difference is not None:
            pictures |= {"reference": _drawn(shot.stored, shot.suffix), "difference": difference.png}
            # Machines without fonts draw none.
            with contextlib.suppress(LoupeError):
                pictures |= {"figure": difference.figure} if difference.figure else {}
        for part, data in pictures.items():
            _write(kept[part], data)
        if shot.shown is not shot.actual:
            _write(kept["actual"].with_suffix(shot.suffix), shot.actual)
        root = self._item.config.rootpath
        record["files"] = {part: os.path.relpath(kept[part], root) for part in pictures}

    def _title(self, name: str | None) -> tuple[str, str]:
        """What the picture is called: its file and its test."""
        plain = _plain(self._item.nodeid)
        if name is not None:
            if not re.fullmatch(r"[\w.+-]{1,80}", name):
                pytest.fail(f"loupe_snapshot: name: {name!r} is no part of a file's name", pytrace=False)
            plain += f"-{name}"
        if plain in self.names:
            pytest.fail("loupe_snapshot: this test has shown a picture already; give each its name=…", pytrace=False)
        suite = _suite(self._item)
        # Some file systems have one file for both.
        other = self._other(f"{suite}/{plain}", plain)
        if other != plain:
            pytest.fail(f"loupe_snapshot: {plain} and {other} differ in capitals alone; give one another name", pytrace=False)
        self.names.append(plain)
        return suite, plain

    def _check_file(self, reference: Reference, key: str, picture: str, *, writes: bool) -> None:
        """Refuses two references whose names differ in capitals alone, unless both files exist, and a second picture for a file."""
        first = (key, reference.shown, picture)
        other, shown, other_picture = self._item.config.stash[_REFERENCES].setdefault(reference.shown.lower(), first)
        problem, folder = "", reference.path.parent
        if shown != reference.shown and not reference.addresses:
            if not {os.path.basename(shown), reference.path.name} <= set(os.listdir(folder) if folder.is_dir() else []):
                problem = f"have references that differ in capitals alone, {shown} and {reference.shown}"
        elif other != key and writes and picture != other_picture:
            problem = f"show two pictures and have one reference, {shown}"
        if problem:
            pytest.fail(f"loupe_snapshot: {key} and {other} {problem}; give each its filename=…", pytrace=False)

    def _other(self, file: str, owner: str) -> str:
        """Which picture had this file first in this run: the owner itself, or another one."""
        return self._item.config.stash[_FILES].setdefault(file.lower(), owner)

    @contextlib.contextmanager
    def matplotlib(self) -> Iterator[None]:
        """matplotlib as each run has it: a backend without windows, a style, and no figure left open."""
        # Also where a test imports it only later.
        if importlib.util.find_spec("matplotlib") is None:
            yield
            return
        import matplotlib
        from matplotlib import pyplot, style

        before = set(pyplot.get_fignums())
        with contextlib.ExitStack() as settings:
            try:
                matplotlib.use(self._backend)
                if self._style is not None:
                    settings.enter_context(style.context(self._style, after_reset=True))
            except (OSError, ValueError, ImportError) as error:
                raise pytest.fail.Exception(f"matplotlib: {str(error).partition(chr(10))[0]}", pytrace=False) from None
            try:
                yield
            finally:
                for number in set(pyplot.get_fignums()) - before:
                    pyplot.close(number)


def _marks_of_mpl(item: pytest.Item) -> list[pytest.Mark]:
    """The mark of pytest-mpl, where it is read."""
    closest = item.get_closest_marker("mpl_image_compare") if _is_on(item.config, "mpl") else None
    return [closest] if closest else []


def _name_of_mpl(name: str) -> str:
    """What pytest-mpl calls the reference of this name, or of a test."""
    stem, _, end = name.rpartition(".")
    return re.sub(r"[][/]", "_", name.split(f".{end}")[0] if stem else name).removesuffix("_") + ".png"


_NOTE_OF_MPL = (
    "marks of pytest-mpl are judged by the root mean square, as there; @pytest.mark.loupe(tolerance=2) beside one judges each pixel"
)


def _root_mean_square(reference: bytes, actual: bytes) -> float:
    """The error of all channels of 8 bits, as `matplotlib.testing.compare` has it: without alpha where that is opaque.

    It is infinite where sizes differ, or one picture alone is opaque.
    """
    import numpy as np
    from PIL import Image

    images = [Image.open(io.BytesIO(one)).convert("RGBA") for one in (reference, actual)]
    one, other = (np.asarray(image.convert("RGB") if image.getchannel(3).getextrema()[0] == 255 else image, float) for image in images)
    return float(np.sqrt(((one - other) ** 2).mean())) if one.shape == other.shape else math.inf


def _figure_of(picture: Any) -> Any:
    """The figure of axes, of a grid of seaborn, or of several of these; other pictures as they are.

    Raises UsageError where they belong to several figures: only one is compared.
    """
    figures = list({id(figure): figure for figure in _figures(picture)}.values())
    if len(figures) > 1:
        raise UsageError(f"page: it holds {len(figures)} figures, and a test compares one; compare each by loupe_snapshot", 64)
    return figures[0] if figures else picture


def _figures(picture: Any) -> Iterator[Any]:
    from loupe_render._pages import is_figure

    is_array = str(getattr(picture, "dtype", "")) == "object"
    if is_array or isinstance(picture, (tuple, list)):
        for one in picture.flat if is_array else picture:
            yield from _figures(one)
        return
    found = getattr(picture, "figure", None)
    # A part of a figure is in another one.
    whole = found if is_figure(found) else getattr(found, "figure", None)
    if is_figure(picture) or is_figure(whole):
        yield picture if is_figure(picture) else whole


def _suite(item: pytest.Item) -> str:
    """The path of a test's file relative to the root folder; of one outside of it, that of its module."""
    path = os.path.relpath(item.path, item.config.rootpath).replace(os.sep, "/")
    module = getattr(item, "module", None)
    return f"{module.__name__.replace('.', '/')}.py" if path.startswith("../") and module is not None else path


def _plain(nodeid: str) -> str:
    """The name of a test as a file can have it. The parameters' texts may hold anything, and be long.

    Some file systems have one file for names that differ in capitals alone, so those of functions and parameters count.
    """
    name, bracket, parameters = nodeid.partition("::")[2].partition("[")
    test = name.replace("::", ".") + bracket + parameters
    plain = re.sub(r"[^\w.\[\]=,+-]+", "_", test)[:120]
    own = name.rpartition("::")[2] + bracket + parameters
    return plain if plain == test and own == own.lower() else f"{plain}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"


def _suffix(data: bytes) -> str:
    """What a file with such contents is called."""
    first = data[:512].removeprefix(b"\xef\xbb\xbf").lstrip()
    for start, suffix in _SUFFIXES.items():
        if first.startswith(start):
            return suffix
    # As the command reads the brands of a file of boxes.
    if data[4:8] == b"ftyp" and data[8:12].startswith((b"avif", b"avis", b"hei", b"hev", b"mif1", b"msf1")):
        return ".avif" if data[8:12] == b"avis" or b"avif" in data[8:64] else ".heic"
    raise UsageError(f"page: it begins with {data[:8]!r}, which is no PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF, SVG or PDF", 64)


def _is_deep(data: bytes | None) -> bool:
    """Whether it is a PNG of 16 bits a channel."""
    return data is not None and data.startswith(_png.SIGNATURE) and data[24:25] == b"\x10"


def _drawn(data: bytes, suffix: str) -> bytes:
    """Vectors as pixels; pixels as they are."""
    import loupe_render as loupe

    return loupe.render(data, no_metadata=True).png if suffix in (".svg", ".pdf") else data


def _check_one_page(pdf: bytes) -> None:
    """Refuses a PDF of several pages, as one page is compared."""
    import loupe_render as loupe

    with tempfile.TemporaryDirectory(prefix="loupe-") as folder, contextlib.suppress(InputError):
        path = pathlib.Path(folder, "page.pdf")
        path.write_bytes(pdf)
        loupe.render(f"{path}#2")
        raise UsageError("page: the PDF has several pages; give one of them, as loupe.render('figure.pdf#2')", 64)


_SRGB = {
    b"cICP": bytes((1, 13, 0, 1)),
    b"gAMA": struct.pack(">I", 45455),
    b"cHRM": struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000),
}
"""The chunks of a PNG that say nothing else than sRGB."""


def _hash(data: bytes, *, is_strict: bool = False) -> str:
    """The hash of what is compared: the size, the pixels, the colours where they are not sRGB, and the orientation.

    Of a PNG of 16 bits a channel, of which Pillow keeps 8, the pixels are the header and the rows. The hash is that of the bytes
    where Pillow is missing or shows less than is compared: of animations, CMYK, AVIF and HEIC. Under strict metadata it has the
    channels and the density of PNGs, and all of other files.
    """

    def hashed(*parts: bytes) -> str:
        return "sha256:" + hashlib.sha256(b"".join(parts)).hexdigest()

    is_png, is_deep = data.startswith(_png.SIGNATURE), _is_deep(data)
    chunks = {kind: data[start:end] for kind, start, end in (_png.chunks(data) if is_png else ()) if kind != b"IDAT"}
    kinds = [b"cICP", *([] if {b"sRGB", b"iCCP"} & chunks.keys() else [b"gAMA", b"cHRM"]), *([b"pHYs"] if is_strict else [])]
    if is_deep:
        kinds += [b"iCCP", b"tRNS", b"eXIf"]
    beside = b"".join(kind + chunks[kind] for kind in kinds if chunks.get(kind) not in (None, _SRGB.get(kind)))
    if is_deep and b"acTL" not in chunks:
        rows = zlib.decompress(b"".join(data[start:end] for kind, start, end in _png.chunks(data) if kind == b"IDAT"))
        return hashed(data[16:29], rows, beside)
    try:
        from PIL import Image

        image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP", "GIF"))
    except (ModuleNotFoundError, OSError):
        return hashed(data)
    is_partly_shown = is_deep or image.mode == "CMYK" or getattr(image, "is_animated", False)
    if is_partly_shown or is_strict and not is_png:
        return hashed(data)
    size = b"".join(side.to_bytes(4, "big") for side in image.size)
    orientation = image.getexif().get(0x0112, 1)
    return hashed(
        size, image.convert("RGBA").tobytes(), image.info.get("icc_profile") or b"", beside,
        data[24:26] if is_strict and data[24:26] != b"\x08\x02" else b"", b"" if orientation == 1 else f"orientation {orientation}".encode(),
    )  # fmt: skip


def _read_hashes(config: pytest.Config) -> dict[str, str] | None:
    """The hash of each picture by its key; None where none are kept."""
    given = _setting(config, "hashes")
    if given is None:
        return None
    path = config.rootpath / given
    try:
        found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        if not isinstance(found, dict):
            raise ValueError("it is no JSON object")
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"--loupe-hashes: {path} can't be used: {error}") from None
    return found


def _of_all_platforms(path: pathlib.Path) -> pathlib.Path:
    """The reference of all platforms in whose place one of a platform is."""
    return path.parent.parent / path.name if path.parent.name in ("linux", "darwin", "win32", "cygwin") else path


def output_folder(config: pytest.Config) -> pathlib.Path:
    """Where pictures that differ are kept."""
    return config.rootpath / str(config.getoption("--loupe-output") or "loupe-failures")


def _write(path: pathlib.Path, data: bytes) -> None:
    """Writes a file that appears whole, as other processes may do the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(os.fspath(path), _png.compressed(data) if data.startswith(_png.SIGNATURE) else data)


def _summary(difference: Difference, error: str) -> list[str]:
    """The lines of a difference; for one that is judged by a root mean square, with that, and without the limits of pixels."""
    lines = difference.summary.splitlines()
    return [*(one for one in lines if "would pass at" not in one), f"  {error}"] if error else lines


def _message(state: str, verdict: _Verdict, subject: str) -> str:
    difference, broken, _, error = verdict
    if broken:
        return f"the {subject} can't be read: {broken}"
    if difference is None:
        return {"passed": "equal", "missing": f"there is no {subject}"}.get(state, f"the picture does not have the {subject}")
    if difference.same or state == "passed":
        # The command's own words need another comparison.
        return error or f"{difference.pixels} of {difference.json['totalPixels']} pixels differ"
    return "; ".join(re.sub(r"\s+", " ", line.strip()) for line in _summary(difference, error))


def _advice(record: dict[str, Any], verdict: _Verdict, is_address: bool) -> str:
    subject, difference = record["subject"], verdict.difference
    if record["state"] == "written":
        return f"wrote the {subject}: look at the picture, and run again without --loupe-update"
    if difference is None:
        lines = [record["message"]]
    else:
        lines = [f"the picture is not its {subject}", *_summary(difference, verdict.error)]
    lines += [f"  {part + ':':<12}{path}" for part, path in record["files"].items()]
    update = "put it at that address" if is_address else "run pytest --loupe-update and keep the reference"
    return "\n".join([*lines, f"If the picture is right, {update}."])


@pytest.fixture
def loupe_snapshot(request: pytest.FixtureRequest) -> Iterator[Snapshot]:
    """Compares a picture with the test's reference: `loupe_snapshot(figure, tolerance=2)`."""
    snapshot = Snapshot(request.node)
    request.node.loupe_snapshot = snapshot
    with snapshot.matplotlib():
        yield snapshot
    # What other fixtures showed after the test.
    snapshot.finish()


def _own_mark(item: pytest.Item) -> str | None:
    """The mark of the test itself, not of its class or module."""
    read = ["loupe", *(mark.name for mark in _marks_of_mpl(item))]
    return next((mark.name for mark in item.own_markers if mark.name in read), None)


def _returns_picture(item: pytest.Item) -> bool:
    """Whether what the test returns is compared."""
    is_marked = item.get_closest_marker("loupe") is not None or bool(_marks_of_mpl(item))
    is_async = inspect.iscoroutinefunction(getattr(item, "obj", None))
    return is_marked and "loupe_snapshot" not in getattr(item, "fixturenames", []) and not is_async


def _wrong_mark(item: pytest.Item) -> str:
    """What is wrong with the marks of a test; nothing where all is right."""
    marks = [("loupe", mark, _KEYWORDS | _OF_MARKS) for mark in item.iter_markers("loupe")]
    for name, mark, allowed in [*marks, *(("mpl_image_compare", mark, _OF_MPL) for mark in _marks_of_mpl(item))]:
        if mark.args:
            return f"@pytest.mark.{name}: {mark.args[0]!r} needs a keyword, such as tolerance=2"
        try:
            check_names(mark.kwargs, allowed, f"@pytest.mark.{name}")
        except UsageError as error:
            return str(error)
        try:
            _check_values(mark.kwargs, item.config.stash[_CHECKED])
        except UsageError as error:
            return f"@pytest.mark.{name}: {error}"
    return ""


def _is_tolerance(given: object) -> bool:
    return re.fullmatch(r"(\d+\.?\d*|\.\d+)(e-?\d+)?", str(given)) is not None and float(str(given)) <= 255


def _check_values(given: Mapping[str, Any], checked: set[str]) -> None:
    """Raises UsageError at a wrong value of a mark. matplotlib is asked once about each style and backend."""
    kinds: dict[str, tuple[Any, str]] = {
        "filename": (str, "a text"), "baseline_dir": ((str, os.PathLike), "a folder"), "savefig_kwargs": (Mapping, "a dictionary"),
    }  # fmt: skip
    for name, one in given.items():
        kind, words = kinds.get(name, (object, ""))
        if one is None or f"{name}={one!r}" in checked:
            continue
        if not isinstance(one, kind):
            raise UsageError(f"{name}: {one!r} is not {words}", 64)
        if name == "tolerance" and not all(_is_tolerance(part.rpartition("=")[2].strip()) for part in str(one).split(",")):
            raise UsageError(f"{name}: {one!r} is not a number from 0 to 255", 64)
        if name in DiffOptions.__annotations__ and name not in ("mask", "tolerance") and one is not False:
            value(name.replace("_", "-"), one)
        if name in ("style", "backend") and importlib.util.find_spec("matplotlib") is not None:
            from matplotlib import rcsetup, style

            try:
                if name == "backend":
                    rcsetup.validate_backend(one)
                else:
                    with warnings.catch_warnings(action="ignore"), style.context(one, after_reset=True):
                        pass
            except Exception as error:
                raise UsageError(f"{name}: matplotlib refuses {one!r}: {str(error).partition(chr(10))[0]}", 64) from None
            checked.add(f"{name}={one!r}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuses wrong marks: ends the run at the first, or, in a worker of pytest-xdist, keeps one test of each to say it."""
    said: set[str] = set()
    for item in list(items):
        sentence = _wrong_mark(item)
        if sentence and not hasattr(config, "workerinput"):
            raise pytest.UsageError(f"{item.nodeid}: {sentence}")
        if sentence in said:
            items.remove(item)
        elif sentence:
            said.add(sentence)


def _compares(item: pytest.Function, function: Callable[..., Any]) -> Callable[..., None]:
    """The function of a test, with what it returns compared."""
    snapshot: Snapshot = item._request.getfixturevalue("loupe_snapshot")

    def compared(*given: Any, **named: Any) -> None:
        __tracebackhide__ = True
        picture = function(*given, **named)
        sentence = ""
        try:
            if picture is not None:
                snapshot(picture)
        except LoupeError as error:
            sentence = str(error)
        if sentence:
            pytest.fail(sentence, pytrace=False)

    return compared


@contextlib.contextmanager
def _image_comparisons(item: pytest.Item) -> Iterator[None]:
    """Has the figures of matplotlib's own decorator `image_comparison` compared here."""
    decorators: Any = sys.modules.get("matplotlib.testing.decorators")
    if decorators is None or not _is_on(item.config, "mpl"):
        yield
        return

    def compare(base: Any, figure: Any, baseline: str, extension: str, **_: Any) -> None:
        __tracebackhide__ = True
        # Not the fixture: the figure keeps the style of the decorator.
        snapshot: Snapshot = vars(item).setdefault("loupe_snapshot", None) or Snapshot(item)
        vars(item)["loupe_snapshot"] = snapshot
        snapshot._given = {
            "savefig_kwargs": {**base.savefig_kwargs, "format": extension}, "remove_text": base.remove_text,
        }  # fmt: skip
        snapshot._limit = base.tol or None
        try:
            snapshot(figure, name=baseline)
        finally:
            decorators.plt.close(figure)

    own = decorators._ImageComparisonBase.compare
    decorators._ImageComparisonBase.compare = compare
    try:
        yield
    finally:
        decorators._ImageComparisonBase.compare = own


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object:
    """Compares what a marked test without the fixture returns."""
    __tracebackhide__ = True
    if not _returns_picture(pyfuncitem):
        return None
    named = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    _compares(pyfuncitem, pyfuncitem.obj)(**named)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fails at the end of a test, so that one run sees all its pictures."""
    if isinstance(item, TestCaseFunction) and _returns_picture(item):
        # unittest calls it, and drops what it returns.
        item.obj = _compares(item, item.obj)
    with _image_comparisons(item):
        yield
    snapshot: Snapshot | None = getattr(item, "loupe_snapshot", None)
    if snapshot:
        snapshot.finish()
    names = snapshot.names if snapshot else []
    if (mark := _own_mark(item)) and not names and "loupe_snapshot" not in getattr(item, "fixturenames", []):
        is_async = inspect.iscoroutinefunction(getattr(item, "obj", None))
        problem = "the test neither uses loupe_snapshot nor returns a picture"
        if is_async:
            problem = "an async test needs the fixture loupe_snapshot"
        pytest.fail(f"@pytest.mark.{mark}: {problem}", pytrace=False)
    if snapshot and not names and "loupe_snapshot" in getattr(getattr(item, "_fixtureinfo", None), "argnames", ()):
        pytest.fail("loupe_snapshot: the test has it and shows it no picture, so nothing was compared", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Puts the results into the test's report, which pytest-xdist brings from its workers."""
    report = yield
    snapshot: Snapshot | None = getattr(item, "loupe_snapshot", None)
    if snapshot:
        vars(report)["loupe_records"], snapshot.records = snapshot.records, []
        if call.when == "call":
            # The failure has named them. If the test failed or was skipped for another reason, the end of the run names them.
            snapshot.failures = []
    return report


class _Collector:
    """Collects the results in the process that has them all."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._records: list[dict[str, Any]] = []
        self._others: tuple[str, ...] = ()
        self._lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._records += getattr(report, "loupe_records", [])
        if report.outcome != "passed":
            # What it would have shown is unknown.
            self._others += (_plain(report.nodeid),)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        config, records, lines = self._config, self._records, self._lines
        path = output_folder(config) / "report.html"
        if records:
            path.unlink(missing_ok=True)
        self._write_hashes(records)
        unused = self._unused(records) if exitstatus in (0, 1) else []
        count = sum("files" in record for record in records)
        if count or records and (config.getoption("--loupe-report") or config.getini("loupe_report")):
            from loupe_render import _anywhere

            if _anywhere.is_used():
                # The pictures of those that differ lie there, without a page.
                path = path.parent
            else:
                write_report(records, unused, path, config.rootpath)
            missing = sum(record["state"] == "missing" for record in records)
            result = f"{count - missing} of {len(records)} differ{f', {missing} without a reference' if missing else ''}"
            place = f"; see {os.path.relpath(path, config.invocation_params.dir)}"
            lines.append(result + (place if path.exists() else ""))
        lines += [f"{record['state']}: {record.get('wrote') or record['scene']}" for record in records if record["state"] != "passed"]
        shown = {(record["scene"], record["hash"]) for record in records}
        lines += [f"no test shows the accepted picture of {one[0]}" for one in sorted(config.stash[_ACCEPTED].items() - shown)]
        lines += [f"no test uses {one}" for one in unused]
        if _is_on(config, "off"):
            lines.append("no picture was compared, as loupe is off")
        keys = [key for key in _UNREAD_KEYS_OF_MPL if config.getini(key)]
        if keys and records and _is_on(config, "mpl"):
            lines.append(f"note: not read, as docs/pytest-mpl.md says: {', '.join(keys)}")
        lines += sorted({f"note: {note}" for record in records for note in record["notes"]})

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._lines:
            terminalreporter.write_sep("=", "pictures")
            for line in self._lines:
                terminalreporter.write_line(line)

    def _write_hashes(self, records: list[dict[str, Any]]) -> None:
        written = {record["key"]: record["hash"] for record in records if record["state"] == "written"}
        stored = _read_hashes(self._config)
        if stored is not None and written:
            text = json.dumps(stored | written, indent=1, sort_keys=True, ensure_ascii=False)
            _write(self._config.rootpath / str(_setting(self._config, "hashes")), text.encode() + b"\n")

    def _unused(self, records: list[dict[str, Any]]) -> list[str]:
        """The references and hashes that no test has asked for, where all tests of their files ran."""
        config = self._config
        chosen = ("keyword", "markexpr", "deselect", "maxfail", "lf", "stepwise")
        if any(config.getoption(one, None) for one in chosen) or any("::" in one for one in config.args):
            return []
        suites, asked = ({record[one] for record in records} for one in ("suite", "key"))
        hashes = [key.partition("::") for key in config.stash[_HASHES] or {} if key not in asked]
        # Of test files that are gone, the run is complete where it was of their folders.
        places = [pathlib.Path(os.path.abspath(config.invocation_params.dir / one)) for one in config.args]
        folders = [one for one in places if one.is_dir()] if records else []

        def is_gone(file: pathlib.Path) -> bool:
            is_test = any(file.match(pattern) for pattern in config.getini("python_files"))
            return is_test and not file.exists() and any(folder in file.parents for folder in folders)

        def is_of_test(path: pathlib.Path) -> bool:
            return any(path.match(f"{start}{name}*") for name in config.getini("python_functions") for start in ("", "*."))

        def below(top: pathlib.Path) -> Iterator[pathlib.Path]:
            skipped = (".*", "__loupe__", *config.getini("norecursedirs"))
            for path, names, _ in os.walk(top):
                folder = pathlib.Path(path)
                yield folder
                names[:] = [name for name in names if not any((folder / name).match(pattern) for pattern in skipped)]

        stale = [
            f"{suite}::{name}" for suite, _, name in hashes
            if suite in suites and not name.startswith(self._others) or is_gone(config.rootpath / suite)
        ]  # fmt: skip
        place = _setting(config, "references")
        if _is_address(place):
            return stale
        if place:
            tops = [(config.rootpath / place, config.rootpath)]
        else:
            tops = [(one / "__loupe__", one) for folder in folders for one in below(folder)]
        kept = [(folder, tests / f"{folder.relative_to(top)}.py") for top, tests in tops for folder in below(top) if folder != top]
        gone = {folder for folder, file in kept if is_gone(file)}
        # A folder of several files, which may have more tests, says nothing.
        scenes = {record["scene"] for record in records if record["scene"] != record["key"] and not record["is_shared"]}
        used = {_of_all_platforms(config.rootpath / scene) for scene in scenes}
        return sorted(stale) + sorted(
            os.path.relpath(path, config.rootpath)
            for folder in {one.parent for one in used} | gone
            for path in folder.rglob("*.*")
            if _of_all_platforms(path).parent == folder and (folder not in gone or is_of_test(path))
            if _of_all_platforms(path) not in used and path.suffix in _SUFFIXES.values()
            if not path.name.startswith(self._others)
        )


def _take_over(config: pytest.Config) -> None:
    """Has pytest-mpl leave tests alone that are compared here: else it would drop what they return."""
    for plugin in list(config.pluginmanager.get_plugins()) if _is_on(config, "mpl") else []:
        if type(plugin).__module__ == "pytest_mpl.plugin" and hasattr(plugin, "pytest_runtest_call"):
            if config.getoption("--mpl", False):
                raise pytest.UsageError("--mpl: loupe_mpl compares what these tests return; leave out one of the two")
            config.pluginmanager.unregister(plugin)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Collects the results here, unless this is a worker of pytest-xdist."""
    _take_over(session.config)
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(_Collector(session.config), "loupe-collector")


def write_report(records: list[dict[str, Any]], unused: list[str], path: pathlib.Path, root: pathlib.Path) -> None:
    """Writes the page: the results as `verify --json --json-pictures` writes them, joined by `report merge`."""
    from loupe_render._command import run

    tests = {(record["scene"], record["key"]): record for record in records}
    # Of tests that share a reference, the page shows one that failed.
    latest = {record["scene"]: record for record in sorted(tests.values(), key=lambda one: bool(one["state"] != "passed"))}
    cases = []
    for record in latest.values():
        files = record.get("files", {})
        case = {key: value for key, value in record.items() if key not in _OF_RUN}
        if files:
            case["pictures"] = {
                part: base64.b64encode((root / file).read_bytes()).decode() for part, file in files.items()
                if part != "figure"
            } | {"hash": record["hash"]}  # fmt: skip
        cases.append(case)
    results = {
        "format": "loupe-verify/1", "obsolete": unused,
        "milliseconds": sum(record["milliseconds"] for record in latest.values()), "cases": cases,
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="loupe-") as folder:
        numbers = pathlib.Path(folder, "results.json")
        numbers.write_text(json.dumps(results), "utf-8")
        run(["report", "merge", str(numbers), "--quiet", "--report", str(path)], also=frozenset({1}))
    # The page is one of `verify`; this run has another name, and accepts in another way.
    page = path.read_text("utf-8")
    name = re.sub(r"[^\w.,: -]", "_", f"pytest {root.name}, {time.strftime('%Y-%m-%d %H:%M')}")
    page = re.sub(r'"command":\s*"verify"', f'"command":"{name}"', page, count=1)
    page = re.sub(
        r'<p id="accept-verify" hidden>.*?</p>',
        f'<p id="accept-{name}" hidden>Save the list. Then run <code>pytest --loupe-accept=accept.json</code>. It draws the'
        " pictures again, and writes the references of these only.</p>",
        page, count=1, flags=re.DOTALL,
    )  # fmt: skip
    path.write_text(page, "utf-8")
