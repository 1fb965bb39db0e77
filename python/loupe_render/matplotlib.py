"""Callouts on figures of matplotlib, in data coordinates."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Unpack, cast

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.category import UnitData
from matplotlib.colors import is_color_like, to_hex
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from loupe_render import _flags, _lens, _pixels, _room
from loupe_render._draw import drawn_figure
from loupe_render._errors import LoupeError, UsageError, obeying_strict, warn
from loupe_render._lens import Lens
from loupe_render._options import KINDS, CalloutOptions, Point, RenderOptions
from loupe_render._pages import resolution
from loupe_render._picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["Lens", "add_callout", "callout"]


def __dir__() -> list[str]:
    return __all__


# The keywords of a lens that draws again, as those of `loupe.render` are called; the others are about the canvas.
_OF_LENSES = frozenset(
    {"zoom", "radius", "shape", "accent", "ring_width", "ring_color", "connector", "connector_width",
     "connector_color", "rim_width", "rim_color"}
)  # fmt: skip
_COLORS = frozenset(name.replace("-", "_") for name in KINDS if name.endswith("-color")) | {"accent", "background"}
_MOST_RADIUS = 8192
"""In pixels, as for `loupe.render`."""
_OF_MAGNIFYING = frozenset(
    {"filter", "shadow_blur", "shadow_color", "shadow_offset", "shape_exponent", "versus", "versus_angle", "divider_width",
     "divider_color", "grid", "mark", "outside", "loupe", "plain", "letters", "zoom_label", "pixel_size"}
)  # fmt: skip


@obeying_strict
def callout(
    ax: Axes | Figure,
    xy: Any = None,
    *,
    region: Any = None,
    redraw: bool | None = None,
    ticks: bool = False,
    beside: bool = True,
    center: Point | Sequence[Point] | None = None,
    bbox_inches: Any = None,
    facecolor: Any = None,
    transparent: bool | None = None,
    figure_format: Literal["svg", "png"] = "svg",
    **options: Unpack[CalloutOptions],
) -> Picture:
    """Draws the figure of `ax` with a lens over the point `xy`, given in the data coordinates of `ax`.

    `xy` is `(x, y)` in the units of the axes, also dates and categories, or a list of such points, each of which gets a
    lens. On 3-D axes a point is `(x, y, z)`. In its place, `region` has two opposite corners. The axes may be linear, logarithmic, inverted, or of any other
    kind. In place of a point, `xy` may be an artist, such as a legend, or the id that one has in an SVG, as `set_gid` gives it:
    a loupe shows all that it draws. `ax` may then be the figure. The lenses stand beside the axes, or, with `beside=False`, on free
    areas; or at `center`, a canvas point for
    each.

    With `redraw=True` a lens draws the data once more, with the figure's own line widths, markers and fonts, as `add_callout`
    does; that is the default for plots of lines. With `redraw=False` it is a loupe, which shows everything larger.

    The figure becomes an SVG, so it is crisp at every `zoom`. `dpi`, `facecolor`, `transparent` and `bbox_inches` are those of
    `savefig`, also by default: `bbox_inches="tight"` cuts the figure to what is drawn. The other keywords are those of
    `loupe.render`; their colours may also be those of matplotlib, such as "C3".

    >>> fig, ax = plt.subplots()
    >>> ax.plot(times, values)
    >>> loupe.matplotlib.callout(ax, (times[40], values[40]), zoom=8).save("figure.png")
    """
    whole: dict[str, Any] = {**options}
    _flags.checked(whole, CalloutOptions, "callout")
    is_named = isinstance(xy, (str, Artist))
    axes = cast("Axes", ax)
    figure = _figure(ax, is_named)
    _switches(redraw=redraw, ticks=ticks, beside=beside)
    if facecolor is not None and facecolor != "auto" and not is_color_like(facecolor):
        raise UsageError(f"facecolor: {facecolor!r} is no colour", 64)
    if is_named and (redraw or ticks or region is not None):
        raise UsageError("xy: an artist is shown as it is drawn; leave out redraw, ticks and region", 64)
    if isinstance(xy, Artist) and getattr(xy.figure, "figure", None) is not figure:
        raise UsageError(f"xy: {xy} is not on this figure", 64)
    if figure_format not in ("svg", "png"):
        raise UsageError(f"figure_format: {figure_format!r} is not svg or png", 64)
    if isinstance(xy, str) and figure_format == "png":
        raise UsageError("xy: only an SVG has ids; leave out figure_format, or give the artist itself", 64)
    if isinstance(bbox_inches, str) and bbox_inches != "tight":
        raise UsageError(f"bbox_inches: {bbox_inches!r} is not tight, or a box of matplotlib", 64)
    _positive(whole, "dpi")
    dpi = float(options.get("dpi") or resolution(figure))
    for key in _COLORS & whole.keys():
        if is_color_like(whole[key]):
            whole[key] = to_hex(whole[key], keep_alpha=True)
    magnifying = sorted(key for key in _OF_MAGNIFYING & whole.keys() if whole[key] is not None and whole[key] is not False)
    if redraw is None:
        redraw = (
            not is_named and _lens.can_be_drawn_again(axes) and _lens.is_plot_of_lines(axes) and figure_format == "svg" and not magnifying
        )
    if not ("background" in options or "frame" in options):
        # Beside a figure, more of the paper that savefig gives it.
        whole["background"] = to_hex(_paper(figure, facecolor, transparent), keep_alpha=True)
    given = {"bbox_inches": bbox_inches, "facecolor": facecolor, "transparent": transparent}
    settings = {key: value for key, value in given.items() if value is not None}
    if redraw:
        for name in magnifying:
            raise UsageError(f"{name}: not for a lens that draws again; give redraw=False", 64)
        lens = {key: whole.pop(key) for key in _OF_LENSES & whole.keys()}
        restore = _room.layout_of(figure)
        made: list[Lens] = []
        try:
            # Threads that lay figures out at once would only take the interpreter from each other.
            with _pixels.DRAWING:
                made, canvas = _add(axes, xy, region, beside, center, ticks, lens, dpi)
            if canvas is not None:
                if bbox_inches is None and rcParams["savefig.bbox"] != "tight":
                    settings["bbox_inches"] = canvas
                _room.anchor_legends(figure)
            whole.setdefault("alt", _lens.spoken(made))
            return drawn_figure(figure, _flags.checked(whole, RenderOptions, "callout"), figure_format, **settings)
        finally:
            for one in made:
                one.remove()
            restore()
    if ticks:
        raise UsageError("ticks: only a lens that draws again has them; give redraw=True", 64)
    shown = [xy] if is_named else _shown(axes, xy, region)
    is_styled, words = bool(whole.get("accent") or whole.get("plain")), [""] * len(shown)
    if not is_styled and not is_named:
        # As lenses have them, and unlike all bars and the colours of images. Letters need no colours of their own.
        accents = [to_hex(_lens.accent_of(axes, index)) for index in range(len(shown))]
        if len(shown) == 1 or whole.get("letters"):
            whole["accent"] = accents[0]
        elif not whole.get("ring_color"):
            words = [f" ring={color}" for color in accents]
    if not whole.get("plain") and not is_named and _lens.has_image(axes):
        # On an image, a thin ring is lost.
        whole.setdefault("ring_width", 3 * dpi / 100)
    centers = _centers(center, len(shown))
    if center is None:
        whole["place"] = "beside" if beside else "page"
    probe = _Probe(ax, [] if isinstance(xy, str) else shown)

    def callouts(height: int, dpi: float) -> dict[str, Any]:
        if isinstance(xy, str):
            return {"callout": [(f'id:"{xy}"', centers[0])]}
        places = [[f"page:{x * dpi!r},{height - y * dpi!r}" for x, y in corners] for corners in probe.places]
        pairs = [(one[0] if len(one) == 1 else tuple(one), at) for one, at in zip(places, centers)]
        return {"callout": [one + word for one, word in zip(cast("list[str]", _flags.value("callout", pairs)), words)]}

    whole["callout"] = []
    given = _flags.checked(whole, RenderOptions, "callout")
    _lens.last_drawn(figure).add_artist(probe)
    try:
        picture = drawn_figure(figure, given, figure_format, more=callouts, **settings)
    except LoupeError as error:
        if isinstance(xy, str):
            raise type(error)(str(error).replace("callout: ", "xy: ", 1), error.code) from None
        # The command refuses an accent that neither a ring nor a connector has. Whether there is a connector, its layout says.
        if is_styled or not str(error).startswith("accent: there is no ring or connector"):
            raise
        del given["accent"]
        picture = drawn_figure(figure, given, figure_format, more=callouts, **settings)
    finally:
        probe.remove()
    if center is None:
        scene = picture.scene
        left, top, width, height = scene["layers"][0]["rect"]
        if beside:
            _tell_shrinkage(figure, width / scene["canvas"]["width"])
        else:
            places = []
            for one in scene["loupes"]:
                x, y = (one["center"][0] - left) / width, (one["center"][1] - top) / height
                across, down = one["shape"]["size"] if "shape" in one else (2 * one["radius"],) * 2
                across, down = across / width / 2, down / height / 2
                places.append(((x - across, y - down, x + across, y + down), "shape" not in one))
            _room.warn_of_what_is_covered(figure, _room.unlike_paper(figure, **settings), places)
    return picture


def _paper(figure: Figure, facecolor: Any, transparent: bool | None) -> Any:
    """The colour of the figure's paper in `savefig`."""
    if facecolor is None:
        facecolor = "none" if (rcParams["savefig.transparent"] if transparent is None else transparent) else rcParams["savefig.facecolor"]
    return figure.get_facecolor() if isinstance(facecolor, str) and facecolor == "auto" else facecolor


def _tell_shrinkage(figure: Figure, part: float) -> None:
    """Says how small text gets where the picture, of whose width the figure is a part, is printed as wide as the figure would be."""
    texts: list[Any] = figure.findobj(lambda one: isinstance(one, Text) and one.get_visible() and bool(one.get_text()))
    if part < 0.99 and texts:
        size = min(float(one.get_fontsize()) for one in texts)
        warn(
            f"the loupe beside the figure makes the picture {1 / part:.3g} times as wide: as wide on paper as the figure was, "
            f"text of {size:g} pt has {size * part:.1f} pt"
        )


def add_callout(
    ax: Axes,
    xy: Any = None,
    *,
    region: Any = None,
    zoom: float | None = None,
    radius: float | None = None,
    shape: tuple[float, float] | str | None = None,
    ticks: bool = False,
    beside: bool = True,
    center: Any = None,
    accent: Any = "auto",
    ring_width: float | None = None,
    ring_color: Any = None,
    connector: Literal["auto", "lines", "leader", "none"] = "auto",
    connector_width: float | None = None,
    connector_color: Any = None,
    rim_width: float | None = None,
    rim_color: Any = None,
    **unknown: NoReturn,
) -> list[Lens]:
    """Puts a lens into the figure itself, so that `savefig` has it in every format.

    The lens draws the data of `ax` once more, larger, with the figure's own line widths, markers and fonts: lines,
    collections, images, error bars and texts, on linear, logarithmic, symlog and date axes. What it can't draw again is named
    in a warning.

    `xy` is a point in data coordinates, or a list of points; `region` has two opposite corners in its place. A lens is a
    disc of `radius`, or a rectangle of `shape`, a width and a height or `"WxH:R"` with the radius of its corners, which is what a region gets; a region in a
    `shape` of another aspect is stretched. `zoom` is at least 1, and 4 for a point. `ticks` gives a rectangle ticks and their texts. With `beside=True` the
    axes make room where they lose less than a tenth and no text touches another; otherwise the figure gets larger, and all that
    was in it keeps its size and place. With `beside=False` a lens lies where it covers least; `center` is a point of the
    figure. All lengths are pixels of the figure, y down. `connector` is `lines`, `leader` or `none`; `auto` is the first of them
    that crosses no text and no other axes; `lines` cross no other lens and no other ring, either.

    Returns the lenses; `lens.remove()` takes one away, and the axes stay where they are.

    >>> loupe.matplotlib.add_callout(ax, (42.4, 1), zoom=16)
    >>> fig.savefig("figure.pdf")
    """
    _flags.check_names(unknown, inspect.signature(add_callout).parameters, "add_callout")
    given = {key: value for key, value in locals().items() if key in _OF_LENSES and value is not None}
    figure = _figure(ax)
    _switches(ticks=ticks, beside=beside)
    lenses, canvas = _add(ax, xy, region, beside, center, ticks, given, float(figure.dpi))
    if canvas is not None:
        _room.enlarge(figure, canvas)
    return lenses


def _add(
    ax: Axes, xy: Any, region: Any, beside: bool, center: Any, ticks: bool, given: dict[str, Any], dpi: float
) -> tuple[list[Lens], Bbox | None]:
    """The lenses, and the canvas that has all of them, in inches of the figure, where they stand beyond its edge."""
    if not _lens.can_be_drawn_again(ax):
        raise UsageError(f"redraw: a lens can't draw {ax.name} axes again; give redraw=False", 64)
    figure = _figure(ax)
    figure.draw_without_rendering()
    shown = [[number for point in corners for number in _number(ax, point, _keyword(corners))] for corners in _shown(ax, xy, region)]
    # A lens is laid out in inches; `dpi` is what the lengths are pixels of.
    width, height = figure.get_size_inches() * dpi
    zoom = _positive(given, "zoom")
    if zoom and zoom < 1:
        raise UsageError(f"zoom: {zoom:g} is out of range; allowed is 1 or more", 64)
    size, rounding = _shape(given.get("shape"))
    radius = _positive(given, "radius")
    if radius and radius > _MOST_RADIUS:
        raise UsageError(f"radius: {radius:g} is out of range; allowed is up to {_MOST_RADIUS}", 64)
    if size is not None and radius is not None:
        raise UsageError("shape: it excludes radius", 64)
    if zoom and region is not None and (size is not None or radius is not None):
        raise UsageError("zoom: a region in a lens of a given size has its zoom already; leave out one of them", 64)
    is_disc = size is None and (region is None or radius is not None)
    if is_disc and ticks:
        raise UsageError("ticks: only a rectangle has them; give shape or region", 64)
    longest = radius or _room.longest_radius(figure, len(shown)) * dpi
    corner = None
    if not is_disc:
        rounded = 0 if ticks or size is None else min(size) / 16
        corner = (rounded if rounding is None else rounding) / dpi
    inches = None if size is None else (size[0] / dpi, size[1] / dpi)
    if is_disc:
        inches = (2 * longest / dpi, 2 * longest / dpi)
    points = {"ring_width": 1.5, "connector_width": 1.0, "rim_width": 1.0}
    looks: dict[str, Any] = {key: (_positive(given, key) or value * dpi / 72) * 72 / dpi for key, value in points.items()}
    colors = ("accent", "ring_color", "connector_color", "rim_color")
    for key in colors:
        if given.get(key, "auto") != "auto" and not is_color_like(given[key]):
            raise UsageError(f"{key}: {given[key]!r} is no colour", 64)
    looks |= {key: given[key] for key in (*colors, "connector") if key in given}
    style = _lens.Style(ticks=ticks, **looks)
    if style.connector not in ("auto", "lines", "leader", "none"):
        raise UsageError(f"connector: {style.connector!r} is not auto, lines, leader or none, which a lens that draws again has", 64)
    if ticks and any(_lens.place_of(spine) in ("data", "axes") for spine in ax.spines.values()):
        raise UsageError("ticks: the axes have theirs among the data, where a lens can't draw them again", 64)
    for one in shown:
        _check_place(ax, np.reshape(one, (-1, 2)))
    lenses = [
        Lens(ax, tuple(one), zoom or (4 if len(one) == 2 else 0), inches, corner, longest / dpi, style) for one in shown
    ]
    _lens.warn_of_what_is_left_out(lenses)
    if center is not None or not beside:
        for lens in lenses:
            lens.grow()
    restore = _room.layout_of(figure)
    try:
        if center is not None:
            for lens, at in zip(lenses, _centers(center, len(lenses))):
                if isinstance(at, str) or at is None or len(at) != 2:
                    raise UsageError(f"center: {at!r} is not (x, y) in pixels of the figure", 64)
                lens.center = (float(at[0]) / width, 1 - float(at[1]) / height)
                if not lens.box().overlaps(figure.bbox):
                    warn(f"the lens at {float(at[0]):g},{float(at[1]):g} lies wholly off the figure of {width:g}×{height:g}")
        elif beside:
            _room.place_beside(figure, lenses)
        else:
            _room.place_free(figure, lenses)
        if region is not None and not zoom:
            x, y = lenses[0].zoom()
            if min(x, y) < 0.98 or max(x, y) < 1.2:
                words = f"region: it is shown smaller than on the axes, or hardly larger: {x:.2g} times as wide, {y:.2g} times as high"
                if inches is None:
                    raise UsageError(f"{words}; give a smaller one", 64)
                warn(f"{words}; give a larger lens")
        canvas = _room.canvas_of(figure, lenses, dpi) if beside and center is None else None
        if canvas is not None:
            _tell_shrinkage(figure, figure.get_figwidth() / canvas.width)
    except BaseException:
        restore()
        raise
    for lens in lenses:
        _lens.last_drawn(figure).add_artist(lens)
    return lenses, canvas


def _check_place(ax: Axes, corners: NDArray[np.float64]) -> None:
    """Refuses a point or a region that is not on the axes, and a region without a width or a height."""
    if len(corners) == 2 and (corners[0] == corners[1]).any():
        raise UsageError("region: it has no width or no height", 64)
    parts = ax.transAxes.inverted().transform(ax.transData.transform(corners))
    shown = f"{_keyword(corners)}: {', '.join(map(_written, corners))}"
    # A logarithmic scale puts what is not above 0 far away.
    if not (np.isfinite(parts).all() and (np.abs(parts) < 100).all()):
        raise UsageError(f"{shown} has no place near the limits of these axes, x {ax.get_xscale()} and y {ax.get_yscale()}", 64)
    middle = parts.mean(axis=0)
    if not ((middle > -0.01) & (middle < 1.01)).all():
        raise UsageError(f"{shown} is not on the axes; give a point within their limits", 64)


def _written(point: NDArray[np.float64]) -> str:
    return f"({', '.join(f'{one:g}' for one in point)})"


def _keyword(corners: Any) -> str:
    """The keyword that has given a point, or two corners."""
    return "xy" if len(corners) == 1 else "region"


def _shape(given: Any) -> tuple[tuple[float, float] | None, float | None]:
    """The sides of a rectangle, and the radius of its corners: a pair, or a text such as 120x90 or 120x90:6."""
    if given is None:
        return None, None
    sides, _, rounding = given.partition(":") if isinstance(given, str) else (given, "", "")
    try:
        width, height = (float(side) for side in (sides.split("x") if isinstance(sides, str) else sides))
        radius = float(rounding) if rounding else None
    except (TypeError, ValueError):
        width, height, radius = 0, 0, None
    if not (0 < width < 1e6 and 0 < height < 1e6 and 0 <= (radius or 0) < 1e6):
        raise UsageError(f"shape: {given!r} is not (width, height), both above 0, nor a text such as 120x90:6", 64)
    return (width, height), radius


def _switches(**given: Any) -> None:
    for name, value in given.items():
        if not (value is None or isinstance(value, (bool, np.bool_))):
            raise UsageError(f"{name}: {value!r} is neither True nor False", 64)


def _positive(given: dict[str, Any], name: str) -> float | None:
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, (str, bool)) or not hasattr(value, "__float__") or not 0 < float(value) < 1e6:
        raise UsageError(f"{name}: {value!r} is not a number above 0", 64)
    return float(value)


class _Probe(Artist):
    """Draws nothing, and notes where points lie when the figure is drawn: after all layout, also that of a tight box."""

    def __init__(self, ax: Axes | Figure, shown: list[Any]) -> None:
        super().__init__()
        self._ax, self._shown = ax, shown
        self.set_in_layout(False)
        # After the axes, which may change their shape when they are drawn.
        self.set_zorder(float("inf"))
        self.places: list[list[tuple[float, float]]] = []
        """In inches from the page's lower left corner."""

    def draw(self, renderer: RendererBase) -> None:
        if self.get_visible():
            self.places = [
                self._box(one, renderer) if isinstance(one, Artist) else [self._place(point, _keyword(one)) for point in one]
                for one in self._shown
            ]

    def _box(self, artist: Any, renderer: RendererBase) -> list[tuple[float, float]]:
        """Two corners around what an artist draws, 4 points from it, in inches as `places`."""
        figure, box = _figure(self._ax, True), artist.get_tightbbox(renderer)
        is_drawn = box is not None and box.width + box.height > 0
        box = Bbox.intersection(box.padded(figure.dpi / 18), figure.bbox) if is_drawn else None
        if box is None:
            raise UsageError(f"xy: {artist} draws nothing on this figure", 64)
        return [(float(x) / figure.dpi, float(y) / figure.dpi) for x, y in (box.min, box.max)]

    def _place(self, point: tuple[Any, ...], keyword: str) -> tuple[float, float]:
        ax: Any = self._ax
        box = _figure(ax).bbox
        x, y = ax.transData.transform(_number(ax, point, keyword))
        if not (box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1):
            raise UsageError(f"{keyword}: ({', '.join(map(str, point))}) is not on the figure; give a point within it", 64)
        return (float(x - box.x0) / _figure(ax).dpi, float(y - box.y0) / _figure(ax).dpi)


def _figure(ax: Any, may_be_figure: bool = False) -> Figure:
    """The figure of the axes, around all subfigures."""
    if not hasattr(ax, "transData") and not (may_be_figure and hasattr(ax, "subfigures")):
        raise UsageError(f"ax: a {type(ax).__name__} is no axes of matplotlib", 64)
    if getattr(ax, "figure", None) is None:
        raise UsageError("ax: the axes were removed from their figure; give axes that are on it", 64)
    figure: Figure = ax.figure.figure
    return figure


def _number(ax: Axes, point: tuple[Any, ...], keyword: str) -> tuple[float, float]:
    """A point in the axes' units as numbers."""
    whole: Any = ax
    for axis, value in zip((whole.xaxis, whole.yaxis), point):
        units = axis.get_units()
        # matplotlib would add it to the axis.
        if isinstance(units, UnitData) and isinstance(value, str) and value not in units._mapping:
            raise UsageError(f"{keyword}: {value!r} is no category of this axis", 64)
    try:
        if len(point) == 3:
            from mpl_toolkits.mplot3d.proj3d import proj_transform  # type: ignore[import-untyped]

            x, y, _ = proj_transform(*point, whole.get_proj())
            return (float(x), float(y))
        return (float(whole.convert_xunits(point[0])), float(whole.convert_yunits(point[1])))
    except (TypeError, ValueError):
        raise UsageError(f"{keyword}: {point!r} is no point in the units of the axes", 64) from None


def _is_point(given: Any) -> bool:
    return len(given) in (2, 3) and not any(isinstance(one, (tuple, list)) or getattr(one, "ndim", 0) for one in given)


def _is_flat(given: Any) -> bool:
    """Whether it lists numbers, not points."""
    return hasattr(given, "__len__") and not isinstance(given, str) and not any(hasattr(one, "__len__") for one in given)


def _centers(center: Any, count: int) -> list[Point | None]:
    """A centre for each of so many lenses."""
    if center is None:
        return [None] * count
    if not hasattr(center, "__len__"):
        raise UsageError(f"center: {center!r} is not (x, y) in pixels of the figure", 64)
    given = [center] if isinstance(center, str) or count == 1 and _is_point(center) else center
    centers = list(cast("Sequence[Point]", given))
    if len(centers) != count:
        raise UsageError(f"center: {len(centers)} for {count} points; give each its own", 64)
    return [*centers]


def _shown(ax: Axes, xy: Any, region: Any) -> list[list[tuple[Any, ...]]]:
    """What each lens shows: a point, or two corners."""
    if (xy is None) == (region is None):
        raise UsageError("xy: give a point, or region=((x0, y0), (x1, y1))", 64)
    given: Any = xy if region is None else region
    # On 3-D axes, two numbers would be a point of the drawing.
    form = "(x, y, z)" if ax.name == "3d" else "(x, y)"
    if region is None:
        hint = " in place of a flat list" if _is_flat(given) else ""
        wrong = UsageError(f"xy: {given!r} is no point; give {form}, or a list of such points{hint}: [{form}, {form}]", 64)
    else:
        wrong = UsageError(f"region: {given!r} is no region; give ((x0, y0), (x1, y1))", 64)
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise wrong
    given = list(given)
    if region is None and _is_point(given):
        given = [given]
    size = 3 if ax.name == "3d" else 2
    if not given or not all(hasattr(one, "__len__") and not isinstance(one, str) and len(one) == size for one in given):
        raise wrong
    points = [tuple(one) for one in given]
    if region is None:
        return [[one] for one in points]
    if len(points) != 2 or not all(map(_is_point, points)):
        raise wrong
    return [points]


_flags.describe(callout, CalloutOptions)
