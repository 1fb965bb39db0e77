"""Callouts in data coordinates: a drawn marker lies in the middle of its loupe."""

from __future__ import annotations

import datetime
from typing import Any

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

import loupe_render as loupe  # noqa: E402
import loupe_render.matplotlib  # noqa: E402

MARKER = (255, 0, 255)


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    pyplot.close("all")


def mark(ax: Axes, x: Any, y: Any, **style: Any) -> None:
    ax.plot([x], [y], "o", markersize=4, color="#ff00ff", markeredgewidth=0, **style)


def offset(picture: loupe.Picture, index: int = 0) -> tuple[float, float]:
    """How far the marker's middle lies from the loupe's centre, in pixels of the page."""
    found = picture.scene["loupes"][index]
    array = picture.array[..., :3].astype(int)
    y, x = np.mgrid[: array.shape[0], : array.shape[1]] + 0.5
    inside = np.hypot(x - found["center"][0], y - found["center"][1]) < found["radius"] * 0.9
    weight = np.clip(1 - np.abs(array - MARKER).sum(axis=2) / 255, 0, None) * inside
    assert weight.sum() > 50, "no marker in the loupe"
    middle = (x * weight).sum() / weight.sum(), (y * weight).sum() / weight.sum()
    return (middle[0] - found["center"][0]) / found["zoom"], (middle[1] - found["center"][1]) / found["zoom"]


def linear() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots()
    ax.plot(np.linspace(0, 10, 50), np.sin(np.linspace(0, 10, 50)))
    return ax, 7.3, 0.4


def logarithmic() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots(figsize=(5.3, 4.1), dpi=90)
    ax.loglog([1, 10, 1e5], [1e-3, 2, 7e4])
    return ax, 37.0, 12.5


def dates() -> tuple[Axes, Any, Any]:
    figure, ax = pyplot.subplots()
    days: Any = [datetime.date(2025, 1, 1) + datetime.timedelta(days=10 * one) for one in range(20)]
    ax.plot(days, range(20))
    figure.autofmt_xdate()
    return ax, datetime.datetime(2025, 4, 3, 12), 8.5


def inverted() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots(dpi=130)
    ax.plot([0, 4], [3, 9])
    ax.invert_xaxis()
    ax.invert_yaxis()
    return ax, 1.2, 7.7


def equal() -> tuple[Axes, Any, Any]:
    """The axes get their shape when they are drawn."""
    _, ax = pyplot.subplots(figsize=(7, 3))
    ax.plot([0, 4], [0, 4])
    ax.set_aspect("equal")
    return ax, 1.0, 3.1


def constrained() -> tuple[Axes, Any, Any]:
    """The layout is found when the figure is drawn."""
    figure, axes = pyplot.subplots(2, 2, layout="constrained")
    figure.suptitle("A title that takes room")
    for ax in axes.flat:
        ax.set_ylabel("a label\nof two lines")
    return axes[1, 0], 0.3, 0.6


def tight_layout() -> tuple[Axes, Any, Any]:
    _, axes = pyplot.subplots(1, 2, layout="tight")
    axes[1].set_ylabel("a long label", fontsize=20)
    return axes[1], 0.3, 0.6


def subfigure() -> tuple[Axes, Any, Any]:
    whole = pyplot.figure(figsize=(8, 4))
    right: Any = whole.subfigures(1, 2)[1]  # type: ignore[index]
    ax: Axes = right.subplots()
    ax.plot([0, 1], [0, 1])
    return ax, 0.8, 0.25


def polar() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots(subplot_kw={"projection": "polar"})
    ax.plot([0, 3], [1, 2])
    return ax, 2.0, 1.4


def categories() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots()
    ax.bar(["one", "two", "three"], [3, 2, 4], color="#dddddd")
    return ax, "two", 2.5


def rasterized() -> tuple[Axes, Any, Any]:
    ax, x, y = linear()
    ax.set_rasterized(True)
    return ax, x, y


KINDS = [linear, logarithmic, dates, inverted, equal, constrained, tight_layout, subfigure, polar, categories, rasterized]


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("box", [None, "tight"])
def test_the_marker_is_in_the_middle_of_its_loupe(make: Any, box: str | None) -> None:
    ax, x, y = make()
    mark(ax, x, y, zorder=99)
    found = offset(loupe.matplotlib.callout(ax, (x, y), zoom=8, bbox_inches=box))
    # matplotlib puts a bitmap, and the markers in it, on whole pixels: up to half of one each, both ways.
    assert np.hypot(*found) < (1.42 if make is rasterized else 0.03), found


def test_the_saved_box_of_the_settings_is_kept() -> None:
    ax, x, y = linear()
    mark(ax, x, y)
    whole = loupe.matplotlib.callout(ax, (x, y), zoom=8)
    with matplotlib.rc_context({"savefig.bbox": "tight"}):
        cut = loupe.matplotlib.callout(ax, (x, y), zoom=8)
    assert cut.height < whole.height and np.hypot(*offset(cut)) < 0.03


def test_the_page_has_the_figures_pixels_and_its_resolution() -> None:
    ax, x, y = linear()
    for dpi, size in ((None, (640, 480)), (200, (1280, 960))):
        options: Any = {"dpi": dpi}
        picture = loupe.matplotlib.callout(ax, (x, y), **options)
        assert picture.scene["layers"][0]["rect"][2:] == list(size)
        assert round(picture.image.info["dpi"][0]) == (dpi or 100)
        assert loupe.render(ax.figure.figure, **options).image.size == size


def test_several_points_and_given_centres() -> None:
    ax, x, y = linear()
    mark(ax, x, y)
    mark(ax, 2.0, -0.5)
    centers: Any = [(80, 80), "60%,85%"]
    picture = loupe.matplotlib.callout(ax, [(x, y), (2.0, -0.5)], zoom=6, radius=60, center=centers)
    assert [one["center"] for one in picture.scene["loupes"]] == [[80, 80], [384, 408]]
    assert all(np.hypot(*offset(picture, index)) < 0.03 for index in (0, 1))
    one = loupe.matplotlib.callout(ax, (x, y), center=(80, 80), radius=40)
    assert one.scene["loupes"][0]["center"] == [80, 80]


def test_beside_makes_the_canvas_wider_and_free_areas_do_not() -> None:
    ax, x, y = linear()
    beside, free = (loupe.matplotlib.callout(ax, (x, y), beside=one) for one in (True, False))
    assert beside.width * beside.height > 640 * 480 and (free.width, free.height) == (640, 480)
    # More of the figure's own paper.
    assert beside.scene["canvas"]["background"] == "#ffffff"


def test_the_loupe_is_crisp_and_a_png_is_not() -> None:
    """An edge in a loupe of 16× has few colours between the two of a vector, and many of a bitmap."""
    ax, x, y = linear()
    mark(ax, x, y)

    def between(picture: loupe.Picture) -> float:
        array = picture.array[..., 1].astype(int)
        found = picture.scene["loupes"][0]
        centre_x, centre_y = (int(one) for one in found["center"])
        row = array[centre_y, centre_x - 90 : centre_x + 90]
        return float(((row > 20) & (row < 235)).sum())

    assert between(loupe.matplotlib.callout(ax, (x, y), zoom=16)) <= 6
    assert between(loupe.matplotlib.callout(ax, (x, y), zoom=16, figure_format="png")) >= 12


def test_the_figure_is_as_it_was() -> None:
    ax, x, y = linear()
    before = [*ax.figure.artists, *ax.get_children()]
    loupe.matplotlib.callout(ax, (x, y))
    assert [*ax.figure.artists, *ax.get_children()] == before


@pytest.mark.parametrize(
    ("xy", "words"), [((99, 0), "not on the figure"), ((1, 2, 3), "no point"), ([], "no point"), (((1, 2), (1, 2, 3)), "no point")]
)
def test_what_is_no_point_on_the_figure_is_refused(xy: Any, words: str) -> None:
    ax, _, _ = linear()
    with pytest.raises(loupe.UsageError, match=words):
        loupe.matplotlib.callout(ax, xy)
