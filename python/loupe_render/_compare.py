"""Comparing pictures, and scenes with their references."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Unpack

from loupe_render import _anywhere, _flags, _server, _verify
from loupe_render._command import run
from loupe_render._errors import LoupeError, UsageError, in_python, warn
from loupe_render._files import write_whole
from loupe_render._options import OF_PROCESS, DiffOptions, VerifyOptions
from loupe_render._pages import Page, needs_pillow, png_of
from loupe_render._picture import save_as

if TYPE_CHECKING:
    import numpy as np
    import PIL.Image
    from numpy.typing import NDArray


class Difference:
    """How two pictures differ. In a notebook it shows where."""

    def __init__(self, members: dict[str, Any], pages: _Pages) -> None:
        self.json = members
        """All numbers, as `loupe-render diff --json` writes them."""
        self._pages = pages

    @property
    def same(self) -> bool:
        """Whether the pictures are the same within the limits that were given."""
        return bool(self.json["same"])

    @property
    def pixels(self) -> int:
        """How many pixels differ by more than the limit, in the depth of the deeper picture."""
        return int(self.json["differingPixels"])

    @property
    def largest(self) -> float:
        """The largest difference of a channel of 0 to 255; for the metric yiq, of 0 to 1."""
        return float(self.json["maxDelta"])

    @functools.cached_property
    def mean(self) -> float:
        """The mean error of the pixels that were compared: less is better. For SSIM it is 1 − the similarity."""
        metric = str(self.json["metric"]).partition("/")[0]
        found = self.json.get(metric)
        if found is None:
            if self.json["sizes"]["reference"] != self.json["sizes"]["actual"]:
                raise UsageError("mean: the pictures have other sizes; compare pictures of one size", 64)
            return float(self.errors.sum() / max(1, self.json["totalPixels"]))
        return float(1 - found["mean"] if "ssim" in metric else found["mean"])

    @functools.cached_property
    def errors(self) -> NDArray[np.float64]:
        """The error of each pixel, height × width: less is better. It is 0 where pixels are left out.

        For the metric channel it is the largest difference of a channel, 0 to 255. For the others it is read from the picture of
        the differences, rounded to steps of a 255th of 1, or of 20 for oklab; `mean` is exact.
        """
        import numpy as np

        metric = str(self.json["metric"]).partition("/")[0]
        if metric == "yiq":
            raise UsageError("errors: not for yiq, which counts pixels; give metric=flip", 64)
        if self.json["sizes"]["reference"] != self.json["sizes"]["actual"]:
            raise UsageError("errors: the pictures have other sizes; compare pictures of one size", 64)
        if metric == "channel":
            return self._pages.channel_errors(is_deep=str(self.json["compared"]).startswith("16"))
        from matplotlib import colormaps

        table = np.rint(255 * colormaps["magma"](np.arange(256))[:, :3]).astype(int)
        seen, index = np.unique(np.asarray(self.image.convert("RGB")).reshape(-1, 3), axis=0, return_inverse=True)
        levels = np.abs(seen[:, None].astype(int) - table).sum(axis=2).argmin(axis=1)
        found: NDArray[np.float64] = levels[index.ravel()].reshape(self.image.size[::-1]) * ((20 if metric == "oklab" else 1) / 255)
        return found

    @functools.cached_property
    def summary(self) -> str:
        """The result for a person, on several lines. In all of them, less is better."""
        said = in_python(self._pages.compared("--color=never").decode()).rstrip("\n")
        said = re.sub(r"^(  largest difference .*)$", r"\1 (less is better)", said, flags=re.MULTILINE)

        def error(found: re.Match[str]) -> str:
            note = f"a similarity of {found[1]}; " if "ssim" in self.json["metric"] else ""
            return f"  mean error {self.mean:.4g} ({note}less is better)"

        return re.sub(r"^  mean (\S+)$", error, said, flags=re.MULTILINE)

    @functools.cached_property
    def png(self) -> bytes:
        """A picture of the differences, as a PNG. It is drawn when it is first asked for."""
        return self._pages.compared("--output=-")

    @functools.cached_property
    def figure(self) -> bytes | None:
        """A figure of what changed, as a PNG: the reference, and below it the places that differ most, four at most, as they
        should be and as they are. None where nothing or nearly everything differs, or where the sizes do."""
        return self._pages.compared("--figure=-") if self.json["areas"] else None

    @property
    def image(self) -> PIL.Image.Image:
        """The picture of the differences as an image of Pillow."""
        try:
            from PIL import Image
        except ModuleNotFoundError:
            raise UsageError("image: it needs Pillow, which is not installed; run pip install pillow", 64) from None
        return Image.open(io.BytesIO(self.png))

    def save(self, path: str | os.PathLike[str] | IO[bytes], *, format: str | None = None) -> None:
        """Writes the picture of the differences, as a PNG. `format` and open files are those of `Picture.save`."""
        save_as(path, format, (".png",), lambda target: write_whole(target, self.png))

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<loupe.Difference {'none' if self.same else self.summary.splitlines()[0]}>"


_WRITING = frozenset({"figure", "junit"})
"""The options that write files."""
_OF_COMMAND = frozenset({"metadata", "pages", "dpi", "strict"})
"""The options about files that the package for every processor does not read in this way."""


class _Pages(NamedTuple):
    """Two pictures and how they are compared."""

    options: dict[str, Any]
    pages: tuple[str | bytes, ...]
    """The reference and the other one, and a mask where there is one: paths, or contents."""

    def compared(self, output: str) -> bytes:
        """What the command writes to standard output."""
        if _anywhere.is_used():
            if output == "--figure=-":
                raise _anywhere.missing("figure")
            said, png = self._answer(wants_picture=output == "--output=-")
            return png or str(said["summary"]).encode()
        with self._words(output, "self") as (words, files):
            return run(["diff", *words], also=frozenset({1}), files=files)[1]

    def numbers(self) -> dict[str, Any]:
        """The numbers of the comparison, from the running process where it is to write no file."""
        if _anywhere.is_used():
            for name in sorted((_WRITING | _OF_COMMAND) & self.options.keys()):
                raise _anywhere.missing(name)
            numbers: dict[str, Any] = self._answer()[0]["difference"]
            return numbers
        if _WRITING & self.options.keys():
            found = json.loads(self.compared("--json=-"))
        else:
            flags = _flags.arguments({flag: one for flag, one in self.options.items() if flag in OF_PROCESS})
            with self._words("--color=never", str(os.getpid())) as (words, _):
                found = _server.server(tuple(sorted(flags))).ask({"diff": words}, None).done()["difference"]
                for name, word in zip(words[-2:], ("the reference", "the other picture")):
                    said = found.get("warnings", []) if name.startswith("/proc/") else []
                    said[:] = [one.replace(name, word) for one in said]
        assert isinstance(found, dict)
        return found

    def _answer(self, *, wants_picture: bool = False) -> tuple[dict[str, Any], bytes]:
        """What the module of the reference renderer answers, and the picture of the differences."""
        scene = self.options.get("scene")
        return _anywhere.engine().compare(
            _anywhere.limits_of(self.options), self.pages, scene=None if scene is None else _flags.path("scene", scene),
            allows_outside=bool(self.options.get("allow-outside")), wants_picture=wants_picture,
        )  # fmt: skip

    def channel_errors(self, *, is_deep: bool) -> NDArray[np.float64]:
        """The largest difference of a premultiplied channel in each pixel, 0 to 255, in steps of 8 or 16 bits."""
        import numpy as np

        from loupe_render._draw import render

        steps = 257 if is_deep else 1
        shown = [render(page, depth=16 if is_deep else 8).array.astype(float) / steps for page in self.pages]
        for one in shown[:2]:
            one[..., :3] = np.round(one[..., :3] * one[..., 3:] / 255 * steps) / steps
        found: NDArray[np.float64] = np.abs(shown[0] - shown[1]).max(axis=2)
        if len(shown) > 2:
            found[(shown[2][..., :3].max(axis=2) * shown[2][..., 3] / 255) >= 128] = 0
        for block in _flags.value("ignore", self.options.get("ignore", [])):  # type: ignore[union-attr]
            x, y, width, height = _anywhere.block_of(block)
            found[y : y + height, x : x + width] = 0
        return found

    @contextlib.contextmanager
    def _words(self, output: str, process: str) -> Iterator[tuple[list[str], list[int]]]:
        """The words of `diff`, and the files in memory from which it reads pictures that are in no file."""
        with files_of(self.pages, ("the reference", "the other picture", "the mask"), process) as (names, files):
            mask = [f"--mask={names[2]}"] if len(names) > 2 else []
            yield [*_flags.arguments(self.options), *mask, output, "--no-sync", "--", *names[:2]], files


@contextlib.contextmanager
def files_of(
    pages: Sequence[str | bytes], words: Sequence[str], process: str
) -> Iterator[tuple[list[str], list[int]]]:
    """Paths of pictures for a process of this number, or `self`, and the numbers of those files that are in memory.

    In errors the words stand for those in memory.
    """
    if _anywhere.is_used():
        raise _anywhere.missing("crops")
    names: list[str] = []
    files: list[int] = []
    try:
        for page in pages:
            if not isinstance(page, str):
                files.append(os.memfd_create("picture"))
                with open(files[-1], "wb", closefd=False) as writer:
                    writer.write(page)
                page = f"/proc/{process}/fd/{files[-1]}"
            names.append(page)
        yield names, files
    except LoupeError as error:
        sentence = str(error)
        for name, word in zip(names, words):
            sentence = sentence.replace(name, word) if name.startswith("/proc/") else sentence
        raise type(error)(sentence, error.code) from None
    finally:
        for file in files:
            os.close(file)


def diff(reference: Page, actual: Page, **options: Unpack[DiffOptions]) -> Difference:
    """Compares a picture as it should be with one as it is.

    Both are pictures as `loupe.render` takes them; so is `mask`. The keywords are the flags of `loupe-render diff`.

    >>> loupe.diff("expected.png", picture, tolerance=2).same
    """
    given = _flags.checked(options, DiffOptions, "diff")
    shown = {"reference": reference, "actual": actual} | ({"mask": given.pop("mask")} if "mask" in given else {})
    mask: Any = shown.get("mask")
    if str(getattr(mask, "dtype", "")).startswith("uint") and mask.size and mask.max() == 1:
        raise UsageError("mask: its largest value is 1, which is not white; give an array of bool", 64)
    pages = _Pages(given, tuple(_path_or_bytes(page, name, is_compared=True) for name, page in shown.items()))
    members = pages.numbers()
    for sentence in members.get("warnings", []):
        warn(sentence)
    # Files are written once.
    pages = pages._replace(options={name: one for name, one in given.items() if name not in _WRITING})
    if not members["same"]:
        # A file may be another one when somebody asks for the summary or the picture.
        # A page of a PDF has no bytes of its own.
        read = (pathlib.Path(page).read_bytes() if isinstance(page, str) and os.path.exists(page) else page for page in pages.pages)
        pages = pages._replace(pages=tuple(read))
    return Difference(members, pages)


def _path_or_bytes(page: Page, name: str = "page", *, is_compared: bool = False) -> str | bytes:
    """The path of a picture in a file that the command reads, or its bytes. Errors are about the keyword."""
    if isinstance(page, (str, os.PathLike)):
        path = _flags.path(name, page)
        if not needs_pillow(path):
            return _flags.text(name, path)
    try:
        return png_of(page, is_compared=is_compared)
    except LoupeError as error:
        raise type(error)(re.sub("^page(?=:)", name, str(error)), error.code) from None


class Case:
    """A scene that was compared with its reference."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.suite: str = members["suite"]
        self.name: str = members["name"]
        self.state: str = members["state"]
        """passed, failed, missing (there is no reference), broken (it can't be drawn), or written."""
        self.message: str = members["message"]
        self.json = members
        """All numbers, as `loupe-render verify --json` writes them."""

    def __repr__(self) -> str:
        return f"<loupe.Case {self.suite}/{self.name}: {self.state}>"


class Verification:
    """The result of comparing scenes with their references."""

    def __init__(self, members: dict[str, Any], summary: str) -> None:
        self.cases = [Case(one) for one in members["cases"]]
        self.same: bool = members["same"]
        """Whether every case passed."""
        self.json = members
        """All numbers, as `loupe-render verify --json` writes them."""
        self.summary = summary
        """The result for a person, on one line."""

    def __repr__(self) -> str:
        return f"<loupe.Verification {self.summary}>"


def verify(
    folder: str | os.PathLike[str], *folders: str | os.PathLike[str], **options: Unpack[VerifyOptions]
) -> Verification:
    """Draws every scene below the folders and compares it with the PNG beside it.

    The keywords are the flags of `loupe-render verify`; `report="report.html"` writes its page.

    >>> loupe.verify("reference-images").same
    """
    given = _flags.checked(options, VerifyOptions, "verify")
    words = _flags.arguments(given)
    if wrong := [one for one in (folder, *folders) if not isinstance(one, (str, os.PathLike))]:
        raise UsageError(f"verify: {wrong[0]!r} is no path of a folder", 64)
    paths = [_flags.path("verify", one) for one in (folder, *folders)]
    if _anywhere.is_used():
        found = _verify.verify(given, paths)
        return Verification(found, _verify.summary(found))
    with tempfile.TemporaryDirectory(prefix="loupe-") as temporary:
        numbers = os.path.join(temporary, "numbers.json")
        _, said = run(["verify", *words, "--json", numbers, "--color", "never", "--", *paths], also=frozenset({1}))
        lines = said.decode().rstrip("\n").splitlines()
        return Verification(json.loads(pathlib.Path(numbers).read_bytes()), lines[-1] if lines else "")


_flags.describe(diff, DiffOptions)
_flags.describe(verify, VerifyOptions)
