"""Where lenses lie on a figure of matplotlib: beside its axes, which make room, or on its free areas."""

from __future__ import annotations

import io
import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colors
from matplotlib.figure import SubFigure
from matplotlib.image import imread
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.patches import Wedge
from matplotlib.path import Path
from matplotlib.quiver import QuiverKey
from matplotlib.text import Annotation
from matplotlib.transforms import Affine2D, Bbox, TransformedBbox

from loupe_render._errors import UsageError, warn
from loupe_render._lens import Lens, axes_of, axes_texts, is_data, lenses_of, texts_of, together
from loupe_render._pixels import settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_MARGIN = 6
"""Pixels between a lens on a free area and all else, at least."""
_GAP, _EDGE = 0.15, 0.08
"""Inches between two lenses, and between a lens and the figure's edge."""
_LEAST = 0.9
"""How much of their width or height the axes keep at least where they make room."""


_IDENTITY = Affine2D()


def longest_radius(figure: Figure, count: int) -> float:
    """The default radius of `count` lenses, in inches: a fifth of the figure's shorter side, or less, so that they fit in line."""
    side = float(min(figure.get_size_inches()))
    return max(min(side / 5, (side - 2 * _EDGE - (count - 1) * _GAP) / 2 / count), side / 50)


def place_free(figure: Figure, lenses: Sequence[Lens]) -> None:
    """Puts each lens where it covers least of the figure, near what it shows."""
    dpi = figure.dpi
    ink = _ink(figure, lenses[0].source_axes)
    shown = ink.copy()
    height, width = ink.shape
    for lens in lenses:
        around, source = lens.around(), lens.source()
        across, down = (round(side * dpi) + 2 * _MARGIN for side in around.size)
        if across >= width or down >= height:
            raise UsageError("radius: the lens is larger than the figure; give a smaller one", 64)
        # The ring, with some room around it, and rows counted from above.
        edges = np.array([source.x0, height - source.y1, source.x1, height - source.y0]).round().astype(int)
        left, top, right, bottom = np.clip(edges + [-12, -12, 12, 12], 0, [width, height, width, height])
        _occupy(ink, left, top, right, bottom, lens.is_disc)
        total = np.zeros((height + 1, width + 1))
        total[1:, 1:] = ink.cumsum(axis=0).cumsum(axis=1)
        y, x = np.mgrid[: height - down + 1 : 4, : width - across + 1 : 4]
        covered = np.zeros(y.shape)
        for low, high in itertools.pairwise(np.linspace(0, down, 25 if lens.is_disc else 2).round().astype(int)):
            # A disc is as wide as its chord nearest to its middle.
            off = max(low - down / 2, down / 2 - high, 0) if lens.is_disc else 0
            start = int(across / 2 * (1 - (1 - (2 * off / down) ** 2) ** 0.5))
            left, right = x + start, x + across - start
            covered += total[y + high, right] - total[y + low, right] - total[y + high, left] + total[y + low, left]
        far = np.hypot(x + across / 2 - (edges[0] + edges[2]) / 2, y + down / 2 - (edges[1] + edges[3]) / 2)
        best = np.unravel_index(np.argmin(covered + far / 8), covered.shape)
        left, top = int(x[best]), int(y[best])
        _occupy(ink, left, top, left + across, top + down, lens.is_disc)
        lens.center = ((left + _MARGIN - around.x0 * dpi) / width, 1 - (top + _MARGIN + around.y1 * dpi) / height)
    places = [lens.center for lens in lenses]

    def put(order: Sequence[int]) -> None:
        for lens, index in zip(lenses, order):
            lens.center = places[index]

    if all(np.allclose(lens.around().bounds, lenses[0].around().bounds) for lens in lenses):
        _untangle(lenses, put, range(len(lenses)))
    boxes = [Bbox(lens.box().get_points() / figure.bbox.size) for lens in lenses]
    warn_of_what_is_covered(figure, shown, [((one.x0, 1 - one.y1, one.x1, 1 - one.y0), lens.is_disc) for one, lens in zip(boxes, lenses)])


def _occupy(ink: NDArray[np.float64], left: int, top: int, right: int, bottom: int, is_disc: bool) -> None:
    """Marks a rectangle, or the ellipse in it, as taken."""
    y, x = np.mgrid[top:bottom, left:right] + 0.5
    inside = np.hypot((2 * x - left - right) / (right - left), (2 * y - top - bottom) / (bottom - top)) < 1
    ink[top:bottom, left:right][inside | (not is_disc)] = 1000


def _ink(figure: Figure, source: Axes) -> NDArray[np.float64]:
    """The cost of covering each pixel, 0 to 1 by how unlike paper it is; a row for each of pixels, from above.

    It is four times as much outside the axes, other axes have no free areas, and lines of data and texts are covered last.
    """
    with settings({"savefig.bbox": None}):
        ink = unlike_paper(figure)
    height = len(ink)
    is_outside, own = np.ones_like(ink, bool), together(source)
    for ax in axes_of(figure):
        box = ax.bbox
        inside = (slice(height - int(box.y1) + 2, height - int(box.y0) - 2), slice(int(box.x0) + 2, int(box.x1) - 2))
        is_outside[inside] = False
        if ax not in own:
            ink[inside] = np.maximum(ink[inside], 0.5)
    weighted: NDArray[np.float64] = ink * np.where(is_outside, 4, 1)
    # A thin line of data is as little to be covered as a thick one.
    columns, rows = np.minimum((_curves(figure) * [weighted.shape[1], height]).astype(int), [weighted.shape[1] - 1, height - 1]).T
    weighted[rows, columns] = 10
    for box in texts_of(figure) + [box for ax in _shown(figure) for box in axes_texts(ax)]:
        left, low, right, top = (max(0, round(edge)) for edge in box.extents)
        weighted[max(0, height - top) : max(0, height - low), left:right] = 100
    return weighted


def unlike_paper(figure: Figure, **options: Any) -> NDArray[np.float64]:
    """How unlike paper each pixel of savefig is, 0 to 1; a row for each of pixels, from above."""
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=figure.dpi, **options)
    written.seek(0)
    shown = imread(written)[..., :3]
    papers = {colors.to_rgb(paper) for paper in [figure.get_facecolor(), *(ax.get_facecolor() for ax in axes_of(figure))]}
    ink: NDArray[np.float64] = np.minimum.reduce([np.abs(shown - np.array(paper)).max(axis=2) for paper in papers])
    return ink


def _curves(figure: Figure) -> NDArray[np.float64]:
    """Points along all lines of data within their axes, as parts of the figure's width and height, y down."""
    found = [np.empty((0, 2))]
    for ax in axes_of(figure):
        for one in ax.lines:
            points: Any = one.get_transform().transform(one.get_xydata()) if is_data(one, ax) and one.get_visible() else ()
            if len(points) == 0 or one.get_linestyle() in ("None", "none", "", " "):
                continue
            steps = np.linspace(0, len(points) - 1, max(2000, 4 * len(points)))
            along = np.stack([np.interp(steps, np.arange(len(points)), column) for column in points.T], axis=1)
            inside = ((along >= ax.bbox.min) & (along <= ax.bbox.max)).all(axis=1)
            found.append((along[inside] - figure.bbox.min) / figure.bbox.size * [1, -1] + [0, 1])
    return np.concatenate(found)


def warn_of_what_is_covered(
    figure: Figure, ink: NDArray[np.float64], places: Sequence[tuple[Sequence[float], bool]]
) -> None:
    """Warns where lenses cover a line of data, or more than thin lines of other kinds.

    A place has the left, top, right and bottom edges of a lens as parts of the figure's width and height, y down, and whether
    it is a disc.
    """
    height, width = ink.shape
    y, x = np.mgrid[:height, :width] + 0.5
    curves = _curves(figure)
    for (left, top, right, bottom), is_disc in places:

        def inside(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
            across, down = (2 * x - left - right) / (right - left), (2 * y - top - bottom) / (bottom - top)
            found: NDArray[np.bool_] = (np.hypot(across, down) if is_disc else np.maximum(np.abs(across), np.abs(down))) < 1
            return found

        covered = inside(x / width, y / height)
        if inside(*curves.T).any() or covered.any() and ink[covered].mean() > 0.01:
            words = "no area is free, so the lens covers a part of the figure"
            warn(f"beside=False: {words}; give center=(x, y), a smaller radius, or beside=True")
            return


def layout_of(figure: Figure) -> Callable[[], None]:
    """Notes the figure's layout and the limits of its axes; what is returned brings them back."""
    engine: Any = figure.get_layout_engine()
    rect = _rect(engine)
    pars = figure.subplotpars
    margins = {key: getattr(pars, key) for key in ("left", "bottom", "right", "top", "wspace", "hspace")}
    places = [
        (ax, ax.get_position(original=True).frozen(), ax.get_position().frozen(), ax.get_in_layout(), ax.viewLim.get_points().copy())
        for ax in figure.axes
    ]
    centers = [(one, one.center) for one in lenses_of(figure)]
    titles = [(one, one.get_position()) for one in _titles(figure)]
    anchors = [(one, vars(one)["_bbox_to_anchor"]) for one in figure.legends]
    parts: list[Any] = [(one, one.bbox_relative.frozen()) for one in figure.findobj(SubFigure)]

    def restore() -> None:
        vars(figure)["_layout_engine"] = engine
        if rect is not None:
            engine.set(rect=rect)
        pars.update(**margins)
        for part, place in parts:
            part._redo_transform_rel_fig(place)
        for ax, original, active, is_in_layout, limits in places:
            ax._set_position(original, which="original")  # type: ignore[attr-defined]
            ax._set_position(active, which="active")  # type: ignore[attr-defined]
            ax.set_in_layout(is_in_layout)
            # Of an equal aspect with adjustable limits, they follow from the size of the axes.
            ax.viewLim.set_points(limits)
        for lens, center in centers:
            lens.center = center
        for title, place in titles:
            title.set_position(place)
        for legend, anchor in anchors:
            vars(legend)["_bbox_to_anchor"] = anchor

    return restore


def _rect(engine: Any) -> tuple[float, ...] | None:
    """The part of the figure that a layout engine fills; None without one. `tight_layout()` leaves one that does nothing."""
    given = {} if engine is None else engine.get()
    return (given["rect"] or (0.0, 0.0, 1.0, 1.0)) if "rect" in given else None


def place_beside(figure: Figure, added: Sequence[Lens]) -> None:
    """Puts lenses in line beside the axes, with those that stand there already.

    The axes make room where they lose less than a tenth and no text touches another. Otherwise nothing moves, and the lenses
    stand beyond the figure's edge.
    """
    side = _side(figure, added[0].source_axes, added[0].source())
    for lens in added:
        lens.side = side
    earlier = [one for one in lenses_of(figure) if one.side == side and one.source_axes.figure is not None]
    lenses, sizes, restore = [*earlier, *added], [one.size for one in added], layout_of(figure)
    if _makes_room(figure, lenses, added, side) and _line_up(figure, lenses, side, is_beyond=False):
        return
    restore()
    figure.draw_without_rendering()
    for lens, size in zip(added, sizes):
        lens.size = size
        lens.grow()
    _line_up(figure, lenses, side, is_beyond=True)


def _makes_room(figure: Figure, lenses: Sequence[Lens], added: Sequence[Lens], side: tuple[int, bool]) -> bool:
    """Whether the axes have made room for lenses, and are as they should be."""
    (across, is_far), whole = side, float(figure.get_size_inches()[side[0]])
    before, clashes = [(ax, np.array(ax.bbox.size)) for ax in _shown(figure)], _clashes(figure)
    # Axes of a fixed aspect give less room than they are asked for, and ticks may change.
    for _ in range(9):
        content = _content(figure).get_points()[:, across]
        needed = _depth(lenses, across) + _GAP + _EDGE - float(whole - content[1] if is_far else content[0])
        if needed >= 0.02:
            if needed > (1 - _LEAST) * whole:
                return False
            _make_room(figure, side, needed / whole)
        elif not any([lens.grow(across) for lens in added]):
            break
    else:
        return False
    is_kept = all((np.array(ax.bbox.size) > _LEAST * size - 1e-3).all() for ax, size in before)
    return is_kept and all(now <= then for now, then in zip(_clashes(figure), clashes))


def _depth(lenses: Sequence[Lens], across: int) -> float:
    return max(float(lens.around().size[across]) for lens in lenses)


def _clashes(figure: Figure) -> tuple[int, int, int]:
    """How many texts touch another, reach into other axes, and reach out of the figure.

    Boxes of texts that are turned do not say that.
    """
    found = [(together(ax), box) for ax in _shown(figure) for box in axes_texts(ax)]
    boxes = [box for _, box in found] + texts_of(figure)
    if not boxes:
        return (0, 0, 0)
    low, high = np.array([box.padded(-0.5).get_points() for box in boxes]).transpose(1, 0, 2)
    edge = np.array(figure.bbox.max)
    touching = ((low[:, None] < high) & (low < high[:, None])).all(axis=2).sum()
    into = sum(box.padded(-2).overlaps(ax.bbox) for own, box in found for ax in _shown(figure) if ax not in own)
    return int(touching), into, int(((low < -2) | (high > edge + 2)).any(axis=1).sum())


def canvas_of(figure: Any, lenses: Sequence[Lens], dpi: float) -> Bbox | None:
    """The figure with lenses that stand beyond its edge, in inches, as whole pixels; None where all lie within."""
    boxes = [Bbox(one.get_window_extent().get_points() / figure.dpi).padded(_EDGE - 2 / figure.dpi) for one in lenses]
    whole: Any = Bbox([(0, 0), figure.get_size_inches().tolist()])
    points = (Bbox.union([whole, *boxes]).get_points() * dpi).round(3)
    # A little more than whole pixels, to which older versions of matplotlib truncate.
    found = Bbox([np.floor(points[0]) / dpi, np.where(points[1] > whole.p1 * dpi + 0.5, (np.ceil(points[1]) + 1e-6) / dpi, whole.p1)])
    return None if np.allclose(found.get_points(), whole.get_points(), atol=0.5 / dpi) else found


def anchor_legends(figure: Figure, to: Any = None) -> None:
    """Places the figure's legends relative to what is the figure now, whatever part of it is saved, or to a part of it."""
    if any(vars(one).get("_outside_loc") and vars(one)["_bbox_to_anchor"] is None for one in figure.legends):
        # The layout leaves room for these only as long as they have no place.
        figure.set_layout_engine("none")
    transform: Any = figure.transFigure
    for one in figure.legends:
        box = one.get_bbox_to_anchor().transformed(figure.transFigure.inverted())
        vars(one)["_bbox_to_anchor"] = TransformedBbox(box, figure.transFigure if to is None else to + transform)


def enlarge(figure: Figure, box: Bbox) -> None:
    """Makes the figure as large as a box of it, in inches, in which everything stays where it is."""
    old, size = figure.get_size_inches(), np.array(box.size)
    to = Affine2D().scale(*old).translate(*-box.p0).scale(*1 / size)
    parts = [(one, Bbox(figure.transFigure.inverted().transform(one.bbox.get_points()))) for one in figure.subfigs]
    anchor_legends(figure, to)
    engine: Any = figure.get_layout_engine()
    rect = _rect(engine)
    grids: set[Any] = {one.get_gridspec() for one in figure.axes if one.get_subplotspec() is not None}
    figure.set_size_inches(*box.size)
    if rect is not None:
        engine.set(rect=Bbox.from_bounds(*rect).transformed(to).bounds)
    for holder in [figure.subplotpars, *grids]:
        for across, names in enumerate((("left", "right"), ("bottom", "top"))):
            # A grid without margins of its own has those of the figure.
            margins = [getattr(holder, name, None) for name in names]
            for name, margin in zip(names, margins):
                if margin is not None:
                    setattr(holder, name, float(to.transform([margin] * 2)[across]))
    # Of twins, setting one sets the other.
    places = [(ax, ax.get_position(original=True), ax.get_position()) for ax in figure.axes if ax.figure is figure]
    for ax, original, active in places:
        ax._set_position(original.transformed(to), which="original")  # type: ignore[attr-defined]
        ax._set_position(active.transformed(to), which="active")  # type: ignore[attr-defined]
    for part, place in parts:
        part._redo_transform_rel_fig(place.transformed(to))  # type: ignore[attr-defined]
    for lens in lenses_of(figure):
        lens.center = tuple(to.transform(lens.center).tolist())
    shift = {"figure points": 72, "figure pixels": figure.dpi, "inches": 1}
    moves = {name: Affine2D().translate(*-box.p0 * unit) for name, unit in shift.items()}
    moves |= dict.fromkeys(("figure", "figure fraction"), to)
    found: list[Any] = [one for one in figure.findobj() if one is not figure.patch]
    for one in found:
        anchor = vars(one).get("_bbox_to_anchor")
        if isinstance(anchor, TransformedBbox) and one not in figure.legends and anchor._transform.contains_branch(figure.transFigure):  # type: ignore[attr-defined]
            one._bbox_to_anchor = TransformedBbox(anchor._bbox, to + anchor._transform)  # type: ignore[attr-defined]
        if isinstance(one, QuiverKey):
            one.X, one.Y = moves.get(one.coord, _IDENTITY).transform((one.X, one.Y))
        elif isinstance(one, (Annotation, AnnotationBbox)):
            for name, coords in (("xy", one.xycoords), ("xyann", one.anncoords)):
                if isinstance(coords, str) and coords in moves:
                    setattr(one, name, tuple(moves[coords].transform(getattr(one, name))))
        elif one.get_transform().contains_branch(figure.transFigure):
            one.set_transform(to + one.get_transform())


def _side(figure: Figure, ax: Axes, ring: Bbox) -> tuple[int, bool]:
    """The side where no axes lie between: the first of right, left, below and above; of a tall figure, below and above first.

    Of a pie, which lines would cross, it is the nearest.
    """
    own = together(ax)
    others = [one.bbox for one in _shown(figure) if one not in own and not hasattr(one, "_colorbar")]
    # Axes around it, of which it is an inset, are no others.
    others = [one for one in others if not (one.contains(*ax.bbox.min) and one.contains(*ax.bbox.max))]
    sides = [(0, True), (0, False), (1, False), (1, True)]
    if figure.get_figwidth() < figure.get_figheight():
        sides = sides[2:] + sides[:2]

    if not ax.get_frame_on() and any(isinstance(one, Wedge) for one in ax.patches):
        gaps = ax.bbox.get_points() - ring.get_points().mean(axis=0)
        sides.sort(key=lambda side: abs(gaps[int(side[1]), side[0]]))

    def is_free(side: tuple[int, bool]) -> bool:
        across, is_far = side
        strip = np.array(ax.bbox.get_points())
        strip[:, across] = (strip[1, across], np.inf) if is_far else (-np.inf, strip[0, across])
        return not any(((strip[0] < one.get_points()[1]) & (one.get_points()[0] < strip[1])).all() for one in others)

    return next((side for side in sides if is_free(side)), sides[0])


def _shown(figure: Figure) -> list[Axes]:
    return [ax for ax in figure.axes if ax.get_visible()]


def _content(figure: Figure) -> Bbox:
    """The axes with their texts, in inches."""
    boxes = [ax.get_tightbbox() if ax.get_in_layout() else ax.bbox for ax in _shown(figure)]
    return Bbox(Bbox.union([one for one in boxes if one is not None]).get_points() / figure.dpi)


def _titles(figure: Any) -> list[Any]:
    """The titles of the whole figure, which follow its axes."""
    return [one for one in (figure._suptitle, figure._supxlabel, figure._supylabel) if one is not None]


def _make_room(figure: Figure, side: tuple[int, bool], part: float) -> None:
    """Leaves a part of the figure's width or height on a side."""
    across, is_far = side
    engine: Any = figure.get_layout_engine()
    rect = _rect(engine)
    if rect is not None:
        low, high = rect[across], rect[across] + rect[2 + across]
    else:
        places = [ax.figure.transSubfigure.transform(ax.get_position(original=True)) for ax in figure.axes]
        parts = np.array(places)[:, :, across] / figure.bbox.size[across]
        low, high = float(parts.min()), float(parts.max())
    fixed, scale = (low if is_far else high), max(1 - part / (high - low), 0.01)
    if rect is not None:
        size, start = list(rect[2:]), list(rect[:2])
        size[across], start[across] = size[across] * scale, fixed + (start[across] - fixed) * scale
        engine.set(rect=(*start, *size))
    else:
        for ax, points in zip(figure.axes, places):
            points[:, across] = (fixed + (points[:, across] / figure.bbox.size[across] - fixed) * scale) * figure.bbox.size[across]
            ax._set_position(Bbox(ax.figure.transSubfigure.inverted().transform(points)))  # type: ignore[attr-defined]
    for text in _titles(figure):
        place = list(text.get_position())
        place[across] = fixed + (place[across] - fixed) * scale
        text.set_position(place)
    with warnings.catch_warnings():
        # That the axes have no room is an error of ours.
        warnings.simplefilter("ignore", UserWarning)
        try:
            figure.draw_without_rendering()
        except Exception as error:
            if not type(error).__module__.startswith("kiwisolver"):
                raise


def _line_up(figure: Figure, lenses: Sequence[Lens], side: tuple[int, bool], *, is_beyond: bool) -> bool:
    """Puts lenses in line on a side, each as near to what it shows as the others let it, beyond the figure's edge if need be.

    Says whether they fit without covering a text of the figure.
    """
    (across, is_far), whole = side, figure.get_size_inches()
    along = 1 - across
    around, depth = [lens.around() for lens in lenses], _depth(lenses, across)
    sizes = [float(one.size[along]) for one in around]
    wanted = [float(lens.source().get_points()[:, along].mean()) / figure.dpi for lens in lenses]
    edge, start, end = float(whole[across]) if is_far else 0.0, _EDGE, float(whole[along]) - _EDGE
    missing = sum(sizes) + _GAP * (len(lenses) - 1) - (end - start)
    texts = [box.get_points() / figure.dpi for box in texts_of(figure)]
    if is_beyond:
        content = np.concatenate([_content(figure).get_points(), *texts])[:, across]
        room = depth + _GAP + _EDGE
        edge = max(edge, float(content.max()) + room) if is_far else min(edge, float(content.min()) - room)
        start, end = start - max(missing, 0) / 2, end + max(missing, 0) / 2
    elif missing > 1e-6:
        return False
    near, far = (edge - _EDGE - depth, edge) if is_far else (edge, edge + _EDGE + depth)
    if not is_beyond and any(low[across] < far and high[across] > near for low, high in texts):
        return False

    def put(order: Sequence[int]) -> None:
        low, high = start, end
        starts: dict[int, float] = {}
        for index in order:
            starts[index] = low = max(low, wanted[index] - sizes[index] / 2)
            low += sizes[index] + _GAP
        for index in order[::-1]:
            starts[index] = min(starts[index], high - sizes[index])
            high = starts[index] - _GAP
        for index, (lens, one) in enumerate(zip(lenses, around)):
            (left, right), place = one.get_points()[:, across], [0.0, 0.0]
            place[along] = starts[index] - one.get_points()[0, along]
            place[across] = edge - _EDGE - right if is_far else edge + _EDGE - left
            lens.center = (place[0] / whole[0], place[1] / whole[1])

    _untangle(lenses, put, np.argsort(wanted).tolist())
    return True


def _untangle(lenses: Sequence[Lens], put: Callable[[Sequence[int]], None], order: Sequence[int]) -> None:
    """Puts lenses in the order in which the lines to their rings cross least; of many lenses, in the given one."""

    def tangles(order: Sequence[int]) -> tuple[float, ...]:
        put(order)
        ends = [(lens.source(), lens.box()) for lens in lenses]
        centers = [np.array([box.get_points().mean(axis=0) for box in pair]) for pair in ends]
        across = [np.diff(pair, axis=0) @ [[0, 1], [-1, 0]] / (np.hypot(*np.diff(pair, axis=0)[0]) or 1) for pair in centers]
        half = [side * np.array([[min(box.size) / 2] for box in pair]) for side, pair in zip(across, ends)]
        counts = []
        # One line from ring to lens, then the whole area between two.
        for width in (0, 1):
            lines = [Path([*(pair + width * one), *(pair - width * one)[::-1]]) for pair, one in zip(centers, half)]
            counts.append(sum(
                one.intersects_path(other) + any(map(one.intersects_bbox, boxes))
                for (one, _), (other, boxes) in itertools.permutations(zip(lines, ends), 2)
            ))  # fmt: skip
        return (*counts, sum(float(np.hypot(*(pair[1] - pair[0]))) for pair in centers))

    put(min(itertools.permutations(order), key=tangles) if len(order) < 6 else order)
