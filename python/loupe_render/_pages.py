"""What can be a page, as the command takes it."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeGuard

from loupe_render import _png
from loupe_render._errors import UsageError

if TYPE_CHECKING:
    import matplotlib.figure
    import numpy as np
    import PIL.Image
    from numpy.typing import NDArray

    from loupe_render._picture import Picture

Page: TypeAlias = (
    "str | os.PathLike[str] | bytes | bytearray | memoryview | NDArray[np.uint8] | NDArray[np.uint16]"
    " | PIL.Image.Image | matplotlib.figure.Figure | Picture | Mapping[str, Any]"
)
"""A picture: the path of a PNG, JPEG, WebP, SVG or scene, the bytes of one, an array of height × width, or × 3 or 4
channels, of 8 or 16 bits, a Pillow image, a matplotlib figure, an earlier `Picture`, or a scene as a dictionary."""


class Source(NamedTuple):
    """A page as a job names it, and its bytes where it is in no file."""

    input: str | Mapping[str, Any]
    data: bytes | memoryview | None
    dpi: float | None = None


def source(page: Page, *, figure_format: Literal["svg", "png"] = "svg", dpi: float | None = None) -> Source:
    """The page of a job."""
    if isinstance(page, (str, os.PathLike)):
        path = os.fspath(page)
        if not path:
            raise UsageError("page: the path is empty; name a file", 64)
        return Source(os.path.abspath(path), None)
    if isinstance(page, (bytes, bytearray, memoryview)):
        return Source("-", bytes(page))
    if isinstance(page, Mapping):
        return Source(_absolute(page), None)
    if is_figure(page):
        dpi = dpi or float(page.dpi)
        return Source("-", figure_bytes(page, figure_format, dpi), dpi)
    return Source("-", png_of(page))


def png_of(page: Any) -> bytes:
    """A picture in memory as a PNG, or as the bytes that it has."""
    if isinstance(page, (bytes, bytearray, memoryview)):
        return bytes(page)
    found = getattr(page, "png", None)
    if isinstance(found, bytes):
        return found
    if is_figure(page):
        return figure_bytes(page, "png", float(page.dpi))
    images = sys.modules.get("PIL.Image")
    if images is not None and isinstance(page, images.Image):
        return _png_of_image(page)
    if hasattr(page, "__array_interface__") or hasattr(page, "__array__"):
        return _png_of_array(page)
    raise UsageError(
        f"page: a {type(page).__name__} is no picture; give a path, bytes, an array, a Pillow image or a figure", 64
    )


def is_figure(page: object) -> TypeGuard[matplotlib.figure.Figure]:
    """Whether it is a figure of matplotlib, which is not imported for that."""
    figures = sys.modules.get("matplotlib.figure")
    return figures is not None and isinstance(page, figures.FigureBase)


def figure_bytes(
    figure: matplotlib.figure.Figure, kind: Literal["svg", "png"], dpi: float, **settings: Any
) -> bytes:
    """A figure as matplotlib saves it. An SVG gets the size in pixels that a PNG of the same `dpi` has."""
    written = io.BytesIO()
    figure.savefig(written, format=kind, dpi=dpi, **settings)
    data = written.getvalue()
    if kind == "png":
        return data
    # In points, 72 an inch; loupes are to be placed in the figure's own pixels.
    start = re.search(rb"<svg\b[^>]*>", data)
    assert start
    root = start[0]
    for side in (b"width", b"height"):
        points = re.search(rb'\b%s="([0-9.]+)pt"' % side, root)
        assert points
        pixels = max(1, round(float(points[1]) / 72 * dpi))
        root = root.replace(points[0], b'%s="%d"' % (side, pixels))
    # Whole pixels may have another aspect than points, which would move the drawing by a part of a pixel.
    root = root.removesuffix(b">") + b' preserveAspectRatio="none">'
    return data[: start.start()] + root + data[start.end() :]


def _absolute(scene: Mapping[str, Any]) -> dict[str, Any]:
    """The scene with its images' paths, which are relative to the working folder, as absolute ones."""

    def named(part: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = part.get(key)
        if isinstance(value, str):
            return {**part, key: os.path.abspath(value)}
        if isinstance(value, Mapping) and isinstance(value.get("image"), str):
            return {**part, key: {**value, "image": os.path.abspath(value["image"])}}
        return dict(part)

    whole = dict(scene)
    if isinstance(scene.get("layers"), list):
        whole["layers"] = [named(one, "image") for one in scene["layers"]]
    if isinstance(scene.get("loupes"), list):
        whole["loupes"] = [named(one, "versus") for one in scene["loupes"]]
    return whole


def _png_of_image(image: PIL.Image.Image) -> bytes:
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        image = image.convert("RGBA" if image.mode in ("PA", "La", "RGBa") else "RGB")
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=0)
    return written.getvalue()


def _png_of_array(page: Any) -> bytes:
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise UsageError(
            "page: an array needs numpy, which is not installed; run pip install numpy, or give a PNG's bytes", 64
        ) from None
    array = np.asarray(page)
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.ndim not in (2, 3) or channels not in (1, 3, 4) or 0 in array.shape:
        shape = " × ".join(str(side) for side in array.shape)
        raise UsageError(f"page: an array of {shape} is no picture; height × width, or × 3 or 4 channels, is one", 64)
    if array.dtype not in (np.uint8, np.uint16):
        raise UsageError(
            f"page: an array of {array.dtype} is no picture; convert it to uint8 (0 to 255) or uint16 (0 to 65535)", 64
        )
    height, width = array.shape[:2]
    size = array.dtype.itemsize
    rows = np.zeros((height, 1 + width * channels * size), np.uint8)
    plain = np.ascontiguousarray(array, ">u2" if size == 2 else np.uint8)
    rows[:, 1:] = plain.view(np.uint8).reshape(height, -1)
    return _png.encode(rows.data, width, height, depth=8 * size, color={1: 0, 3: 2, 4: 6}[channels])
