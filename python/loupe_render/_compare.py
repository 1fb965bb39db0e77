"""Comparing pictures, and scenes with their references."""

from __future__ import annotations

import io
import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Unpack

from loupe_render import _flags
from loupe_render._command import run
from loupe_render._errors import UsageError, in_python
from loupe_render._options import DiffOptions, VerifyOptions
from loupe_render._pages import Page, needs_pillow, png_of
from loupe_render._picture import check_suffix

if TYPE_CHECKING:
    import PIL.Image


class Difference:
    """How two pictures differ. In a notebook it shows where."""

    def __init__(self, members: dict[str, Any], png: bytes, summary: str) -> None:
        self.json = members
        """All numbers, as `loupe-render diff --json` writes them."""
        self.png = png
        """A picture of the differences, as a PNG; nothing where the pictures have different sizes."""
        self.summary = summary
        """The result for a person, on several lines."""

    @property
    def same(self) -> bool:
        """Whether the pictures are the same within the limits that were given."""
        return bool(self.json["same"])

    @property
    def pixels(self) -> int:
        """How many pixels differ by more than the limit."""
        return int(self.json["differingPixels"])

    @property
    def largest(self) -> float:
        """The largest difference of a channel of 0 to 255; for the metric yiq, of 0 to 1."""
        return float(self.json["maxDelta"])

    @property
    def image(self) -> PIL.Image.Image:
        """The picture of the differences as an image of Pillow."""
        try:
            from PIL import Image
        except ModuleNotFoundError:
            raise UsageError("image: it needs Pillow, which is not installed; run pip install pillow", 64) from None
        return Image.open(io.BytesIO(self.png))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture of the differences, as a PNG."""
        check_suffix(path, ".png")
        pathlib.Path(path).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<loupe.Difference {'none' if self.same else self.summary.splitlines()[0]}>"


def diff(reference: Page, actual: Page, **options: Unpack[DiffOptions]) -> Difference:
    """Compares a picture as it should be with one as it is.

    Both are pictures as `loupe.render` takes them; so is `mask`. The keywords are the flags of `loupe-render diff`.

    >>> loupe.diff("expected.png", picture, tolerance=2).same
    """
    given = _flags.checked(options, DiffOptions, "diff")
    with tempfile.TemporaryDirectory(prefix="loupe-") as folder:
        if "mask" in given:
            given["mask"] = _file(given["mask"], os.path.join(folder, "mask.png"))
        words = _flags.arguments(given)
        paths = [_file(page, os.path.join(folder, f"{index}.png")) for index, page in enumerate((reference, actual))]
        (numbers, shown) = (os.path.join(folder, name) for name in ("numbers.json", "difference.png"))
        _, said = run(
            ["diff", *words, "--json", numbers, "--output", shown, "--color", "never", "--no-sync", "--", *paths],
            also=frozenset({1}),
        )
        members = json.loads(pathlib.Path(numbers).read_bytes())
        return Difference(members, pathlib.Path(shown).read_bytes(), in_python(said.decode()).rstrip("\n"))


def _file(page: Page, temporary: str) -> str:
    """The path of a picture, which is written where it is in no file that the command reads."""
    if isinstance(page, (str, os.PathLike)) and not needs_pillow(page):
        return os.path.abspath(os.fspath(page))
    pathlib.Path(temporary).write_bytes(png_of(page))
    return temporary


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
    words = _flags.arguments(_flags.checked(options, VerifyOptions, "verify"))
    paths = [os.path.abspath(os.fspath(one)) for one in (folder, *folders)]
    with tempfile.TemporaryDirectory(prefix="loupe-") as temporary:
        numbers = os.path.join(temporary, "numbers.json")
        _, said = run(["verify", *words, "--json", numbers, "--color", "never", "--", *paths], also=frozenset({1}))
        lines = said.decode().rstrip("\n").splitlines()
        return Verification(json.loads(pathlib.Path(numbers).read_bytes()), lines[-1] if lines else "")


_flags.describe(diff, DiffOptions)
_flags.describe(verify, VerifyOptions)
