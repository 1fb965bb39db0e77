"""Drawing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Unpack

from loupe_render import _flags, _options, _server
from loupe_render._options import Callout, CalloutOptions, RenderOptions
from loupe_render._pages import Page, Source, source
from loupe_render._picture import Picture



def render(page: Page, *, figure_format: Literal["svg", "png"] = "svg", **options: Unpack[RenderOptions]) -> Picture:
    """Draws a page and loupes over it.

    The keywords are the flags of `loupe-render render` with `_` for `-`. Lengths are canvas pixels; y runs down. A point
    is `(x, y)`, or a text such as `"page:120,80"` or `"40%,30%"`. A figure of matplotlib becomes an SVG, which is drawn
    again in each loupe; its pixels are those of `dpi`, by default the figure's own. With `figure_format="png"` it becomes
    a PNG.

    >>> loupe.render("scatter.png", at=(320, 240), zoom=6).save("out.png")
    """
    given = _flags.checked(options, RenderOptions, "render")
    return draw(source(page, figure_format=figure_format, dpi=given.get("dpi")), given)


def callout(
    page: Page,
    callouts: Iterable[Callout],
    *,
    place: Literal["auto", "beside"] = "auto",
    figure_format: Literal["svg", "png"] = "svg",
    **options: Unpack[CalloutOptions],
) -> Picture:
    """Draws a page with callouts: loupes apart from what they show, each with a ring around that and lines to it.

    `callouts` has a pair for each: what it shows, a point or two corners of a region, and its centre, or None where
    `place` chooses it, on the page's free areas (`"auto"`) or on a wider canvas (`"beside"`). The other keywords are
    those of `render`.

    >>> loupe.callout("scatter.png", [((420, 380), None), ((700, 500), (900, 150))])
    """
    pairs = list(callouts)
    whole: dict[str, Any] = {**options, "callout": pairs}
    if any(not isinstance(one, str) and one[1] is None or isinstance(one, str) and "@" not in one for one in pairs):
        whole["place"] = place
    given = _flags.checked(whole, RenderOptions, "callout")
    return draw(source(page, figure_format=figure_format, dpi=given.get("dpi")), given)


def draw(page: Source, given: dict[str, Any]) -> Picture:
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
    answer = _server.server(tuple(sorted(flags))).ask(job, page.data)
    return Picture(answer, has_metadata=has_metadata)
