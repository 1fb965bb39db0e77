"""Where lenses lie on a figure of matplotlib: beside its axes, which make room, or on its free areas."""

from __future__ import annotations

import io
import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colors
from matplotlib.image import imread
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from loupe_render._errors import UsageError, warn
from loupe_render._lens import Lens, axes_of, can_be_drawn_again, texts_of, tick_texts, together
from loupe_render._pixels import settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_MARGIN = 6
"""Pixels between a lens on a free area and all else, at least."""
_GAP, _EDGE = 0.15, 0.08
"""Inches between two lenses, and between a lens and the figure's edge."""
_LEAST = 0.3
"""How much of their width or height the axes keep at least."""


def longest_radius(figure: Figure, count: int) -> float:
    """The default radius of `count` lenses, in inches: a fifth of the figure's shorter side, or less, so that they fit in line."""
    side = float(min(figure.get_size_inches()))
    return max(min(side / 5, (side - 2 * _EDGE - (count - 1) * _GAP) / 2 / count), side / 50)


def place_free(figure: Figure, lenses: Sequence[Lens]) -> None:
    """Puts each lens where it covers least of the figure, near what it shows."""
    dpi = figure.dpi
    ink = _ink(figure, lenses[0].source_axes)
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
    places = [lens.center for lens in lenses]

    def put(order: Sequence[int]) -> None:
        for lens, index in zip(lenses, order):
            lens.center = places[index]

    if all(np.allclose(lens.around().bounds, lenses[0].around().bounds) for lens in lenses):
        _untangle(lenses, put, range(len(lenses)))


def _ink(figure: Figure, source: Axes) -> NDArray[np.float64]:
    """The cost of covering each pixel, 0 to 1 by how unlike paper it is; a row for each of pixels, from above.

    It is four times as much outside the axes, and other axes have no free areas.
    """
    written = io.BytesIO()
    with settings({"savefig.bbox": None}):
        figure.savefig(written, format="png", dpi=figure.dpi)
    written.seek(0)
    shown = imread(written)[..., :3]
    height, width = shown.shape[:2]
    papers = {colors.to_rgb(paper) for paper in [figure.get_facecolor(), *(ax.get_facecolor() for ax in axes_of(figure))]}
    ink: NDArray[np.float64] = np.minimum.reduce([np.abs(shown - np.array(paper)).max(axis=2) for paper in papers])
    is_outside, own = np.ones_like(ink, bool), together(source)
    for ax in axes_of(figure):
        box = ax.bbox
        inside = (slice(height - int(box.y1) + 2, height - int(box.y0) - 2), slice(int(box.x0) + 2, int(box.x1) - 2))
        is_outside[inside] = False
        if ax not in own:
            ink[inside] = np.maximum(ink[inside], 0.5)
    weighted: NDArray[np.float64] = ink * np.where(is_outside, 4, 1)
    return weighted


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
    centers = [(one, one.center) for one in figure.artists if isinstance(one, Lens)]

    def restore() -> None:
        if rect is not None:
            engine.set(rect=rect)
        pars.update(**margins)
        for ax, original, active, is_in_layout, limits in places:
            ax._set_position(original, which="original")  # type: ignore[attr-defined]
            ax._set_position(active, which="active")  # type: ignore[attr-defined]
            ax.set_in_layout(is_in_layout)
            # Of an equal aspect with adjustable limits, they follow from the size of the axes.
            ax.viewLim.set_points(limits)
        for lens, center in centers:
            lens.center = center

    return restore


def _rect(engine: Any) -> tuple[float, ...] | None:
    """The part of the figure that a layout engine fills; None without one. `tight_layout()` leaves one that does nothing."""
    given = {} if engine is None else engine.get()
    return (given["rect"] or (0.0, 0.0, 1.0, 1.0)) if "rect" in given else None


def place_beside(figure: Figure, added: Sequence[Lens]) -> None:
    """Puts lenses in line beside the axes, with those that stand there already. The axes make room, the figure keeps its size."""
    whole: Any = figure.get_size_inches()
    side = _side(figure, added[0].source_axes)
    for lens in added:
        lens.side = side
    across, is_far = side
    earlier = [one for one in figure.artists if isinstance(one, Lens) and one.side == side and one.source_axes.figure is not None]
    lenses = [*earlier, *added]
    before, had = [(ax, np.array(ax.bbox.size)) for ax in _shown(figure)], (_is_cut(figure), _is_crowded(figure))

    def needed() -> tuple[float, float]:
        depth = max(float(lens.around().size[across]) for lens in lenses)
        content = _content(figure).get_points()[:, across]
        return depth, depth + _GAP + _EDGE - float(whole[across] - content[1] if is_far else content[0])

    # Axes of a fixed aspect give less room than they are asked for, and ticks may change.
    for _ in range(9):
        depth, room = needed()
        if room >= 0.02:
            _make_room(figure, side, room / float(whole[across]))
        elif not any([lens.grow(across) for lens in added]):
            break
    else:
        depth, room = needed()
    if any((np.array(ax.bbox.size) < _LEAST * size).any() for ax, size in before) or room > 0.1:
        raise UsageError("beside: the axes have no room for the lens; give a smaller radius, or beside=False", 64)
    if _is_cut(figure) > had[0] or _is_crowded(figure) > had[1]:
        warn("beside a lens there is too little room for the texts of the axes; give a larger figure, or a smaller radius")
    _line_up(figure, lenses, side, depth)


def _side(figure: Figure, ax: Axes) -> tuple[int, bool]:
    """The side where no axes lie between: the first of right, left, below and above; of a tall figure, below and above first."""
    own = together(ax)
    others = [one.bbox for one in _shown(figure) if one not in own and not hasattr(one, "_colorbar")]
    # Axes around it, of which it is an inset, are no others.
    others = [one for one in others if not (one.contains(*ax.bbox.min) and one.contains(*ax.bbox.max))]
    sides = [(0, True), (0, False), (1, False), (1, True)]
    if figure.get_figwidth() < figure.get_figheight():
        sides = sides[2:] + sides[:2]

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


def _is_cut(figure: Figure) -> bool:
    """Whether texts of the axes reach out of the figure, or into other axes."""
    boxes = [(ax, ax.get_tightbbox()) for ax in _shown(figure)]
    found = [(together(ax), one.padded(-2)) for ax, one in boxes if one is not None]
    whole = figure.bbox.padded(2)
    return any(not (whole.contains(*one.min) and whole.contains(*one.max)) for _, one in found) or any(
        one.overlaps(other.bbox) for own, one in found for other in _shown(figure) if other not in own
    )


def _is_crowded(figure: Figure) -> bool:
    """Whether texts of ticks overlap. Of texts that are turned, their boxes do not say it."""
    axes = [axis for ax in _shown(figure) if can_be_drawn_again(ax) and ax.axison for axis in (ax.xaxis, ax.yaxis)]
    rows = [tick_texts(axis) for axis in axes if axis.get_visible()]
    boxes = [[one.get_window_extent() for one in row if one.get_rotation() % 90 == 0] for row in rows]
    return any(one.overlaps(other) for row in boxes for one, other in zip(row, row[1:]))


def _make_room(figure: Figure, side: tuple[int, bool], part: float) -> None:
    """Leaves a part of the figure's width or height on a side."""
    across, is_far = side
    engine: Any = figure.get_layout_engine()
    rect = _rect(engine)
    if rect is not None:
        start, size = list(rect[:2]), list(rect[2:])
        size[across] = max(size[across] - part, 0.01)
        if not is_far:
            start[across] += part
        engine.set(rect=(*start, *size))
    else:
        whole = figure.bbox.size[across]
        places = [ax.figure.transSubfigure.transform(ax.get_position(original=True)) for ax in figure.axes]
        low, high = min(one[0][across] for one in places), max(one[1][across] for one in places)
        fixed = low if is_far else high
        scale = max(1 - part * whole / (high - low), 0.01)
        for ax, points in zip(figure.axes, places):
            points[:, across] = fixed + (points[:, across] - fixed) * scale
            ax._set_position(Bbox(ax.figure.transSubfigure.inverted().transform(points)))  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        # That the axes have no room is an error of ours.
        warnings.simplefilter("ignore", UserWarning)
        try:
            figure.draw_without_rendering()
        except Exception as error:
            if not type(error).__module__.startswith("kiwisolver"):
                raise


def _line_up(figure: Figure, lenses: Sequence[Lens], side: tuple[int, bool], depth: float) -> None:
    """Puts lenses in line on a side, each as near to what it shows as the others and the figure's own texts let it."""
    (across, is_far), whole = side, figure.get_size_inches()
    along = 1 - across
    around = [lens.around() for lens in lenses]
    sizes = [float(one.size[along]) for one in around]
    wanted = [float(lens.source().get_points()[:, along].mean()) / figure.dpi for lens in lenses]
    near, far = (whole[across] - _EDGE - depth, whole[across]) if is_far else (0, _EDGE + depth)
    start, end = _EDGE, float(whole[along]) - _EDGE
    for part in texts_of(figure):
        low, high = part.get_points() / figure.dpi
        if low[across] < far and high[across] > near:
            # The longer part of what it leaves.
            if low[along] - start > end - high[along]:
                end = min(end, float(low[along]) - _EDGE)
            else:
                start = max(start, float(high[along]) + _EDGE)
    if sum(sizes) + _GAP * (len(lenses) - 1) > end - start + 1e-6:
        raise UsageError("radius: the lenses do not fit beside the figure; give a smaller one, or beside=False", 64)

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
            place[across] = float(whole[across]) - _EDGE - right if is_far else _EDGE - left
            lens.center = (place[0] / whole[0], place[1] / whole[1])

    _untangle(lenses, put, np.argsort(wanted).tolist())


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
