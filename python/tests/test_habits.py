"""What users of numpy and matplotlib expect: savefig's settings, arrays, open files, types, and import times."""

from __future__ import annotations

import copy
import errno
import io
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
from typing import Any

import matplotlib
import numpy as np
import pytest
from PIL import Image

import loupe_render as loupe

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

import loupe_render.matplotlib  # noqa: E402
from loupe_render import _anywhere  # noqa: E402

PAGE = np.random.default_rng(1).integers(0, 256, (40, 60, 3), dtype=np.uint8)


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    pyplot.close("all")


def line() -> Any:
    ax = pyplot.subplots(figsize=(4, 3))[1]
    ax.plot(np.sin(np.arange(60) / 6))
    return ax


def corner(image: Any, distance: int = 2) -> tuple[int, ...]:
    """The pixel so far from the upper left corner, or, below 0, from the lower right one."""
    return tuple(np.asarray(image.convert("RGBA"))[distance, distance].tolist())


SETTINGS: list[dict[str, Any]] = [
    {"dpi": 150}, {"facecolor": "pink"}, {"transparent": True}, {"transparent": True, "facecolor": "#00ff00"}, {"facecolor": (0, 0, 1)},
]  # fmt: skip


@pytest.mark.parametrize("given", SETTINGS)
@pytest.mark.parametrize("redraw", [True, False])
@pytest.mark.parametrize("by", ["settings", "keywords"])
def test_savefigs_settings_and_keywords_hold(given: dict[str, Any], redraw: bool, by: str) -> None:
    keywords: dict[str, Any] = given if by == "keywords" else {}
    settings: Any = {f"savefig.{name}": value for name, value in given.items()} if by == "settings" else {}
    with matplotlib.rc_context(settings):
        ax, written = line(), io.BytesIO()
        ax.figure.savefig(written, **keywords)
        picture = loupe.matplotlib.callout(ax, (30, 0), zoom=4, radius=15, redraw=redraw, **keywords)
    expected, found = Image.open(written), picture.image
    paper = corner(expected)
    for place in (corner(found), corner(found, -3)):
        assert place == paper if paper[3] else place[3] == 0
    assert round(found.info["dpi"][0]) == round(expected.info["dpi"][0])
    assert found.height >= expected.height


def test_a_figure_has_the_resolution_of_savefig_everywhere() -> None:
    with matplotlib.rc_context({"savefig.dpi": 150}):
        ax = line()
        assert loupe.render(ax.figure).width == 600
        assert loupe.diff(ax.figure, ax.figure).json["sizes"]["actual"]["width"] == 600
        assert loupe.render(ax.figure, dpi=50).width == 200


def test_a_picture_is_an_array() -> None:
    picture = loupe.render(PAGE)
    assert np.array_equal(np.asarray(picture), picture.array)
    assert np.asarray(picture, float).dtype == float
    assert np.array(picture).flags.writeable


def test_crops_are_an_array() -> None:
    if _anywhere.is_used():
        pytest.skip("the package for every processor has no crops")
    figure = loupe.crops(PAGE, [PAGE // 2], [(0, 0, 24, 16)])
    assert np.asarray(figure).shape == (figure.height, figure.width, 4)


@pytest.mark.parametrize(("format", "start"), [(None, b"\x89PNG"), ("png", b"\x89PNG"), ("PDF", b"%PDF"), ("svg", b"<?xml")])
def test_pictures_are_saved_into_open_files(format: Any, start: bytes, tmp_path: pathlib.Path) -> None:
    if _anywhere.is_used() and start != b"\x89PNG":
        pytest.skip("the package for every processor has no vectors")
    picture, written = loupe.render(PAGE, at=(20, 20)), io.BytesIO()
    picture.save(written, format=format)
    assert written.getvalue().startswith(start)
    picture.save(tmp_path / "without-end", format=format or "png")
    assert (tmp_path / "without-end").read_bytes().startswith(start)
    with open(tmp_path / "open", "wb") as opened:
        loupe.diff(PAGE, PAGE // 2).save(opened)
    assert (tmp_path / "open").read_bytes().startswith(b"\x89PNG")


def test_a_format_that_no_picture_has_is_refused() -> None:
    with pytest.raises(loupe.UsageError, match="format: 'gif' is not png or pdf or svg"):
        loupe.render(PAGE).save(io.BytesIO(), format="gif")


def test_a_missing_file_is_a_file_not_found_error() -> None:
    with pytest.raises(FileNotFoundError, match="gone.png"):
        loupe.render("gone.png")


def test_names_that_are_offered_are_for_users() -> None:
    offered = dir(loupe)
    assert {"matplotlib", "sphinx", "render", "__version__"} <= set(offered)
    assert not [one for one in offered if one.startswith("_") and not one.startswith("__")]
    assert not {"importlib", "annotations", "TYPE_CHECKING", "Any"} & set(offered)
    assert all(hasattr(loupe, one) for one in ("matplotlib", "sphinx", *loupe.__all__))


def test_types_are_those_that_users_have() -> None:
    """mypy and pyright check these calls, too."""
    array = PAGE[..., 0]
    given = np.array([3, 4])
    loupe.render(array, at=given, rim_color=(0.5, 0, 1), radius=5)
    loupe.render(array / 255.0)
    loupe.render(np.ma.masked_equal(array, 0))
    loupe.callout(array, [((3, 4), None), (np.array([1, 2]), (50, 6))], letters=True, radius=5)
    ax = line()
    loupe.matplotlib.callout(ax, np.array([30.0, 0.0]), ring_color=(0.1, 0.2, 0.3, 1), letters=True)
    assert loupe.render(array, callout=[((20, 20), (40, 20))], radius=5, ring_color=(1, 0, 0.5)).scene["loupes"][0]["callout"]["ring"][
        "color"
    ] == "#ff0080"  # fmt: skip


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_pyright_finds_nothing_in_calls() -> None:
    done = subprocess.run(["pyright", "--pythonpath", sys.executable, __file__], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("wrong", [(1, 2), (2, 0, 0), "nocolor", 5])
def test_what_is_no_colour_is_refused(wrong: Any) -> None:
    with pytest.raises(loupe.UsageError, match="background"):
        loupe.render(PAGE, background=wrong)


def test_flat_lists_and_removed_axes_have_sentences() -> None:
    ax = line()
    with pytest.raises(loupe.UsageError, match=r"no point; .* in place of a flat list: \[\(x, y\), \(x, y\)\]"):
        loupe.matplotlib.callout(ax, [1, 2, 3, 4])
    with pytest.raises(loupe.UsageError, match=r"each has a point in brackets: \[\(\(x, y\), None\)\]"):
        loupe.callout(PAGE, [1, 2])  # type: ignore[list-item]
    ax.remove()
    for draw in (loupe.matplotlib.callout, loupe.matplotlib.add_callout):
        with pytest.raises(loupe.UsageError, match="ax: the axes were removed"):
            draw(ax, (1, 2))


def test_an_import_loads_little() -> None:
    program = "import sys, loupe_render; print(*({'importlib.metadata', 'numpy', 'PIL', 'matplotlib', 'email'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_errors_can_be_copied_to_another_process() -> None:
    with pytest.raises(loupe.MissingError) as caught:
        loupe.render("nope.png")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert (type(error), error.code, error.errno) == (loupe.MissingError, 66, errno.ENOENT)
        assert error.filename == os.path.abspath("nope.png") and str(error).startswith(f"{error.filename}: can't be read: ")
    assert str(pickle.loads(pickle.dumps(loupe.UsageError("x: wrong", 64)))) == "x: wrong"


def test_a_file_for_text_is_refused_and_false_means_no_letters(tmp_path: pathlib.Path) -> None:
    picture = loupe.render(PAGE, letters=False)
    with open(tmp_path / "text", "w") as file, pytest.raises(loupe.UsageError, match='^save: the file is open for text; open it with "wb"'):
        picture.save(file)  # type: ignore[arg-type]


OTHER = np.where(np.arange(60)[:, None] < 20, PAGE // 2, PAGE)


def test_errors_of_channels_are_those_of_numpy() -> None:
    found, control = loupe.diff(PAGE, OTHER), np.abs(PAGE.astype(int) - OTHER).max(axis=2)
    assert np.array_equal(found.errors, control)
    assert found.mean == control.mean()
    kept = loupe.diff(PAGE, OTHER, ignore=[(0, 0, 10, 40)], mask=np.arange(60)[None].repeat(40, 0) > 50)
    control[:, :10] = 0
    assert np.array_equal(kept.errors, control)
    # Of the 41 columns that were compared.
    assert kept.mean == pytest.approx(control[:, 10:51].mean())
    with pytest.raises(loupe.UsageError, match="^mean: the pictures have other sizes"):
        print(loupe.diff(PAGE, OTHER[:20]).mean)
    alpha = np.dstack([PAGE, np.full((40, 60), 128, np.uint8)])
    assert loupe.diff(PAGE, alpha).errors.max() == loupe.diff(PAGE, alpha).largest


@pytest.mark.parametrize("metric", ["flip", "ssim", "ssim-rgb", "oklab"])
def test_errors_of_metrics_are_those_of_the_command(metric: Any) -> None:
    found = loupe.diff(PAGE, OTHER, metric=metric)
    scale = 20 if metric == "oklab" else 1
    assert found.errors.shape == (40, 60)
    assert abs(found.errors.max() - min(scale, found.largest)) < scale / 255
    assert metric == "ssim" or found.errors[:, 40:].max() == 0
    part = found.errors[5:-5, 5:-5] if "ssim" in metric else found.errors
    if metric != "oklab":
        assert found.mean == pytest.approx(part.mean(), abs=0.005)


@pytest.mark.parametrize("metric", ["channel", "flip", "ssim", "oklab"])
def test_each_line_of_a_summary_says_that_less_is_better(metric: Any) -> None:
    said = loupe.diff(PAGE, OTHER, metric=metric)
    lines = [one for one in said.summary.splitlines() if re.match("  (mean|largest)", one)]
    assert lines
    assert all("less is better" in one for one in lines)
    assert metric == "channel" or f"mean error {said.mean:.4g}" in said.summary
