"""Figures of crops."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from loupe_render._compare import _path_or_bytes, files_of
from loupe_render._command import run
from loupe_render._errors import UsageError
from loupe_render._pages import Page
from loupe_render._picture import Picture, Request, check_suffix

Region = tuple[int, int, int, int]
"""X, Y, width and height, in pixels."""


class _Drawn(NamedTuple):
    """A finished PNG, as a picture has it."""

    png: bytes
    stats: dict[str, Any]


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
            """All numbers, as `loupe-render crops --json` writes them."""
            super().__init__(_Drawn(figure.read_bytes(), {}), Request((), {}, None), has_metadata=False)  # type: ignore[arg-type]
        self.alt = alt or self.json["alt"]

    @property
    def scene(self) -> dict[str, Any]:
        """What was drawn, as `--print-scene` prints it, with absolute paths; only where all pictures are files."""
        if not all(isinstance(page, str) for page in self._asked.pages):
            raise UsageError("scene: pictures of it are in no file; name files", 64)
        found: dict[str, Any] = json.loads(self._asked.write("--print-scene"))
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG, or a PDF or SVG where the name ends so, for which the figure is drawn again, or where it ends in
        `.html` a page to look at all pictures under one loupe."""
        target = os.path.abspath(os.fspath(path))
        if (suffix := check_suffix(target, ".png", ".pdf", ".svg", ".html")) == ".png":
            super().save(target)
        elif suffix == ".html":
            self._asked.write(f"--report={target}")
        else:
            self._asked.write(f"--output={target}", *([f"--alt={self.alt}"] if self.alt else []))

    def __repr__(self) -> str:
        return f"<loupe.Crops {self.width}×{self.height}>"


def crops(
    reference: Page,
    methods: Mapping[str, Page] | Iterable[Page],
    regions: int | Sequence[Region] = 2,
    *,
    metric: str | Sequence[str] = "flip",
    across: Literal["methods", "regions"] = "methods",
    show: Literal["crops", "flip", "difference"] = "crops",
    titles: Sequence[str] | None = None,
    split: bool = False,
    zoom: int | None = None,
    width: str | None = None,
    dpi: float | None = None,
    label_font: str | None = None,
    alt: str | None = None,
) -> Crops:
    """Draws a figure of a reference and the same crops of it and of several methods, with an error under each.

    All are pictures as `loupe.render` takes them, of one size. `methods` may have their titles as keys; `titles` names
    all, the reference first. `regions` has `(x, y, width, height)` for each, or says how many to choose where methods
    differ most. The other keywords are the flags of `loupe-render crops`; `metric` may be a list.

    >>> loupe.crops(truth, {"Ours": ours, "Theirs": theirs}, [(300, 200, 96, 64)], metric="psnr").save("figure.pdf")
    """
    named = list(methods.items()) if isinstance(methods, Mapping) else _named(methods)
    if not named:
        raise UsageError("methods: there is none; name a picture", 64)
    keys, pages = zip(*named)
    names = tuple(titles) if titles is not None else ("Reference", *keys)
    if any("," in name for name in names):
        raise UsageError("titles: a title has a comma, which parts titles; leave it out", 64)
    words = [f"--metric={metric if isinstance(metric, str) else ','.join(metric)}", f"--across={across}", f"--show={show}"]
    if split:
        words.append("--split")
    if isinstance(regions, int):
        words.append(f"--regions={regions}")
    else:
        words += ["--region={},{},{}x{}".format(*(int(one) for one in region)) for region in regions]
    given = {"zoom": zoom, "width": width, "dpi": dpi, "label-font": label_font, "alt": alt}
    words += [f"--{flag}={value}" for flag, value in given.items() if value is not None]
    return Crops(_Asked(tuple(words), names, tuple(_path_or_bytes(page) for page in (reference, *pages))), alt)


def _named(methods: Iterable[Page]) -> list[tuple[str, Page]]:
    """Pictures with the names of their files, or numbers."""
    return [
        (pathlib.Path(one).stem if isinstance(one, (str, os.PathLike)) else f"method {index}", one)
        for index, one in enumerate(methods, 1)
    ]
