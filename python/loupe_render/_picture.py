"""A drawn picture."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from loupe_render import _flags, _png, _server
from loupe_render._errors import InputError, UsageError
from loupe_render._files import read, write_whole

if TYPE_CHECKING:
    import numpy as np
    import PIL.Image
    from numpy.typing import NDArray

    from loupe_render._answer import Answer


class Request(NamedTuple):
    """What was asked for: the flags of the process, the job, and the page's bytes where it is in no file."""

    flags: tuple[str, ...]
    job: dict[str, Any]
    data: bytes | None
    paper: bytes | None = None
    """The page of a file of vectors, where that is another one."""


class Picture:
    """A page with loupes over it, drawn. In a notebook it shows itself. It can be copied and pickled."""

    def __init__(self, answer: Answer, request: Request, *, has_metadata: bool = True) -> None:
        self._answer, self._request = answer, request
        self._alt: str | None = request.job.get("alt")
        self._folder = os.getcwd()
        self._has_metadata = has_metadata

    @property
    def alt(self) -> str | None:
        """What it shows, for those who can't see it. A file that is saved stores it."""
        return self._alt

    @alt.setter
    def alt(self, given: str | None) -> None:
        self._alt = None if given is None else _flags.text("alt", given)

    @property
    def _png(self) -> bytes:
        """With its scene, whose images' paths are relative to the root folder."""
        return self._answer.png

    @property
    def stats(self) -> dict[str, Any]:
        """What was drawn, by which shaders, and how long it took, in milliseconds, as `--stats` says it."""
        return self._answer.stats

    @property
    def png(self) -> bytes:
        """The bytes of the PNG. The scene in it names images relative to the working folder."""
        return self._relative_to(self._folder)

    def _relative_to(self, folder: str) -> bytes:
        if not self._has_metadata:
            return _png.with_description(_png.without_texts(self._png), self.alt)
        png = _png.with_paths(self._png, folder)
        return png if self.alt == self._request.job.get("alt") else _png.with_description(png, self.alt)

    @property
    def width(self) -> int:
        """In pixels."""
        return int.from_bytes(self._png[16:20], "big")

    @property
    def height(self) -> int:
        """In pixels."""
        return int.from_bytes(self._png[20:24], "big")

    @property
    def image(self) -> PIL.Image.Image:
        """The picture as an image of Pillow."""
        try:
            from PIL import Image
        except ModuleNotFoundError:
            raise UsageError("image: it needs Pillow, which is not installed; run pip install pillow", 64) from None
        return Image.open(io.BytesIO(self.png))

    @property
    def array(self) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """The pixels: height × width × 4, red, green, blue and straight alpha. uint16 where `depth` was 16."""
        try:
            import numpy as np
        except ModuleNotFoundError:
            raise UsageError("array: it needs numpy, which is not installed; run pip install numpy", 64) from None
        pixels = self._answer.pixels
        if pixels:
            shape = (pixels.height, pixels.width, 4)
            is_of_bytes = len(pixels.data) == 4 * pixels.width * pixels.height
            return np.ndarray(shape, np.uint8, pixels.data) if is_of_bytes else np.ndarray(shape, np.uint16, pixels.data)
        # Pillow has no pixels of 16 bits in colour.
        if self._png[24] == 16:
            return _png.decode(self._png)
        try:
            from PIL import Image
        except ModuleNotFoundError:
            return _png.decode(self._png)
        return np.array(Image.open(io.BytesIO(self._png)).convert("RGBA"))

    @property
    def scene(self) -> dict[str, Any]:
        """What was drawn, as `--print-scene` prints it, with absolute paths. `loupe.render` draws it again."""
        found = _png.scene(self._png)
        if found is None:
            raise InputError("scene: a path in it is not UTF-8, so the picture does not store it; rename the file", 65)
        for part, key in [(one, "image") for one in found.get("layers", [])]:
            _make_absolute(part, key)
        for one in found.get("loupes", []):
            if isinstance(one.get("versus"), dict):
                _make_absolute(one["versus"], "image")
            else:
                _make_absolute(one, "versus")
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The pixels, for numpy and matplotlib's imshow."""
        return self.array if dtype is None else self.array.astype(dtype)

    def save(self, path: str | os.PathLike[str] | IO[bytes], *, format: str | None = None) -> None:
        """Writes a PNG, or vectors where the name ends in .pdf or .svg, for which the page is drawn again.

        `path` may be an open file of bytes; `format` says "png", "pdf" or "svg" in place of a name's end. A file with a name
        appears whole or not at all. The scene in it names images relative to its folder.
        """
        save_as(path, format, (".png", ".pdf", ".svg"), self._save)

    def _save(self, target: str) -> None:
        folder, suffix = os.path.dirname(target), os.path.splitext(target)[1].lower()
        if suffix != ".png":
            # What is about pixels, or was written already.
            left_out = ("answer-stats", "announce", "map", "show-plan", "stats")
            job = {key: value for key, value in self._request.job.items() if key not in left_out}
            job |= {"output": target} if self._has_metadata else {"output": target, "no-metadata": True}
            job.pop("alt", None)
            if self.alt is not None:
                job["alt"] = self.alt
            data = self._request.paper or self._request.data
            if data is not None:
                job["input-bytes"] = len(data)
            _server.server(self._request.flags).ask(job, data).done()
        else:
            write_whole(target, self._relative_to(folder))

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<loupe.Picture {self.width}×{self.height}>"


def save_as(
    path: str | os.PathLike[str] | IO[bytes], format: str | None, allowed: Sequence[str], save: Callable[[str], None]
) -> None:
    """Has a file of an allowed kind saved: by a name's end, or by the format, also into an open file."""
    if format is None and not hasattr(path, "write"):
        check_suffix(path, *allowed)
        save(os.path.abspath(os.fspath(path)))
        return
    if isinstance(path, io.TextIOBase):
        raise UsageError('save: the file is open for text; open it with "wb"', 64)
    suffix = f".{format or 'png'}".lower()
    if suffix not in allowed:
        raise UsageError(f"format: {format!r} is not {' or '.join(one[1:] for one in allowed)}", 64)
    with tempfile.TemporaryDirectory(prefix="loupe-") as folder:
        drawn = os.path.join(folder, f"picture{suffix}")
        save(drawn)
        data = read(drawn)
    if hasattr(path, "write"):
        path.write(data)
    else:
        write_whole(_flags.path("save", path), data)


def check_suffix(path: str | os.PathLike[str], *allowed: str) -> str:
    """How the file's name ends, in lower case.

    Raises UsageError where that is not one of what a picture can be written as.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise UsageError(f"save: a {type(path).__name__} is no path", 64)
    suffix = os.path.splitext(_flags.path("save", path))[1].lower()
    if suffix not in allowed:
        raise UsageError(f"save: {os.fspath(path)!r} does not end in {' or '.join(allowed)}, which a picture is written as", 64)
    return suffix


def _make_absolute(part: dict[str, Any], key: str) -> None:
    if isinstance(part.get(key), str) and part[key] != "-":
        part[key] = os.path.normpath("/" + part[key])
