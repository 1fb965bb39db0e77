"""Callouts in data coordinates: a drawn marker lies in the middle of its loupe."""

from __future__ import annotations

import base64
import concurrent.futures
import datetime
import functools
import io
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.artist import Artist  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.offsetbox import AnchoredText  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from matplotlib.transforms import Bbox  # noqa: E402
from PIL import Image  # noqa: E402

import loupe_render as loupe  # noqa: E402
import loupe_render._anywhere  # noqa: E402
import loupe_render.matplotlib  # noqa: E402
from loupe_render import _pages, _pixels  # noqa: E402

MARKER = (255, 0, 255)
magnified = functools.partial(loupe.matplotlib.callout, redraw=False)


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


has_vectors = pytest.mark.skipif(loupe._anywhere.is_used(), reason="the package for every processor draws figures as pixels")


def exact(zoom: float, vectors: float = 0.03) -> float:
    """How far a marker may lie from its place, in pixels of the page.

    Without vectors the figure is a bitmap of at most 7 × 7 pixels for each of these pages'. matplotlib moves a marker by up to
    a whole one, both ways.
    """
    return 1.42 / min(zoom, 7) if loupe._anywhere.is_used() else vectors


def linear() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots()
    ax.plot(np.linspace(0, 10, 50), np.sin(np.linspace(0, 10, 50)))
    return ax, 7.3, 0.4


def logarithmic() -> tuple[Axes, Any, Any]:
    _, ax = pyplot.subplots(figsize=(5.5, 4.0), dpi=90)
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
    found = offset(magnified(ax, (x, y), zoom=8, bbox_inches=box))
    # matplotlib puts a bitmap, and the markers in it, on whole pixels: up to half of one each, both ways.
    assert np.hypot(*found) < (1.42 if make is rasterized else exact(8)), found


def test_the_saved_box_of_the_settings_is_kept() -> None:
    ax, x, y = linear()
    mark(ax, x, y)
    whole = magnified(ax, (x, y), zoom=8)
    with matplotlib.rc_context({"savefig.bbox": "tight"}):
        cut = magnified(ax, (x, y), zoom=8)
    assert cut.height < whole.height and np.hypot(*offset(cut)) < exact(8)


def test_the_page_has_the_figures_pixels_and_its_resolution() -> None:
    ax, x, y = linear()
    for dpi, size in ((None, (640, 480)), (200, (1280, 960))):
        options: Any = {"dpi": dpi}
        picture = magnified(ax, (x, y), **options)
        assert picture.scene["layers"][0]["rect"][2:] == list(size)
        assert round(picture.image.info["dpi"][0]) == (dpi or 100)
        assert loupe.render(ax.figure.figure, **options).image.size == size


@pytest.mark.parametrize("figure_format", ["svg", "png"])
def test_lines_have_the_same_width_on_paper_at_each_resolution(figure_format: Any) -> None:
    ax, x, y = linear()
    options: Any = {"connector": "lines", "figure_format": figure_format}
    found = [magnified(ax, (x, y), dpi=dpi, **options).scene["loupes"][0]["callout"] for dpi in (50, 100, 300)]
    for part in ("ring", "connector"):
        assert np.ptp([one[part]["width"] / dpi for one, dpi in zip(found, (50, 100, 300))]) < 1e-6
    assert magnified(ax, (x, y), dpi=300, ring_width=5).scene["loupes"][0]["callout"]["ring"]["width"] == 5


def test_an_artist_or_an_id_is_shown_whole() -> None:
    figure, ax = pyplot.subplots(layout="constrained")
    ax.plot([0, 1], [0, 1], label="rising")
    legend = ax.legend(loc="upper left")
    legend.set_gid("the legend")
    for ax_or_figure, given in ((ax, legend), (figure, legend), (ax, "the legend"), (figure, "the legend")):
        scene = loupe.matplotlib.callout(ax_or_figure, given).scene
        # The layout is made where the figure is drawn, and taken back.
        figure.canvas.draw()
        found, page, box = scene["loupes"][0], scene["layers"][0]["rect"], legend.get_window_extent()
        x, y = found["focus"][0] - page[0], page[1] + page[3] - found["focus"][1]
        width, height = (side / found["zoom"] for side in found["shape"]["size"])
        assert abs(x - (box.x0 + box.x1) / 2) < 6
        assert abs(y - (box.y0 + box.y1) / 2) < 6
        assert 0 <= width - box.width < 30
        assert 0 <= height - box.height < 30
    for wrong, words in ((ax.text(0.5, 0.5, ""), "draws nothing"), ("the legen", "'the legend'"), (Text(), "not on this figure")):
        with pytest.raises(loupe.LoupeError, match=words):
            loupe.matplotlib.callout(figure, wrong)
    with pytest.raises(loupe.UsageError, match="only an SVG has ids"):
        loupe.matplotlib.callout(figure, "the legend", figure_format="png")


def test_several_points_and_given_centres() -> None:
    ax, x, y = linear()
    mark(ax, x, y)
    mark(ax, 2.0, -0.5)
    centers: Any = [(80, 80), "60%,85%"]
    picture = magnified(ax, [(x, y), (2.0, -0.5)], zoom=6, radius=60, center=centers)
    assert [one["center"] for one in picture.scene["loupes"]] == [[80, 80], [384, 408]]
    assert all(np.hypot(*offset(picture, index)) < exact(6) for index in (0, 1))
    one = magnified(ax, (x, y), center=(80, 80), radius=40)
    assert one.scene["loupes"][0]["center"] == [80, 80]


def test_beside_makes_the_canvas_wider_and_free_areas_do_not() -> None:
    ax, x, y = linear()
    beside, free = (magnified(ax, (x, y), beside=one) for one in (True, False))
    assert beside.width * beside.height > 640 * 480 and (free.width, free.height) == (640, 480)
    # More of the figure's own paper.
    assert beside.scene["canvas"]["background"] == "#ffffff"


def test_what_text_shrinks_to_beside_a_figure_is_said() -> None:
    ax, x, y = linear()
    with pytest.warns(loupe.LoupeWarning, match=r"1\.\d+ times as wide.*text of 10 pt has [5-9]\.\d pt"):
        magnified(ax, (x, y), beside=True, dpi=50)


def test_a_lens_has_a_sentence_for_those_who_cannot_see_it() -> None:
    ax, x, y = linear()
    picture = loupe.matplotlib.callout(ax, (x, y), zoom=6, redraw=True)
    assert picture.alt == "A figure with a lens: 6 times as large, right."
    own = loupe.matplotlib.callout(ax, (x, y), redraw=True, alt="A line")
    assert own.alt == "A line"


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

    assert between(magnified(ax, (x, y), zoom=16)) <= 6
    assert between(magnified(ax, (x, y), zoom=16, figure_format="png")) >= 12


def test_the_figure_is_as_it_was() -> None:
    ax, x, y = linear()
    before = [*ax.figure.artists, *ax.get_children()]
    magnified(ax, (x, y))
    assert [*ax.figure.artists, *ax.get_children()] == before


@pytest.mark.parametrize(
    ("xy", "words"), [((99, 0), "not on the figure"), ((1, 2, 3), "no point"), ([], "no point"), (((1, 2), (1, 2, 3)), "no point")]
)
def test_what_is_no_point_on_the_figure_is_refused(xy: Any, words: str) -> None:
    ax, _, _ = linear()
    with pytest.raises(loupe.UsageError, match=words):
        magnified(ax, xy)


# Lenses that draw again. The control is an inset of matplotlib with the same limits at the same place.


def lens_and_inset(ax: Axes, box: tuple[float, float, float, float], limits: Any) -> tuple[Any, Any]:
    """The pixels of a rectangular lens, and of an inset, in the same place: x, y, width and height in pixels, y down."""
    figure: Any = ax.figure
    x, y, width, height = box
    (x0, x1), (y0, y1) = limits

    def pixels() -> Any:
        figure.canvas.draw()
        shown = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
        return shown[y + 3 : y + height - 3, x + 3 : x + width - 3]

    (lens,) = loupe.matplotlib.add_callout(
        ax, region=((x0, y0), (x1, y1)), shape=f"{width}x{height}:0", center=(x + width / 2, y + height / 2), connector="none"
    )  # fmt: skip
    drawn = pixels()
    lens.remove()
    whole = figure.bbox
    inset = figure.add_axes((x / whole.width, 1 - (y + height) / whole.height, width / whole.width, height / whole.height))
    inset.set(xscale=ax.get_xscale(), yscale=ax.get_yscale())
    for line in ax.lines:
        (copy,) = inset.plot(line.get_xdata(), line.get_ydata())
        copy.update_from(line)
        copy.set_transform(inset.transData)
    inset.set(xlim=(x0, x1), ylim=(y0, y1))
    inset.xaxis.set_visible(False)
    inset.yaxis.set_visible(False)
    inset.spines[:].set_visible(False)
    control = pixels()
    inset.remove()
    return drawn, control


CASES: dict[str, Any] = {
    "linear": ("linear", "linear", ((4.0, 5.5), (-1.1, -0.6))),
    "inverted": ("linear", "linear", ((5.5, 4.0), (-0.6, -1.1))),
    "logarithmic": ("log", "linear", ((4.0, 5.5), (-1.1, -0.6))),
    "symlog": ("linear", "symlog", ((2.5, 4.0), (-0.6, 0.6))),
}


@pytest.mark.parametrize("name", CASES)
def test_a_lens_shows_what_an_inset_shows(name: str) -> None:
    """The same widths and the same places: less than a hundredth of the pixels differ, none by as much as a line."""
    xscale, yscale, limits = CASES[name]
    _, ax = pyplot.subplots()
    x = np.linspace(0.1, 10, 200)
    ax.plot(x, np.sin(x), "o-", markersize=4, linewidth=1.3)
    ax.set(xscale=xscale, yscale=yscale)
    if name == "inverted":
        ax.invert_xaxis()
        ax.invert_yaxis()
    drawn, control = lens_and_inset(ax, (300, 60, 220, 160), limits)
    unlike = np.abs(drawn - control).max(axis=2)
    assert (control < 128).any() and (unlike > 8).mean() < 0.001, (unlike.max(), (unlike > 8).mean())


def thickness(shown: Any) -> float:
    """How thick a nearly horizontal black line is, in pixels, from how dark its columns are."""
    return float(((255 - shown[..., 0]) / 255).sum(axis=0).mean())


def test_lines_are_as_thick_in_the_lens_as_outside() -> None:
    figure, ax = pyplot.subplots()
    ax.plot([0, 10], [0.5, 0.5], "k", linewidth=2.2)
    ax.set(xlim=(0, 10), ylim=(0, 1))
    figure.canvas.draw()
    (left, up) = ax.transData.transform((2, 0.5)).round().astype(int)
    loupe.matplotlib.add_callout(ax, (5, 0.5), zoom=8, radius=60, center=(400, 120), ring_width=0.1)
    picture: Any = figure.canvas
    picture.draw()
    shown = np.asarray(picture.buffer_rgba())[..., :3].astype(int)
    outside, inside = shown[480 - up - 12 : 480 - up + 12, left - 20 : left + 20], shown[108:132, 380:420]
    assert abs(thickness(outside) - 2.2 * 100 / 72) < 0.05 and abs(thickness(inside) - thickness(outside)) < 0.25


@pytest.mark.parametrize("make", [linear, logarithmic, dates, inverted, equal, constrained, tight_layout, subfigure])
def test_points_are_where_the_transform_says(make: Any, tmp_path: pathlib.Path) -> None:
    """A point beside the lens's centre is the zoom times as far from it, within a tenth of a pixel, also in an SVG."""
    ax, x, y = make()
    figure: Any = ax.figure.figure
    figure.set_dpi(100)
    ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())
    figure.canvas.draw()
    (lens,) = loupe.matplotlib.add_callout(ax, (x, y), zoom=6, radius=80, beside=False)
    # A layout may need several drawings to settle.
    for _ in range(3):
        figure.canvas.draw()
    display = ax.transData.transform((float(ax.convert_xunits(x)), float(ax.convert_yunits(y))))
    # A small square, as Agg draws markers half a pixel aside.
    corners = [display + (7 + x, -5 + y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    ax.fill(*ax.transData.inverted().transform(corners).T, color="#ff00ff", linewidth=0, zorder=99, snap=False)
    figure.canvas.draw()
    drawn = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    figure.savefig(tmp_path / "figure.svg")
    height, width = drawn.shape[:2]
    vectors = loupe.render((tmp_path / "figure.svg").read_bytes(), canvas=(width, height)).array[..., :3]
    box = lens.box()
    expected = (box.x0 + box.x1) / 2 + 6 * 7, height - (box.y0 + box.y1) / 2 + 6 * 5
    # A layout has other texts to fit at the 72 dots an inch of an SVG.
    for shown in [drawn] if figure.get_layout_engine() else [drawn, vectors]:
        rows, columns = np.mgrid[:height, :width] + 0.5
        weight = np.clip(1 - np.abs(shown.astype(int) - MARKER).sum(axis=2) / 255, 0, None)
        weight *= np.hypot(columns - expected[0], rows - expected[1]) < 8
        assert weight.sum() > 10
        found = (columns * weight).sum() / weight.sum(), (rows * weight).sum() / weight.sum()
        assert np.hypot(found[0] - expected[0], found[1] - expected[1]) < 0.1


def test_lenses_are_the_default_for_lines_and_loupes_for_images() -> None:
    ax, x, y = linear()
    assert not loupe.matplotlib.callout(ax, (x, y)).scene["loupes"]
    assert len(loupe.matplotlib.callout(ax, (x, y), grid=True).scene["loupes"]) == 1
    ax.imshow(np.eye(4), extent=(0, 10, -1, 1))
    assert len(loupe.matplotlib.callout(ax, (x, y)).scene["loupes"]) == 1
    assert not loupe.matplotlib.callout(ax, region=((6, 0), (8, 1)), redraw=True).scene["loupes"]
    found = loupe.matplotlib.callout(ax, region=((6.8, -0.1), (7.2, 0.1)), radius=50).scene["loupes"][0]
    assert found["radius"] == 50 and found["zoom"] > 1
    ax, x, y = polar()
    assert len(loupe.matplotlib.callout(ax, (x, y)).scene["loupes"]) == 1
    with pytest.raises(loupe.UsageError, match="polar"):
        loupe.matplotlib.callout(ax, (x, y), redraw=True)


@pytest.mark.parametrize("redraw", [None, True])
def test_a_keyword_of_loupes_that_is_false_leaves_the_lens(redraw: bool | None) -> None:
    ax, x, y = linear()
    assert not loupe.matplotlib.callout(ax, (x, y), redraw=redraw, letters=False, grid=False).scene["loupes"]


class Places(Artist):
    """Notes where the axes of its figure lie in each drawing, in inches."""

    def __init__(self) -> None:
        super().__init__()
        self.set_in_layout(False)
        self.set_zorder(99)
        self.found: list[Any] = []

    def draw(self, renderer: Any) -> None:
        figure: Any = self.get_figure()
        self.found.append([ax.bbox.get_points() / figure.dpi for ax in figure.axes])


@pytest.mark.parametrize("redraw", [True, False])
@pytest.mark.parametrize("layout", ["constrained", "tight"])
def test_a_layout_is_that_of_savefig(layout: Any, redraw: bool) -> None:
    figure = pyplot.figure(figsize=(6, 3), layout=layout)
    left, right = figure.subfigures(1, 2)  # type: ignore[misc]
    ax = left.subplots()
    ax.plot([0, 1], [10000, 30000])
    for one in right.subplots(2, 2).flat:
        one.plot([0, 1], [0, 2e5])
    places = Places()
    figure.add_artist(places)
    if redraw:
        # The axes have made room.
        loupe.matplotlib.add_callout(ax, (0.5, 20000))
        picture = functools.partial(loupe.render, figure)
    else:
        picture = functools.partial(magnified, ax, (0.5, 20000))
    picture()
    shown = places.found[-1]
    figure.savefig(io.BytesIO(), format="png")
    assert np.abs(np.array(places.found[-1]) - shown).max() * figure.dpi < 1e-6


@pytest.mark.parametrize("make", KINDS[:2] + KINDS[4:8])
@pytest.mark.parametrize("beside", [True, False])
def test_a_lens_leaves_the_figure_as_it_was_and_covers_no_axes_beside(make: Any, beside: bool) -> None:
    ax, x, y = make()
    figure = ax.figure.figure
    figure.draw_without_rendering()
    figure.draw_without_rendering()
    before = [one.get_position().bounds for one in figure.axes], list(figure.artists), ax.get_xlim(), ax.get_ylim()
    picture = loupe.matplotlib.callout(ax, (x, y), redraw=True, beside=beside)
    figure.draw_without_rendering()
    after = [one.get_position().bounds for one in figure.axes], list(figure.artists), ax.get_xlim(), ax.get_ylim()
    assert np.allclose(before[0], after[0], atol=1e-6) and before[1:] == after[1:]
    (lens,) = loupe.matplotlib.add_callout(ax, (x, y), beside=beside)
    figure.draw_without_rendering()
    assert not beside or not any(lens.box().overlaps(one.get_tightbbox()) for one in figure.axes)
    assert figure.bbox.x0 <= lens.box().x0 and lens.box().x1 <= figure.bbox.x1 and 0 <= lens.box().y0
    # What savefig has of the lens in the figure.
    assert (picture.width, picture.height) == tuple(round(side * figure.dpi) for side in figure.get_size_inches())


def test_a_lens_draws_twins_texts_and_ticks_and_names_what_it_leaves_out() -> None:
    figure, ax = pyplot.subplots()
    ax.plot([0, 10], [0, 10])
    twin = ax.twinx()
    twin.axhline(0.5, color="#00ff00")
    ax.text(5, 5, "here", color="#ff00ff", ha="center", va="center")
    ax.text(5, 0.52, "half in data", transform=ax.get_xaxis_transform(), ha="center")
    # Elsewhere it is nothing that the lens could show.
    ax.add_artist(AnchoredText("far away", "upper left"))
    ax.inset_axes((0.48, 0.48, 0.1, 0.1)).set_zorder(-1)
    ax.axline((0, 0), slope=2)
    with pytest.warns(loupe.LoupeWarning, match="again: Text, inset axes$"):
        (lens,) = loupe.matplotlib.add_callout(ax, region=((4.5, 4.5), (5.5, 5.5)), shape=(120, 120), ticks=True)
    canvas: Any = figure.canvas
    canvas.draw()
    box = lens.box()
    shown = np.asarray(canvas.buffer_rgba())[480 - int(box.y1) : 480 - int(box.y0), int(box.x0) : int(box.x1), :3].astype(int)
    assert (np.abs(shown - (0, 255, 0)).sum(axis=2) < 30).any() and (np.abs(shown - MARKER).sum(axis=2) < 60).any()
    around = lens.around()
    assert around.x0 < -0.65 and around.y0 < -0.65


def test_dates_of_a_narrow_lens_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    figure, ax = pyplot.subplots()
    days = np.datetime64("2024-01-01") + np.arange(40)
    ax.plot(days, np.arange(40))
    loupe.matplotlib.add_callout(ax, region=((days[9], 9), (days[17], 17)), shape=(120, 120), ticks=True)
    edge = ax.bbox.x1
    shown: list[Bbox] = []
    draw = Text.draw

    def noted(text: Text, renderer: Any) -> None:
        if text.get_visible() and text.get_text().startswith("2024-01-") and text.get_window_extent().x0 > edge:
            shown.append(text.get_window_extent())
        draw(text, renderer)

    monkeypatch.setattr(Text, "draw", noted)
    figure.draw_without_rendering()
    shown.sort(key=lambda box: box.x0)
    assert len(shown) > 1 and not any(one.overlaps(other) for one, other in zip(shown, shown[1:]))


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_a_tight_box_holds_the_lens(layout: Any) -> None:
    figure, ax = pyplot.subplots(figsize=(6, 4), layout=layout)
    ax.plot(np.sin(np.arange(300) / 5), color="black")
    (lens,) = loupe.matplotlib.add_callout(ax, (100, 0), zoom=5, accent="#ff0000", connector="none")
    widths = []
    for box in (None, "tight"):
        written = io.BytesIO()
        figure.savefig(written, bbox_inches=box)
        shown = pyplot.imread(io.BytesIO(written.getvalue()))
        columns = np.flatnonzero((shown[..., :3] == (1, 0, 0)).all(axis=-1).any(axis=0))
        widths.append(columns[-1] - columns[0])
    assert lens.box().width < widths[0] and abs(widths[0] - widths[1]) <= 1


@has_vectors
def test_a_loupe_on_an_image_takes_no_more_memory_the_larger_it_shows() -> None:
    """The pixels of all of the axes at that zoom would be 9 GB."""
    words = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import numpy as np, loupe_render as loupe
from matplotlib import pyplot
ax = pyplot.subplots()[1]
ax.imshow(np.random.default_rng(0).random((100, 100)))
loupe.matplotlib.callout(ax, (50, 50), zoom=16)
"""
    subprocess.run([sys.executable, "-c", words], check=True, env={**os.environ, "MPLBACKEND": "Agg", "OPENBLAS_NUM_THREADS": "1"})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"xy": (1, 0), "region": ((0, 0), (1, 1))}, "give a point, or region"),
        ({}, "give a point, or region"),
        ({"region": (1, 2)}, "region: "),
        ({"region": "all"}, "region: "),
        ({"xy": ("a", 2)}, "no point in the units"),
        ({"xy": 5}, "xy: 5 is no point"),
        ({"xy": (1, 0), "zoom": "big"}, "zoom: 'big'"),
        ({"xy": (1, 0), "radius": 9, "shape": (9, 9)}, "excludes radius"),
        ({"xy": (1, 0), "ticks": True}, "only a rectangle"),
        ({"xy": (1, 0), "center": (1, 2, 3)}, "center"),
        ({"xy": (1, 0), "radius": 900, "beside": False}, "larger"),
        ({"xy": (1, 0), "connector": "cone"}, "auto, lines, leader or none"),
        ({"xy": (1, 0), "center": 5}, "center: 5"),
        ({"xy": (1, 0), "shape": (5,)}, "shape"),
        ({"xy": (1, 0), "shape": "foo"}, "shape"),
        ({"xy": (1, 0), "shape": (-9, 9)}, "shape"),
        ({"xy": (1, 0), "accent": "nocolor"}, "accent: 'nocolor' is no colour"),
        ({"xy": (1, 0), "ring_color": 5}, "ring_color: 5 is no colour"),
        ({"xy": (9e9, 0)}, "no place"),
        ({"xy": (11, 0)}, "not on the axes"),
        ({"region": ((1, 0), (1, 0))}, "no width or no height"),
    ],
)
def test_what_is_wrong_about_a_lens_is_told(options: Any, words: str) -> None:
    ax, _, _ = linear()
    with pytest.raises(loupe.UsageError, match=words):
        loupe.matplotlib.add_callout(ax, **options)
    with pytest.raises(loupe.UsageError, match="no keyword foo"):
        loupe.matplotlib.add_callout(ax, (1, 0), foo=1)  # type: ignore[arg-type]
    with pytest.raises(loupe.UsageError, match=words):
        loupe.matplotlib.callout(ax, redraw=True, **options)


@pytest.mark.parametrize("draw", [lambda ax: ax.contourf(np.arange(20).reshape(4, 5)), lambda ax: ax.pcolormesh(np.arange(20).reshape(4, 5))])
def test_a_lens_on_a_mesh_is_the_same_in_an_svg(draw: Any, tmp_path: pathlib.Path) -> None:
    """What becomes pixels there lies where it lies in a PNG."""
    figure, ax = pyplot.subplots()
    draw(ax)
    ax.set_axis_off()
    loupe.matplotlib.add_callout(ax, (2, 1.5), zoom=5)
    written = io.BytesIO()
    figure.savefig(written, dpi=100)
    # Edges and lines differ a little.
    assert loupe.diff(written.getvalue(), loupe.render(figure), tolerance=60, max_ratio=0.01).same


@pytest.mark.parametrize("is_many", [False, True])
def test_in_a_tight_box_a_lens_shows_what_it_shows_elsewhere(is_many: bool) -> None:
    """Also of what is drawn as pixels, for which matplotlib puts the axes back into their places."""
    shares = []
    for bbox in (None, "tight"):
        figure, ax = pyplot.subplots()
        x = np.linspace(0, 4, 2500 if is_many else 40)
        ax.plot(x, np.sin(x), ".", ms=3)
        shown = loupe.matplotlib.callout(ax, (1.57, 1), bbox_inches=bbox).array.astype(int)
        right = shown[:, -200:]
        shares.append((right[..., 2] - right[..., 0] > 60).sum())
    assert shares[0] > 40 and abs(shares[1] / shares[0] - 1) < 0.15


def test_wrong_figures_and_boxes_are_named() -> None:
    figure, ax = pyplot.subplots()
    with pytest.raises(loupe.UsageError, match="bbox_inches: 'wide'"):
        loupe.matplotlib.callout(ax, (0.5, 0.5), bbox_inches="wide")
    part: Any = pyplot.figure().subfigures()
    with pytest.raises(loupe.UsageError, match="of type SubFigure"):
        loupe.render(part)
    with matplotlib.rc_context({"svg.image_inline": False}):
        ax.imshow([[0, 1]])
        assert loupe.render(figure).width == 640


def test_a_figure_whose_axes_were_removed_is_still_saved() -> None:
    figure, (ax, _) = pyplot.subplots(1, 2)
    loupe.matplotlib.add_callout(ax, (0.5, 0.5))
    ax.remove()
    figure.savefig(io.BytesIO(), bbox_inches="tight")


# What is drawn as pixels.


MESHES: dict[str, Any] = {
    "pcolormesh": lambda ax: ax.pcolormesh(np.random.default_rng(3).random((40, 60))),
    "contourf": lambda ax: ax.contourf(np.random.default_rng(3).random((9, 9))),
    "hist2d": lambda ax: ax.hist2d(*np.random.default_rng(1).normal(size=(2, 999)), bins=30),
    "tripcolor": lambda ax: ax.tripcolor(*np.random.default_rng(1).random((3, 200))),
}


@pytest.mark.parametrize("name", MESHES)
def test_meshes_have_no_seams_and_are_what_savefig_draws(name: str) -> None:
    """At zoom 1 they are savefig's, pixel for pixel, also around a loupe and in a larger picture."""
    figure, ax = pyplot.subplots()
    MESHES[name](ax)
    ax.set_axis_off()

    def saved(scale: int) -> bytes:
        written = io.BytesIO()
        figure.savefig(written, dpi=100 * scale)
        return written.getvalue()

    for scale in (1,) if loupe._anywhere.is_used() else (1, 2):
        (left, low), (right, high) = scale * ax.bbox.get_points()
        rows, columns = slice(480 * scale - int(high) + 2, 480 * scale - int(low) - 2), slice(int(left) + 2, int(right) - 2)
        expected = loupe.render(saved(scale), margin=0).array.astype(int)
        found = loupe.render(figure, margin=0, scale=scale).array.astype(int)
        assert np.abs(found - expected)[rows, columns].max() <= 1
    if loupe._anywhere.is_used():
        # Without vectors the whole page has the loupe's pixels, and is drawn smaller.
        below = loupe.render(figure, zoom=6, at=(2, 2), radius=1, plain=True)
        assert loupe.diff(saved(1), below, metric="flip").json["flip"]["mean"] < 0.09
    else:
        below = loupe.render(figure, zoom=6, at=(320, 240), radius=60, plain=True)
        y, x = np.mgrid[:480, :640]
        around = np.hypot(x + 0.5 - 320, y + 0.5 - 240) > 62
        assert np.abs(below.array.astype(int) - loupe.render(saved(1), margin=0).array)[around].max() <= 1


@has_vectors
@pytest.mark.parametrize("at", [None, (20, 20)])
def test_meshes_have_pixels_enough_for_paper_in_vectors(at: Any, tmp_path: pathlib.Path) -> None:
    figure, ax = pyplot.subplots()
    ax.pcolormesh(np.arange(6).reshape(2, 3))
    picture = loupe.render(figure, **({"at": at, "radius": 10} if at else {}))
    picture.save(tmp_path / "figure.svg")
    widths = re.findall(r'<image [^>]*\bwidth="(\d+)"', (tmp_path / "figure.svg").read_text())
    assert abs(max(map(int, widths)) - 3 * ax.bbox.width) < 4


@has_vectors
@pytest.mark.parametrize(("size", "dpi"), [((8.5 / 2.54, 6 / 2.54), 300), ((6.4, 4.8), 72)])
@pytest.mark.parametrize("bbox", [None, "tight"])
def test_a_figure_has_the_pixels_of_savefig_at_every_size(size: Any, dpi: int, bbox: Any) -> None:
    """Also where its width and height are no whole pixels."""
    figure, ax = pyplot.subplots(figsize=size)
    ax.pcolormesh(np.random.default_rng(3).random((13, 17)))
    ax.set_axis_off()
    written = io.BytesIO()
    figure.savefig(written, dpi=dpi, bbox_inches=bbox)
    expected = loupe.render(written.getvalue(), margin=0).array.astype(int)
    picture = magnified(ax, (8, 6), dpi=dpi, bbox_inches=bbox, zoom=3, radius=30, center=(60, 60), connector="none")
    assert picture.array.shape == expected.shape
    y, x = np.mgrid[: picture.height, : picture.width]
    focus_x, focus_y = picture.scene["loupes"][0]["focus"]
    # Beside the loupe, its shadow, the ring and what that shows.
    around = (np.hypot(x - 59.5, y - 59.5) > 50) & (np.maximum(abs(x - focus_x), abs(y - focus_y)) > 22)
    assert np.abs(picture.array.astype(int) - expected)[around].max() <= 1


def images_with_a_loupe(figure: Any) -> list[Any]:
    """The images of a figure's SVG with a loupe near its middle: the rest, and what the loupe shows."""
    page = _pages.figure_page(figure, "svg", 100.0)
    found = _pages.figure_page(figure, "svg", 100.0, regions=[_pixels.Region(0.4, 0.4, 0.5, 0.5, 3)], box=page.box)
    return [np.array(Image.open(io.BytesIO(base64.b64decode(one)))) for one in re.findall(rb'base64,([^"]+)', found.data)]


@has_vectors
def test_what_a_loupe_shows_of_a_translucent_mesh_is_opaque() -> None:
    """It covers the edge of the hole in the rest, as viewers show a seam between two translucent images."""
    figure, ax = pyplot.subplots()
    ax.plot([0, 9], [0, 9], zorder=0)
    ax.pcolormesh(np.ones((9, 9)), alpha=0.5)
    rest, part = images_with_a_loupe(figure)
    assert set(np.unique(rest[..., 3])) == {0, 128} and set(np.unique(part[..., 3])) == {255}
    # The line below the mesh is part of it.
    assert len(np.unique(part.reshape(-1, 4), axis=0)) > 2


@has_vectors
def test_what_a_loupe_shows_of_a_translucent_image_has_the_colour_of_its_axes() -> None:
    figure, ax = pyplot.subplots()
    ax.set_facecolor("#008000")
    ax.imshow(np.ones((9, 9)), alpha=0.5, cmap="gray", vmin=0)
    _, part = images_with_a_loupe(figure)
    # matplotlib rounds twice.
    assert np.abs(part.astype(int) - (128, 192, 128, 255)).max() <= 2


@has_vectors
def test_a_loupe_over_a_lens_shows_what_the_lens_shows() -> None:
    figure, ax = pyplot.subplots()
    ax.imshow(np.ones((9, 9)), cmap="gray", vmin=0, vmax=2)
    (lens,) = loupe.matplotlib.add_callout(ax, (4, 4))
    x, y = lens.center
    # Where the mesh is grey and the paper white.
    assert 100 < loupe.render(figure, at=(640 * x, 480 * (1 - y)), radius=30).array[round(480 * (1 - y)), round(640 * x), 0] < 150


def image(ax: Axes) -> None:
    ax.imshow(np.random.default_rng(1).random((9, 12)), extent=(0, 1, 0, 1), aspect="auto")


def mesh(ax: Axes) -> None:
    ax.pcolormesh(np.linspace(0, 1, 13), np.linspace(0, 1, 10), np.random.default_rng(1).random((9, 12)))


@pytest.mark.parametrize("draw", [image, mesh])
@pytest.mark.parametrize("bbox", [None, "tight"])
def test_pixels_have_the_loupes_resolution_below_it_and_lie_where_they_lay(draw: Any, bbox: Any) -> None:
    """In the loupe, an edge between two cells is as sharp as in a figure of that size; around it the figure is savefig's."""
    figure, ax = pyplot.subplots(figsize=(4, 3))
    draw(ax)
    ax.set_aspect(0.5)
    ax.set_axis_off()
    written = io.BytesIO()
    figure.savefig(written, dpi=100, bbox_inches=bbox)
    picture = magnified(ax, (2 / 12, 0.5), zoom=24, radius=40, center=(250, 110), bbox_inches=bbox)
    (x, y) = (round(one) for one in picture.scene["loupes"][0]["center"])
    row = picture.array[y + 9, x - 30 : x + 30, :3].astype(int)
    (changes,) = np.nonzero(np.abs(np.diff(row, axis=0)).max(axis=1) > 8)
    # Without vectors, the loupe shows 11 pixels for each of the page's, not 24.
    assert 1 <= len(changes) <= 3 and abs(changes.mean() - 29.5) < (24 / 11 if loupe._anywhere.is_used() else 1.6)
    # Left of the loupe there are its ring and edges of cells, which savefig moves to whole pixels.
    unlike = loupe.render(written.getvalue()).array[:, :200].astype(int) - picture.array[:, :200]
    assert (np.abs(unlike[..., :3]).max(axis=2) > 40).mean() < 0.15
    assert len(picture._request.data or b"") < 200_000


def test_a_point_on_3d_axes_is_where_its_marker_is() -> None:
    _, ax = pyplot.subplots(subplot_kw={"projection": "3d"})
    ax.plot([0, 1], [0, 1], [0, 1])
    ax.plot([0.3], [0.8], [0.6], "o", markersize=4, color="#ff00ff", markeredgewidth=0)
    x, y = offset(magnified(ax, (0.3, 0.8, 0.6), zoom=8))
    assert np.hypot(x, y) < exact(8, vectors=0.1)


def test_an_arrow_ends_at_the_lens() -> None:
    figure, ax = pyplot.subplots()
    ax.plot([0, 1], [0, 0])
    ax.annotate("", (0.5, 0), (0.7, 0.03), arrowprops={"arrowstyle": "->", "color": "#ff00ff"})
    (lens,) = loupe.matplotlib.add_callout(ax, (0.5, 0), zoom=8, radius=60)
    canvas: Any = figure.canvas
    canvas.draw()
    shown = np.abs(np.asarray(canvas.buffer_rgba())[..., :3].astype(int) - MARKER).sum(axis=2) < 60
    box = lens.box().padded(1)
    rows, columns = slice(480 - int(box.y1), 480 - int(box.y0)), slice(int(box.x0), int(box.x1) + 1)
    assert shown[rows, columns].any()
    assert not shown[:, int(box.x1) + 1 :].any()


@pytest.mark.parametrize("color", ["one", "by value"])
@pytest.mark.parametrize(("page", "figure", "most"), [("pdf", "pdf", 1.5), ("svg", "pdf", 1), ("svg", "svg", 1), ("pdf", "svg", 3.2)])
def test_a_page_of_many_points_stays_small(tmp_path: pathlib.Path, page: str, figure: str, most: float, color: str) -> None:
    """Each marker is stored once, also where the command magnifies the page. An SVG is text, where a PDF is packed."""
    drawn, ax = pyplot.subplots()
    x, y = np.random.default_rng(1).normal(size=(2, 20_000))
    ax.scatter(x, y, s=4, c=None if color == "one" else x)
    drawn.savefig(tmp_path / f"page.{page}")
    words = ["render", f"page.{page}", "--at", "40%,40%", "--zoom", "4", "-o", f"figure.{figure}"]
    subprocess.run([loupe._command.command(), *words], cwd=tmp_path, check=True)
    sizes = [(tmp_path / name).stat().st_size for name in (f"page.{page}", f"figure.{figure}")]
    assert sizes[1] <= most * sizes[0]


@has_vectors
def test_thousands_of_points_are_pixels_and_one_line_says_so() -> None:
    figure, ax = pyplot.subplots()
    x, y = np.random.default_rng(1).normal(size=(2, 20000))
    points = ax.scatter(x, y, s=4)
    ax.plot(*np.random.default_rng(2).normal(size=(2, 3000)), ".")
    with pytest.warns(loupe.LoupeWarning, match="drawn as pixels") as said:
        picture = loupe.matplotlib.callout(ax, (0, 0), zoom=8, redraw=False)
    # The first loupe of a process beside a figure is another warning.
    pixels = [one for one in said if "drawn as pixels" in str(one.message)]
    assert len(pixels) == 2 and "PathCollection of 20000" in str(pixels[0].message) and pixels[0].filename == __file__
    assert picture.scene["loupes"] and not points.get_rasterized()


@has_vectors
def test_without_librsvg_a_figure_is_pixels_and_python_says_so_once(tmp_path: pathlib.Path) -> None:
    (tmp_path / "librsvg-2.so.2").write_bytes(b"")
    program = """
import loupe_render as loupe
from matplotlib import pyplot
figure, ax = pyplot.subplots()
ax.plot([1, 2, 4])
for _ in range(3):
    picture = loupe.matplotlib.callout(ax, (1, 2), redraw=False)
assert picture.scene["loupes"][0]["zoom"] == 3 and picture.scene["layers"][0]["rect"][2] == 640
loupe.render(figure)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr.count("without librsvg") == 1, done.stderr


def test_a_figure_gives_the_same_bytes_each_time() -> None:
    program = """
import hashlib, loupe_render as loupe
from matplotlib import pyplot
figure, ax = pyplot.subplots()
ax.plot([1, 2, 4])
print(hashlib.sha256(loupe.render(figure, at=(200, 200)).png).hexdigest())
"""
    said = {subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout for _ in range(2)}
    assert len(said) == 1


def test_a_category_that_is_not_on_the_axis_is_refused_and_not_added() -> None:
    _, ax = pyplot.subplots()
    names: Any = ["low", "mid", "high"]
    ax.plot(names, [1, 3, 2])
    with pytest.raises(loupe.UsageError, match="xy: 'hihg' is no category of this axis"):
        loupe.matplotlib.callout(ax, ("hihg", 2))
    for redraw in (True, False):
        with pytest.raises(loupe.UsageError, match="region: 'hihg' is no category of this axis"):
            loupe.matplotlib.callout(ax, region=(("mid", 1), ("hihg", 2)), redraw=redraw)
    axis: Any = ax.xaxis
    assert list(axis.get_units()._mapping) == names


def test_colours_are_those_of_matplotlib_and_a_list_of_regions_is_no_region() -> None:
    ax, x, y = linear()
    colors: Any = {"C3": "#d62728", "tab:red": "#d62728", (1, 0, 0): "#ff0000", "0.5": "#808080"}
    for color, expected in colors.items():
        for key in ("accent", "ring_color"):
            assert magnified(ax, (x, y), **{key: color}).scene["loupes"][0]["callout"]["ring"]["color"] == expected
    with pytest.raises(loupe.UsageError, match="region: .* is no region"):
        loupe.matplotlib.callout(ax, region=[((1, 0.8), (2, 1)), ((4, -1), (5, -0.8))])


def test_a_connector_has_the_color_of_its_ring() -> None:
    _, ax = pyplot.subplots()
    ax.bar([1, 2, 3], [1, 3, 2], color="#006adc")
    shown = magnified(ax, (2, 3), ring_color="black", connector="leader").scene["loupes"][0]["callout"]
    assert shown["ring"]["color"] == "#000000" and shown["connector"]["color"] == "#000000"
    # Where nothing would have an accent, the command refuses it.
    refused: list[Any] = [{"connector": "none"}, {"connector_color": "C1"}]
    for options in refused:
        magnified(ax, (2, 3), ring_color="black", **options)
    with pytest.raises(loupe.UsageError, match="accent: there is no ring or connector"):
        magnified(ax, (2, 3), ring_color="black", connector="none", accent="C1")


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_drawing_keeps_settings_that_change_meanwhile(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    figure = Figure()
    monkeypatch.setitem(matplotlib.rcParams, "lines.linewidth", 1)
    monkeypatch.setattr(figure, "draw", lambda _: matplotlib.rcParams.update({"lines.linewidth": 7}))
    salt = matplotlib.rcParams["svg.hashsalt"]
    _pages.figure_page(figure, kind, 100)
    assert matplotlib.rcParams["lines.linewidth"] == 7
    assert matplotlib.rcParams["svg.hashsalt"] == salt


def test_threads_draw_figures_with_their_own_settings() -> None:
    figures = [Figure() for _ in range(24)]
    for one in figures:
        one.subplots().plot([1, 2, 3], "o-")
    before = dict(matplotlib.rcParams)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        pages = set(pool.map(lambda one: _pages.figure_page(one, "svg", 100).data, figures))
    assert dict(matplotlib.rcParams) == before and len(pages) == 1


@pytest.mark.parametrize("redraw", [True, False])
def test_hatches_on_translucent_colours_are_those_of_savefig(redraw: bool) -> None:
    figure, ax = pyplot.subplots(figsize=(4, 3), dpi=100)
    ax.fill_between([0, 1], [1, 1], color="C2", alpha=0.4, hatch="//")
    ax.bar([0.5], [0.8], 0.3, alpha=0.4, hatch="xx", edgecolor="black")
    ax.set_axis_off()
    picture = loupe.matplotlib.callout(ax, (0.2, 0.5), redraw=redraw, radius=30)
    written = io.BytesIO()
    figure.savefig(written, dpi=100)
    usual = np.array(Image.open(written).convert("RGB")).astype(int)
    shown = np.array(Image.open(io.BytesIO(picture.png)).convert("RGB")).astype(int)
    # Right of the ring, if any, and of the lines to the lens.
    part = (slice(150, 250), slice(60, 90))
    top = shown.shape[0] - usual.shape[0]
    assert len(np.unique(usual[part].reshape(-1, 3), axis=0)) > 2
    assert (np.abs(shown[top:][part] - usual[part]).max(axis=2) > 40).mean() < 0.05
