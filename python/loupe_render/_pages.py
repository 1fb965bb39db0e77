"""What can be a page, as the command takes it."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeGuard

from loupe_render import _flags, _png
from loupe_render._errors import InputError, LoupeError, MissingError, UsageError, warn

if TYPE_CHECKING:
    import matplotlib.figure
    import numpy as np
    import PIL.Image
    from numpy.typing import NDArray

    from loupe_render._picture import Picture
    from loupe_render._pixels import Region

Page: TypeAlias = (
    "str | os.PathLike[str] | bytes | bytearray | memoryview | NDArray[np.uint8] | NDArray[np.uint16]"
    " | NDArray[np.bool_]"
    " | NDArray[np.floating[Any]] | PIL.Image.Image | matplotlib.figure.Figure | Picture | Mapping[str, Any]"
)
"""A picture: the path of a PNG, JPEG, WebP, GIF, HEIC, AVIF, SVG or scene, the bytes of one, an array of height × width, or × 3 or 4
channels, of 8 or 16 bits or of floats from 0 to 1, a Pillow image, a matplotlib figure, an earlier `Picture`, or a scene as a dictionary."""


class Source(NamedTuple):
    """A page as a job names it, and its bytes where it is in no file."""

    input: str | Mapping[str, Any]
    data: bytes | None
    dpi: float | None = None
    fine: bytes | None = None
    """The same with more pixels, for loupes, where a figure is drawn as pixels."""
    paper: bytes | None = None
    """The same for files of vectors, where parts of it that are pixels have as many as paper needs."""


def source(page: Page) -> Source:
    """The page of a job."""
    if isinstance(page, (str, os.PathLike)):
        path = os.fspath(page)
        if not path:
            raise UsageError("page: the path is empty; name a file", 64)
        path = _flags.path("page", path)
        return Source("-", png_of(page)) if needs_pillow(path) else Source(path, None)
    if isinstance(page, Mapping):
        return Source(_absolute(page), None)
    data = png_of(page)
    # The pixels of an earlier picture, not its scene, whose page may have been in memory.
    return Source("-", _png.without_texts(data) if hasattr(page, "scene") else data)


def needs_pillow(path: str | os.PathLike[str]) -> bool:
    """Whether a file is of a format that Pillow reads and the command does not."""
    return os.fspath(path).lower().endswith((".tif", ".tiff", ".bmp"))


def png_of(page: Any, *, is_compared: bool = False) -> bytes:
    """A picture as a PNG, or as the bytes that it has.

    Floats have 16 bits where they are compared, and 8 where they are shown, as matplotlib shows them. A Pillow image that is still
    what its file holds is compared as that file.
    """
    if isinstance(page, (str, os.PathLike)) or isinstance(page, bytes) and page.startswith(_PILLOW):
        return _png_of_file(page, is_compared=is_compared)
    if isinstance(page, (bytes, bytearray, memoryview)):
        return bytes(page)
    found = getattr(page, "png", None)
    if isinstance(found, bytes):
        return found
    if is_figure(page):
        return figure_page(page, "png", resolution(page)).data
    if _is_of(page, "PIL.Image", "Image"):
        if is_compared and (data := _file_of(page)) is not None:
            return png_of(data, is_compared=True)
        return _png_of_image(page, is_compared=is_compared)
    if hasattr(page, "__array_interface__") or hasattr(page, "__array__"):
        return _png_of_array(page, is_compared=is_compared)
    raise UsageError(
        f"page: it is of type {type(page).__name__}, which is no picture; give a path, bytes, an array, a Pillow image"
        " or a figure",
        64,
    )


def is_figure(page: object) -> TypeGuard[matplotlib.figure.Figure]:
    """Whether it is a figure of matplotlib, which is not imported for that."""
    return _is_of(page, "matplotlib.figure", "Figure")


def _is_of(page: object, module: str, kind: str) -> bool:
    """Whether it is of a class of a module, which is not imported for that.

    Another thread may be importing the module. Until that has defined the class, no object is of it.
    """
    return isinstance(page, getattr(sys.modules.get(module), kind, ()))


def resolution(figure: matplotlib.figure.Figure) -> float:
    """The pixels an inch that `savefig` gives a figure."""
    from matplotlib import rcParams

    found: Any = rcParams["savefig.dpi"]
    return float(getattr(figure, "_original_dpi", figure.dpi) if found == "figure" else found)


class FigurePage(NamedTuple):
    """A figure as matplotlib saves it, and its size in pixels."""

    data: bytes
    width: int
    height: int
    box: Any = None
    """Where these pixels lie on the figure, in inches; None for an SVG without parts that are pixels, and for an invisible figure."""


def figure_page(
    figure: matplotlib.figure.Figure,
    kind: Literal["svg", "png"],
    dpi: float,
    *,
    regions: Sequence[Region] = (),
    box: Any = None,
    times: int = 1,
    **settings: Any,
) -> FigurePage:
    """A figure as matplotlib saves it, the same bytes each time. An SVG gets the size in pixels that a PNG of the same `dpi` has.

    What is drawn as pixels in an SVG has `times` as many a side as `savefig` draws; in `regions`, if the page's box is given, as
    many as loupes need.
    """
    from loupe_render import _pixels

    written = io.BytesIO()
    if kind == "png":
        with _pixels.DRAWING, _pixels.page_of(figure) as pages:
            figure.savefig(written, format="png", dpi=dpi, **settings)
        data = written.getvalue()
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        return FigurePage(data, width, height, _pixels.whole(pages[-1], width, height, dpi) if pages else None)
    drawn = _pixels.drawn(figure, dpi, regions, box, times, warns=box is None)
    with _pixels.settings({"svg.hashsalt": "loupe", "svg.image_inline": True}), drawn as has_pixels:
        with _pixels.page_of(figure) as pages:
            figure.savefig(written, format="svg", dpi=dpi * times, metadata={"Date": None}, **settings)
    data = _pixels.smooth(written.getvalue())
    # In points, 72 an inch; loupes are to be placed in the figure's own pixels. As in a PNG, parts of pixels at the right and
    # at the top are left out.
    start = re.search(rb"<svg\b[^>]*>", data)
    assert start
    root = start[0]
    points = [float(one) for side in (b"width", b"height") for one in re.findall(rb'\b%s="([0-9.]+)pt"' % side, root)]
    width, height = (max(1, int(side / 72 * dpi + 1e-6)) for side in points)
    shown = f"0 {points[1] - height * 72 / dpi!r} {width * 72 / dpi!r} {height * 72 / dpi!r}"
    for name, value in {"width": width, "height": height, "viewBox": shown}.items():
        root = re.sub(rb'\b%s="[^"]*"' % name.encode(), f'{name}="{value}"'.encode(), root)
    data = data[: start.start()] + root + data[start.end() :]
    return FigurePage(data, width, height, _pixels.whole(pages[-1], width, height, dpi) if has_pixels and pages else None)


def _absolute(scene: Mapping[str, Any]) -> dict[str, Any]:
    """The scene with its images' paths, which are relative to the working folder, as absolute ones."""

    def named(part: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = part.get(key)
        if value == "-":
            raise UsageError("page: the scene's page was in memory; give the picture, not its scene, or draw a file", 64)
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


# How TIFF and BMP begin.
_PILLOW = (b"II*\0", b"MM\0*", b"BM")


def _png_of_file(page: str | os.PathLike[str] | bytes, *, is_compared: bool) -> bytes:
    """A file that Pillow reads. One of which Pillow would show only a part is not compared."""
    name = "page" if isinstance(page, bytes) else os.fspath(page)
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise UsageError(f"{name}: TIFF and BMP need Pillow, which is not installed; run pip install pillow", 64) from None
    try:
        with Image.open(io.BytesIO(page) if isinstance(page, bytes) else page) as image:
            return _png_of_image(image, name, is_compared=is_compared)
    except LoupeError:
        raise
    except FileNotFoundError:
        raise MissingError(f"{name}: can't be read: No such file or directory", 66) from None
    except (OSError, ValueError) as error:
        # Of bytes, Pillow names an object.
        raise InputError(f"{name}: {str(error).partition(' <_io.')[0]}", 65) from None


def _file_of(image: Any) -> bytes | None:
    """The bytes of the file that Pillow has opened as this image; None where the image may be another one meanwhile.

    An image whose file is open is not decoded yet. Of one that is decoded, the named file has to hold the same pixels.
    """
    from PIL import Image

    if getattr(image, "format", None) not in ("PNG", "JPEG", "MPO", "WEBP", "GIF", "AVIF", "TIFF", "BMP") or image.tell():
        return None
    file = getattr(image, "fp", None)
    try:
        if file is None:
            with open(getattr(image, "filename", ""), "rb") as named:
                data: bytes = named.read()
        else:
            position = file.tell()
            file.seek(0)
            data = file.read()
            file.seek(position)
        with Image.open(io.BytesIO(data)) as again:
            if file is None:
                again.load()
                return data if again == image else None
            # An opened JPEG can be told to be a smaller one.
            return data if (again.size, again.mode) == (image.size, image.mode) else None
    except (OSError, ValueError, AssertionError):
        return None


def _png_of_image(image: PIL.Image.Image, name: str = "page", *, is_compared: bool) -> bytes:
    try:
        image.load()
    except Exception as error:
        # Of an image that was closed before its pixels were read, Pillow asserts that it is open, without words.
        words = str(error).partition(" <_io.")[0]
        is_closed = not words or "closed image" in words
        raise InputError(f"{name}: {'the image is closed; open it again' if is_closed else words}", 65) from None
    if is_compared and getattr(image, "n_frames", 1) > 1 and image.tell() == 0:
        raise InputError(
            f"{name}: it has several pages or frames, of which one would be compared; give the copy() of one as a Pillow image", 65
        )
    bits = getattr(image, "tag_v2", {}).get(258, ())
    if is_compared and len(bits) > 1 and max(bits) > 8:
        raise InputError(f"{name}: Pillow keeps 8 of its {max(bits)} bits a channel; give an array of all of them", 65)
    profile = image.info.get("icc_profile")
    if image.mode == "I" or image.mode.startswith("I;16"):
        # Pillow finds no extremes of big-endian numbers.
        image = image.convert("I")
        low, high = image.getextrema()
        if low < 0 or high > 65535:  # type: ignore[operator]
            raise _wrong_mode(image, f"from {low} to {high}; 0 to 65535 is a picture of 16 bits, so convert them")
        image, profile = image.convert("I;16"), None
    elif image.mode == "F":
        raise _wrong_mode(image, "floating-point numbers, whose black and white it does not say; convert them to 8 or 16 bits")
    elif image.mode == "CMYK" and profile:
        image, profile = _in_srgb(image, profile), None
    elif image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        try:
            image = image.convert({"PA": "RGBA", "La": "LA", "RGBa": "RGBA"}.get(image.mode, "RGB"))
        except ValueError as error:
            raise _wrong_mode(image, f"colours that Pillow can't convert: {error}") from None
        # It is about other channels.
        profile = None
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=0, icc_profile=profile)
    return written.getvalue()


def _in_srgb(image: PIL.Image.Image, profile: bytes) -> PIL.Image.Image:
    """CMYK in sRGB, with the relative colorimetric intent, as the command converts profiles."""
    from PIL import ImageCms

    try:
        found = ImageCms.profileToProfile(
            image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC, outputMode="RGB",
        )  # fmt: skip
    except (ImageCms.PyCMSError, OSError) as error:
        raise InputError(f"page: its CMYK profile can't be used: {error}", 65) from None
    assert found is not None
    return found


def _wrong_mode(image: PIL.Image.Image, words: str) -> UsageError:
    return UsageError(f"page: the image's mode {image.mode} has {words}", 64)


def is_display(array: Any) -> bool:
    """Whether all floats of an array are from 0 to 1, apart from rounding and those that are masked or no number."""
    import numpy as np

    known = np.ma.masked_invalid(array).compressed()
    return known.size == 0 or bool(known.min() >= -1e-6 and known.max() <= 1 + 1e-6)


def _png_of_array(page: Any, *, is_compared: bool) -> bytes:
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise UsageError(
            "page: an array needs numpy, which is not installed; run pip install numpy, or give a PNG's bytes", 64
        ) from None
    array: Any = np.ma.asarray(page)
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.ndim not in (2, 3) or channels not in (1, 3, 4) or 0 in array.shape:
        shape = " × ".join(str(side) for side in array.shape)
        raise UsageError(f"page: an array of {shape} is no picture; height × width, or × 3 or 4 channels, is one", 64)
    signs: Any = np.zeros(array.shape)
    if array.dtype.kind == "f":
        # 1 and −1 where a number is infinite.
        signs = np.where(np.isinf(array.filled(np.nan)), np.sign(array.data), 0) if is_compared else signs
        array = np.ma.masked_invalid(array)
        if not is_display(array):
            low, high = array.min(), array.max()
            raise UsageError(f"page: floats from {low:.10g} to {high:.10g} are no picture; scale them to 0 to 1, or convert to uint8", 64)
        if is_compared:
            # Floats that were bytes divided by 255 are equal to these bytes.
            shown: Any = np.round(array.filled(0).astype(np.float64) * 65535).astype(np.uint16)
        else:
            # As matplotlib does; floats that were bytes divided by 255 become these bytes.
            shown = (array.filled(0) * 255).astype(np.uint8)
        array = np.ma.array(shown, mask=np.ma.getmaskarray(array))
    if array.dtype == bool:
        array = array * np.uint8(255)
    if array.dtype.newbyteorder("=") not in (np.uint8, np.uint16):
        raise UsageError(
            f"page: an array of {array.dtype} is no picture; convert it to uint8 (0 to 255) or uint16 (0 to 65535)", 64
        )
    if np.ma.is_masked(array):
        order, opaque = {1: [0, 0, 0, 0], 3: [0, 1, 2, 0], 4: [0, 1, 2, 3]}[channels], np.iinfo(array.dtype).max
        pixels = (*array.shape[:2], channels)
        unknown = (np.ma.getmaskarray(array) & (signs == 0)).reshape(pixels).any(axis=2)
        if is_compared and unknown.all():
            warn("of an array no pixel is compared: each is masked or no number")
        colors, signs = array.data.reshape(pixels)[..., order], signs.reshape(pixels)[..., order]
        if channels < 4:
            colors[..., 3], signs[..., 3] = opaque, 0
        # Translucent, so that it is neither a colour nor transparent: white for ∞, and black for −∞.
        colors = np.where(signs.any(axis=2)[..., None], np.where(signs, opaque * (signs > 0), opaque // 4 + colors // 4), colors)
        colors[unknown, 3] = 0
        colors = colors.astype(array.dtype)
        array, channels = colors, 4
    height, width = array.shape[:2]
    size = array.dtype.itemsize
    rows = np.zeros((height, 1 + width * channels * size), np.uint8)
    plain = np.ascontiguousarray(array, ">u2" if size == 2 else np.uint8)
    rows[:, 1:] = plain.view(np.uint8).reshape(height, -1)
    return _png.encode(rows.data.cast("B"), width, height, depth=8 * size, color={1: 0, 3: 2, 4: 6}[channels])
