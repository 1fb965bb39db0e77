"""Lenses on figures as people make them: what they show, and where they find room."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.backend_bases import MouseEvent  # noqa: E402
from matplotlib.collections import EllipseCollection, LineCollection  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.offsetbox import AnchoredText, AnnotationBbox, OffsetImage  # noqa: E402
from matplotlib.patches import Circle, ConnectionPatch, Ellipse, FancyArrowPatch, Rectangle, Wedge  # noqa: E402
from matplotlib.text import Text  # noqa: E402
from matplotlib.transforms import offset_copy  # noqa: E402
from mpl_toolkits.axes_grid1 import ImageGrid, host_subplot  # type: ignore[import-untyped]  # noqa: E402
from mpl_toolkits.axisartist import Axes as AxisArtistAxes  # type: ignore[import-untyped]  # noqa: E402

import loupe_render as loupe  # noqa: E402
import loupe_render.matplotlib  # noqa: E402
from loupe_render import _lens, _pixels, _room  # noqa: E402

X = np.linspace(0, 10, 400)
add = loupe.matplotlib.add_callout


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def sine(ax: Any = None, **figure: Any) -> Any:
    ax = ax or pyplot.subplots(**figure)[1]
    ax.plot(X, np.sin(X))
    return ax


def pixels(ax: Any, **options: Any) -> Any:
    """What `savefig` draws, as rows of RGBA."""
    written = io.BytesIO()
    ax.figure.figure.savefig(written, **{"dpi": 100, **options})
    return (pyplot.imread(io.BytesIO(written.getvalue())) * 255).round().astype(int)


def within(shown: Any, box: Any) -> Any:
    """The pixels of a box in display coordinates."""
    return shown[len(shown) - int(box.y1) : len(shown) - int(box.y0), int(box.x0) : int(box.x1)]


def is_like(shown: Any, color: tuple[int, int, int]) -> Any:
    return np.abs(shown[..., :3] - color).sum(axis=-1) < 60


# Room.


@pytest.mark.parametrize("layout", ["tight_layout", "none"])
def test_a_layout_engine_that_did_its_work_is_none(layout: str) -> None:
    ax = sine(layout="constrained" if layout == "none" else None)
    ax.figure.draw_without_rendering()
    if layout == "none":
        ax.figure.set_layout_engine("none")
    else:
        ax.figure.tight_layout()
    (lens,) = add(ax, (4.7, -1))
    assert not lens.box().overlaps(ax.get_tightbbox())


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_lenses_that_are_added_one_by_one_stand_in_line(layout: Any) -> None:
    ax = sine(layout=layout)
    (first,), (second,) = add(ax, (4.7, -1)), add(ax, (1.6, 1))
    assert first.box().x0 == second.box().x0 and not first.box().overlaps(second.box())
    assert ax.get_position().width > 0.45


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_lens_stands_on_the_side_where_no_other_axes_lie_between(layout: Any) -> None:
    left, right = pyplot.subplots(1, 2, figsize=(8, 3), layout=layout)[1]
    (at_left,), (at_right,) = add(sine(left), (4.7, -1)), add(sine(right), (4.7, -1))
    assert at_left.box().x1 < left.bbox.x0 < left.bbox.x1 < right.bbox.x0 < right.bbox.x1 < at_right.box().x0


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("what", ["title", "legend", "note"])
def test_texts_of_the_figure_are_not_in_the_way(layout: Any, what: str) -> None:
    ax = sine(layout=layout)
    ax.lines[0].set_label("sine")
    if what == "title":
        part: Any = ax.figure.suptitle("A rather long title of the figure that spans nearly all of its width", fontsize=13)
    elif what == "legend":
        part = ax.figure.legend(loc="outside right upper" if layout else "upper right")
    else:
        part = ax.figure.text(0.99, 0.01, "source", ha="right")
    (lens,) = add(ax, (4.7, -1))
    ax.figure.draw_without_rendering()
    assert not lens.box().overlaps(part.get_window_extent()) and ax.get_position().width > 0.45


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("radius", [None, 95, 300])
def test_where_there_is_no_room_the_figure_gets_larger(layout: Any, radius: Any) -> None:
    """What was in it stays where it was, pixel for pixel."""
    left, right = pyplot.subplots(1, 2, layout=layout, figsize=(5, 2))[1]
    figure = sine(left).figure
    sine(right).set_ylabel("label")
    figure.suptitle("The title")
    figure.text(0.9, 0.02, "note")
    figure.legend(["sine"], loc="upper right")
    # A layout needs several drawings to settle.
    for _ in range(9):
        before, size = pixels(right), right.bbox.size.copy()
    options: Any = {"radius": radius, "ring_width": 0.01, "accent": "white", "connector": "none"}
    picture = loupe.matplotlib.callout(right, (4.7, -1), redraw=True, figure_format="png", **options)
    assert np.array_equal(pixels(right), before)
    (lens,) = add(right, (4.7, -1), **options)
    assert figure.bbox.contains(*lens.box().min)
    assert figure.bbox.contains(*lens.box().max)
    lens.set_visible(False)
    after = pixels(right)
    up = (len(after) - 200) // 2
    assert after.shape == picture.array.shape
    if layout is None:
        assert np.abs(after[up : up + 200, :500] - before).max() < 2
    else:
        # A layout has other pads in a larger figure.
        assert np.allclose(right.bbox.size, size, atol=3)
    unlike = np.abs(picture.array[up : up + 200, :500].astype(int) - before).max(axis=2) > 2
    assert unlike.mean() < 0.02


def test_a_figure_grows_to_the_left_with_all_that_it_holds() -> None:
    figure = pyplot.figure(figsize=(6, 3))
    first, second = figure.subfigures(1, 2)  # type: ignore[misc]
    left, right = first.subplots(), second.subplots()
    twin = left.twinx()
    twin.plot([3, 1, 2])
    first.suptitle("left")
    sine(left)
    before = pixels(first)
    (lens,) = add(left, (4.7, -1))
    lens.remove()
    after = pixels(first)
    assert lens.box().x1 < left.bbox.x0 < right.bbox.x0
    assert np.abs(after[:, after.shape[1] - 600 :] - before).max() <= 2


def test_several_lenses_without_a_size_share_the_height() -> None:
    ax = sine()
    lenses = add(ax, [(1.6, 1), (4.7, -1), (7.85, 1), (3.1, 0)])
    boxes = [one.box() for one in lenses]
    assert not any(one.overlaps(other) for one in boxes for other in boxes if one is not other)
    assert all(0 <= one.y0 and one.y1 <= 480 for one in boxes)


@pytest.mark.filterwarnings("error")
def test_a_warning_that_is_an_error_leaves_the_figure_as_it_was() -> None:
    left, right = pyplot.subplots(1, 2, figsize=(6, 2.5))[1]
    before = right.get_position().bounds
    with pytest.raises(loupe.LoupeWarning, match="times as wide"):
        add(sine(right), (4.7, -1))
    assert right.get_position().bounds == before
    assert not right.figure.artists
    assert right.figure.get_figwidth() == 6


@pytest.mark.parametrize("size", [(3, 6), (6, 3)])
def test_lenses_of_default_size_fit_in_figures_of_any_shape(size: Any) -> None:
    assert len(add(sine(figsize=size), [(1.6, 1), (4.7, -1), (7.85, 1)])) == 3


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("radius", [10, 15, 20, 25, 60])
def test_axes_that_make_room_lose_less_than_a_tenth_and_no_text_touches_another(layout: Any, radius: int) -> None:
    days = np.datetime64("2024-01-01") + np.arange(366)
    figure, ax = pyplot.subplots(figsize=(6, 4), layout=layout)
    ax.plot(days, np.sin(np.arange(366) / 20))
    figure.draw_without_rendering()
    before, size, width = _room._clashes(figure), np.array(ax.bbox.size), figure.get_figwidth()
    add(ax, (days[200], -0.5), zoom=6, radius=radius)
    figure.draw_without_rendering()
    assert (ax.bbox.size > 0.9 * size - 1).all()
    assert all(now <= then for now, then in zip(_room._clashes(figure), before))
    assert radius > 15 or figure.get_figwidth() == width
    assert radius < 60 or figure.get_figwidth() > width


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_titles_of_the_figure_follow_axes_that_make_room(layout: Any) -> None:
    ax = sine(figsize=(6, 4), layout=layout)
    title = ax.figure.suptitle("A title")
    ax.figure.draw_without_rendering()
    middle = ax.bbox.x0 + ax.bbox.width / 2 - np.mean(title.get_window_extent().intervalx)
    add(ax, (4.7, -1), radius=12)
    ax.figure.draw_without_rendering()
    assert ax.figure.get_figwidth() == 6
    after = ax.bbox.x0 + ax.bbox.width / 2 - np.mean(title.get_window_extent().intervalx)
    assert abs(after - middle) < 8


@pytest.mark.parametrize("make", ["host", "grid", "small"])
def test_no_axes_are_an_error(make: str) -> None:
    if make == "host":
        figure = pyplot.figure(figsize=(5, 3))
        ax: Any = host_subplot(111, figure=figure)
        ax.twinx().plot([0, 3, 2])
    elif make == "grid":
        ax = ImageGrid(pyplot.figure(figsize=(6, 3)), 111, nrows_ncols=(1, 2), axes_pad=0.1)[0]
    else:
        ax = pyplot.subplots(figsize=(1.5, 1.5))[1]
    ax.plot([1, 2, 3])
    picture = loupe.matplotlib.callout(ax, (1, 2))
    (lens,) = add(ax, (1, 2))
    width, height = (round(side) for side in ax.figure.bbox.size)
    assert abs(picture.width - width) <= 1
    assert abs(picture.height - height) <= 1
    assert not lens.box().overlaps(ax.bbox)


def test_a_tight_box_has_the_ticks_of_a_lens() -> None:
    ax = sine()
    (lens,) = add(ax, (4.7, 0.9), ticks=True, shape=(140, 100), center=(500, 440), connector="none")
    found = lens.get_tightbbox()
    assert found.y0 < lens.box().y0 - 15 and found.x0 < lens.box().x0 - 15 and found.contains(*lens._with_ticks().min)


def test_a_lens_on_a_free_area_leaves_other_axes_alone() -> None:
    left, right = pyplot.subplots(1, 2, figsize=(8, 3))[1]
    right.axis((0, 1, 0, 1))
    (lens,) = add(sine(left), (4.7, -1), beside=False)
    assert not lens.box().overlaps(right.bbox)


def connectors(lens: Any) -> list[Any]:
    found: list[Any] = lens._connectors(*(lens._outline(one, lens.box().width) for one in (lens.source(), lens.box())))
    return found


def test_lines_cross_no_texts_and_no_other_axes() -> None:
    ax = sine()
    (high,), (low,) = add(ax, (4.7, 0)), add(ax, (4.7, -1))
    # The lower one of two would cross the texts of the ticks.
    assert len(connectors(high)) == 2 and len(connectors(low)) == 1
    labels = [one.get_window_extent() for one in ax.get_xticklabels()]
    assert not any(line.intersects_bbox(one, filled=False) for line in connectors(low) for one in labels)
    assert len(connectors(add(sine(), (4.7, -1), connector="lines")[0])) == 2
    between = pyplot.subplots(1, 2, figsize=(8, 3))[1]
    (over,) = add(sine(between[0]), (4.7, 0), center=(750, 150), radius=30)
    assert not connectors(over)
    inside = sine()
    inside.inset_axes((0.6, 0.4, 0.35, 0.5))
    assert not connectors(add(inside, (5, 0.2), radius=30)[0])
    # Texts that are not drawn are crossed, and an annotation's arrow is.
    off = sine()
    off.set_axis_off()
    off.annotate("far", (9.8, -1.05), (0.5, 1), arrowprops={"arrowstyle": "->"})
    assert len(connectors(add(off, (4.7, -1))[0])) == 2


def test_lenses_beside_and_free_are_ordered_so_that_their_lines_do_not_cross() -> None:
    for y in (-0.9, 0.9):
        left, right = add(sine(figsize=(6, 4)), [(3, y), (5, y)])
        assert (left.box().y0 > right.box().y0) == (y < 0)
        assert not any(line.intersects_path(right._outline(right.source(), 1)) for line in connectors(left))
        assert len(connectors(left)) == 1
    # Each was put where the other had more room.
    first, second = add(sine(figsize=(6, 4), layout="constrained"), [(7.1, np.sin(7.1)), (1.94, np.sin(1.94))], beside=False)
    lines = [*connectors(first), *connectors(second)]
    assert not any(one.intersects_path(other) for one in lines[:2] for other in lines[2:])


@pytest.mark.parametrize("radius", [20, 70])
@pytest.mark.parametrize("redraw", [True, False])
def test_a_lens_that_covers_a_part_of_the_figure_says_so(radius: int, redraw: bool) -> None:
    """Below the image there is room for the small one."""
    figure, ax = pyplot.subplots(figsize=(5, 3))
    ax.set_title("A title")
    figure.colorbar(ax.imshow(np.random.default_rng(1).random((30, 90)), extent=(0, 1, 0, 0.3)))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        loupe.matplotlib.callout(ax, (0.5, 0.15), zoom=4, beside=False, redraw=redraw, radius=radius)
    assert any("the lens covers a part of the figure" in str(one.message) for one in said) == (radius == 70)


@pytest.mark.parametrize("redraw", [True, False])
def test_a_lens_on_a_thin_line_says_so(redraw: bool) -> None:
    ax = pyplot.subplots(figsize=(4, 3))[1]
    for offset in range(9):
        ax.plot(X, np.sin(X) / 4 + offset / 2, linewidth=0.3)
    with pytest.warns(loupe.LoupeWarning, match="the lens covers a part of the figure"):
        loupe.matplotlib.callout(ax, (5, 2), beside=False, redraw=redraw, radius=40)


@pytest.mark.parametrize("place", ["right upper", "left upper", "lower center"])
def test_a_legend_outside_the_axes_stays_there(place: str) -> None:
    ax = sine(figsize=(6, 4), layout="constrained")
    legend = ax.figure.legend(["a curve"], loc=f"outside {place}")
    engine = ax.figure.get_layout_engine()
    before = pixels(ax)
    loupe.matplotlib.callout(ax, (5, 0))
    assert ax.figure.get_layout_engine() is engine
    assert (pixels(ax) == before).all()
    add(ax, (5, 0))
    ax.figure.draw_without_rendering()
    assert not legend.get_window_extent().padded(-1).overlaps(ax.get_tightbbox())


def test_a_lens_on_a_free_area_covers_data_before_texts() -> None:
    ax = pyplot.subplots(figsize=(6, 4))[1]
    ax.imshow(np.add.outer(np.arange(60), np.arange(90)) % 13, aspect="auto")
    with pytest.warns(loupe.LoupeWarning, match="the lens covers a part of the figure"):
        (lens,) = add(ax, (20, 15), beside=False)
    assert not any(one.overlaps(lens.box()) for one in _lens.axes_texts(ax))


@pytest.mark.parametrize("x", [-0.8, 0.8])
def test_lines_do_not_cross_a_pie(x: float) -> None:
    ax = pyplot.subplots()[1]
    wedges = ax.pie([3, 2, 1, 4])[0]
    (lens,) = add(ax, (x, 0.2))
    ring = lens._outline(lens.source(), lens.box().width)
    paths = [one.get_transform().transform_path(one.get_path()) for one in wedges]
    others = [one for one in paths if not one.intersects_path(ring)]
    assert (lens.box().x0 < ax.bbox.x0) == (x < 0)
    assert len(others) > 1
    assert not any(line.intersects_path(one) for line in connectors(lens) for one in others)


def test_the_ring_of_a_loupe_on_an_image_is_wide_and_unlike_its_colours() -> None:
    ax = pyplot.subplots()[1]
    shown = ax.imshow(np.random.default_rng(1).random((9, 9)), cmap="Reds")
    ring = loupe.matplotlib.callout(ax, (4, 4)).scene["loupes"][0]["callout"]["ring"]
    unlike = np.abs(shown.get_cmap()(np.linspace(0, 1, 99))[:, :3] - to_rgb(ring["color"])).max(axis=1)
    assert ring["width"] == 3
    assert unlike.min() > 0.4


@pytest.mark.parametrize("letters", [None, "a"])
def test_several_loupes_have_a_ring_of_their_own_colour_unless_they_have_letters(letters: Any) -> None:
    ax = pyplot.subplots()[1]
    ax.imshow(np.random.default_rng(1).random((9, 9)), cmap="Reds")
    scene = loupe.matplotlib.callout(ax, [(2, 2), (6, 6)], letters=letters).scene
    rings = [np.array(to_rgb(one["callout"]["ring"]["color"])) for one in scene["loupes"]]
    assert (np.linalg.norm(rings[0] - rings[1]) > 0.5) == (letters is None)


# What it shows.


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize(
    "region", [((4, -1.1), (5, 1.1)), ((0, 0.5), (10, 1.05)), ((2, -1.05), (7, -0.6)), ((0, -1.05), (7, 0.4))]
)
def test_a_region_is_shown_no_smaller_than_on_the_axes(region: Any, beside: bool) -> None:
    (lens,) = add(sine(figsize=(6, 4), layout="constrained"), region=region, beside=beside)
    assert min(lens.zoom()) > 0.98 and max(lens.zoom()) > 1.2


def test_what_would_be_shown_smaller_is_refused_or_named() -> None:
    ax = sine(figsize=(6, 4), layout="constrained")
    ax.figure.draw_without_rendering()
    before = ax.get_position().bounds
    with pytest.raises(loupe.UsageError, match="region: it is shown smaller than on the axes"):
        add(ax, region=((0, -1.1), (10, 1.1)))
    with pytest.raises(loupe.UsageError, match="zoom: 0.5 is out of range"):
        add(ax, (5, 0), zoom=0.5)
    ax.figure.draw_without_rendering()
    assert np.allclose(ax.get_position().bounds, before, atol=1e-3) and not ax.figure.artists
    with pytest.warns(loupe.LoupeWarning, match="region: it is shown smaller than on the axes"):
        add(ax, region=((0, -1), (8, 1)), shape=(90, 50))


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_ring_connector_and_rim_have_a_casing_on_an_image(style: str) -> None:
    """Just outside of each line is the paper's colour, at four fifths; inside of the rim, the lens shows its image."""
    with pyplot.style.context(style):
        figure, ax = pyplot.subplots(dpi=300)
        ax.imshow(np.full((9, 9), 0.5), cmap="gray", vmin=0, vmax=1, aspect="auto")
        (lens,) = add(ax, (2, 2), center=(1170, 570), connector="leader")
        shown = pixels(ax, dpi=300)[..., :3].astype(float)
    paper, image = 255.0 * (style == "default"), 128.0

    def at(x: float, y: float) -> Any:
        return shown[int(shown.shape[0] - y), int(x)]

    def casing(path: Any, outward: float, width: float) -> Any:
        """Beside the leftmost point of an outline, in the middle of a casing of a point."""
        box = path.get_extents()
        return at(box.x0 + outward * (width / 2 + 0.5) * 300 / 72, (box.y0 + box.y1) / 2)

    ring, rim = lens._outline(lens.source(), lens.box().width), lens._outline(lens.box(), lens.box().width)
    wanted = [0.8 * paper + 0.2 * image] * 3
    for one in (casing(ring, -1, 1.5), casing(ring, 1, 1.5), casing(rim, -1, 1.0)):
        assert np.abs(one - wanted).max() < 6
    assert np.abs(casing(rim, 1, 1.0) - image).max() < 6
    (line,) = lens._connectors(ring, rim)
    start, end = np.asarray(line.vertices)
    across = np.array([end[1] - start[1], start[0] - end[0]]) / np.hypot(*(end - start)) * 300 / 72
    for side in (-1, 1):
        assert np.abs(at(*((start + end) / 2 + side * across)) - wanted).max() < 6


def test_transparent_paper_has_no_casing_and_hides_what_is_below_a_lens() -> None:
    ax = sine()
    add(ax, (4.7, -1), connector="lines")
    opaque, transparent = pixels(ax), pixels(ax, transparent=True)

    black = [int((shown == (0, 0, 0, 255)).all(axis=-1).sum()) for shown in (opaque, transparent)]
    assert abs(black[0] - black[1]) < 30
    (over,) = add(ax, (4.7, -1), center=(150, 240))
    inside = within(pixels(ax, transparent=True), over.box().padded(-70))
    assert (inside[..., 3] == 255).all()


def test_axes_within_axes_have_lenses_too() -> None:
    ax = sine()
    inset = ax.inset_axes((0.1, 0.1, 0.4, 0.4))
    inset.plot(X, np.cos(X), color="#00ff00")
    (lens,) = add(inset, (3.14, -1))
    assert is_like(within(pixels(ax), lens.box()), (0, 255, 0)).any()


def test_arrows_are_as_long_as_outside() -> None:
    _, ax = pyplot.subplots()
    ax.quiver([5], [5], [1], [0], color="#00ff00")
    ax.set(xlim=(0, 10), ylim=(0, 10))
    (lens,) = add(ax, (5, 5), zoom=2, connector="none")
    shown = is_like(pixels(ax), (0, 255, 0))
    lengths = [np.flatnonzero(within(shown, box).any(axis=0)) for box in (ax.bbox, lens.box())]
    assert np.ptp(lengths[0]) > 10 and abs(np.ptp(lengths[0]) - np.ptp(lengths[1])) <= 1


def test_ticks_on_the_other_sides_are_as_few() -> None:
    counts = []
    for is_other in (False, True):
        ax = sine()
        if is_other:
            ax.yaxis.tick_right()
        (lens,) = add(ax, region=((4, -1), (5, -0.5)), ticks=True, shape=(120, 90))
        with lens._axes_inside(), _lens._sparse(ax.yaxis):
            shown = [label for tick in ax.yaxis._update_ticks() for label in (tick.label1, tick.label2) if label.get_visible()]
            counts.append(len(shown))
            boxes = [one.get_window_extent() for one in shown]
            assert not any(one.overlaps(other) for one, other in zip(boxes, boxes[1:]))
    assert counts[0] == counts[1] > 1


def all_kinds(ax: Any) -> None:
    """Artists of many kinds in data coordinates around (5, 3), and a text that is not."""
    ellipses = EllipseCollection([0.6], [0.3], [20], units="xy", offsets=[(4.6, 3.2)], offset_transform=ax.transData, facecolors="C1")
    ax.add_collection(ellipses)
    ax.add_collection(LineCollection([[(4.3, 2.9), (4.9, 3.6)], [(4.9, 3.6), (5.1, 2.3)]], colors="C7", linewidths=2))
    for one in (
        Ellipse((5, 2.6), 0.8, 0.25, angle=20, facecolor="C2", hatch="..", alpha=0.6),
        Wedge((4.6, 2.6), 0.25, 30, 200, facecolor="C4"),
        FancyArrowPatch((4.4, 3.5), (5.6, 3.5), arrowstyle="-|>", mutation_scale=12, color="C3"),
        Rectangle((4.3, 2.3), 1.4, 1.4, fill=False, linestyle="--"),
    ):
        ax.add_patch(one)
    ax.arrow(4.4, 2.4, 0.5, 0.1, width=0.03, length_includes_head=True)
    ax.axline((0, 0), slope=0.6)
    ax.axhspan(2.4, 2.5, color="y", alpha=0.3)
    ax.plot([4.4, 5.6], [3.6, 2.4], "k", marker=(5, 1), markersize=7, fillstyle="left")
    ax.errorbar([5], [3], xerr=0.2, yerr=0.2, uplims=True, capsize=3, color="C6")
    ax.bar_label(ax.bar([4.6, 5.5], [2.5, 2.7], width=0.2, color="0.8"))
    ax.annotate("off", (5.2, 3.0), xytext=(8, 8), textcoords="offset points", arrowprops={"arrowstyle": "->"})
    ax.text(4.7, 2.9, "turned", rotation=30, transform_rotates_text=True)
    ax.add_artist(AnnotationBbox(OffsetImage(np.random.default_rng(0).random((9, 9)), zoom=2), (5.4, 2.9)))
    ax.add_artist(AnchoredText("A", loc="upper left"))


def test_artists_of_many_kinds_are_what_axes_in_the_place_of_the_lens_show() -> None:
    shown: list[Any] = []
    for place in ((0.1, 0.1, 0.4, 0.8), (0.6, 0.2, 0.3, 0.5)):
        figure = pyplot.figure(figsize=(8, 6))
        ax = figure.add_axes(place)
        all_kinds(ax)
        ax.set(xlim=(0, 10), ylim=(0, 6))
        if not shown:
            add(ax, region=((4, 2), (6, 4)), shape="240x300:0", center=(600, 330), connector="none")
        else:
            ax.set(xlim=(4, 6), ylim=(2, 4))
            ax.set_axis_off()
            ax.artists[-1].remove()
        shown.append(pixels(ax)[183:477, 483:717, :3])
    unlike = np.abs(shown[0] - shown[1]).max(axis=2) > 40
    assert (shown[1] < 128).any(axis=2).mean() > 0.1
    assert unlike.mean() < 0.001


@pytest.mark.skipif(matplotlib.__version_info__ < (3, 10), reason="the indicator is a rectangle among the data")
def test_the_indicator_of_an_inset_is_not_drawn_again() -> None:
    ax = sine(figsize=(8, 4.8))
    inset = ax.inset_axes((0.6, 0.6, 0.3, 0.3), xlim=(4.4, 5), ylim=(-1.02, -0.9))
    ax.indicate_inset_zoom(inset, edgecolor="#ff00ff")
    (lens,) = add(ax, (1.5, 0.95), connector="none", center=(760, 240), radius=30)
    assert not is_like(pixels(ax)[:, 725:], (255, 0, 255)).any()
    lens.remove()
    with pytest.warns(loupe.LoupeWarning, match="again: InsetIndicator"):
        add(ax, (4.7, -1), beside=False)


def test_grid_lines_are_the_figures_own_unless_the_lens_has_ticks() -> None:
    ax = sine()
    ax.grid(color="#00ff00")
    for ticks in (False, True):
        (lens,) = add(ax, (3.5, 0), zoom=6, ticks=ticks, shape=(100, 100), center=(320, 240), connector="none")
        rows = is_like(within(pixels(ax), lens.box().padded(-8)), (0, 255, 0)).mean(axis=1) > 0.8
        assert (0 < rows.sum() <= 2) != ticks
        lens.remove()


def test_a_box_of_ticks_has_the_colour_of_what_lies_below() -> None:
    left, right = pyplot.subplots(1, 2)[1]
    ax = sine(left)
    ax.set_facecolor("#ccffcc")
    # The lens lies on an empty slot.
    right.set_visible(False)
    (lens,) = add(ax, region=((4, -1.05), (5.5, -0.6)), ticks=True, connector="none")
    shown = within(pixels(ax), lens._with_ticks())[:, :20]
    assert (shown[..., 1] - shown[..., 2]).max() < 9
    assert (shown[..., 2] > 250).any()


def test_each_of_several_lenses_has_its_own_accent() -> None:
    ax = sine()
    add(ax, [(1.6, 1), (4.7, -1), (7.9, 1)], connector="none", ring_width=4)
    shown = pixels(ax)
    assert all(is_like(shown, color).sum() > 300 for color in ((0xE4, 0x1A, 0x1C), (0, 0, 0), (0xE6, 0x9F, 0)))


def test_no_line_lies_on_the_frame_of_the_axes() -> None:
    ax = sine()
    ax.set_ylim(-1.1, 1.1)
    counts = [len(connectors(add(ax, region=((7, -high), (8, high)))[0])) for high in (1.1, 1.0)]
    assert counts == [0, 2]


def test_the_accent_is_unlike_the_colours_of_a_photograph() -> None:
    ax = pyplot.subplots()[1]
    ax.imshow(np.full((40, 60, 3), (230, 70, 30), np.uint8))
    assert np.linalg.norm(np.subtract(to_rgb(_lens.accent_of(ax)), np.array([230, 70, 30]) / 255)) > 0.5


def test_the_accent_looks_unlike_the_curves() -> None:
    ax = pyplot.subplots()[1]
    ax.plot([0, 1], [0, 1], "r", [0, 1], [1, 0], "b")
    assert _lens.accent_of(ax) == "#000000"


def test_a_text_is_no_colour_of_the_data() -> None:
    ax = pyplot.subplots()[1]
    # Each wedge has an empty text.
    ax.pie([1, 2, 3], colors=["C3", "C0", "C4"])
    assert _lens.accent_of(ax) == "#000000"


@pytest.mark.parametrize(("noise", "count"), [(0.0, 1), (0.5, 0)])
def test_no_line_runs_along_a_curve(noise: float, count: int) -> None:
    """Two would cross the text; one would cross a noisy curve again and again."""
    ax = pyplot.subplots()[1]
    ax.plot(np.arange(200), noise * np.random.default_rng(1).standard_normal(200))
    ax.set_ylim(-10, 10)
    ax.text(100, 3.2, "between the lines", va="center")
    (lens,) = add(ax, (20, 0))
    assert len(connectors(lens)) == count


def test_on_dark_paper_the_accent_is_that_of_the_command() -> None:
    with pyplot.style.context("dark_background"):
        assert _lens.accent_of(sine()) == "#ffd60a"


def test_data_that_are_shifted_by_points_are_drawn_again() -> None:
    """A line a tenth of an inch above its place on the axes is so in the lens."""
    figure, ax = pyplot.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    ax.plot([0, 10], [5, 5], "#0000ff", transform=offset_copy(ax.transData, figure, y=0.1))
    (lens,) = add(ax, (5, 5), connector="none")
    assert _lens.left_out(lens) == set()
    shown, box = pixels(ax), lens.box()
    rows = np.flatnonzero(is_like(shown[:, int(box.x0 + box.width / 2)], (0, 0, 255)))
    assert abs(len(shown) - rows.mean() - ((box.y0 + box.y1) / 2 + 0.1 * figure.dpi)) < 1


def test_the_accent_is_unlike_the_colours_of_twins() -> None:
    ax = sine()
    ax.twinx().plot(X, np.exp(X), "#e41a1c")
    assert _lens.accent_of(ax) != "#e41a1c"


def test_a_marker_may_be_an_array() -> None:
    _, ax = pyplot.subplots()
    ax.plot([1, 2], [1, 2], marker=np.array([[0, 0], [1, 0], [0, 1]]))
    add(ax, (1.5, 1.5))
    pixels(ax)


def test_axes_that_are_gone_or_hidden_are_no_obstacle() -> None:
    left, right = pyplot.subplots(1, 2)[1]
    add(sine(right), (5, 0))
    right.remove()
    (lens,) = add(sine(left), (5, 0))
    assert lens.box().x0 > left.bbox.x1
    left, right = pyplot.subplots(1, 2)[1]
    right.set_visible(False)
    left.set_in_layout(False)
    (lens,) = add(sine(left), (5, 0))
    assert lens.box().x0 > left.bbox.x1
    left.set_visible(False)
    assert (pixels(left) == 255).all()


def test_texts_end_at_the_rim() -> None:
    ax = sine()
    ax.text(4.7, -0.88, "a label that is longer than the lens", color="#ff00ff", ha="center", va="center", fontsize=12)
    (lens,) = add(ax, (4.7, -1))
    shown, box = is_like(pixels(ax), (255, 0, 255)), lens.box()
    y, x = np.mgrid[: shown.shape[0], : shown.shape[1]]
    far = np.hypot(x + 0.5 - (box.x0 + box.x1) / 2, 480 - y - 0.5 - (box.y0 + box.y1) / 2)
    beside = shown & (x > ax.bbox.x1 + 60)
    assert beside.any() and not (beside & (far > box.width / 2 + 1)).any()


def test_what_is_not_among_the_data_is_not_drawn_again() -> None:
    """Legends, thick frames, and grids of axes that are switched off."""
    ax = sine()
    ax.add_artist(ax.legend([ax.lines[0]], ["sine"], loc="upper right"))
    for spine in ax.spines.values():
        spine.set(linewidth=9, edgecolor="#ff00ff")
    ax.grid(True, color="#00ff00")
    ax.set_axis_off()
    lenses = add(ax, [(4.7, -0.9), (9, 0.5)], radius=60, connector="none")
    for lens in lenses:
        shown = within(pixels(ax), lens.box())
        assert not (is_like(shown, (255, 0, 255)) | is_like(shown, (0, 255, 0))).any()
    with_text = _lens.is_data(ax.artists[0], ax)
    assert not with_text


@pytest.mark.parametrize("by", ["savefig", "callout"])
def test_nothing_shows_beyond_the_limits_and_the_frame_says_where_they_are(by: str) -> None:
    _, ax = pyplot.subplots()
    ax.plot(X, np.full(400, 1.0), color="#ff00ff")
    ax.set(xlim=(0, 5), ylim=(0, 2))
    (lens,) = add(ax, (5, 1), connector="none", accent="#0000ff")
    shown = pixels(ax)
    box = lens.box()
    if by == "callout":
        lens.remove()
        center = ((box.x0 + box.x1) / 2, 480 - (box.y0 + box.y1) / 2)
        shown = loupe.matplotlib.callout(ax, (5, 1), accent="#0000ff", center=center, redraw=True).array.astype(int)
    inside = within(shown, box.padded(-3))
    middle = inside.shape[1] // 2
    assert is_like(inside[:, : middle - 4], (255, 0, 255)).any() and not is_like(inside[:, middle + 4 :], (255, 0, 255)).any()
    assert (inside[: inside.shape[0] // 3, middle - 2 : middle + 3, :3] < 130).all(axis=-1).any()


def test_what_is_clipped_to_a_path_is_so_in_a_rectangle_and_named_for_a_disc() -> None:
    _, ax = pyplot.subplots()
    image = ax.imshow(np.zeros((9, 9)), extent=(0, 1, 0, 1), cmap="winter")
    image.set_clip_path(Circle((0.5, 0.5), 0.4, transform=ax.transData))
    with pytest.warns(loupe.LoupeWarning, match="again: AxesImage"):
        add(ax, (0.5, 0.1), radius=40, center=(80, 80))
    (lens,) = add(ax, (0.5, 0.1), shape=(120, 120), connector="none", center=(80, 300))
    shown = is_like(within(pixels(ax), lens.box().padded(-8)), (0, 0, 255))
    assert shown[: len(shown) // 3].any() and not shown[-len(shown) // 3 :].any()


def test_a_line_can_be_picked_after_a_lens_has_drawn_a_part_of_it() -> None:
    _, ax = pyplot.subplots()
    x = np.linspace(0, 10, 5000)
    (line,) = ax.plot(x, np.sin(x))
    add(ax, (4.7, -1))
    canvas: Any = ax.figure.canvas
    canvas.draw()
    event: Any = MouseEvent("button_press_event", canvas, *ax.transData.transform((1, np.sin(1))))
    assert line.contains(event)[0]


def test_what_the_axes_show_no_more_is_no_error_in_savefig() -> None:
    ax = sine()
    add(ax, (0, 0.5))
    for change in ({"xscale": "log"}, {"xscale": "linear", "xlim": (5, 6)}):
        ax.set(**change)
        with pytest.warns(loupe.LoupeWarning, match="is not drawn"):
            assert pixels(ax, bbox_inches="tight").shape[1] < 700
    with pytest.raises(loupe.UsageError, match="region: .* has no place near .* y log"):
        ax.set(yscale="log", xlim=(0, 10))
        add(ax, region=((2, -1), (4, 1)))


def test_looking_at_axes_leaves_their_frame() -> None:
    ax = pyplot.subplots(subplot_kw={"projection": "polar"})[1]
    ax.plot(X, X)
    shown = pixels(ax)
    ax = pyplot.subplots(subplot_kw={"projection": "polar"})[1]
    ax.plot(X, X)
    _lens.accent_of(ax)
    assert (pixels(ax) == shown).all()


# Ticks.


def tick_texts(lens: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are drawn around a lens, on its horizontal axis."""
    drawn: list[str] = []
    draw = Text.draw
    around = lens._with_ticks().padded(2)

    def noted(text: Text, renderer: Any) -> None:
        box = text.get_window_extent()
        if text.get_visible() and text.get_text() and box.y1 < lens.box().y0 and around.contains(box.x0, box.y0):
            drawn.append(text.get_text())
        draw(text, renderer)

    with monkeypatch.context() as patch:
        patch.setattr(Text, "draw", noted)
        lens.get_figure().draw_without_rendering()
    return drawn


def test_shared_axes_have_texts_at_the_lens(monkeypatch: pytest.MonkeyPatch) -> None:
    upper, _ = pyplot.subplots(2, 1, sharex=True)[1]
    (lens,) = add(sine(upper), (4.7, -0.9), ticks=True, shape=(120, 90))
    assert "5.0" in tick_texts(lens, monkeypatch)


def test_ticks_of_times_keep_those_that_say_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ax = pyplot.subplots()
    hours = np.datetime64("2024-01-01") + np.arange(1440) * np.timedelta64(1, "h")
    ax.plot(hours, np.arange(1440))
    locator = AutoDateLocator()  # type: ignore[no-untyped-call]
    formatter = ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]
    ax.xaxis.set(major_locator=locator, major_formatter=formatter)
    (lens,) = add(ax, region=((hours[700], 600), (hours[760], 800)), shape=(170, 110), ticks=True)
    texts = tick_texts(lens, monkeypatch)
    assert len(texts) > 1 and len(set(texts)) == len(texts)


def test_ticks_among_the_data_are_refused() -> None:
    ax = sine()
    ax.spines["bottom"].set_position("zero")
    with pytest.raises(loupe.UsageError, match="ticks: the axes have theirs among the data"):
        add(ax, (1.57, 1), ticks=True, shape=(120, 90))


# What is wrong with a call.


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("beside: 'left' is neither True nor False", {"beside": "left"}),
        ("redraw: 'no' is neither True nor False", {"redraw": "no"}),
        ("facecolor: 'redd' is no colour", {"facecolor": "redd"}),
        ("radius: 100000 is out of range; allowed is up to 8192", {"radius": 1e5}),
    ],
)
def test_what_no_callout_has_is_refused(words: str, given: dict[str, Any]) -> None:
    with pytest.raises(loupe.UsageError, match=words):
        loupe.matplotlib.callout(sine(), (5, 0), **given)


def test_a_point_of_3d_axes_has_three_numbers() -> None:
    ax = pyplot.figure().add_subplot(projection="3d")
    with pytest.raises(loupe.UsageError, match=r"xy: \(0, 0\) is no point; give \(x, y, z\)"):
        loupe.matplotlib.callout(ax, (0, 0))


def test_an_id_that_no_element_has_is_a_fault_of_xy() -> None:
    with pytest.raises(loupe.LoupeError, match="^xy: the page has no element with the id 'nope'"):
        loupe.matplotlib.callout(sine(), "nope")


def test_a_lens_off_the_figure_is_said() -> None:
    with pytest.warns(loupe.LoupeWarning, match="the lens at 5000,100 lies wholly off the figure of 640×480"):
        loupe.matplotlib.callout(sine(), (5, 0), center=(5000, 100))
    with pytest.raises(loupe.InputError, match="lies wholly off the figure"):
        loupe.matplotlib.callout(sine(), (5, 0), center=(5000, 100), strict=True)


def test_each_picture_with_smaller_text_is_said_with_its_smallest_text() -> None:
    ax = sine()
    ax.tick_params(labelsize=6)
    for _ in range(2):
        with pytest.warns(loupe.LoupeWarning, match=r"text of 6 pt has 4\.\d pt"):
            loupe.matplotlib.callout(ax, (5, 0))


def in_ring(kind: str, ax: Any) -> None:
    """An artist that lies in the ring around (5, 5)."""
    figure, red = ax.figure, "#ff0000"
    ends: Any = ((4, 4), (6, 6), "data", "data")
    makers: dict[str, Any] = {
        "drawn": lambda: ax.add_artist(ConnectionPatch(*ends, color=red, linewidth=3)),
        "drawn again": lambda: ax.annotate("t", (9, 9), xytext=(1, 1), arrowprops={"color": red, "arrowstyle": "-"}),
        "ConnectionPatch": lambda: figure.add_artist(ConnectionPatch(*ends, axesA=ax, axesB=ax)),
        "Annotation": lambda: ax.annotate("in", (9, 9), xytext=(0.5, 0.5), textcoords="axes fraction", ha="center"),
        "Line2D": lambda: figure.add_artist(Line2D([0, 1], [0.4, 0.6])),
        "Legend": lambda: figure.legend(handles=[Line2D([], [])], labels=["x"], loc="center"),
        "FigureImage": lambda: figure.figimage(np.ones((60, 60)), 170, 130),
        "other axes": lambda: figure.add_axes((0.3, 0.3, 0.4, 0.4), projection="polar"),
        "QuiverKey": lambda: ax.quiverkey(ax.quiver([1], [1], [1], [1]), 0.5, 0.5, 1, "1"),
        "Spine": lambda: ax.spines.left.set_position("center"),
        "Text": lambda: ax.text(3, 5, "X" * 21, size=14),
    }
    makers[kind]()


@pytest.mark.parametrize("kind", [
    "drawn", "drawn again", "ConnectionPatch", "Annotation", "Line2D", "Legend", "FigureImage", "other axes", "QuiverKey", "Spine", "Text",
])  # fmt: skip
def test_what_lies_in_the_ring_is_drawn_again_or_named(kind: str) -> None:
    ax = pyplot.subplots(figsize=(4, 3.2))[1]
    ax.set(xlim=(0, 10), ylim=(0, 10))
    in_ring(kind, ax)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        (lens,) = add(ax, (5, 5), zoom=3, radius=75, accent="k", connector="none")
    said = [str(one.message) for one in found if "does not draw again" in str(one.message)]
    assert len(said) == ("drawn" not in kind) and all(kind in one for one in said)
    if "drawn" in kind:
        assert is_like(within(pixels(ax), lens.box().padded(-20)), (255, 0, 0)).sum() > 50


def test_a_free_area_that_a_disc_fits_in_is_found() -> None:
    _, ax = pyplot.subplots(figsize=(5, 4))
    ax.plot([0, 1], [0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add(ax, (0.5, 0.5), zoom=3, beside=False)


@pytest.mark.parametrize("where", [{}, {"beside": False}, {"center": (90, 90)}])
def test_axes_of_axisartist_have_lenses(where: Any) -> None:
    ax: Any = pyplot.figure().add_subplot(axes_class=AxisArtistAxes)
    assert add(sine(ax), (5, 0), **where)


def test_ellipses_are_as_large_as_outside() -> None:
    _, ax = pyplot.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    ax.add_collection(EllipseCollection([0.05], [0.05], [0], units="width", offsets=[(5, 5)], offset_transform=ax.transData,
                                        facecolors="#00ff00"))  # fmt: skip
    (lens,) = add(ax, (5, 5), zoom=2, connector="none")
    shown = is_like(pixels(ax), (0, 255, 0))
    counts = [within(shown, box).sum() for box in (ax.bbox, lens.box())]
    assert counts[0] > 50 and abs(counts[0] - counts[1]) < 20


def test_what_stands_in_parts_of_the_figure_stays_where_it_is() -> None:
    figure, ax = pyplot.subplots(figsize=(4, 3))
    sine(ax)
    ax.quiver([1], [1], [1], [0])
    made: list[Any] = [
        ax.text(0.98, 0.02, "c", transform=figure.transFigure, ha="right"),
        ax.legend(ax.lines, ["k"], bbox_to_anchor=(0.98, 0.98), bbox_transform=figure.transFigure),
        ax.annotate("q", (0.9, 0.9), xycoords="figure fraction"),
    ]
    figure.canvas.draw()
    before = [one.get_window_extent().get_points() for one in made]
    add(ax, (5, 0), radius=90)
    figure.canvas.draw()
    assert figure.get_figwidth() > 4
    assert np.allclose(before, [one.get_window_extent().get_points() for one in made], atol=0.01)


def test_overlaid_images_and_filters_have_the_pixels_of_savefig() -> None:
    figure, axes = pyplot.subplots(1, 2, figsize=(6, 3))
    (line,) = axes[0].plot([1, 3, 2], "r", linewidth=30)
    line.set_agg_filter(lambda shown, dpi: (shown * [0, 1, 0, 1] + [0, 1, 0, 0], 0, 0))
    for seed, colors in enumerate(("gray", "hot")):
        axes[1].imshow(np.random.default_rng(seed).random((8, 8)), cmap=colors, alpha=1 - seed / 2)
    wanted, shown = pixels(axes[0]), loupe.render(figure).array.astype(int)
    assert np.abs(within(wanted - shown, axes[1].bbox.padded(-4))).mean() < 2
    assert is_like(shown, (0, 255, 0)).sum() > 1000 and not is_like(shown, (255, 0, 0)).any()


def test_images_of_the_figure_have_their_size_on_paper() -> None:
    figure, ax = pyplot.subplots(figsize=(5, 3))
    sine(ax)
    image: Any = figure.figimage(np.ones((60, 60, 3)) * [1, 0, 0], 20, 20)
    with _pixels.drawn(figure, 100, [], None, 3, warns=False):
        assert image.get_size() == (180, 180) and (image.ox, image.oy) == (60, 60)
    assert image.get_size() == (60, 60) and dir(loupe.matplotlib) == ["Lens", "add_callout", "callout"]
