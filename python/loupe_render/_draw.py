"""Drawing."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

from loupe_render import _anywhere, _flags, _options, _png, _server
from loupe_render._errors import LoupeError, UsageError, obeying_strict, warn
from loupe_render._options import Callout, CalloutOptions, RenderOptions
from loupe_render._pages import FigurePage, Page, Source, figure_page, is_figure, resolution, source
from loupe_render._picture import Picture, Request

if TYPE_CHECKING:
    import matplotlib.figure

    from loupe_render._pixels import Region


@obeying_strict
def render(
    page: Page, *, figure_format: Literal["svg", "png"] = "svg", **options: Unpack[RenderOptions]
) -> Picture:
    """Draws a page and loupes over it.

    The keywords are the flags of `loupe-render render` with `_` for `-`. Lengths are canvas pixels; y runs down. A point
    is `(x, y)`, or a text such as `"page:120,80"` or `"40%,30%"`. A figure of matplotlib becomes an SVG, which is drawn
    again in each loupe; its pixels are those of `dpi`, by default those of `savefig`. With `figure_format="png"` it becomes
    a PNG.

    >>> loupe.render("scatter.png", at=(320, 240), zoom=6).save("out.png")
    """
    return _drawn(page, _flags.checked(options, RenderOptions, "render"), figure_format)


@obeying_strict
def callout(
    page: Page,
    callouts: Iterable[Callout],
    *,
    place: Literal["auto", "page", "beside"] = "auto",
    figure_format: Literal["svg", "png"] = "svg",
    **options: Unpack[CalloutOptions],
) -> Picture:
    """Draws a page with callouts: loupes apart from what they show, each with a ring around that.

    `callouts` has a pair for each: what it shows, a point or two corners of a region, and its centre, or None where
    `place` chooses it: on an even area of the page or else beside it (`"auto"`), on the canvas as it is (`"page"`), or
    beside the page on a wider canvas (`"beside"`). The other keywords are those of `render`.

    >>> loupe.callout("scatter.png", [((420, 380), None), ((700, 500), (900, 150))])
    """
    if isinstance(callouts, str) or not isinstance(callouts, Iterable):
        raise UsageError(f"callouts: {callouts!r} is not a list of (focus, center)", 64)
    pairs = list(callouts)
    whole: dict[str, Any] = {**options, "callout": pairs}
    if place not in ("auto", "page", "beside"):
        raise UsageError(f"place: {place!r} is not auto, page or beside", 64)
    if any("@" not in one if isinstance(one, str) else _flags.pair(one)[1] is None for one in pairs):
        whole["place"] = place
    return _drawn(page, _flags.checked(whole, RenderOptions, "callout"), figure_format)


def _drawn(page: Page, given: dict[str, Any], figure_format: Literal["svg", "png"]) -> Picture:
    if figure_format not in ("svg", "png"):
        raise UsageError(f"figure_format: {figure_format!r} is not svg or png", 64)
    return drawn_figure(page, given, figure_format) if is_figure(page) else draw(source(page), given)


def drawn_figure(
    figure: matplotlib.figure.Figure,
    given: dict[str, Any],
    kind: Literal["svg", "png"],
    *,
    more: Callable[[int, float], dict[str, Any]] | None = None,
    **settings: Any,
) -> Picture:
    """Draws a figure with flags, and with those that depend on its height in pixels and its resolution."""
    from loupe_render._pixels import settled
    from loupe_render._room import layout_of

    dpi = given.get("dpi")
    dpi = resolution(figure) if dpi is None else float(_flags.value("dpi", dpi))  # type: ignore[arg-type]
    restore = layout_of(figure)
    try:
        with settled(figure, dpi):
            return _drawn_figure(figure, given, kind, dpi, more, settings)
    finally:
        restore()


def _drawn_figure(
    figure: matplotlib.figure.Figure, given: dict[str, Any], kind: Literal["svg", "png"], dpi: float,
    more: Callable[[int, float], dict[str, Any]] | None, settings: Mapping[str, Any],
) -> Picture:  # fmt: skip
    def drawn(
        page: FigurePage, *, fine: bytes | None = None, paper: bytes | None = None, warns: bool = True
    ) -> Picture:
        # The figure's resolution says how many pixels it has.
        size = {} if given.keys() & {"scale", "width", "height"} else {"scale": 1}
        # Widths on an SVG follow from its size; on pixels they are at least so many.
        has_pixels = page.data.startswith(_png.SIGNATURE) and dpi != figure.dpi and ("callout" in given or more)
        widths = _widths(given, dpi / figure.dpi) if has_pixels else {}
        whole = {**size, **widths, **given, **(more(page.height, dpi) if more else {})}
        return draw(Source("-", page.data, dpi, fine, paper), whole, warns=warns)

    if kind == "png":
        return drawn(figure_page(figure, kind, dpi, **settings))
    if _anywhere.is_used():
        from loupe_render._pixels import padded

        page = figure_page(figure, "png", dpi, **settings)
        picture = drawn(page)
        zoom = max((region.zoom for region in _regions(picture.scene)), default=1)
        # As many pixels as the loupes show, but not more than a picture may have.
        zoom = min(math.ceil(zoom), math.isqrt(_MOST_FINE // (page.width * page.height)))
        if zoom < 2 or page.box is None:
            return picture
        given.setdefault("filter", "cubic")
        fine = figure_page(figure, "png", zoom * dpi, **{**settings, "bbox_inches": padded(page.box, dpi)}).data
        return drawn(page, fine=fine, warns=False)
    try:
        page = figure_page(figure, kind, dpi, **settings)
        picture = drawn(page)
    except LoupeError as error:
        if "needs librsvg" not in str(error):
            raise
        say_once("without librsvg a figure is drawn as pixels, and loupes show those; install librsvg2-2")
        return drawn(figure_page(figure, "png", dpi, **settings))
    if page.box is None:
        return picture
    # Now it is known where the loupes are and how large the page is, so that what they show can have the pixels that they need.
    from loupe_render._pixels import ON_PAPER, density

    scene = picture.scene
    regions = _regions(scene)

    @functools.cache
    def finer(times: int) -> FigurePage:
        if times == 1 and not regions:
            return page
        return figure_page(figure, kind, dpi, regions=regions, box=page.box, times=times, **settings)

    scale = max(layer["rect"][2] / page.width for layer in scene["layers"] if layer.get("image") == "-")
    paper = finer(density(figure, dpi, max(scale, ON_PAPER / dpi)))
    return drawn(finer(density(figure, dpi, scale)), paper=paper.data, warns=False)


def _widths(given: Mapping[str, Any], scale: float) -> dict[str, float]:
    """The usual widths of ring and connector at the figure's own resolution, drawn this many times as fine."""
    widths = {"ring-width": 3 * scale}
    connector = {"lines": 2, "leader": 2, "arrow": 3}.get(str(given.get("connector", "lines")))
    if connector:
        widths["connector-width"] = connector * scale
    return widths


_MOST_FINE = 1 << 24
"""The most pixels of a figure that is drawn as pixels for its loupes."""


def _regions(scene: Mapping[str, Any]) -> list[Region]:
    """What the loupes of a scene show of the page that was in memory."""
    from loupe_render._pixels import Region

    found = []
    for loupe in scene.get("loupes", []):
        width, height = loupe["shape"]["size"] if "shape" in loupe else (2 * loupe["radius"],) * 2
        (x, y), zoom = loupe["focus"], loupe["zoom"]
        for layer in scene["layers"]:
            if layer.get("image") != "-":
                continue
            left, top, across, down = layer["rect"]
            region = Region(
                (x - width / 2 / zoom - left) / across, (y - height / 2 / zoom - top) / down,
                (x + width / 2 / zoom - left) / across, (y + height / 2 / zoom - top) / down, zoom,
            )  # fmt: skip
            if region.left < 1 and region.top < 1 and region.right > 0 and region.bottom > 0:
                found.append(region)
    return found


@functools.cache
def say_once(sentence: str) -> None:
    """Warns of something once in a process."""
    warn(sentence)


def draw(page: Source, given: dict[str, Any], *, warns: bool = True) -> Picture:
    """Draws a page with flags."""
    has_metadata = not given.pop("no-metadata", False)
    flags = _flags.arguments({flag: one for flag, one in given.items() if flag in _options.OF_PROCESS})
    job: dict[str, Any] = {"input": page.input, "output": "-", "answer-stats": True, "allow-outside": False}
    if page.data is not None:
        job["input-bytes"] = len(page.data)
    if page.dpi is not None:
        given.setdefault("dpi", page.dpi)
    for flag, one in given.items():
        if flag not in _options.OF_PROCESS:
            job[flag] = _flags.value(flag, one)
    # What is written to files has to be there when this returns.
    job["announce"] = not any(flag in given for flag in ("map", "show-plan", "stats"))
    flags.sort()
    if page.fine is None:
        answer = _server.server(tuple(flags)).ask(job, page.data, warns=warns)
    else:
        answer = _anywhere.engine(flags).ask(job, page.data, fine=page.fine, warns=warns)
    return Picture(answer, Request(tuple(flags), job, page.data, page.paper), has_metadata=has_metadata)


_flags.describe(render, RenderOptions)
_flags.describe(callout, CalloutOptions)
