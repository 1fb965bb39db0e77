"""Figures of crops."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from loupe_render import _flags
from loupe_render._compare import _path_or_bytes, files_of
from loupe_render._command import run
from loupe_render._errors import UsageError
from loupe_render._pages import Page, is_display
from loupe_render._picture import Picture, Request, save_as

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Region = tuple[int, int, int, int]
"""X, Y, width and height, in pixels."""

Shown: TypeAlias = "Page | NDArray[np.floating[Any]]"
"""A picture, or linear light: the path of an EXR or PFM, or an array of floats above 1, height × width or height × width × 3."""


class _Drawn(NamedTuple):
    """A finished PNG, as a picture has it."""

    png: bytes
    stats: dict[str, Any]
    pixels: None = None


class _Asked(NamedTuple):
    """What is asked for: the command's words, the titles, and the pictures as paths or contents."""

    words: tuple[str, ...]
    titles: tuple[str, ...]
    pages: tuple[str | bytes, ...]

    def write(self, *outputs: str) -> bytes:
        """Has the command write files, and returns what it prints. It reads pictures from memory."""
        with files_of(self.pages, self.titles, "self") as (names, files):
            words = [*self.words, "--titles=" + ",".join(self.titles), f"--reference={names[0]}", *outputs]
            if files:
                # The scene would name files that are gone.
                words.append("--no-metadata")
            return run(["crops", *words, "--", *names[1:]], files=files)[1]


class Crops(Picture):
    """A figure of crops, drawn. `save` writes a PNG, a PDF, an SVG or a page."""

    def __init__(self, asked: _Asked, alt: str | None) -> None:
        self._asked = asked
        with tempfile.TemporaryDirectory(prefix="loupe-") as temporary:
            figure, numbers = (pathlib.Path(temporary, name) for name in ("figure.png", "numbers.json"))
            asked.write(f"--output={figure}", f"--json={numbers}")
            self.json: dict[str, Any] = json.loads(numbers.read_bytes())
            """All numbers, as `loupe-render crops --json` writes them; pictures that are in no file have None as their name."""
            names = [(self.json, "reference"), *((method, "file") for method in self.json["methods"])]
            for (entry, key), page in zip(names, asked.pages):
                entry[key] = page if isinstance(page, str) else None
            super().__init__(_Drawn(figure.read_bytes(), {}), Request((), {}, None), has_metadata=False)  # type: ignore[arg-type]
        self.alt = alt or self.json["alt"]

    @property
    def scene(self) -> dict[str, Any]:
        """What was drawn, as `--print-scene` prints it, with absolute paths; only where all pictures are files."""
        if not all(isinstance(page, str) for page in self._asked.pages):
            raise UsageError("scene: pictures of it are in no file; name files", 64)
        found: dict[str, Any] = json.loads(self._asked.write("--print-scene"))
        return found

    def save(self, path: str | os.PathLike[str] | IO[bytes], *, format: str | None = None) -> None:
        """Writes a PNG, or a PDF or SVG where the name ends so, for which the figure is drawn again, or where it ends in
        `.html` a page to look at all pictures under one loupe. `format` and open files are those of `Picture.save`."""
        save_as(path, format, (".png", ".pdf", ".svg", ".html"), self._save)

    def _save(self, target: str) -> None:
        suffix = os.path.splitext(target)[1].lower()
        if suffix == ".png":
            super()._save(target)
        elif suffix == ".html":
            self._asked.write(f"--report={target}")
        else:
            self._asked.write(f"--output={target}", *([f"--alt={self.alt}"] if self.alt else []))

    def __repr__(self) -> str:
        return f"<loupe.Crops {self.width}×{self.height}>"


def crops(
    reference: Shown,
    methods: Mapping[str, Shown] | Iterable[Shown],
    regions: int | str | os.PathLike[str] | Sequence[Region] = 2,
    *,
    metric: str | Sequence[str] = "flip",
    across: Literal["methods", "regions"] = "methods",
    show: Literal["crops", "flip", "difference"] = "crops",
    titles: Sequence[str] | None = None,
    split: str | None = None,
    zoom: int | None = None,
    exposure: float | None = None,
    width: str | None = None,
    dpi: float | None = None,
    label_font: str | None = None,
    alt: str | None = None,
) -> Crops:
    """Draws a figure of a reference and the same crops of it and of several methods, with an error under each.

    All are pictures as `loupe.render` takes them, of one size, or all are linear light: EXRs, PFMs, arrays of floats. Floats
    are linear light where one of them is above 1, or with `exposure`; otherwise they are shown as matplotlib does. `methods` may
    have their titles as keys; `titles` names all, the reference first. `regions` has `(x, y, width, height)` for each, says how many to choose where methods differ
    most, or names a scene whose loupes show them. `split` is the title of a picture that the left halves of crops show.
    The other keywords are the flags of `loupe-render crops`; `metric` may be a list.

    >>> loupe.crops(truth, {"Ours": ours, "Theirs": theirs}, [(300, 200, 96, 64)], metric="psnr").save("figure.pdf")
    """
    if not isinstance(methods, Iterable):
        raise UsageError(f"methods: {methods!r} is no list of pictures", 64)
    named = list(methods.items()) if isinstance(methods, Mapping) else _named(methods)
    if not named:
        raise UsageError("methods: there is none; name a picture", 64)
    keys, pages = zip(*named)
    names = tuple(titles) if titles is not None else ("Reference", *keys)
    for name in names:
        _flags.text("methods" if titles is None else "titles", name)
    if any("," in name for name in names):
        raise UsageError("titles: a title has a comma, which parts titles; leave it out", 64)
    given = {
        "metric": metric if isinstance(metric, str) else ",".join(metric), "across": across, "show": show, "split": split,
        "zoom": zoom, "exposure": exposure, "width": width, "dpi": dpi, "label-font": label_font, "alt": alt,
    }  # fmt: skip
    words = [f"--{flag}={_flags.text(flag, str(value))}" for flag, value in given.items() if value is not None]
    if isinstance(regions, int):
        words.append(f"--regions={regions}")
    elif isinstance(regions, (str, os.PathLike)):
        words.append(f"--regions-of={_flags.path('regions', regions)}")
    else:
        try:
            words += ["--region={},{},{}x{}".format(*map(int, region)) for region in regions]
        except (IndexError, TypeError, ValueError):
            raise UsageError(f"regions: {regions!r} has not (x, y, width, height) for each", 64) from None
    shown = (reference, *pages)
    is_light = exposure is not None or any(_is_light(page) for page in shown)
    return Crops(_Asked(tuple(words), names, tuple(_contents(page, is_light) for page in shown)), alt)


def _is_light(page: Shown) -> bool:
    """Whether a picture is linear light: a file of it, or an array of floats that are not all from 0 to 1."""
    if isinstance(page, (str, os.PathLike)):
        return os.fspath(page).lower().endswith((".exr", ".pfm"))
    return _is_floats(page) and not is_display(page)


def _is_floats(page: Shown) -> bool:
    return getattr(getattr(page, "dtype", None), "kind", None) == "f"


def _contents(page: Shown, is_light: bool) -> str | bytes:
    """The path of a picture in a file that the command reads, or its bytes: of floats that are linear light those of a PFM."""
    if not (is_light and _is_floats(page)):
        return _path_or_bytes(page)
    import numpy as np

    if np.ma.is_masked(page):
        raise UsageError("page: linear light has no transparent parts; fill what is masked", 64)
    array = np.asarray(page, "<f4")
    if array.ndim not in (2, 3) or array.shape[2:] not in ((), (1,), (3,)) or 0 in array.shape:
        shape = " × ".join(str(side) for side in array.shape)
        raise UsageError(f"page: floats of {shape} are no picture; height × width, or × 3 channels, is one", 64)
    height, width = array.shape[:2]
    # Rows from the bottom; the sign says the order of bytes.
    return b"%s\n%d %d\n-1\n" % (b"PF" if array.size == 3 * height * width else b"Pf", width, height) + array[::-1].tobytes()


def _named(methods: Iterable[Shown]) -> list[tuple[str, Shown]]:
    """Pictures with the names of their files, or numbers."""
    return [
        (pathlib.Path(one).stem if isinstance(one, (str, os.PathLike)) else f"method {index}", one)
        for index, one in enumerate(methods, 1)
    ]
