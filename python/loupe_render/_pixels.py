"""Parts of a figure of matplotlib that are pixels, also where the figure is vectors.

Meshes are, as seams would show between their parts; collections of thousands of elements, as they take long; and images. Below a
loupe they have the resolution that the loupe needs, elsewhere that of the page, or of paper.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import math
import os
import re
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib import __version__, __version_info__, rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection, QuadMesh, TriMesh
from matplotlib.contour import ContourSet
from matplotlib.image import FigureImage, _ImageBase
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import Affine2D, Bbox, TransformedBbox
from PIL import Image

from loupe_render._errors import UsageError, warn

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase
    from matplotlib.figure import Figure
    from numpy.typing import NDArray


if __version_info__ < (3, 8):
    raise UsageError(f"matplotlib {__version__} is too old for figures; install matplotlib 3.8 or newer", 64)

# In matplotlib 3.8 it is drawn by `Collection.draw`, which can draw pixels, and does not say so.
vars(ContourSet.draw)["_supports_rasterization"] = True

MOST_ELEMENTS = 2000
_MOST_PIXELS = 1 << 24
ON_PAPER = 300
"""Pixels an inch that print needs."""


DRAWING = threading.RLock()
"""Held while a figure is drawn, as the settings of matplotlib hold for all threads."""


def _after_fork() -> None:
    """Another thread, which the fork does not have, may have held the lock."""
    global DRAWING
    DRAWING = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextlib.contextmanager
def settings(given: dict[str, Any]) -> Iterator[None]:
    """matplotlib with other settings. Others that change meanwhile, as by another thread, are kept."""
    with DRAWING:
        current: Any = rcParams
        was = {key: current[key] for key in given}
        current.update(given)
        try:
            yield
        finally:
            current.update(was)


class Region(NamedTuple):
    """What a loupe shows: two corners as parts of the page's width and height, y down, and how much larger it shows them."""

    left: float
    top: float
    right: float
    bottom: float
    zoom: float


def abuts(collection: Any) -> bool:
    """Whether a collection's parts meet without a gap: a mesh, and what matplotlib does not anti-alias, as filled contours."""
    is_smooth = collection.get_antialiased()
    return isinstance(collection, (QuadMesh, TriMesh)) or len(is_smooth) > 0 and not any(is_smooth)


def _has_faint_hatch(one: Any) -> bool:
    """Whether it has a hatch on translucent colour, whose colour is lost in an SVG of matplotlib.

    The boxes of a legend can't be drawn as pixels.
    """
    if not isinstance(one, (Patch, Collection)) or not one.get_hatch() or one.axes is None or one not in one.axes.get_children():
        return False
    alpha: Any = one.get_alpha()
    return alpha is not None and bool(np.min(alpha) < 1)


def parts(figure: Figure, *, warns: bool) -> list[Artist]:
    """What is drawn as pixels, in no order."""
    kinds = (Axes, Collection, Line2D, Patch, _ImageBase)
    found: list[Any] = figure.findobj(lambda one: one.get_visible() and (isinstance(one, kinds) or one.get_agg_filter() is not None))
    # matplotlib can't draw 3-D scatters so.
    found = [one for one in found if getattr(one.draw, "_supports_rasterization", False)]
    chosen: list[Artist] = []
    for one in found:
        if one is not one.axes and one.axes is not None and one.axes.get_rasterized():
            continue
        # An SVG of matplotlib has no filters.
        if isinstance(one, Axes) or one.get_agg_filter() is not None:
            chosen += [one] if one.get_rasterized() or one.get_agg_filter() is not None else []
            continue
        is_image = isinstance(one, _ImageBase) or isinstance(one, Collection) and abuts(one)
        if is_image or one.get_rasterized() or _has_faint_hatch(one):
            chosen.append(one)
            continue
        if isinstance(one, Patch):
            continue
        if isinstance(one, Collection):
            count = max(len(one.get_paths()), len(np.atleast_1d(one.get_offsets())))
        else:
            # It may be an array, too, which is equal to no text.
            has_markers = str(one.get_marker()) not in ("None", "none", " ", "")
            count = len(one.get_xdata()) if has_markers else 0
        if count > MOST_ELEMENTS:
            chosen.append(one)
            if warns:
                warn(f"{type(one).__name__} of {count} elements: drawn as pixels, as more than {MOST_ELEMENTS} take long as vectors")
    return chosen


def density(figure: Figure, dpi: float, wanted: float) -> int:
    """How many pixels of such a part are as wide as one of the page: `wanted` rounded up, or fewer where memory is short."""
    pixels = float((figure.get_size_inches() * dpi).prod())
    return max(1, min(math.ceil(wanted - 0.01), int((_MOST_PIXELS / pixels) ** 0.5)))


@contextlib.contextmanager
def drawn(
    figure: Figure, dpi: float, regions: Sequence[Region], page: Bbox | None, times: int, *, warns: bool
) -> Iterator[bool]:
    """Draws parts as pixels until it ends: as `savefig` has them, `times` as fine, and in regions as fine as loupes need.

    `page` is where the page lies on the figure, in inches. Says whether there are such parts.
    """
    chosen = parts(figure, warns=warns)
    was = [one.get_rasterized() for one in chosen]
    replaced: list[Any] = []
    try:
        for one in chosen:
            one.set_rasterized(not isinstance(one, _ImageBase) or one.get_agg_filter() is not None)
        blocks = [] if page is None else _blocks(regions, page, dpi)
        found = []
        for one in chosen:
            axes = one.axes
            shown = axes and Bbox(axes.bbox.get_points() / figure.dpi)
            if page is not None and shown and any(block.box(page, dpi).overlaps(shown) for block in blocks):
                one.set_rasterized(False)
                found.append((one, _images(figure, one, page, dpi, blocks, times)))
        for one, images in found:
            replaced.append(one)
            one.draw = _Drawing(figure, images)  # type: ignore[method-assign]
        # An SVG leaves it to its reader how to show an image without interpolation; Agg draws squares, as of the nearest pixel.
        squares: list[Any] = figure.findobj(lambda one: isinstance(one, _ImageBase) and one.get_interpolation() == "none")
        # Else it would draw neighbouring images as one, without asking them, and apply their opacity twice.
        one_by_one = settings({"image.composite_image": False})
        with one_by_one, changed(squares, "interpolation", itertools.repeat("nearest")), _as_large(figure, times):
            yield bool(chosen)
    finally:
        for one in replaced:
            del one.draw
        for one, is_raster in zip(chosen, was):
            one.set_rasterized(is_raster)


@contextlib.contextmanager
def _as_large(figure: Figure, times: int) -> Iterator[None]:
    """Images whose pixels are those of the figure, for a figure with so many times as many."""
    images: list[Any] = figure.findobj(FigureImage) if times > 1 else []
    was = [(one, one._A, one.ox, one.oy) for one in images]
    try:
        for one, shown, x, y in was:
            one._A, one.ox, one.oy = shown.repeat(times, axis=0).repeat(times, axis=1), x * times, y * times
            one.stale = True
        yield
    finally:
        for one, shown, x, y in was:
            one._A, one.ox, one.oy = shown, x, y


class _PageProbe(Artist):
    """Draws nothing, and notes where the page lies on the figure, in inches, when it is drawn: after all layout."""

    def __init__(self, pages: list[Bbox]) -> None:
        super().__init__()
        self._pages = pages
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        figure: Any = self.get_figure()
        self._pages.append(Bbox((figure.bbox.get_points() - _origin(figure)) / figure.dpi))


def _origin(figure: Figure) -> Any:
    """Where the figure's lower left corner lies, in display coordinates: not at (0, 0) while a tight box is drawn."""
    return figure.transFigure.transform((0, 0))


@contextlib.contextmanager
def page_of(figure: Figure) -> Iterator[list[Bbox]]:
    """Where the page of each drawing lies on the figure, in inches: all of it, or the part of a tight box."""
    pages: list[Bbox] = []
    probe = _PageProbe(pages)
    figure.add_artist(probe)
    try:
        yield pages
    finally:
        probe.remove()


@contextlib.contextmanager
def settled(figure: Figure, dpi: float) -> Iterator[None]:
    """Keeps the layout that `savefig` gives a PNG: each drawing would settle it a little more, and an SVG measures text otherwise."""
    engine, canvas, own = figure.get_layout_engine(), figure.canvas, figure.dpi
    if engine is None:
        yield
        return
    try:
        # A canvas without a window, whose size would follow.
        FigureCanvasAgg(figure)
        figure.dpi = dpi
        figure.draw_without_rendering()
    finally:
        figure.dpi = own
        figure.set_canvas(canvas)
    figure.set_layout_engine("none")
    try:
        yield
    finally:
        figure.set_layout_engine(engine)


class _Block(NamedTuple):
    """A block of the page in whole pixels, y down, and how much larger it is shown."""

    left: int
    top: int
    right: int
    bottom: int
    zoom: int

    def box(self, page: Bbox, dpi: float) -> Bbox:
        """Where it lies on the figure, in inches."""
        corners = [[self.left, -self.bottom], [self.right, -self.top]]
        return Bbox(np.array(corners) / dpi + [page.x0, page.y1])


def whole(page: Bbox, width: int, height: int, dpi: float) -> Bbox:
    """A page without the parts of pixels that matplotlib leaves out at the right and at the top."""
    return Bbox([page.p0, page.p0 + np.array([width, height]) / dpi])


def _blocks(regions: Sequence[Region], page: Bbox, dpi: float) -> list[_Block]:
    """The blocks that loupes show, those that overlap as one."""
    (width, height), found = (round(side * dpi) for side in page.size), list[_Block]()
    for region in regions:
        left, right = region.left * width, region.right * width
        top, bottom = region.top * height, region.bottom * height
        # Some more, as loupes that are placed once more may be a little larger.
        x, y = 2 + (right - left) / 10, 2 + (bottom - top) / 10
        block = _Block(
            max(0, math.floor(left - x)), max(0, math.floor(top - y)), min(width, math.ceil(right + x)),
            min(height, math.ceil(bottom + y)), math.ceil(region.zoom),
        )  # fmt: skip
        for other in [one for one in found if one.box(page, dpi).overlaps(block.box(page, dpi))]:
            found.remove(other)
            block = _Block(*map(min, block[:2], other[:2]), *map(max, block[2:], other[2:]))
        if block.left < block.right and block.top < block.bottom:
            found.append(block)
    return found


def _images(
    figure: Figure, one: Artist, page: Bbox, dpi: float, blocks: Sequence[_Block], scale: int
) -> list[tuple[Any, Bbox]]:
    """An artist's pixels, and where they lie on the figure, in inches: all of it, without the blocks, and each block larger."""
    images = []
    with _alone(figure, one):
        pixels = _pixels(figure, page, dpi * scale)
    for block in blocks:
        box, sides = block.box(page, dpi), (block.right - block.left, block.bottom - block.top)
        finest = dpi * min(scale * block.zoom, max(scale, int((_MOST_PIXELS / (sides[0] * sides[1])) ** 0.5)))
        part = pixels[block.top * scale : block.bottom * scale, block.left * scale : block.right * scale]
        if not part[..., 3].any():
            continue
        # A translucent part is drawn with what lies below it, as viewers show a seam between two translucent images.
        with _clipped(figure, box), _alone(figure, one, keeps_below=_is_translucent(part)):
            closer = _pixels(figure, box, finest)
        inset = scale
        if _is_translucent(closer):
            # So is the figure.
            inset = 0
            with _clipped(figure, box), _alone(figure, one):
                closer = _pixels(figure, box, finest)
        images.append((closer, box))
        # The hole is a pixel smaller, so that no gap is seen.
        part[inset : part.shape[0] - inset, inset : part.shape[1] - inset] = 0
    rows, columns = (np.flatnonzero(pixels[..., 3].any(axis=axis)) // scale for axis in (1, 0))
    if len(rows):
        edges = _Block(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1, 1)
        used = pixels[edges.top * scale : edges.bottom * scale, edges.left * scale : edges.right * scale]
        images.insert(0, (used, edges.box(page, dpi)))
    return images


def _is_translucent(pixels: NDArray[np.uint8]) -> bool:
    """Whether more than half of the drawn pixels are translucent. Those of edges always are."""
    alpha = pixels[..., 3]
    return bool(np.median(alpha[alpha > 0]) < 255)


def padded(box: Bbox, dpi: float) -> Bbox:
    """A box, a hundredth of a pixel larger at the right and at the top, as matplotlib truncates to whole pixels."""
    return Bbox([box.p0, box.p1 + 0.01 / dpi])


def _pixels(figure: Figure, box: Bbox, dpi: float) -> NDArray[np.uint8]:
    """The figure as straight RGBA within a box of it, in inches, whose sides are whole pixels; rows from above."""
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=dpi, bbox_inches=padded(box, dpi), pil_kwargs={"compress_level": 0})
    return np.array(Image.open(written))


@contextlib.contextmanager
def changed(artists: Sequence[Any], name: str, values: Iterable[Any]) -> Iterator[None]:
    """Gives each artist another value of a property, and its own back afterwards."""
    was = [getattr(one, f"get_{name}")() for one in artists]
    try:
        for one, value in zip(artists, values):
            getattr(one, f"set_{name}")(value)
        yield
    finally:
        for one, value in zip(artists, was):
            getattr(one, f"set_{name}")(value)


@contextlib.contextmanager
def _clipped(figure: Figure, box: Bbox) -> Iterator[None]:
    """Clips images to a box of the figure, in inches: matplotlib resamples all that is not clipped, which can take gigabytes."""
    images: list[Any] = figure.findobj(lambda one: isinstance(one, _ImageBase) and one.get_clip_box() is not None)
    # In parts of the figure, which moves while a box of it is drawn.
    part = Bbox(box.get_points() / figure.get_size_inches())
    own = [Bbox(figure.transFigure.inverted().transform(one.get_clip_box().get_points())) for one in images]
    boxes = [TransformedBbox(Bbox.intersection(one, part) or part, figure.transFigure) for one in own]
    with changed(images, "clip_box", boxes):
        yield


@contextlib.contextmanager
def _alone(figure: Figure, one: Artist, *, keeps_below: bool = False) -> Iterator[None]:
    """Hides all of a figure but one artist, or all that is drawn after it."""

    def others(parent: Any) -> Iterator[Artist]:
        is_above = not keeps_below
        patch = getattr(parent, "patch", None)
        for child in sorted(parent.get_children(), key=lambda child: (child is not patch, child.get_zorder())):
            if one in child.findobj():
                is_above = True
                if child is not one:
                    yield from others(child)
            elif is_above and child.get_visible():
                yield child

    with changed(list(others(figure)), "visible", itertools.repeat(False)):
        yield


class _Drawing:
    """Draws images in place of an artist. In an SVG they have names that begin with `NAME`."""

    NAME = "loupe-pixels"

    def __init__(self, figure: Figure, images: Sequence[tuple[Any, Bbox]]) -> None:
        self._figure, self._images = figure, images

    def __call__(self, renderer: RendererBase) -> None:
        for pixels, box in self._images:
            (left, low), (right, high) = box.get_points() * self._figure.dpi + _origin(self._figure)
            gc = renderer.new_gc()
            name: Any = f"{self.NAME}-{zlib.crc32(pixels.tobytes()):08x}"
            gc.set_gid(name)
            renderer.draw_image(gc, 0, 0, pixels, Affine2D().scale(right - left, low - high).translate(left, high))
            gc.restore()


def smooth(svg: bytes) -> bytes:
    """The SVG in which these images are interpolated: matplotlib asks for squares."""
    return re.sub(rb'(id="%s-[^>]*?) style="[^"]*"' % _Drawing.NAME.encode(), rb"\1", svg)
