"""A lens on axes of matplotlib: it draws their data once more, at the zoom, with the line widths of the figure."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib import __version_info__, colors
from matplotlib import lines as matplotlib_lines
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import Collection, EllipseCollection, PolyCollection
from matplotlib.figure import SubFigure
from matplotlib.image import FigureImage, _ImageBase
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.patches import BoxStyle, ConnectionPatch, FancyArrowPatch, Patch, PathPatch, Wedge
from matplotlib.path import Path
from matplotlib.patheffects import Normal, withStroke
from matplotlib.quiver import Quiver, QuiverKey
from matplotlib.spines import Spine
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Affine2D, Bbox, BboxTransformTo, ScaledTranslation
from matplotlib.tri import Triangulation

from loupe_render._errors import warn
from loupe_render._pixels import abuts, changed

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_ACCENTS = ("#e41a1c", "#0072b2", "#000000", "#e69f00", "#009e73", "#dc267f", "#ffffff")
_ON_DARK = ("#ffd60a", "#30d1ff")
"""Those of the command on dark paper, where they come first."""


_LEAST_ZOOM = 1.25
"""The least zoom of a region, as that of a loupe, unless the lens would be larger than the axes."""

_MOST_CROSSINGS = 12
"""How often a line to a lens may cross one curve: more is as if it ran along the curve."""


class Style(NamedTuple):
    """How lenses, rings and the lines between them look. Widths are in points."""

    accent: Any = "auto"
    ring_width: float = 1.5
    ring_color: Any = None
    connector: str = "auto"
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
        self.source_axes, self._what, self._zoom = ax, what, zoom
        self._corner, self._style = corner, style
        self._clips: list[PathPatch] = []
        self.side: tuple[int, bool] | None = None
        """Where it stands beside the axes: 0 for x or 1 for y, and whether it is right or above."""
        self.center = (0.5, 0.5)
        """Parts of the figure's width and height, y up."""
        self.size = size or (2 * longest, 2 * longest)
        """Width and height in inches."""
        self._may_grow = size is None and not zoom
        if size is None and len(what) == 4:
            region = self.source()
            scale = (zoom if zoom else 2 * longest / (max(region.width, region.height) / self._figure.dpi)) / self._figure.dpi
            # A narrow region is stretched, so that it can be seen.
            least = 0 if zoom else 0.8 * longest
            self.size = (max(least, region.width * scale), max(least, region.height * scale))
        self.set_zorder(1000)

    @property
    def is_disc(self) -> bool:
        """Whether it is a disc, and no rectangle."""
        return self._corner is None

    def grow(self, across: int | None = None) -> bool:
        """Makes a lens without a given size so large that it shows nothing smaller than the axes, but no larger than these.

        Says whether it has grown. The axes make room for it in the direction `across`.
        """
        whole, shown = (np.array(box.size) / self._figure.dpi for box in (self.source_axes.bbox, self.source()))
        wanted = np.minimum(_LEAST_ZOOM * shown, whole)
        more = np.maximum(wanted - self.size, 0)
        if across is not None:
            # What it shows gets smaller meanwhile.
            more[across] /= 1 + wanted[across] / whole[across]
        if not self._may_grow or (more < 0.01).all():
            return False
        self.size = (self.size[0] + float(more[0]), self.size[1] + float(more[1]))
        return True

    def zoom(self) -> tuple[float, float]:
        """How much wider and higher it shows what it shows."""
        x, y = np.divide(self.box().size, self.source().size)
        return (float(x), float(y))

    @property
    def _figure(self) -> Figure:
        return self.source_axes.figure.figure

    def source(self) -> Bbox:
        """What is shown, in display coordinates; not finite where the axes' scales have no such place."""
        ax = self.source_axes
        points = np.reshape(self._what, (-1, 2))
        found = ax.transData.transform(points)
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
        if not self._has_something_to_show():
            return Bbox.null()
        return Bbox.union([self._with_ticks(), self.source()]).padded(2)

    get_tightbbox = get_window_extent

    def _has_something_to_show(self) -> bool:
        """Whether the axes show it now: they may have been removed, or have got other limits or scales."""
        ax = self.source_axes
        is_shown = ax.figure is not None and ax.get_visible() and bool(np.isfinite(self.source().get_points()).all())
        return is_shown and ax.bbox.overlaps(self.source())

    def draw(self, renderer: RendererBase) -> None:
        """Draws the lens, the ring and the lines between them."""
        if not (self.get_visible() and self.source_axes.figure is not None and self.source_axes.get_visible()):
            return
        if not self._has_something_to_show():
            warn(f"the lens at {tuple(map(float, self._what))} is not drawn: its axes do not show that any more")
            return
        del self._clips[:-1]
        ax, style, source, box = self.source_axes, self._style, self.source(), self.box()
        lenses = [one for one in lenses_of(self._figure) if one.source_axes is ax]
        accent = accent_of(ax, lenses.index(self)) if style.accent == "auto" else style.accent
        inside, outside = self._outline(source, box.width), self._outline(box, box.width)
        paper = _paper(ax)
        is_on_axes = any(one.bbox.overlaps(box) for one in axes_of(self._figure))
        if paper[3] < 1 and is_on_axes:
            # What is below would be mixed with what it shows.
            paper = colors.to_rgba("white")
        if style.ticks:
            # Paper below the ticks' texts.
            below = Path.unit_rectangle().transformed(BboxTransformTo(self._with_ticks().padded(2)))
            color = paper if is_on_axes else colors.to_rgba(self._figure.get_facecolor())
            self._paint(renderer, PathPatch(below, transform=_IDENTITY, facecolor=color, edgecolor="none", alpha=0.8 * color[3]))
        for line in self._connectors(inside, outside):
            # Where there is no image, a casing would only cut what the line crosses, and hide points.
            casing = paper if has_image(ax) else _NO_COLOR
            self._stroke(renderer, line, style.connector_color or accent, style.connector_width, casing)
        self._stroke(renderer, inside, style.ring_color or accent, style.ring_width, paper)
        # The casing of the rim is below the lens, so that it hides nothing of what that shows.
        self._stroke(renderer, outside, "none", style.rim_width, paper)
        self._draw_paper(renderer, outside, paper)
        self._draw_data(renderer)
        self._draw_frame(renderer)
        self._stroke(renderer, outside, style.rim_color or accent, style.rim_width, _NO_COLOR)

    def _draw_paper(self, renderer: RendererBase, outline: Path, paper: tuple[float, ...]) -> None:
        """The paper of the axes, and of the figure around them."""
        box, area = self.box(), self._area()
        is_whole = area.containsx(box.x0) and area.containsx(box.x1) and area.containsy(box.y0) and area.containsy(box.y1)
        around: Any = self._figure.get_facecolor()
        # On transparent paper, what is below would be mixed with what it shows.
        around = around if colors.to_rgba(around)[3] >= paper[3] else paper
        for color, place in [(paper, box)] if is_whole else [(around, box), (paper, area)]:
            back = PathPatch(outline, transform=_IDENTITY, facecolor=color, edgecolor="none")
            back.set_clip_box(place)
            self._paint(renderer, back)

    def _draw_frame(self, renderer: RendererBase) -> None:
        """The edges of the axes that lie in the lens."""
        box, area = self.box(), self._area()
        clip = self._clipping(self._outline(box, box.width), box)
        ends = {"left": (0, 0, 0, 1), "right": (1, 0, 1, 1), "bottom": (0, 0, 1, 0), "top": (0, 1, 1, 1)}
        for name, spine in self.source_axes.spines.items():
            has_line = self.source_axes.axison and self.source_axes.get_frame_on() and spine.get_visible()
            if not has_line or place_of(spine) != "edge" or spine.get_bounds() is not None or name not in ends:
                continue
            line = Path(area.get_points()[0] + np.reshape(ends[name], (2, 2)) * area.size)
            edge = PathPatch(line, transform=_IDENTITY, edgecolor=spine.get_edgecolor(), linewidth=spine.get_linewidth())
            edge.set_clip_path(clip)
            self._paint(renderer, edge)

    def _area(self) -> Bbox:
        """Where the axes lie in the lens, in display coordinates: they are as much larger as what it shows."""
        source, box = self.source(), self.box()
        area = (self.source_axes.bbox.get_points() - source.get_points()[0]) / source.size * box.size + box.get_points()[0]
        return Bbox(area)

    def _clipping(self, path: Path, limits: Bbox) -> PathPatch:
        """A path within limits, to clip by, as an SVG clips by one of both.

        It is kept until the next drawing: Agg takes a path for the last one where that was at its address.
        """
        clip = PathPatch(path.clip_to_bbox(limits), transform=_IDENTITY)
        self._clips.append(clip)
        return clip

    def _connectors(self, ring: Path, rim: Path) -> list[Path]:
        """The lines between ring and lens: two, or the shortest, or none.

        They cross no text and no other axes, and run along no curve and no edge of the axes; two also cross no other lens.
        """
        lines, leader, none = _tangents(ring, rim), [_shortest(ring, rim)], list[Path]()
        if self._style.connector != "auto":
            return {"lines": lines, "leader": leader}.get(self._style.connector, none)
        taken = _taken(self.source_axes, self.source()) + [one.padded(-3) for one in self._ticks_boxes()]
        pie = [one.get_transform().transform_path(one.get_path()) for one in self.source_axes.patches if isinstance(one, Wedge)]
        pie = [one for one in pie if not one.intersects_path(ring)]

        others = [
            lens._outline(one, lens.box().width) for lens in lenses_of(self._figure)
            if lens is not self and lens._has_something_to_show()
            for one in (lens.source(), lens.box()) if not lens.source().overlaps(self.source())
        ]  # fmt: skip

        curves: list[Any] = [one for ax in together(self.source_axes) for one in ax.lines if is_data(one, ax) and one.get_visible()]
        points, frame = [one.get_transform().transform(one.get_xydata()) for one in curves], self.source_axes.bbox.get_points()

        def is_clear(line: Path, others: Sequence[Path] = ()) -> bool:
            is_over_text = any(line.intersects_bbox(one, filled=False) for one in taken)
            # Of a region as high as the axes, they would lie on the frame.
            is_on_frame = (np.abs(np.asarray(line.vertices)[:, None] - frame).max(axis=0) < 2).any()
            is_along = is_on_frame or any(_crossings(line, one) > _MOST_CROSSINGS for one in points)
            return not is_over_text and not is_along and not any(line.intersects_path(one) for one in [*others, *pie])

        if all(is_clear(line, others) for line in lines):
            return lines
        return leader if is_clear(leader[0]) else none

    def _outline(self, box: Bbox, width: float) -> Path:
        if self._corner is None:
            return Path.unit_circle().transformed(
                Affine2D().scale(box.width / 2, box.height / 2).translate((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            )
        radius = self._corner * self._figure.dpi * box.width / width
        style: Any = BoxStyle.Round(pad=0, rounding_size=min(radius, box.width / 2, box.height / 2))
        found: Path = style(*box.bounds, 1)
        return found

    def _stroke(self, renderer: RendererBase, path: Path, color: Any, width: float, casing: tuple[float, ...]) -> None:
        line = PathPatch(path, transform=_IDENTITY, facecolor="none", edgecolor=color, linewidth=width, capstyle="round")
        if casing[3] > 0:
            line.set_path_effects([withStroke(linewidth=width + 2, foreground=casing, alpha=0.8 * casing[3])])
        self._paint(renderer, line)

    def _paint(self, renderer: RendererBase, patch: PathPatch) -> None:
        patch.set_figure(self._figure)
        patch.draw(renderer)

    def _draw_data(self, renderer: RendererBase) -> None:
        """Draws what the axes show, as if they lay in the lens and had the limits of what it shows."""
        found: list[Any] = []
        # With ticks, the grid is the lens's own.
        grids = {} if self._style.ticks else {ax: _grid(ax) for ax in together(self.source_axes)}
        shown = {ax: [one for one in ax.get_children() if _is_drawn(one, self, renderer)] for ax in together(self.source_axes)}
        with self._axes_inside() as moved:
            for ax in moved:
                grid = _grid(ax) if self._style.ticks else grids[ax]
                data = [(one.get_zorder(), one) for one in shown[ax]]
                found += [one for _, one in sorted(grid + data, key=lambda pair: pair[0]) if one.get_visible()]
        for is_raster, some in itertools.groupby(found, lambda one: bool(one.get_rasterized())):
            _Parts(self, list(some), is_raster).draw(renderer)
        if self._style.ticks:
            with self._axes_inside():
                self._draw_ticks(renderer)

    def _spoils(self, one: Artist) -> bool:
        """Whether it is clipped to a path of its own, beside which a disc can't clip it."""
        return self.is_disc and not isinstance(one, Text) and one.get_clip_path() is not None

    def _axes_inside(self) -> contextlib.AbstractContextManager[Sequence[Axes]]:
        """The axes as they lie in the lens, at the figure's resolution of now."""
        return _moved(together(self.source_axes), self.source(), self.box())

    def _draw_parts(self, parts: Sequence[Artist], renderer: RendererBase) -> None:
        """Draws parts of the axes in the lens."""
        box = self.box()
        area, outline = Bbox.intersection(box, self._area()) or box, self._outline(box, box.width)
        clip, wide = self._clipping(outline, area), self._clipping(outline, box)
        lines = [one for one in parts if isinstance(one, Line2D) and _is_part_of_axes(one.get_markevery())]
        arrows = [one for one in parts if isinstance(one, (Quiver, EllipseCollection))]
        markers = changed(lines, "markevery", [_marked(one) for one in lines])
        notes = [one for one in parts if hasattr(one, "get_annotation_clip")]
        with markers, _same_lengths(arrows), changed(notes, "annotation_clip", itertools.repeat(False)), self._axes_inside():
            for one in parts:
                path, transform = (None, None) if isinstance(one, Text) else one.get_transformed_clip_path_and_affine()
                own = clip if path is None or transform is None else self._clipping(path.transformed(transform), area)
                # Agg takes an empty path for none.
                if np.size(own.get_path().vertices):
                    _draw_clipped(one, renderer, own if one.get_clip_on() else wide)

    def _draw_ticks(self, renderer: RendererBase) -> None:
        for axis in (self.source_axes.xaxis, self.source_axes.yaxis):
            with _sparse(axis), _visible([tick.gridline for tick in _ticks(axis)], False):
                axis.draw(renderer)

    def around(self) -> Bbox:
        """The lens with its ticks and their texts, relative to its centre, in inches."""
        box = self.box()
        return Bbox((self._with_ticks().get_points() - box.get_points().mean(axis=0)) / self._figure.dpi)

    def _ticks_boxes(self) -> list[Bbox]:
        """Where the ticks of each axis and their texts lie, in display coordinates."""
        found: list[Bbox | None] = []
        if self._style.ticks:
            with _moved([self.source_axes], self.source(), self.box()):
                for axis in (self.source_axes.xaxis, self.source_axes.yaxis):
                    with _sparse(axis):
                        found.append(axis.get_tightbbox())
        return [one for one in found if one is not None]

    def _with_ticks(self) -> Bbox:
        """The lens with its ticks and their texts, in display coordinates."""
        return Bbox.union([self.box(), *self._ticks_boxes()])


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


def _visible(parts: Sequence[Artist], is_visible: bool) -> contextlib.AbstractContextManager[None]:
    return changed(parts, "visible", itertools.repeat(is_visible))


@contextlib.contextmanager
def _same_lengths(parts: Sequence[Any]) -> Iterator[None]:
    """Keeps the lengths of arrows and ellipses that are parts of the axes' width or height, for axes of another size."""
    was = [(one, dict(vars(one))) for one in parts]
    for one in parts:
        sizes = {unit: getattr(one.axes.bbox, unit) for unit in ("width", "height")}
        if isinstance(one, Quiver):
            of_axes = one._dots_per_unit  # type: ignore[attr-defined]
            vars(one)["_dots_per_unit"] = lambda unit, sizes=sizes, of_axes=of_axes: sizes.get(unit) or of_axes(unit)
        elif one._units in sizes:
            scale = sizes[one._units]
            one._units, one._widths, one._heights = "dots", one._widths * scale, one._heights * scale
    try:
        yield
    finally:
        for one, known in was:
            for name in ("_dots_per_unit", "_units", "_widths", "_heights"):
                vars(one).pop(name, None)
                vars(one).update({name: known[name]} if name in known else {})


def _is_part_of_axes(every: Any) -> bool:
    """Whether markers are as far apart as a part of the axes' diagonal."""
    return isinstance(every, float) or isinstance(every, tuple) and any(isinstance(one, float) for one in every)


def _marked(line: Any) -> NDArray[np.bool_]:
    """Which points of a line have markers on the axes as they are."""
    path, affine = line._get_transformed_path().get_transformed_points_and_affine()
    shown = matplotlib_lines._mark_every_path(line.get_markevery(), path, affine, line.axes)  # type: ignore[attr-defined]
    points, chosen = (np.ascontiguousarray(one.vertices, float).view(complex).ravel() for one in (path, shown))
    return np.isin(points, chosen)


_IDENTITY = Affine2D()
_NO_COLOR = (0.0, 0.0, 0.0, 0.0)


def lenses_of(figure: Figure) -> list[Lens]:
    """The lenses on a figure, the earlier ones first."""
    found: list[Any] = figure.findobj(Lens)
    return found


def last_drawn(figure: Figure | SubFigure) -> Figure | SubFigure:
    """The figure; in matplotlib 3.8, which draws subfigures after all that is the figure's own, the last of these."""
    return last_drawn(figure.subfigs[-1]) if __version_info__ < (3, 9) and figure.subfigs else figure


def _paper(ax: Axes) -> tuple[float, ...]:
    """The colour below the data: that of the axes over that of the figure; transparent where both are."""
    has_own = ax.axison and ax.get_frame_on() and ax.patch.get_visible()
    upper = np.array(colors.to_rgba(ax.get_facecolor()) if has_own else _NO_COLOR)
    lower = np.array(colors.to_rgba(ax.figure.figure.get_facecolor()))
    weights = np.array([upper[3], lower[3] * (1 - upper[3])])
    alpha = weights.sum()
    return (*(weights @ [upper[:3], lower[:3]] / (alpha or 1)).tolist(), float(alpha))


def can_be_drawn_again(ax: Axes) -> bool:
    """Whether a part of these axes can be shown by other limits: on axes with two straight scales."""
    return ax.name == "rectilinear"


def has_image(ax: Axes) -> bool:
    """Whether the axes show an image, a mesh, filled contours or tiles."""
    return any(
        abuts(one) or isinstance(one, PolyCollection) and len(one.get_paths()) > 9
        if isinstance(one, Collection)
        else hasattr(one, "get_array")
        for one in ax.get_children() if is_data(one, ax)
    )  # fmt: skip


def is_plot_of_lines(ax: Axes) -> bool:
    """Whether the axes show lines or points, and no image."""
    return not has_image(ax) and any(isinstance(one, (Line2D, Collection)) and is_data(one, ax) for one in ax.get_children())


def left_out(lens: Lens) -> set[str]:
    """What the figure shows in the ring, within the axes, that the lens does not draw again."""
    ax, figure, names = lens.source_axes, lens._figure, set[str]()
    renderer = RendererAgg(1, 1, figure.dpi)
    ring = lens._outline(lens.source(), lens.box().width).clip_to_bbox(ax.bbox.padded(-1))
    parents: list[Any] = [figure, *figure.findobj(SubFigure)]
    own = together(ax)
    found: list[Any] = [one for parent in (*own, *parents) for one in parent.get_children() if not isinstance(one, SubFigure)]
    found += [text for one in own for axis in (one.xaxis, one.yaxis) if one.axison for text in (axis.label, *tick_texts(axis))]
    for one in found:
        is_empty = isinstance(one, Text) and not one.get_text().strip()
        if one in own or isinstance(one, (Axis, Lens)) or one in [parent.patch for parent in (*own, *parents)] or is_empty:
            continue
        # Axes may lie in others, which are below them.
        is_around = isinstance(one, Axes) and one.bbox.contains(*ax.bbox.min) and one.bbox.contains(*ax.bbox.max)
        is_below = one.axes not in own and one.get_zorder() < ax.get_zorder()
        is_off = hasattr(one, "_check_xy") and not one._check_xy(renderer) or isinstance(one, Spine) and place_of(one) == "edge"
        if not one.get_visible() or is_around or is_below or is_off or one.axes in own and _is_drawn(one, lens, renderer):
            continue
        if any(_meets(path, is_filled, ring) for path, is_filled in _outlines(one, renderer)):
            names.add(("inset axes" if one in ax.child_axes else "other axes") if isinstance(one, Axes) else type(one).__name__)
    return names


def _is_drawn(one: Any, lens: Lens, renderer: RendererBase) -> bool:
    """Whether the lens draws a part of its axes again."""
    if one.axes is None or not is_data(one, one.axes) or lens._spoils(one):
        return False
    if isinstance(one, ConnectionPatch):
        is_within = {one.axesA or one.axes, one.axesB or one.axes} == {one.axes}
        return bool(one._check_xy(renderer)) and one.coords1 == one.coords2 == "data" and is_within  # type: ignore[attr-defined]
    if isinstance(one, (Annotation, AnnotationBbox)):
        # Only of a text, what lies beyond the rim is cut off.
        is_wide = isinstance(one, Annotation) and one.xycoords == one.anncoords == "data"
        is_clipped = one.get_annotation_clip() or one.get_annotation_clip() is None and one.xycoords == "data"
        is_inside = not is_clipped or is_wide or lens.source().contains(*one._get_position_xy(renderer))  # type: ignore[union-attr]
        return is_inside and bool(one._check_xy(renderer))  # type: ignore[union-attr]
    return not isinstance(one, Text) or lens.source().contains(*one.get_transform().transform(one.get_unitless_position()))


def _outlines(one: Any, renderer: RendererBase) -> list[tuple[Path, bool]]:
    """Where an artist lies, in display coordinates, and whether that is an area."""
    arrow = getattr(one, "arrow_patch", None)
    more = [] if arrow is None else _outlines(arrow, renderer)
    if isinstance(one, FancyArrowPatch):
        # The shaft may be open.
        shown = one._get_path_in_displaycoord()  # type: ignore[attr-defined]
        return [(path, False) for path in shown[0]]
    if isinstance(one, (Line2D, Patch)):
        return [(one.get_transform().transform_path(one.get_path()), isinstance(one, Patch) and bool(one.get_fill()))]
    if isinstance(one, FigureImage):
        left, right, low, high = one.get_extent()
        extent: Any = Bbox([(left, low), (right, high)])
    elif isinstance(one, Annotation):
        extent = Text.get_window_extent(one, renderer)
    elif isinstance(one, QuiverKey):
        extent = one.text.get_window_extent(renderer)
    else:
        # The indicator of an inset is where its rectangle is.
        extent = getattr(one, "rectangle", one).get_tightbbox(renderer)
    return more if extent is None else [*more, (Path.unit_rectangle().transformed(BboxTransformTo(extent)), True)]


def _meets(path: Path, is_filled: bool, ring: Path) -> bool:
    """Whether a part of a path lies in the ring."""
    points = np.concatenate([np.empty((0, 2)), *path.to_polygons(closed_only=False)])
    return bool(ring.contains_points(points).any() or path.intersects_path(ring, filled=is_filled))


def _grid(ax: Axes) -> list[tuple[float, Line2D]]:
    """The grid lines of the axes with their limits of now, each with the level of its axis, where it lies."""
    shown = [axis for axis in (ax.xaxis, ax.yaxis) if axis.get_visible() and ax.axison]
    return [(axis.get_zorder(), tick.gridline) for axis in shown for tick in _ticks(axis)]


def _ticks(axis: Any) -> Any:
    """The ticks that the axis has with its limits of now."""
    return axis._update_ticks()


def tick_texts(axis: Any) -> list[Text]:
    """The texts of an axis' ticks on one of its sides: those on both are the same."""
    labels = [tick.label1 if tick.label1.get_visible() else tick.label2 for tick in _ticks(axis)]
    return [label for label in labels if label.get_visible() and label.get_text()]


@contextlib.contextmanager
def _sparse(axis: Any) -> Iterator[None]:
    """The axis without its name, with ticks so few that no two texts overlap. Dates choose theirs whatever the width is.

    Of shared axes, one panel alone has texts, and they are those of its own limits: the lens gets its own.
    """
    ticks = _ticks(axis)
    bare = [tick.label1 for tick in ticks if not (tick.label1.get_visible() or tick.label2.get_visible())]
    with _visible(bare if len(bare) == len(ticks) else [], True):
        texts = tick_texts(axis)
        shown = [(tick, label) for tick in ticks for label in (tick.label1, tick.label2) if label in texts]
        boxes = [label.get_window_extent().padded(2) for _, label in shown]
        step = 1
        while any(one.overlaps(other) for one, other in zip(boxes[::step], boxes[step::step])):
            step += 1
        # Among times, those that say the day.
        start = max(range(step), key=lambda start: len({label.get_text() for _, label in shown[start::step]}))
        crowding = [tick for index, (tick, _) in enumerate(shown) if index % step != start]
        texts = [label for tick in crowding for label in (tick.label1, tick.label2)]
        with _visible([axis.label, *crowding, *texts], False):
            yield


def _branches(transform: Any, of: Any) -> tuple[bool, bool]:
    """Whether x and y come from it, also shifted by some points. Until matplotlib 3.11 the method had a slip in its name."""
    if isinstance(getattr(transform, "_b", None), ScaledTranslation):
        transform = transform._a
    name = "contains_branch_separately" if hasattr(transform, "contains_branch_separately") else "contains_branch_seperately"
    found: tuple[bool, bool] = getattr(transform, name)(of)
    return found


def is_data(one: Artist, ax: Axes) -> bool:
    """Whether a part of the axes lies in data coordinates, at least in one direction, and a text in both."""
    # A lens can clip only these. Others, such as legends and the indicators of insets, draw parts of their own.
    if not isinstance(one, (Line2D, Patch, Collection, Text, _ImageBase, AnnotationBbox)):
        return False
    if isinstance(one, Spine):
        return place_of(one) == "data"
    if isinstance(one, (Annotation, AnnotationBbox)):
        # A bar's label is relative to the bar, by a function in newer versions.
        of: Any = one.xycoords
        return of in ("data", ("data", "data")) or (is_data(of, ax) if isinstance(of, Artist) else callable(of))
    if hasattr(one, "get_slope"):
        # `axline` finds its ends when it is drawn.
        return True
    transforms = [one.get_transform()]
    if isinstance(one, Collection):
        transforms.append(one.get_offset_transform())
    enough = all if isinstance(one, Text) else any
    return any(enough(_branches(transform, ax.transData)) for transform in transforms)


def place_of(spine: Spine) -> str:
    """What its place is relative to: `edge`, or `outward` of it by some points, or `data` or `axes`, within the axes."""
    # `get_position` gives those of polar axes another shape.
    place: Any = getattr(spine, "_position", None) or ("outward", 0)
    if isinstance(place, str):
        return {"zero": "data", "center": "axes"}[place]
    return "edge" if place == ("outward", 0) else str(place[0])


def _draw_clipped(one: Artist, renderer: RendererBase, clip: PathPatch) -> None:
    arrow: Artist | None = getattr(one, "arrow_patch", None)
    parts = [one] if arrow is None else [one, arrow]
    was = [(part.get_clip_box(), part.get_clip_path(), part.get_clip_on(), part.get_path_effects()) for part in parts]
    # What a line found out about its points for these limits.
    known = {name: value for name, value in vars(one).items() if name in ("_transformed_path", "ind_offset")}
    for part in parts:
        part.set_clip_path(clip)
        part.set_clip_box(clip.get_extents())
        part.set_clip_on(True)
    if isinstance(one, Text) and not one.get_path_effects():
        extent = one.get_window_extent()
        if not clip.get_path().contains_points(extent.corners()).all():
            # Agg clips outlines, but no text.
            one.set_path_effects([Normal()])
    try:
        # Its own, also where `_pixels` has put another in its place.
        type(one).draw(one, renderer)
    finally:
        vars(one).update(known)
        for part, (box, path, is_on, effects) in zip(parts, was):
            part.set_clip_path(path)
            part.set_clip_box(box)
            part.set_clip_on(is_on)
            part.set_path_effects(effects)


def together(ax: Axes) -> list[Axes]:
    """The axes, and others that lie upon them, as `twinx` makes them; the lowest first."""
    others = [one for one in ax.figure.figure.axes if one is not ax and one.get_visible() and can_be_drawn_again(one)
              and np.allclose(one.bbox.bounds, ax.bbox.bounds)]  # fmt: skip
    return sorted([ax, *others], key=lambda one: one.get_zorder())


def _taken(ax: Axes, ring: Bbox) -> list[Bbox]:
    """What a line must not cross: texts, legends, and other axes of the figure but for those that the ring lies in."""
    figure, own = ax.figure.figure, together(ax)
    others = [one.bbox for one in axes_of(figure) if one not in own and not one.bbox.overlaps(ring)]
    return others + texts_of(figure) + [box for one in figure.axes if one.get_visible() for box in axes_texts(one)]


def axes_texts(ax: Axes) -> list[Bbox]:
    """Where the texts and legends of axes lie."""
    found: list[Any] = []
    for child in ax.get_children():
        if isinstance(child, Axis):
            labels = [label for tick in _ticks(child) for label in (tick.label1, tick.label2)]
            found += [child.label, *labels] if ax.axison and child.get_visible() else []
        elif child.get_visible():
            found += [child] if isinstance(child, Legend) else child.findobj(Text)
    return _extents(found)


def axes_of(figure: Figure) -> list[Axes]:
    """The visible axes of a figure, also insets, which are parts of other axes."""
    found: list[Any] = figure.findobj(lambda one: isinstance(one, Axes) and one.get_visible())
    return found


def texts_of(figure: Figure) -> list[Bbox]:
    """Where the texts and legends lie that are the figure's own, or its subfigures'."""
    return _extents([part for one in (figure, *figure.subfigs) for part in (*one.texts, *one.legends)])


def _extents(parts: Sequence[Any]) -> list[Bbox]:
    """Where visible texts and legends lie, those of annotations without their arrows."""
    shown = [one for one in parts if one.get_visible() and (isinstance(one, Legend) or one.get_text().strip())]
    return [Text.get_window_extent(one) if isinstance(one, Text) else one.get_window_extent() for one in shown]


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


def accent_of(ax: Axes, index: int = 0) -> str:
    """The first of a few colours that is unlike all that the axes show, or the most unlike. Each of several lenses has its own."""
    used: list[Any] = [ax.get_facecolor()]
    for one in (one for other in together(ax) for one in other.get_children() if is_data(one, other) and not isinstance(one, Text)):
        array = getattr(one, "get_array", lambda: None)()
        if array is not None and array.ndim == 3:
            rows, columns = (max(1, side // 16) for side in array.shape[:2])
            used += list(one.to_rgba(array[rows // 2 :: rows, columns // 2 :: columns]).reshape(-1, 4))  # type: ignore[attr-defined]
        elif array is not None:
            used += list(one.get_cmap()(np.linspace(0, 1, 16)))  # type: ignore[attr-defined]
        for name in ("get_color", "get_facecolor", "get_edgecolor"):
            with contextlib.suppress(AttributeError, TypeError, ValueError):
                own = colors.to_rgba_array(getattr(one, name)())
                used += [color for color in own[:64] if color[3] > 0]
    shown = [_oklab(color) for color in used]

    def distance(accent: str) -> float:
        return float(np.linalg.norm(np.array(shown) - _oklab(accent), axis=1).min())

    is_dark = sum(_paper(ax)[:3]) < 1 < 2 * _paper(ax)[3]
    accents: list[str] = [*(_ON_DARK if is_dark else ()), *_ACCENTS]
    # Of two colours that are seen on black, each is light.
    least = 0.2 if is_dark else 0.25
    for _ in range(index + 1):
        found = next((one for one in accents if distance(one) > least), max(accents, key=distance))
        shown.append(_oklab(found))
    return found


def _oklab(color: Any) -> NDArray[np.float64]:
    """A colour in OKLab, where distances are as large as they look (https://bottosson.github.io/posts/oklab/)."""
    encoded = np.array(colors.to_rgb(color))
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    found: NDArray[np.float64] = _OF_CONES @ np.cbrt(_TO_CONES @ linear)
    return found


_TO_CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_OF_CONES = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099], [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def _tangents(one: Path, other: Path) -> list[Path]:
    """The lines that touch two outlines from outside, without those of one within the other."""
    points = [np.asarray(path.to_polygons()[0]) for path in (one, other)]
    whole = np.concatenate(points)
    owner = np.repeat([0, 1], [len(part) for part in points])
    # Edges of triangles with no other beside them are those of the convex hull.
    mesh = Triangulation(*whole.T)
    edges = [(mesh.triangles[one, side], mesh.triangles[one, (side + 1) % 3]) for one, side in np.argwhere(mesh.neighbors < 0)]
    return [Path(whole[list(edge)]) for edge in edges if owner[edge[0]] != owner[edge[1]]]


def _shortest(one: Path, other: Path) -> Path:
    """The shortest line between the corners of two outlines."""
    first, second = (np.asarray(path.to_polygons()[0]) for path in (one, other))
    distances = np.hypot(*(first[:, None] - second[None]).transpose(2, 0, 1))
    index, to = np.unravel_index(np.argmin(distances), distances.shape)
    return Path([first[index], second[to]])


def _crossings(line: Path, points: NDArray[np.float64]) -> int:
    """How often a curve through points crosses a straight line."""
    start, end = np.asarray(line.vertices)
    along, offsets = end - start, points - start
    sides, places = np.sign(offsets @ [-along[1], along[0]]), offsets @ along / (along @ along)
    within = (places > 0) & (places < 1)
    return int(((sides[1:] != sides[:-1]) & within[1:] & within[:-1]).sum())


def warn_of_what_is_left_out(lenses: Sequence[Lens]) -> None:
    """Names what lies in a ring and is not drawn again."""
    names = sorted(set().union(*map(left_out, lenses)))
    if names:
        warn(f"the lens does not draw again: {', '.join(names)}")


def spoken(lenses: Sequence[Lens]) -> str:
    """What the lenses show, as a sentence for readers who can't see the figure."""
    parts = []
    for lens in lenses:
        x, y = lens.zoom()
        across, down = (int(part > 1 / 3) + int(part > 2 / 3) for part in lens.center)
        place = (("lower", "", "upper")[down] + " " + ("left", "", "right")[across]).strip()
        place = {"lower": "below", "upper": "above", "": "in the middle"}.get(place, place)
        size = f"{x:.3g} times as large" if abs(x / y - 1) < 0.01 else f"{x:.3g} times as wide and {y:.3g} times as high"
        parts.append(f"{size}, {place}")
    return f"A figure with {'a lens' if len(parts) == 1 else f'{len(parts)} lenses'}: {'; '.join(parts)}."
