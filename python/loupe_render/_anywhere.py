"""The reference renderer as a module of WebAssembly, in place of the command.

The package for every processor has the module and no command. `Engine` takes the jobs that a process of the command takes, and
gives the same answers. Pillow reads and writes the pictures.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import pathlib
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from loupe_render import _errors, _flags, _png, _reading
from loupe_render._answer import Answer, Pixels
from loupe_render._errors import CrashError, InputError, LoupeError, MissingError, UsageError, error_of, warn
from loupe_render._files import read, write_whole
from loupe_render._reading import Decoded

MODULE = pathlib.Path(__file__).with_name("anywhere.wasm")


@functools.cache
def is_used() -> bool:
    """Whether this package has the module. `LOUPE_RENDER` still names a command."""
    return not os.environ.get("LOUPE_RENDER") and MODULE.exists()


def _version() -> str:
    # A third of the time of an import of this package.
    from importlib.metadata import version

    return version("loupe-render")


def missing(what: str) -> LoupeError:
    """The error about something that only the command has."""
    return error_of(69, f"{what}: not in the package for every processor; install the one for x86-64 Linux")


class Module:
    """The running module. One thread at a time uses it."""

    def __init__(self) -> None:
        try:
            import wasmtime
        except ModuleNotFoundError:
            raise MissingError("wasmtime is not installed, which runs the reference renderer; run pip install wasmtime", 66) from None
        config = wasmtime.Config()
        # Compiling takes seconds, so the result is kept.
        config.cache = True
        try:
            engine = wasmtime.Engine(config)
        except wasmtime.WasmtimeError:
            # There is no folder for it.
            engine = wasmtime.Engine()
        self._trap = wasmtime.Trap
        self._store = wasmtime.Store(engine)
        self._exports = wasmtime.Instance(self._store, wasmtime.Module.from_file(engine, str(MODULE)), []).exports(self._store)
        self._memory: Any = self._exports["memory"]

    def _call(self, name: str, *arguments: int) -> int:
        function: Any = self._exports[name]
        found: int = function(self._store, *arguments)
        return found

    def _put(self, data: bytes | memoryview) -> None:
        self._memory.write(self._store, data, self._call("loupe_reserve", len(data)) & 0xFFFFFFFF)

    def image(self, image: Decoded, depth: int = 8) -> int:
        """Keeps an image, of 16 bits where it has and is to have them, and returns its number."""
        self._put(image.data)
        if image.color is not None:
            number = self._call("loupe_rows", image.width, image.height, image.color, int(depth == 16))
            if number == 0:
                raise InputError("a PNG of 16 bits is damaged (its rows are not those of its size); save or copy it again", 65)
            return number
        return self._call("loupe_image", image.width, image.height)

    def document(self, data: bytes) -> int:
        """Keeps a document, and returns its number."""
        self._put(data)
        return self._call("loupe_document")

    def forget(self, number: int) -> None:
        """Forgets an image or a document."""
        self._call("loupe_forget", number)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        self._put(_flags.encoded(request))
        count = self._call("loupe_ask")
        found: dict[str, Any] = json.loads(self._read("loupe_answer", count))
        return found

    def pixels(self, count: int) -> bytearray:
        """So many bytes of the picture that was drawn last."""
        return self._read("loupe_pixels", count)

    def _read(self, name: str, count: int) -> bytearray:
        start = self._call(name) & 0xFFFFFFFF
        found: bytearray = self._memory.read(self._store, start, start + count)
        return found


_OUTSIDE = "leads out of the folder of the file that names it; name a file below that folder, or use --allow-outside"


class _Files:
    """The pictures that a request names, read when the module asks for them."""

    def __init__(
        self, module: Module, folder: str, page: bytes | None = None, *, depth: int = 8, most: int = _reading.MOST_PIXELS,
        below: str | None = None,
    ) -> None:  # fmt: skip
        self._module, self._folder, self._page, self._below = module, folder, page, below
        self._depth, self._most = depth, most
        self._numbers: list[int] = []
        self._refused: dict[str, str] = {}
        self.named: dict[str, dict[str, Any]] = {}

    def add(self, name: str) -> None:
        """Reads the picture that a scene calls by this name."""
        path = os.path.normpath(os.path.join(self._folder, name))
        if name != "-" and self._below is not None and not _is_below(path, self._below):
            self._refused[name] = f"'{name}' {_OUTSIDE}"
            return
        data = (self._page or b"") if name == "-" else read(path)
        sent = "standard input" if _errors.names_flags else "page"
        image = _reading.decoded(data, sent if name == "-" else path, self._most)
        # As the command names files whose folder is the root.
        stored = "-" if name == "-" else os.path.relpath(os.path.realpath(path), _root(path)).replace(os.sep, "/")
        one = {"number": self.number(image), "sha256": hashlib.sha256(data).hexdigest(), "name": stored}
        if image.density:
            one["density"] = list(image.density)
        self.named[name] = one

    def number(self, image: Decoded, depth: int | None = None) -> int:
        """Keeps an image for the request, of 8 bits or of all 16 that it may have."""
        self._numbers.append(self._module.image(image, depth or self._depth))
        return self._numbers[-1]

    def document(self, data: bytes) -> int:
        """Keeps a document for the request."""
        self._numbers.append(self._module.document(data))
        return self._numbers[-1]

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request, for which the pictures are read that it needs."""
        while True:
            answer = self._module.ask({**request, "images": self.named, "refused": self._refused})
            needed = answer.get("needs")
            if not needed:
                break
            for name in needed:
                self.add(name)
        if "error" in answer:
            raise error_of(answer["code"], answer["error"])
        return answer

    def close(self) -> None:
        """Forgets what was kept."""
        for number in self._numbers:
            self._module.forget(number)


def _root(path: str) -> str:
    return os.path.splitdrive(os.path.abspath(path))[0] + os.sep


def _is_below(path: str, folder: str) -> bool:
    root = os.path.realpath(folder)
    try:
        return os.path.commonpath([root, os.path.realpath(path)]) == root
    except ValueError:
        return False


class Engine:
    """The module in place of a process of the command. Any number of threads may ask it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._module: Module | None = None
        self._latest: tuple[int, Pixels] | None = None
        self._asked = 0
        self.has_ended = False

    def _run(self, work: Callable[[Module], Any]) -> Any:
        with self._lock:
            self._module = self._module or Module()
            try:
                return work(self._module)
            except self._module._trap as trap:
                # Its memory is in an unknown state.
                self._module = None
                sentence = "the module of the reference renderer has stopped; its memory may have been too small for this picture"
                raise CrashError(f"{sentence}: {str(trap).splitlines()[0]}", 70) from None

    def ask(
        self, job: Mapping[str, Any], page: bytes | memoryview | None, *, fine: bytes | None = None, warns: bool = True
    ) -> Answer:
        """Draws a job, with the bytes of its page where they are not in a file. `fine` is that page with more pixels."""
        data = None if page is None else bytes(page)
        answer: Answer = self._run(lambda module: self._drawn(module, dict(job), data, fine))
        if warns:
            for sentence in answer.warnings:
                warn(sentence)
        return answer

    def _drawn(self, module: Module, job: dict[str, Any], page: bytes | None, fine: bytes | None) -> Answer:
        began = time.perf_counter()
        output = job.pop("output")
        if output != "-":
            raise missing("PDF and SVG")
        if "show-plan" in job:
            raise missing("show_plan: devices, whose plan it shows,")
        for name in ("answer-stats", "announce", "input-bytes"):
            job.pop(name, None)
        files, request = _request(module, job, page)
        try:
            if fine is not None:
                files.named["-"]["fine"] = files.number(_reading.decoded(fine, "the figure"))
            said = files.ask(request)
        finally:
            files.close()
        drawn = time.perf_counter()
        width, height, depth = said["width"], said["height"], said["depth"]
        data = module.pixels(width * height * depth // 2)
        texts = _texts(said, is_described="record" in said)
        png = _png.packed(data, width, height, depth, texts, said.get("density"))
        ended = time.perf_counter()
        self._asked += 1
        self._latest = (self._asked, Pixels(width, height, data))
        if "map" in job:
            write_whole(job["map"], said["map"].encode() + b"\n")
        stats = {
            "device": _device(), "views": said["views"], "images": [],
            "milliseconds": {"draw": round(1000 * (drawn - began), 3), "encode": round(1000 * (ended - drawn), 3),
                             "total": round(1000 * (ended - began), 3)},
        }  # fmt: skip
        if "stats" in job:
            write_whole(job["stats"], json.dumps(stats, indent=2).encode() + b"\n")
        answer = Answer(self, self._asked)
        answer.take({"state": "drawn", "warnings": said["warnings"], "stats": stats}, png)
        return answer

    def pixels(self, number: int) -> Pixels | None:
        """The pixels of the picture that was drawn last; None for another one."""
        latest = self._latest
        if latest is None or latest[0] != number:
            return None
        return Pixels(latest[1].width, latest[1].height, bytearray(latest[1].data))

    def compare(
        self, limits: Mapping[str, Any], pictures: Sequence[str | bytes], *, scene: str | None = None,
        allows_outside: bool = False, wants_picture: bool = False,
    ) -> tuple[dict[str, Any], bytes]:  # fmt: skip
        """The answer to a `diff` of a reference and another picture, perhaps with a mask, and the picture of the differences."""

        def work(module: Module) -> tuple[dict[str, Any], bytes]:
            words = ("the reference", "the other picture", "the mask")
            shown = [(read(one), one) if isinstance(one, str) else (one, word) for one, word in zip(pictures, words)]
            folder = os.path.dirname(os.path.abspath(scene)) if scene else ""
            files = _Files(module, folder, depth=16, below=None if allows_outside else folder)
            try:
                if shown[0][0] != shown[1][0]:
                    for data, name in shown[:2]:
                        _reading.refuse_animation(data, name)
                images = [_reading.decoded(data, name) for data, name in shown]
                request: dict[str, Any] = {"limits": limits, **dict(zip(("reference", "actual", "mask"), map(files.number, images)))}
                if wants_picture:
                    request["picture"] = True
                if scene:
                    request |= {"document": files.document(read(scene)), "name": scene, "job": {"input": scene}}
                said = files.ask(request)
                if said["same"] and _reading.have_one_profile([data for data, _ in shown[:2]]):
                    # The colours of a profile that sRGB clips may differ as they are stored.
                    stored = [_reading.decoded(data, name, converts=False) for data, name in shown[:2]]
                    other = files.ask({**request, **dict(zip(("reference", "actual"), map(files.number, stored)))})
                    said = said if other["same"] else other
            finally:
                files.close()
            if not wants_picture:
                return said, b""
            width, height = images[0].width, images[0].height
            return said, _png.packed(module.pixels(4 * width * height), width, height, 8)

        found: tuple[dict[str, Any], bytes] = self._run(work)
        return found

    def verify(
        self, limits: Mapping[str, Any], scene: str, reference: str | None, root: str | None
    ) -> tuple[dict[str, Any], bytes]:
        """Draws a scene and compares it with its reference, if there is one: the comparison's answer, empty without one, and
        the picture.

        All files have to lie below the folder `root`, if it is given.
        """

        def work(module: Module) -> tuple[dict[str, Any], bytes]:
            files = _Files(module, os.path.dirname(os.path.abspath(scene)), below=root)
            try:
                request = {"document": files.document(read(scene)), "name": scene, "job": {"input": scene}}
                if reference is not None:
                    _reading.refuse_animation(read(reference), reference)
                    picture = _reading.decoded(read(reference), reference)
                    request |= {"limits": limits, "reference": files.number(picture, 16)}
                said = files.ask(request)
            finally:
                files.close()
            drawn = said.get("drawn", said)
            width, height = drawn["width"], drawn["height"]
            return said.get("compared", {}), _png.packed(module.pixels(4 * width * height), width, height, 8)

        found: tuple[dict[str, Any], bytes] = self._run(work)
        return found

    def wait(self, has_come: Callable[[], bool]) -> None:
        """Nothing is waited for: each answer is whole."""

    def close(self) -> None:
        """Frees the module."""
        self._module = None


def _request(module: Module, job: dict[str, Any], page: bytes | None) -> tuple[_Files, dict[str, Any]]:
    """What the module is asked for a job."""
    allows_outside = job.pop("allow-outside", True)
    try:
        depth = int(job.get("depth", 8))
        most = int(job.get("max-pixels", _reading.MOST_PIXELS))
    except (TypeError, ValueError):
        depth, most = 8, _reading.MOST_PIXELS
    opened = functools.partial(_Files, module, depth=depth, most=most)
    if isinstance(job["input"], dict):
        return opened(""), {"job": job}
    is_page = job["input"] == "-"
    name = "standard input" if is_page else job["input"]
    data = (page or b"") if is_page else read(name)
    folder = "" if is_page else os.path.dirname(os.path.abspath(name))
    document = None
    if data.lstrip(b" \t\r\n")[:1] == b"{":
        document = data
    elif not job.keys() - {"input", "scale", "alt", "depth", "dpi", "max-pixels", "no-metadata", "reference", "map", "stats"}:
        stored = _png.scene(data) if data.startswith(_png.SIGNATURE) else None
        document = None if stored is None else json.dumps(stored, ensure_ascii=False).encode()
    if document is None:
        files = opened(os.getcwd(), data)
        files.add(job["input"])
        return files, {"job": job}
    files = opened(folder, below=None if allows_outside else folder)
    return files, {"job": job, "document": files.document(document), "name": name}


def _device() -> dict[str, Any]:
    """What pictures store of the reference renderer in place of a device."""
    return {
        "vendor": "Loupe", "renderer": "double-precision CPU reference", "version": _version(),
        "software": True,
    }  # fmt: skip


def _texts(said: Mapping[str, Any], *, is_described: bool) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG that say how it was drawn, in the command's order."""

    def international(keyword: str, text: str) -> tuple[bytes, bytes]:
        return b"iTXt", keyword.encode() + b"\0\0\0\0\0" + text.encode()

    chunks = []
    if is_described:
        program = f"loupe-render {_version()}"
        chunks += [(b"tEXt", b"Software\0" + program.encode("latin-1")), international("loupe-device", json.dumps(_device()))]
    if said.get("alt") is not None:
        chunks.append(international("Description", said["alt"]))
    if is_described:
        chunks.append(international("loupe-scene", said["record"]))
    return chunks


def limits_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The flags of `diff` that are limits, as a scene's key `verify` has them."""
    metric = options.get("metric", "channel")
    rules = {
        "threshold": (metric != "channel", "which has --tolerance"), "tolerance": (metric == "channel", "which has --threshold"),
        "include-aa": (metric == "yiq", "which leaves out no pixel"),
        "max-mean": (metric not in ("channel", "yiq"), "whose pixels are counted"),
        "pixels-per-degree": (metric == "flip", "which knows no distance"),
    }  # fmt: skip
    for flag, (is_allowed, reason) in rules.items():
        if flag in options and not is_allowed:
            raise error_of(64, f"--{flag}: not for --metric {metric}, {reason}")
    limits: dict[str, Any] = {}
    names = {
        "metric": "metric", "threshold": "threshold", "max-mean": "maxMean", "pixels-per-degree": "pixelsPerDegree",
        "include-aa": "includeAA", "max-pixels": "maxPixels", "max-ratio": "maxRatio", "allow-size": "allowSize",
    }  # fmt: skip
    for flag, key in names.items():
        if flag in options:
            value = _flags.value(flag, options[flag])
            # From a command line, numbers are texts.
            limits[key] = float(value) if isinstance(value, str) and key != "metric" else value
    for part in str(options["tolerance"]).split(",") if "tolerance" in options else []:
        region, equals, number = part.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise UsageError(f"tolerance: {options['tolerance']!r} is not a valid value", 64) from None
        if equals:
            # Only limits with a reason have regions.
            limits.setdefault("regions", {})[region] = value
            limits["why"] = "given"
        else:
            limits["tolerance"] = value
    if "ignore" in options:
        limits["ignore"] = [block_of(one) for one in options["ignore"]]
    return limits


def block_of(given: Any) -> list[int]:
    """Column, row, width and height of a region: four numbers, or a text as the command takes it."""
    if not isinstance(given, str):
        return [int(side) for side in given]
    found = re.fullmatch(r"(-?\d+),(-?\d+)(?:,(\d+)x(\d+)|\.\.(-?\d+),(-?\d+))", given)
    if found is None:
        raise error_of(64, f"The value {given!r} is invalid for 'ignore'")
    x, y, width, height, right, bottom = (int(one or 0) for one in found.groups())
    if found[5] is not None:
        x, width, y, height = min(x, right), abs(right - x), min(y, bottom), abs(bottom - y)
    return [x, y, width, height]


_engine = Engine()
# While the modules that it needs for that are still there.
atexit.register(lambda: _engine.close())


def engine(flags: Sequence[str] = ()) -> Engine:
    """The engine of this interpreter. Flags of a process that ask for a device are refused; the others change nothing."""
    for flag in flags:
        name = flag.partition("=")[0]
        if name in ("--device", "--no-fallback"):
            raise missing(f"{name[2:].replace('-', '_')}: devices")
    return _engine


def forget() -> None:
    """Begins anew in a fork of the interpreter, whose other threads may have been using the module."""
    global _engine
    _engine = Engine()
