"""Callouts on figures of matplotlib, in data coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

from matplotlib.artist import Artist
from matplotlib.colors import to_hex

from loupe_render import _flags
from loupe_render._draw import draw
from loupe_render._errors import UsageError
from loupe_render._options import CalloutOptions, Point, RenderOptions
from loupe_render._pages import Source, figure_bytes
from loupe_render._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.figure import Figure


def callout(
    ax: Axes,
    xy: Any,
    *,
    beside: bool = True,
    center: Point | Sequence[Point] | None = None,
    bbox_inches: Any = None,
    figure_format: Literal["svg", "png"] = "svg",
    **options: Unpack[CalloutOptions],
) -> Picture:
    """Draws the figure of `ax` with a loupe over the point `xy`, given in the data coordinates of `ax`.

    `xy` is `(x, y)` in the units of the axes, also dates and categories, or a list of such points, each of which gets a
    loupe. The axes may be linear, logarithmic, inverted, or of any other kind. The loupes stand on a wider canvas beside
    the figure, or, with `beside=False`, on its free areas; or at `center`, a canvas point for each.

    The figure becomes an SVG, which each loupe draws again, so it is crisp at every `zoom`. Its pixels are those of `dpi`,
    by default the figure's own. `bbox_inches` is that of `savefig`: "tight" cuts the figure to what is drawn. The other
    keywords are those of `loupe.render`.

    >>> fig, ax = plt.subplots()
    >>> ax.plot(times, values)
    >>> loupe.matplotlib.callout(ax, (times[40], values[40]), zoom=8).save("figure.png")
    """
    whole: dict[str, Any] = {**options}
    figure = _figure(ax)
    points = _points(xy)
    centers: list[Point | None] = [None] * len(points)
    if center is not None:
        given = [center] if isinstance(center, str) or len(points) == 1 and _is_point(center) else center
        centers = list(cast("Sequence[Point]", given))
        if len(centers) != len(points):
            raise UsageError(f"center: {len(centers)} for {len(points)} points; give each its own", 64)
    else:
        whole["place"] = "beside" if beside else "auto"
    if not ("background" in options or "frame" in options):
        # Beside a figure, more of its own paper.
        whole["background"] = to_hex(figure.get_facecolor(), keep_alpha=True)
    dpi = float(options.get("dpi") or figure.dpi)
    probe = _Probe(ax, points)
    figure.add_artist(probe)
    try:
        settings = {} if bbox_inches is None else {"bbox_inches": bbox_inches}
        data = figure_bytes(figure, figure_format, dpi, **settings)
    finally:
        probe.remove()
    # The size of the page, in pixels, as its own header says it.
    width, height = probe.page[0] * dpi, probe.page[1] * dpi
    whole["callout"] = [
        (f"page:{x * round(width)!r},{y * round(height)!r}", at) for (x, y), at in zip(probe.places, centers)
    ]
    return draw(Source("-", data, dpi), _flags.checked(whole, RenderOptions, "callout"))


class _Probe(Artist):
    """Draws nothing, and notes where points lie when the figure is drawn: after all layout, also that of a tight box."""

    def __init__(self, ax: Axes, points: list[tuple[Any, Any]]) -> None:
        super().__init__()
        self._ax, self._points = ax, points
        self.set_in_layout(False)
        # After the axes, which may change their shape when they are drawn.
        self.set_zorder(float("inf"))
        self.places: list[tuple[float, float]] = []
        """Parts of the page's width and height, y down."""
        self.page = (0.0, 0.0)
        """The page's width and height, in inches."""

    def draw(self, renderer: RendererBase) -> None:
        figure = _figure(self._ax)
        box = figure.bbox
        self.page = (box.width / figure.dpi, box.height / figure.dpi)
        self.places = []
        for x, y in self._points:
            ax: Any = self._ax
            number = (float(ax.convert_xunits(x)), float(ax.convert_yunits(y)))
            left, up = self._ax.transData.transform(number)
            place = (float((left - box.x0) / box.width), float(1 - (up - box.y0) / box.height))
            if not all(0 <= one <= 1 for one in place):
                raise UsageError(f"xy: ({x}, {y}) is not on the figure; give a point within it", 64)
            self.places.append(place)


def _figure(ax: Axes) -> Figure:
    """The figure of the axes, around all subfigures."""
    return ax.figure.figure


def _is_point(given: Any) -> bool:
    return len(given) == 2 and not any(isinstance(one, (tuple, list)) or getattr(one, "ndim", 0) for one in given)


def _points(xy: Any) -> list[tuple[Any, Any]]:
    """One point, or several."""
    given = list(xy)
    if _is_point(given):
        return [(given[0], given[1])]
    if not given or not all(hasattr(one, "__len__") and len(one) == 2 for one in given):
        raise UsageError("xy: it is no point; give (x, y), or a list of such points", 64)
    return [(x, y) for x, y in given]
