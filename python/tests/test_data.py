"""What is shown is what the user's data and matplotlib's savefig say: nothing changes in silence."""

from __future__ import annotations

import io
import itertools
import re
import subprocess
import sys
from typing import Any

import matplotlib
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import loupe_render as loupe

matplotlib.use("Agg")
from matplotlib import lines, pyplot  # noqa: E402

import loupe_render.matplotlib  # noqa: E402
from loupe_render import _anywhere  # noqa: E402


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    pyplot.close("all")


def saved(figure: Any, **options: Any) -> NDArray[np.int_]:
    """The pixels of savefig."""
    written = io.BytesIO()
    figure.savefig(written, format="png", **options)
    return np.asarray(Image.open(written).convert("RGB")).astype(int)


def unlike(one: Any, other: Any, ax: Any) -> float:
    """The share of the pixels within axes that differ much."""
    rows, columns = one.shape[:2]
    (left, low), (right, high) = ax.bbox.get_points().round().astype(int)
    inside = np.s_[rows - high + 2 : rows - low - 2, left + 2 : right - 2]
    assert one.shape[:2] == other.shape[:2] and columns > right
    return float((np.abs(one[inside].astype(int) - other[inside]).max(axis=2) > 40).mean())


# matplotlib 3.8 moves images of an SVG by a part of a pixel.
EXACT = 0.001 if matplotlib.__version_info__ > (3, 9) else 0.05
NOISE = np.random.default_rng(0).random((10, 14))


@pytest.mark.parametrize("interpolation", ["none", "nearest", None, "bicubic"])
def test_an_image_is_drawn_as_savefig_draws_it(interpolation: Any) -> None:
    figure, (first, second) = pyplot.subplots(1, 2)
    second.imshow(NOISE, interpolation=interpolation)
    first.plot([1, 2, 3])
    known, control = second.images[0].get_interpolation(), saved(figure)
    assert unlike(loupe.render(figure).array[..., :3], control, second) < EXACT
    magnified = loupe.matplotlib.callout(first, (1, 2), beside=False, center=(120, 100), radius=40, redraw=False)
    assert unlike(magnified.array[..., :3], control, second) < EXACT
    assert second.images[0].get_interpolation() == known


@pytest.mark.skipif(_anywhere.is_used(), reason="the package for every processor draws figures as pixels")
def test_squares_stay_squares_in_a_lens_and_in_vectors(tmp_path: Any) -> None:
    figure, ax = pyplot.subplots()
    ax.imshow(NOISE, interpolation="none", cmap="gray")
    picture = loupe.matplotlib.callout(ax, (5, 5), zoom=3, redraw=True)
    picture.save(tmp_path / "figure.pdf")
    for shown in (picture, loupe.render(tmp_path / "figure.pdf", dpi=100, scale=1)):
        array = shown.array[..., :3].astype(int)
        (lens,) = loupe.matplotlib.add_callout(ax, (5, 5), zoom=3)
        box = lens.box()
        lens.remove()
        # Within a square there is one colour: most neighbours are equal.
        y, x = round(array.shape[0] - (box.y0 + box.y1) / 2), round((box.x0 + box.x1) / 2)
        steps = np.abs(np.diff(array[y - 25 : y + 25, x - 25 : x + 25, 0], axis=1))
        assert (steps <= 2).mean() > 0.9


@pytest.mark.parametrize("every", [0.1, (0.03, 0.1), (0.0, 0.2)])
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_a_lens_has_the_markers_of_the_axes(every: Any, scale: Any) -> None:
    """Each marker in the lens is one of the axes' markers, and none is left out."""
    figure, ax = pyplot.subplots(figsize=(6, 3.4))
    x = np.linspace(0.1, 10, 400)
    x[150:160] = np.nan
    (line,) = ax.plot(x, np.sin(x), marker="o", markevery=every)
    ax.set_xscale(scale)
    loupe.matplotlib.add_callout(ax, (3.6, -0.45), zoom=2.5, radius=90)
    seen: list[Any] = []
    chosen = lines._mark_every_path  # type: ignore[attr-defined]

    def noted(*given: Any) -> Any:
        seen.append(chosen(*given))
        return seen[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_mark_every_path", noted)
        figure.canvas.draw()
    assert line.get_markevery() == every
    # On the axes, looked up for the lens, and in the lens.
    assert len(seen) == 3
    assert all(np.array_equal(one.vertices, seen[0].vertices) for one in seen)


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("draw", ["again", "larger", "page"])
def test_limits_that_follow_from_the_size_of_the_axes_are_those_of_before(layout: Any, draw: str) -> None:
    figure, ax = pyplot.subplots(figsize=(4.5, 3), layout=layout)
    time = np.linspace(0, 20, 900)
    ax.plot(time * np.cos(time), time * np.sin(time))
    ax.set_aspect("equal", "datalim")
    # matplotlib itself needs several drawings to settle.
    for _ in range(9):
        before, limits = saved(figure), ax.axis()
    if draw == "page":
        loupe.render(figure)
    else:
        loupe.matplotlib.callout(ax, (0, 0), zoom=4, redraw=draw == "again")
    assert ax.axis() == limits
    assert np.array_equal(saved(figure), before)


@pytest.mark.parametrize("channels", [(), (3,), (4,)])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_what_is_masked_is_transparent(channels: tuple[int, ...], kind: Any) -> None:
    most = 1 if kind is np.float32 else np.iinfo(kind).max
    array = np.ma.array(np.full((4, 6, *channels), most, kind), mask=False)
    array[1, 2] = np.ma.masked
    alpha = loupe.render(array).array[..., 3]
    expected = np.full((4, 6), 255)
    expected[1, 2] = 0
    assert np.array_equal(alpha, expected)
    hidden = np.dstack([np.full((4, 6, 3), 255), expected]).astype(np.uint8)
    assert loupe.diff(hidden, array).pixels == 0


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_floats_from_0_to_1_are_read_as_matplotlib_reads_them(kind: Any) -> None:
    array = np.random.default_rng(1).random((8, 9, 3)).astype(kind)
    written = io.BytesIO()
    pyplot.imsave(written, array, format="png")
    control = np.asarray(Image.open(written).convert("RGB"))
    assert np.array_equal(loupe.render(array).array[..., :3], control)
    # A comparison has 16 bits, of which matplotlib cuts off the lower ones.
    found = loupe.diff(control, array)
    assert 0.5 < found.largest <= 1.001 and loupe.diff(array, array).same
    bytes_ = np.arange(256, dtype=np.uint8).reshape(8, 32)
    assert np.array_equal(loupe.render(bytes_ / kind(255)).array[..., 0], bytes_)


def test_no_numbers_are_transparent_and_other_floats_are_refused() -> None:
    array = np.ones((2, 2))
    array[0, 1] = np.nan
    assert loupe.render(array).array[..., 3].tolist() == [[255, 0], [255, 255]]
    for wrong in (array * 255, array - 3, array * 1.00001):
        with pytest.raises(loupe.UsageError, match=f"floats from {wrong[0, 0]:.10g} to {wrong[0, 0]:.10g} are no picture; scale them to 0 to 1"):
            loupe.render(wrong)


@pytest.mark.parametrize("channels", [(), (3,), (4,)])
def test_infinite_numbers_differ_from_each_other_and_from_all_else(channels: tuple[int, ...]) -> None:
    def array(number: float) -> NDArray[np.float64]:
        found = np.full((4, 6, *channels), 0.5)
        found[..., 3:] = 1
        found[(1, 2, 0)[: found.ndim]] = number
        return found

    numbers = (np.inf, -np.inf, np.nan, 0.0, 0.5, 1.0)
    for one, other in itertools.product(numbers, numbers):
        is_one = one == other or np.isnan([one, other]).all()
        assert loupe.diff(array(one), array(other), tolerance=100).pixels == (0 if is_one else 1)
    hidden = np.ma.masked_equal(array(np.inf), np.inf)
    assert loupe.diff(hidden, array(np.nan)).same and not loupe.diff(hidden, array(np.inf)).same


def test_an_array_without_a_number_is_a_warning() -> None:
    for array in (np.full((2, 3), np.nan), np.ma.array(np.zeros((2, 3), np.uint8), mask=True)):
        with pytest.warns(loupe.LoupeWarning, match="of an array no pixel is compared"):
            assert loupe.diff(array, array).same


@pytest.mark.parametrize("number", [1 + 1e-12, -1e-17])
def test_floats_that_rounding_left_beside_0_or_1_are_these(number: float) -> None:
    array = np.full((2, 2), number)
    assert loupe.render(array).array[0, 0, 0] == round(number) * 255 and loupe.diff(array, np.round(array)).largest == 0


@pytest.mark.skipif(_anywhere.is_used(), reason="the package for every processor has no crops")
def test_crops_show_floats_from_0_to_1_as_matplotlib_does_and_others_as_linear_light() -> None:
    array = np.full((60, 80, 3), 0.25)
    array[9, 9] = 0.5

    def shown(*given: Any, **options: Any) -> int:
        figure = loupe.crops(given[0], {"One": given[-1]}, [(0, 0, 48, 32)], **options)
        return int(figure.array[round(figure.height * 0.25), figure.width // 4, 0])

    assert shown(array, array) == 63
    assert shown(array, array, exposure=0) == 137
    assert shown(array, np.maximum(array, (np.arange(60) > 50)[:, None, None] * 2)) == 137


def test_an_old_matplotlib_is_refused_in_one_sentence() -> None:
    program = "import matplotlib; matplotlib.__version_info__ = (3, 7, 5); import loupe_render; loupe_render.matplotlib"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert re.search("UsageError: matplotlib .* is too old for figures; install matplotlib 3.8 or newer\n$", done.stderr)
