"""A lens on axes of matplotlib: it draws their data once more, at the zoom, with the line widths of the figure."""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib import colors, rc_context
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection, PolyCollection
from matplotlib.image import imread
from matplotlib.lines import Line2D
from matplotlib.offsetbox import AnnotationBbox, OffsetBox
from matplotlib.patches import BoxStyle, PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Affine2D, Bbox, BboxTransformTo

from loupe_render._errors import UsageError, warn
from loupe_render._pixels import abuts

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_MARGIN = 6
"""Pixels between a lens and the figure's edge, at least."""
_ACCENTS = ("#e41a1c", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#000000", "#ffffff")


class Style(NamedTuple):
    """How lenses, rings and the lines between them look. Widths are in points."""

    accent: Any = "auto"
    ring_width: float = 1.5
    ring_color: Any = None
    connector: str = "lines"
    connector_width: float = 1.0
    connector_color: Any = None
    rim_width: float = 1.0
    rim_color: Any = None
    ticks: bool = False


class Lens(Artist):
    """A lens on a figure. It shows a part of its axes; `remove()` takes it away."""

    def __init__(self, ax: Axes, what: Any, zoom: float, size: tuple[float, float] | None, corner: float | None,
                 longest: float, style: Style) -> None:  # fmt: skip
        """`what` is a point or two corners, in data coordinates; sizes are inches; without a corner it is a disc."""
        super().__init__()
        self._source_axes, self._what, self._zoom = ax, what, zoom
        self._corner, self._style = corner, style
        self.center = (0.5, 0.5)
        """Parts of the figure's width and height, y up."""
        self.size = size or (2 * longest, 2 * longest)
        """Width and height in inches."""
        if size is None and len(what) == 4:
            region = self.source()
            scale = (zoom if zoom else 2 * longest / (max(region.width, region.height) / self._figure.dpi)) / self._figure.dpi
            # A narrow region is stretched, so that it can be seen.
            least = 0 if zoom else 0.8 * longest
            self.size = (max(least, region.width * scale), max(least, region.height * scale))
        self.set_zorder(1000)

    @property
    def _figure(self) -> Figure:
        return self._source_axes.figure.figure

    def source(self) -> Bbox:
        """What is shown, in display coordinates."""
        ax = self._source_axes
        points = np.reshape(self._what, (-1, 2))
        found = ax.transData.transform(points)
        if not np.isfinite(found).all():
            raise UsageError(f"xy: {tuple(self._what)} has no place on a {ax.get_xscale()} and {ax.get_yscale()} scale", 64)
        if len(points) == 2:
            return Bbox([found.min(axis=0), found.max(axis=0)])
        half = np.array(self.size) * self._figure.dpi / self._zoom / 2
        return Bbox([found[0] - half, found[0] + half])

    def box(self) -> Bbox:
        """Where the lens lies, in display coordinates."""
        width, height = (side * self._figure.dpi for side in self.size)
        x, y = self._figure.transFigure.transform(self.center)
        return Bbox.from_bounds(x - width / 2, y - height / 2, width, height)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """What it covers, so that a tight box has all of it."""
        if self._source_axes.figure is None:
            return Bbox.null()
        return Bbox.union([self.box(), self.source()]).padded(2)

    get_tightbbox = get_window_extent

    def draw(self, renderer: RendererBase) -> None:
        """Draws the lens, the ring and the lines between them."""
        # Axes that were removed have no figure.
        if not self.get_visible() or self._source_axes.figure is None:
            return
        ax, style, source, box = self._source_axes, self._style, self.source(), self.box()
        accent = _accent(ax) if style.accent == "auto" else style.accent
        inside, outside = self._outline(source, box.width), self._outline(box, box.width)
        paper = ax.get_facecolor() if colors.to_rgba(ax.get_facecolor())[3] else self._figure.get_facecolor()
        if style.ticks:
            # Paper below the ticks' texts.
            whole = self.around().get_points() * self._figure.dpi + (box.get_points()[0] + box.get_points()[1]) / 2
            below = Path.unit_rectangle().transformed(BboxTransformTo(Bbox(whole).padded(2)))
            self._paint(renderer, PathPatch(below, transform=_IDENTITY, facecolor=paper, edgecolor="none", alpha=0.8))
        if style.connector == "lines":
            for line in _tangents(inside, outside):
                self._stroke(renderer, line, style.connector_color or accent, style.connector_width, paper)
        self._stroke(renderer, inside, style.ring_color or accent, style.ring_width, paper)
        back = PathPatch(outside, transform=_IDENTITY, facecolor=paper, edgecolor="none")
        self._paint(renderer, back)
        self._draw_data(renderer)
        self._stroke(renderer, outside, style.rim_color or accent, style.rim_width, "none")

    def _outline(self, box: Bbox, width: float) -> Path:
        if self._corner is None:
            return Path.unit_circle().transformed(
                Affine2D().scale(box.width / 2, box.height / 2).translate((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            )
        radius = self._corner * self._figure.dpi * box.width / width
        style: Any = BoxStyle.Round(pad=0, rounding_size=min(radius, box.width / 2, box.height / 2))
        found: Path = style(*box.bounds, 1)
        return found

    def _stroke(self, renderer: RendererBase, path: Path, color: Any, width: float, casing: Any) -> None:
        line = PathPatch(path, transform=_IDENTITY, facecolor="none", edgecolor=color, linewidth=width, capstyle="round")
        if not colors.same_color(casing, "none"):
            line.set_path_effects([withStroke(linewidth=width + 2, foreground=casing, alpha=0.8)])
        self._paint(renderer, line)

    def _paint(self, renderer: RendererBase, patch: PathPatch) -> None:
        patch.set_figure(self._figure)
        patch.draw(renderer)

    def _draw_data(self, renderer: RendererBase) -> None:
        """Draws what the axes show, as if they lay in the lens and had the limits of what it shows."""
        found: list[Any] = []
        with self._axes_inside() as moved:
            for ax in moved:
                # Grid lines lie where their axis does.
                grid = [(axis.get_zorder(), tick.gridline) for axis in (ax.xaxis, ax.yaxis) for tick in _ticks(axis)]
                data = [(one.get_zorder(), one) for one in ax.get_children() if _is_data(one, ax)]
                parts = [one for _, one in sorted(grid + data, key=lambda pair: pair[0]) if one.get_visible()]
                found += [one for one in parts if not isinstance(one, Text) or _is_inside(one, self.box())]
        for is_raster, some in itertools.groupby(found, lambda one: bool(one.get_rasterized())):
            _Parts(self, list(some), is_raster).draw(renderer)
        if self._style.ticks:
            with self._axes_inside():
                self._draw_ticks(renderer)

    def _axes_inside(self) -> contextlib.AbstractContextManager[Sequence[Axes]]:
        """The axes as they lie in the lens, at the figure's resolution of now."""
        return _moved(_together(self._source_axes), self.source(), self.box())

    def _draw_parts(self, parts: Sequence[Artist], renderer: RendererBase) -> None:
        """Draws parts of the axes in the lens."""
        box = self.box()
        clip = PathPatch(self._outline(box, box.width), transform=_IDENTITY)
        with self._axes_inside():
            for one in parts:
                _draw_clipped(one, renderer, clip, box)

    def _draw_ticks(self, renderer: RendererBase) -> None:
        for axis in (self._source_axes.xaxis, self._source_axes.yaxis):
            with _hidden([axis.label, *(tick.gridline for tick in _ticks(axis)), *_crowding(axis)]):
                axis.draw(renderer)

    def around(self) -> Bbox:
        """The lens with its ticks and their texts, relative to its centre, in inches."""
        box = self.box()
        parts: list[Bbox] = [box]
        if self._style.ticks:
            with _moved([self._source_axes], self.source(), box):
                for axis in (self._source_axes.xaxis, self._source_axes.yaxis):
                    with _hidden([axis.label, *_crowding(axis)]):
                        parts += [one for one in [axis.get_tightbbox()] if one is not None]
        middle = (box.get_points()[0] + box.get_points()[1]) / 2
        return Bbox((Bbox.union(parts).get_points() - middle) / self._figure.dpi)


class _Parts(Artist):
    """Parts of the axes in a lens.

    Where they are drawn as pixels within vectors, matplotlib changes the figure's resolution, and in a tight box it puts all
    axes back into their places. So that starts first, and the axes are moved after it.
    """

    def __init__(self, lens: Lens, parts: Sequence[Artist], is_raster: bool) -> None:
        super().__init__()
        self._lens, self._parts = lens, parts
        self.set_figure(lens.get_figure())  # type: ignore[arg-type]
        self.set_rasterized(is_raster)

    @allow_rasterization  # type: ignore[untyped-decorator]
    def draw(self, renderer: RendererBase) -> None:
        self._lens._draw_parts(self._parts, renderer)


@contextlib.contextmanager
def _hidden(parts: Sequence[Artist]) -> Iterator[None]:
    was = [one.get_visible() for one in parts]
    for one in parts:
        one.set_visible(False)
    try:
        yield
    finally:
        for one, is_visible in zip(parts, was):
            one.set_visible(is_visible)


_IDENTITY = Affine2D()


def can_be_drawn_again(ax: Axes) -> bool:
    """Whether a part of these axes can be shown by other limits: on axes with two straight scales."""
    return ax.name == "rectilinear"


def is_plot_of_lines(ax: Axes) -> bool:
    """Whether the axes show lines or points, and no image, mesh, filled contours or tiles."""
    found = [one for one in ax.get_children() if _is_data(one, ax)]
    return any(isinstance(one, (Line2D, Collection)) for one in found) and not any(
        abuts(one) or isinstance(one, PolyCollection) and len(one.get_paths()) > 9
        if isinstance(one, Collection)
        else hasattr(one, "get_array")
        for one in found
    )


def left_out(ax: Axes) -> list[str]:
    """What the axes show that no lens draws again."""
    own = {id(one) for one in (*ax.spines.values(), ax.xaxis, ax.yaxis, ax.patch, ax.get_legend())}
    return sorted(
        {
            "inset axes" if isinstance(one, Axes) else type(one).__name__
            for one in ax.get_children()
            if not (id(one) in own or isinstance(one, Text) or type(one).__name__ == "SecondaryAxis" or _is_data(one, ax))
            and one.get_visible()
        }
    )


def _ticks(axis: Any) -> Any:
    """The ticks that the axis has with its limits of now."""
    return axis._update_ticks()


def _crowding(axis: Any) -> list[Artist]:
    """Ticks, and their texts, without which no two texts overlap: each second one, or more. Those of dates ignore the width."""
    ticks = [tick for tick in _ticks(axis) if tick.label1.get_visible() and tick.label1.get_text()]
    boxes = [tick.label1.get_window_extent().padded(2) for tick in ticks]
    step = 1
    while any(one.overlaps(other) for one, other in zip(boxes[::step], boxes[step::step])):
        step += 1
    return [part for index, tick in enumerate(ticks) if index % step for part in (tick, tick.label1)]


def _branches(transform: Any, of: Any) -> tuple[bool, bool]:
    """Whether x and y come from it. Until matplotlib 3.11 the method had a slip in its name."""
    name = "contains_branch_separately" if hasattr(transform, "contains_branch_separately") else "contains_branch_seperately"
    found: tuple[bool, bool] = getattr(transform, name)(of)
    return found


def _is_data(one: Artist, ax: Axes) -> bool:
    """Whether a part of the axes lies in data coordinates, at least in one direction."""
    if isinstance(one, (Axes, Axis, OffsetBox)):
        return False
    if isinstance(one, (Annotation, AnnotationBbox)):
        return one.xycoords == "data"
    if hasattr(one, "get_slope"):
        # `axline` finds its ends when it is drawn.
        return True
    transforms = [one.get_transform()]
    if isinstance(one, Collection):
        transforms.append(one.get_offset_transform())
    return any(any(_branches(transform, ax.transData)) for transform in transforms)


def _is_inside(text: Text, box: Bbox) -> bool:
    if isinstance(text, Annotation):
        return True
    return bool(box.contains(*text.get_transform().transform(text.get_unitless_position())))


def _draw_clipped(one: Artist, renderer: RendererBase, clip: PathPatch, limits: Bbox) -> None:
    arrow: Artist | None = getattr(one, "arrow_patch", None)
    parts = [one] if arrow is None else [one, arrow]
    was = [(part.get_clip_box(), part.get_clip_path(), part.get_clip_on()) for part in parts]
    for part in parts:
        part.set_clip_path(clip)
        part.set_clip_box(limits)
        part.set_clip_on(True)
    try:
        # Its own, also where `_pixels` has put another in its place.
        type(one).draw(one, renderer)
    finally:
        for part, (box, path, is_on) in zip(parts, was):
            part.set_clip_path(path)
            part.set_clip_box(box)
            part.set_clip_on(is_on)


def _together(ax: Axes) -> list[Axes]:
    """The axes, and others that lie upon them, as `twinx` makes them; the lowest first."""
    others = [one for one in ax.figure.figure.axes if one is ax or one.get_visible() and can_be_drawn_again(one)
              and np.allclose(one.bbox.bounds, ax.bbox.bounds)]  # fmt: skip
    return sorted(others, key=lambda one: one.get_zorder())


@contextlib.contextmanager
def _moved(axes: Sequence[Axes], source: Bbox, box: Bbox) -> Iterator[Sequence[Axes]]:
    """The axes in another box, with the limits that make it show what the source shows."""
    corners = [ax.transData.inverted().transform(source.get_points()) for ax in axes]
    was = [(np.array(ax.viewLim.get_points()), ax.get_position()) for ax in axes]
    try:
        for ax, limits in zip(axes, corners):
            place = ax.figure.transSubfigure.inverted().transform(box.get_points())
            ax._set_position(Bbox(place), which="active")  # type: ignore[attr-defined]
            ax.viewLim.set_points(limits)
        yield axes
    finally:
        for ax, (points, position) in zip(axes, was):
            ax._set_position(position, which="active")  # type: ignore[attr-defined]
            ax.viewLim.set_points(points)


def _accent(ax: Axes) -> str:
    """The first of a few colours that is unlike all that the axes show, or the most unlike."""
    used = [ax.get_facecolor()]
    for one in ax.get_children():
        if not _is_data(one, ax):
            continue
        for name in ("get_color", "get_facecolor", "get_edgecolor"):
            with contextlib.suppress(AttributeError, TypeError, ValueError):
                found = colors.to_rgba_array(getattr(one, name)())
                used += [color for color in found[:64] if color[3] > 0]
    shown = np.array([color[:3] for color in map(colors.to_rgba, used)])

    def distance(accent: str) -> float:
        return float(np.linalg.norm(shown - colors.to_rgb(accent), axis=1).min())

    return next((one for one in _ACCENTS if distance(one) > 0.5), max(_ACCENTS, key=distance))


def _tangents(one: Path, other: Path) -> list[Path]:
    """The lines that touch two outlines from outside, without those of one within the other."""
    points = [np.asarray(path.to_polygons()[0]) for path in (one, other)]
    whole = np.concatenate(points)
    owner = np.repeat([0, 1], [len(part) for part in points])
    hull = _hull(whole)
    edges = [(a, b) for a, b in zip(hull, hull[1:] + hull[:1]) if owner[a] != owner[b]]
    return [Path(whole[list(edge)]) for edge in edges]


def _hull(points: NDArray[np.float64]) -> list[int]:
    """The indices of the convex hull's corners, in order (Andrew's monotone chain)."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()

    def half(indices: list[int]) -> list[int]:
        found: list[int] = []
        for index in indices:
            while len(found) > 1:
                (ax, ay), (bx, by), (cx, cy) = points[found[-2]], points[found[-1]], points[index]
                if (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0:
                    break
                found.pop()
            found.append(index)
        return found[:-1]

    return half(order) + half(order[::-1])


def warn_of_what_is_left_out(ax: Axes) -> None:
    """Names what no lens on these axes draws again."""
    names = left_out(ax)
    if names:
        warn(f"the lens does not draw again: {', '.join(names)}")


def spoken(lenses: Sequence[Lens]) -> str:
    """What the lenses show, as a sentence for readers who can't see the figure."""
    parts = []
    for lens in lenses:
        x, y = np.divide(lens.box().size, lens.source().size)
        across, down = (int(part > 1 / 3) + int(part > 2 / 3) for part in lens.center)
        place = (("lower", "", "upper")[down] + " " + ("left", "", "right")[across]).strip()
        place = {"lower": "below", "upper": "above", "": "in the middle"}.get(place, place)
        size = f"{x:.3g} times as large" if abs(x / y - 1) < 0.01 else f"{x:.3g} times as wide and {y:.3g} times as high"
        parts.append(f"{size}, {place}")
    return f"A figure with {'a lens' if len(parts) == 1 else f'{len(parts)} lenses'}: {'; '.join(parts)}."


def place_free(figure: Figure, lenses: Sequence[Lens]) -> None:
    """Puts each lens where it covers least of the figure, near what it shows."""
    dpi = figure.dpi
    ink = _ink(figure)
    height, width = ink.shape
    for lens in lenses:
        around, source = lens.around(), lens.source()
        across, down = (round(side * dpi) + 2 * _MARGIN for side in around.size)
        if across >= width or down >= height:
            raise UsageError("radius: the lens is larger than the figure; give a smaller one", 64)
        # The ring, with some room around it, and rows counted from above.
        edges = np.array([source.x0, height - source.y1, source.x1, height - source.y0]).round().astype(int)
        left, top, right, bottom = np.clip(edges + [-12, -12, 12, 12], 0, [width, height, width, height])
        ink[top:bottom, left:right] = 1000
        total = np.zeros((height + 1, width + 1))
        total[1:, 1:] = ink.cumsum(axis=0).cumsum(axis=1)
        y, x = np.mgrid[: height - down + 1 : 4, : width - across + 1 : 4]
        covered = total[y + down, x + across] - total[y, x + across] - total[y + down, x] + total[y, x]
        far = np.hypot(x + across / 2 - (edges[0] + edges[2]) / 2, y + down / 2 - (edges[1] + edges[3]) / 2)
        best = np.unravel_index(np.argmin(covered + far / 8), covered.shape)
        left, top = int(x[best]), int(y[best])
        ink[top : top + down, left : left + across] = 1000
        lens.center = ((left + _MARGIN - around.x0 * dpi) / width, 1 - (top + _MARGIN + around.y1 * dpi) / height)


def _ink(figure: Figure) -> NDArray[np.float64]:
    """How unlike paper each pixel is, 0 to 1, and four times that outside the axes; a row for each of pixels, from above."""
    written = io.BytesIO()
    with rc_context({"savefig.bbox": None}):
        figure.savefig(written, format="png", dpi=figure.dpi)
    written.seek(0)
    shown = imread(written)[..., :3]
    height, width = shown.shape[:2]
    papers = {colors.to_rgb(paper) for paper in [figure.get_facecolor(), *(ax.get_facecolor() for ax in figure.axes)]}
    ink = np.minimum.reduce([np.abs(shown - np.array(paper)).max(axis=2) for paper in papers])
    is_outside = np.ones_like(ink, bool)
    for ax in figure.axes:
        box = ax.bbox
        is_outside[height - int(box.y1) + 2 : height - int(box.y0) - 2, int(box.x0) + 2 : int(box.x1) - 2] = False
    weighted: NDArray[np.float64] = ink * np.where(is_outside, 4, 1)
    return weighted


@contextlib.contextmanager
def as_before(figure: Figure) -> Iterator[None]:
    """Leaves the figure's layout as it was."""
    engine: Any = figure.get_layout_engine()
    rect = None if engine is None else engine.get().get("rect")
    pars = figure.subplotpars
    margins = {key: getattr(pars, key) for key in ("left", "bottom", "right", "top", "wspace", "hspace")}
    places = [(ax, ax.get_position(original=True).frozen(), ax.get_position().frozen(), ax.get_in_layout()) for ax in figure.axes]
    try:
        yield
    finally:
        if engine is not None:
            engine.set(rect=rect)
        pars.update(**margins)
        for ax, original, active, is_in_layout in places:
            ax._set_position(original, which="original")  # type: ignore[attr-defined]
            ax._set_position(active, which="active")  # type: ignore[attr-defined]
            ax.set_in_layout(is_in_layout)


def place_beside(figure: Figure, lenses: Sequence[Lens]) -> None:
    """Puts the lenses on the right of the figure, or below a tall one; the axes make room, the figure keeps its size."""
    whole = figure.get_size_inches()
    across = int(whole[0] < whole[1])
    gap, margin = 0.15, 0.08
    around = [lens.around() for lens in lenses]
    depth = max(one.size[across] for one in around)
    # Axes of a fixed aspect give less room than they are asked for.
    for _ in range(5):
        content = figure.get_tightbbox()
        room = depth + gap + margin - (content.y0 if across else whole[0] - content.x1)
        if room < 0.02:
            break
        _make_room(figure, across, room / whole[across])
        figure.draw_without_rendering()
    # In line, each as near to what it shows as the others let it.
    along = 1 - across
    sizes = [float(one.size[along]) for one in around]
    wanted = [float(lens.source().get_points()[:, along].mean()) / figure.dpi for lens in lenses]
    if sum(sizes) + gap * (len(lenses) - 1) + 2 * margin > whole[along]:
        raise UsageError("radius: the lenses do not fit beside the figure; give a smaller one, or beside=False", 64)
    order = np.argsort(wanted).tolist()
    start, end = margin, float(whole[along]) - margin
    starts: dict[int, float] = {}
    for index in order:
        starts[index] = start = max(start, wanted[index] - sizes[index] / 2)
        start += sizes[index] + gap
    for index in order[::-1]:
        starts[index] = min(starts[index], end - sizes[index])
        end = starts[index] - gap
    for index, (lens, one) in enumerate(zip(lenses, around)):
        place = [0.0, 0.0]
        place[along] = starts[index] - one.get_points()[0, along]
        place[across] = margin - one.y0 if across else float(whole[0]) - margin - one.x1
        lens.center = (place[0] / whole[0], place[1] / whole[1])


def _make_room(figure: Figure, across: int, part: float) -> None:
    """Leaves a part of the figure's width at the right, or of its height below."""
    engine: Any = figure.get_layout_engine()
    if engine is not None:
        left, bottom, width, height = engine.get().get("rect") or (0, 0, 1, 1)
        if across == 0:
            engine.set(rect=(left, bottom, width - part, height))
        else:
            engine.set(rect=(left, bottom + part, width, height - part))
        return
    places = [ax.get_position(original=True) for ax in figure.axes]
    if across == 0:
        first, last = min(one.x0 for one in places), max(one.x1 for one in places)
    else:
        first, last = max(one.y1 for one in places), min(one.y0 for one in places)
    scale = 1 - part / abs(last - first)
    if scale < 0.3:
        raise UsageError("beside: the axes have no room for the lens; give a smaller radius, or beside=False", 64)
    for ax, place in zip(figure.axes, places):
        points = np.array(place.get_points())
        points[:, across] = first + (points[:, across] - first) * scale
        ax._set_position(Bbox(points))  # type: ignore[attr-defined]
