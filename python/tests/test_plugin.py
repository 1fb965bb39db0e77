"""The plugin for pytest, in runs of their own."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import io
import os
import pathlib
import re
import shutil
import struct
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image

import loupe_render as loupe
from loupe_render import _anywhere, _png, pytest_plugin
from loupe_render.pytest_plugin import _hash

HAS_COMMAND = not _anywhere.is_used()
needs_command = pytest.mark.skipif(not HAS_COMMAND, reason="the package for every processor has no pages, figures and vectors")
PAGE = "loupe-failures/report.html" if HAS_COMMAND else "loupe-failures"
"""What the run names: the package for every processor keeps the pictures without a page."""
KEPT_PAGE = {"report.html"} if HAS_COMMAND else set[str]()

MODULE = """
import numpy as np
import pytest

def picture(value):
    array = np.full((20, 30, 3), 200, np.uint8)
    array[5:9, 7:12] = value
    return array

@pytest.mark.parametrize("value", [10, 20, 30, 40, 50])
def test_square(loupe_snapshot, value):
    loupe_snapshot(picture(value))
"""


@pytest.fixture
def tests(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with a module of five tests, below a folder of tests, and nothing else."""
    (pytester.path / "tests").mkdir()
    (pytester.path / "tests/test_plots.py").write_text(MODULE)
    pytester.makeini("[pytest]\naddopts = -p loupe_render.pytest_plugin -p no:cacheprovider\n")
    return pytester


def references(tests: pytest.Pytester) -> list[str]:
    return sorted(path.name for path in (tests.path / "tests/__loupe__/test_plots").iterdir())


def kept(tests: pytest.Pytester) -> set[str]:
    folder = tests.path / "loupe-failures"
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def change(tests: pytest.Pytester, old: str, new: str) -> None:
    path = tests.path / "tests/test_plots.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def record(tests: pytest.Pytester) -> None:
    result = tests.runpytest_subprocess("--loupe-update")
    result.assert_outcomes(failed=5)


def test_a_missing_reference_fails_and_says_how_to_accept(tests: pytest.Pytester) -> None:
    result = tests.runpytest_subprocess("-k", "10")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(["*there is no reference tests/__loupe__/test_plots/test_square[[]10].png", "*actual:*",
                                 "*pytest --loupe-update*"])  # fmt: skip
    assert not (tests.path / "tests/__loupe__").exists()
    assert kept(tests) == KEPT_PAGE | {"tests/test_plots/test_square[10]-actual.png"}


def test_an_update_writes_and_still_fails_once(tests: pytest.Pytester) -> None:
    record(tests)
    assert references(tests) == [f"test_square[{value}].png" for value in (10, 20, 30, 40, 50)]
    # Its 1800 bytes are compressed.
    assert (tests.path / "tests/__loupe__/test_plots/test_square[10].png").stat().st_size < 400
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(passed=5)
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    assert not (tests.path / "loupe-failures").exists()


@needs_command
def test_a_change_in_a_few_places_keeps_a_figure_of_them(tests: pytest.Pytester) -> None:
    change(tests, "(20, 30, 3)", "(200, 300, 3)")
    record(tests)
    change(tests, "array[5:9", "array[6:9")
    tests.runpytest_subprocess("-k", "10").stdout.fnmatch_lines(["*figure:*-figure.png"])
    figure = (tests.path / "loupe-failures/tests/test_plots/test_square[10]-figure.png").read_bytes()
    assert figure.startswith(b"\x89PNG")
    assert (tests.path / "loupe-failures/report.html").exists()


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n", "2"]])
def test_a_difference_keeps_three_pictures_and_one_page(tests: pytest.Pytester, workers: list[str]) -> None:
    record(tests)
    change(tests, "200", "205")
    result = tests.runpytest_subprocess(*workers)
    result.assert_outcomes(failed=5)
    for part in ("reference", "actual", "difference"):
        result.stdout.fnmatch_lines([f"*{part}:*loupe-failures/tests/test_plots/test_square[[]10]-{part}.png"])
    result.stdout.fnmatch_lines(["*580 of 600 pixels differ*", f"5 of 5 differ; see {PAGE}"])
    names = {f"tests/test_plots/test_square[{value}]-{part}.png"
             for value in (10, 20, 30, 40, 50) for part in ("reference", "actual", "difference")}  # fmt: skip
    assert kept(tests) == KEPT_PAGE | names
    if HAS_COMMAND:
        page = (tests.path / PAGE).read_text()
        assert all(f"test_square[{value}]" in page for value in (10, 20, 30, 40, 50))
    # What is right again leaves nothing behind.
    change(tests, "205", "200")
    tests.runpytest_subprocess(*workers).assert_outcomes(passed=5)
    assert kept(tests) == set()


def test_the_tolerance_is_the_largest_difference_of_a_channel(tests: pytest.Pytester) -> None:
    record(tests)
    change(tests, "200", "202")
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    change(tests, "202", "203")
    tests.runpytest_subprocess().assert_outcomes(failed=5)
    change(tests, "picture(value))", "picture(value), tolerance=3)")
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    change(tests, "tolerance=3", "tolerance=0, max_ratio=1")
    tests.runpytest_subprocess().assert_outcomes(passed=5)


def test_another_size_fails(tests: pytest.Pytester) -> None:
    record(tests)
    change(tests, "(20, 30, 3)", "(21, 30, 3)")
    tests.runpytest_subprocess().assert_outcomes(failed=5)


def test_several_pictures_of_one_test_need_names(tests: pytest.Pytester) -> None:
    change(tests, "loupe_snapshot(picture(value))", "loupe_snapshot(picture(1), name='a')\n    loupe_snapshot(picture(2))\n    loupe_snapshot(picture(3))")  # fmt: skip
    for _ in range(3):
        tests.runpytest_subprocess("--loupe-update", "-k", "10")
    result = tests.runpytest_subprocess("-k", "10")
    result.stdout.fnmatch_lines(["*give each its name=*"])
    assert references(tests) == ["test_square[10]-a.png", "test_square[10].png"]


def test_one_update_writes_all_pictures_of_a_test(tests: pytest.Pytester) -> None:
    change(tests, "loupe_snapshot(picture(value))", "for one in 'abc': loupe_snapshot(picture(ord(one)), name=one)")
    tests.runpytest_subprocess("--loupe-update", "-k", "10").assert_outcomes(failed=1, deselected=4)
    assert references(tests) == [f"test_square[10]-{one}.png" for one in "abc"]
    tests.runpytest_subprocess("-k", "10").assert_outcomes(passed=1, deselected=4)
    change(tests, "ord(one)", "ord(one) + 99")
    result = tests.runpytest_subprocess("-k", "10")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines([f"*actual:*test_square[[]10]-{one}-actual.png" for one in "abc"])


def test_a_test_that_imports_matplotlib_late_has_the_same_style(tests: pytest.Pytester) -> None:
    (tests.path / "matplotlibrc").write_text("lines.linewidth: 7\n")
    body = "    from matplotlib import pyplot, rcParams\n    assert rcParams['lines.linewidth'] == 1.5 and not pyplot.get_fignums()\n"
    body += "    figure, ax = pyplot.subplots()\n    loupe_snapshot(figure)\n"
    (tests.path / "tests/test_plots.py").write_text("".join(f"def test_{n}(loupe_snapshot):\n{body}" for n in "ab"))
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=2)
    tests.runpytest_subprocess().assert_outcomes(passed=2)


def test_marks_and_the_configuration_have_the_same_keywords(tests: pytest.Pytester) -> None:
    record(tests)
    change(tests, "200", "206")
    change(tests, "@pytest.mark.parametrize", "@pytest.mark.loupe(tolerance=6)\n@pytest.mark.parametrize")
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    change(tests, "tolerance=6", "metric='flip', threshold=0.5")
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    change(tests, "@pytest.mark.loupe(metric='flip', threshold=0.5)\n", "")
    tests.runpytest_subprocess().assert_outcomes(failed=5)
    tests.makeini("[pytest]\naddopts = -p loupe_render.pytest_plugin -p no:cacheprovider\nloupe_tolerance = 6\n")
    tests.runpytest_subprocess("--strict-markers").assert_outcomes(passed=5)


@pytest.mark.parametrize("metric", ["flip", "ssim", "ssim-rgb", "ms-ssim", "oklab", "yiq", "channel"])
def test_every_metric_compares(tests: pytest.Pytester, metric: str) -> None:
    change(tests, "picture(value))", f"picture(value).repeat(9, 0).repeat(9, 1), metric={metric!r})")
    tests.runpytest_subprocess("--loupe-update", "-k", "10")
    tests.runpytest_subprocess("-k", "10").assert_outcomes(passed=1, deselected=4)


@pytest.mark.parametrize(("given", "words"), [
    ("tolerance=300", "tolerance: *300*"),
    ("tolerence=2", "loupe_snapshot has no keyword tolerence; did you mean tolerance?"),
    ("metric='nope'", "metric: 'nope' is not one of channel, *"),
    ("mask=[1]", "mask: it is of type list, which is no picture; *"),
    ("figure='f.png'", "loupe_snapshot has no keyword figure; *"),
    ("remove_text='no'", "remove_text: 'no' is not True or False"),
])  # fmt: skip
def test_keywords_are_checked_while_recording_too(tests: pytest.Pytester, given: str, words: str) -> None:
    change(tests, "picture(value))", f"picture(value), {given})")
    result = tests.runpytest_subprocess("--loupe-update", "-k", "10")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines([f"E * loupe_render.UsageError: {words}"])
    # It shows the test, not this package.
    result.stdout.no_fnmatch_line("*pytest_plugin.py:*")
    assert not (tests.path / "tests/__loupe__").exists() and not (tests.path / "f.png").exists()


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n", "2"]])
def test_wrong_marks_are_told_once(tests: pytest.Pytester, workers: list[str]) -> None:
    told = {
        "2": "loupe: 2 needs a keyword, such as tolerance=2",
        "tolerence=2": "loupe has no keyword tolerence; did you mean tolerance",
        "metric='nope'": "loupe: metric: 'nope' is not one of channel, ",
    }
    for given, words in told.items():
        change(tests, "@pytest.mark.parametrize", f"@pytest.mark.loupe({given})\n@pytest.mark.parametrize")
        result = tests.runpytest_subprocess("--loupe-update", *workers)
        assert not (tests.path / "tests/__loupe__").exists()
        said = "\n".join([*result.outlines, *result.errlines])
        # pytest's own summary repeats the words; it cuts them, but not where the variable CI is set.
        assert said.split("short test summary info")[0].count(words) == 1
        assert "pytest_plugin.py:" not in said
        assert "INTERNALERROR" not in said
        change(tests, f"@pytest.mark.loupe({given})\n", "")


@pytest.mark.parametrize("given", [
    {"style": "nope"}, {"style": 3}, {"style": {"nope": 1}}, {"backend": "nope"}, {"backend": 3}, {"tolerance": "x"}, {"tolerance": -1},
    {"tolerance": "2,rim=y"}, {"metric": "nope"}, {"threshold": "x"}, {"filename": 3}, {"baseline_dir": 3}, {"savefig_kwargs": 3},
])  # fmt: skip
def test_wrong_values_of_marks_are_refused(given: dict[str, object]) -> None:
    ((name, value),) = given.items()
    with pytest.raises(loupe.UsageError, match=f"^{name}: .*{re.escape(repr(value))}"):
        pytest_plugin._check_values(given, set())
    right = {"style": ["ggplot", {"lines.linewidth": 9}], "tolerance": "2,rim=.5", "filename": "a.png", "savefig_kwargs": None}
    pytest_plugin._check_values(right, set())


def test_wrong_values_of_marks_are_told_once(tests: pytest.Pytester) -> None:
    change(tests, "@pytest.mark.parametrize", "@pytest.mark.mpl_image_compare(style='nope')\n@pytest.mark.parametrize")
    result = tests.runpytest_subprocess("--loupe-mpl")
    assert result.ret == pytest.ExitCode.USAGE_ERROR and len(list(filter(None, result.errlines))) == 1
    result.stderr.fnmatch_lines(["ERROR: *::test_square[[]10]: @pytest.mark.mpl_image_compare: style: matplotlib refuses 'nope': *"])


def test_switched_off_figures_are_drawn_and_not_compared(tests: pytest.Pytester) -> None:
    for words in (["--loupe-off"], ["-o", "loupe_off=true"], ["--loupe-off", "--loupe-update"]):
        result = tests.runpytest_subprocess(*words)
        result.assert_outcomes(passed=5)
        result.stdout.fnmatch_lines(["no picture was compared, as loupe is off"])
    assert not (tests.path / "tests/__loupe__").exists()
    assert kept(tests) == set()
    # What can't be drawn is an error still.
    change(tests, "loupe_snapshot(picture(value))", "loupe_snapshot(5)")
    tests.runpytest_subprocess("--loupe-off").assert_outcomes(failed=5)


MPL = """
import matplotlib, numpy, pytest, unittest
from matplotlib import pyplot

def figure():
    figure, ax = pyplot.subplots()
    ax.plot([1, 2, 4])
    return figure

@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("value", [1, 2])
def test_value(value):
    assert matplotlib.rcParams["lines.linewidth"] == 1.0
    return figure()

@pytest.mark.mpl_image_compare(filename="named.png", baseline_dir="other", deterministic=True, style="default", tolerance=7.5)
def test_named():
    assert matplotlib.rcParams["lines.linewidth"] == 1.5
    return figure()

@pytest.mark.mpl_image_compare(backend="svg", remove_text=True, savefig_kwargs={"dpi": 30}, hash_library="x.json")
def test_backend():
    assert matplotlib.get_backend().lower() == "svg"
    return figure()

class TestUnit(unittest.TestCase):
    @pytest.mark.mpl_image_compare
    def test_unit(self):
        self.assertTrue(True)
        return figure()

@pytest.mark.mpl_image_compare
def test_axes():
    return figure().axes[0]

@pytest.mark.mpl_image_compare
def test_pair():
    return pyplot.subplots()

@pytest.mark.mpl_image_compare
def test_several_axes():
    return figure().subplots(2, 2)

@pytest.mark.mpl_image_compare
def test_subfigure():
    return figure().subfigures(1, 2)

class Grid:
    def __init__(self):
        self.figure = figure()

    def savefig(self, file, **options):
        self.figure.savefig(file, bbox_inches="tight", **options)

@pytest.mark.mpl_image_compare
def test_grid():
    return Grid()
"""
NAMES = [
    "baseline/test_axes.png", "baseline/test_backend.png", "baseline/test_grid.png", "baseline/test_pair.png",
    "baseline/test_several_axes.png", "baseline/test_subfigure.png", "baseline/test_unit.png", "baseline/test_value_1.png",
    "baseline/test_value_2.png", "other/named.png",
]  # fmt: skip


def test_marks_of_pytest_mpl_are_understood(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text(MPL)
    tests.makeini("[pytest]\naddopts = -p loupe_render.pytest_plugin -p no:cacheprovider\nloupe_mpl = true\n")
    result = tests.runpytest_subprocess("--loupe-update", "--strict-markers")
    result.assert_outcomes(failed=10)
    result.stdout.fnmatch_lines(["wrote the reference tests/other/named.png: *"])
    assert sorted(str(one.relative_to(tests.path / "tests")) for one in tests.path.glob("tests/*/*.png")) == NAMES
    tests.runpytest_subprocess().assert_outcomes(passed=10)
    change(tests, "[1, 2, 4]", "[1, 3, 4]")
    result = tests.runpytest_subprocess()
    result.assert_outcomes(failed=9, passed=1)
    result.stdout.fnmatch_lines(["  root mean square *, allowed is 7.5", "note: marks of pytest-mpl are judged by the root mean square*"])
    assert result.stdout.str().count("note: ") == 1 and "would pass at" not in result.stdout.str()
    tests.runpytest_subprocess("--loupe-off").assert_outcomes(passed=10)
    # A grid of seaborn saves itself tight.
    widths = [int.from_bytes((tests.path / f"tests/baseline/test_{one}.png").read_bytes()[16:20], "big") for one in ("grid", "axes")]
    assert widths[0] < widths[1]


def test_the_root_mean_square_is_that_of_pytest_mpl(tests: pytest.Pytester) -> None:
    from matplotlib.testing.compare import compare_images
    from PIL import Image

    def png(levels: object, kind: str) -> bytes:
        written = io.BytesIO()
        Image.fromarray(np.asarray(levels, np.uint8), "RGBA").convert(kind).save(written, "PNG")
        return written.getvalue()

    one, other = np.random.default_rng(0).integers(0, 256, (2, 9, 8, 4))
    for kind, other_kind in (("RGBA", "RGBA"), ("RGB", "RGB"), ("RGB", "L")):
        pictures = {"a.png": png(one, kind), "b.png": png(other, other_kind)}
        for name, picture in pictures.items():
            (tests.path / name).write_bytes(picture)
        found = compare_images(str(tests.path / "a.png"), str(tests.path / "b.png"), 0, in_decorator=True)
        assert isinstance(found, dict) and found["rms"] == pytest.approx(pytest_plugin._root_mean_square(*pictures.values()))
    assert pytest_plugin._root_mean_square(png(one, "RGBA"), png(one, "RGB")) == float("inf")


def test_marks_of_pytest_mpl_pass_and_fail_as_there(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import numpy, pytest

PICTURE = numpy.zeros((20, 20, 3), "uint8")
PICTURE[9, 8:9] = 200

@pytest.mark.mpl_image_compare(tolerance=10.1)
def test_passes():
    return PICTURE

@pytest.mark.mpl_image_compare(tolerance=9.9)
def test_fails():
    return PICTURE

@pytest.mark.mpl_image_compare
def test_is_usual():
    return PICTURE

@pytest.mark.loupe(max_pixels=1)
@pytest.mark.mpl_image_compare(tolerance=1, filename=None, baseline_dir=None)
def test_counts_pixels():
    return PICTURE
""")
    tests.runpytest_subprocess("--loupe-mpl", "--loupe-update")
    change(tests, "= 200", "= 0")
    for words, failed in ([], 2), (["-o", "mpl-default-tolerance=10.1"], 1), (["-o", "loupe_tolerance=200"], 1):
        tests.runpytest_subprocess("--loupe-mpl", *words).assert_outcomes(failed=failed, passed=4 - failed)


def test_keys_of_pytest_mpl_are_read(tests: pytest.Pytester) -> None:
    tests.makeini("""
[pytest]
addopts = -p loupe_render.pytest_plugin -p no:cacheprovider
loupe_mpl = true
mpl-use-full-test-name = true
mpl-default-style = ggplot
mpl-default-backend = svg
mpl-baseline-path = pictures
mpl-results-path = results
""")
    (tests.path / "tests/test_plots.py").write_text("""
import matplotlib, pytest

class TestPlots:
    @pytest.mark.parametrize("value", ["a.b", "c"])
    @pytest.mark.mpl_image_compare(filename="other.png")
    def test_one(self, value):
        assert matplotlib.get_backend().lower() == "svg" and matplotlib.rcParams["axes.facecolor"] == "#E5E5E5"
        return matplotlib.pyplot.figure(figsize=(1, 1))
""")
    result = tests.runpytest_subprocess("--loupe-update", "-W", "error")
    result.stdout.fnmatch_lines(["note: not read, as docs/pytest-mpl.md says: mpl-results-path"])
    names = [f"test_plots.TestPlots.test_one_{one}.png" for one in ("a.b", "c")]
    assert sorted(path.name for path in (tests.path / "pictures").iterdir()) == names
    tests.runpytest_subprocess().assert_outcomes(passed=2)


def test_references_of_marks_are_shared_and_named_as_by_pytest_mpl(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import numpy, pytest

@pytest.mark.mpl_image_compare
@pytest.mark.parametrize("value", ["a", "A"])
def test_value(value):
    return numpy.full((9, 9, 3), ord(value), "uint8")

@pytest.mark.mpl_image_compare(filename="same.png")
@pytest.mark.parametrize("value", [1, 2])
def test_same(value):
    return numpy.full((9, 9, 3), 5, "uint8")
""")
    tests.runpytest_subprocess("--loupe-mpl", "--loupe-update")
    result = tests.runpytest_subprocess("--loupe-mpl")
    result.assert_outcomes(failed=1, passed=3)
    result.stdout.fnmatch_lines(["*have references that differ in capitals alone, *test_value_a.png and *test_value_A.png; *"])
    folder = tests.path / "tests/baseline"
    (folder / "test_value_A.png").write_bytes((folder / "test_value_a.png").read_bytes())
    if len(list(folder.iterdir())) == 3:
        # Each has its file: this file system tells them apart.
        result = tests.runpytest_subprocess("--loupe-mpl")
        result.assert_outcomes(failed=1, passed=3)
        result.stdout.fnmatch_lines(["the picture is not its reference tests/baseline/test_value_A.png"])


def test_matplotlibs_own_decorator_is_understood(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import matplotlib, pytest
from matplotlib import pyplot
from matplotlib.testing.decorators import image_comparison

@image_comparison(["left", "right"], extensions=["png"], style="mpl20", remove_text=True, tol=3.5)
def test_two():
    for _ in range(2):
        pyplot.subplots()[1].plot([1, 2, 4])
""")
    tests.runpytest_subprocess("--loupe-mpl", "--loupe-update").assert_outcomes(failed=1)
    assert references(tests) == ["test_two[png]-left.png", "test_two[png]-right.png"]
    tests.runpytest_subprocess("--loupe-mpl").assert_outcomes(passed=1)
    change(tests, "[1, 2, 4]", "[1, 3, 4]")
    result = tests.runpytest_subprocess("--loupe-mpl")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  root mean square *, allowed is 3.5", "2 of 2 differ*"])
    # Without it the decorator has no reference.
    tests.runpytest_subprocess().stdout.fnmatch_lines(["*aseline image*does not exist*"])


def test_an_update_writes_all_into_another_folder(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text(MPL)
    for words in (["--loupe-hashes=hashes.json"], []):
        tests.runpytest_subprocess("--loupe-mpl", "--loupe-update", *words)
    shutil.rmtree(tests.path / "tests/baseline")
    for words, folder in ([], "new"), (["--loupe-hashes=hashes.json"], "hashed"):
        given = ["--loupe-mpl", *words]
        tests.runpytest_subprocess(*given, "--loupe-update", f"--loupe-references={folder}").assert_outcomes(failed=10)
        written = [one.name for one in (tests.path / folder).rglob("*.png")]
        assert sorted(written) == sorted(pathlib.Path(one).name for one in NAMES)
        tests.runpytest_subprocess(*given, "-o", f"loupe_references={folder}").assert_outcomes(passed=10)


def test_tests_of_an_installed_package_have_their_references_in_the_given_folder(
    tests: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tests.path / "site/mypackage/tests"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package / "test_inside.py").write_text(MODULE)
    elsewhere = tests.path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "pytest.ini").write_text((tests.path / "tox.ini").read_text())
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tests.path / "site"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(elsewhere)
    words = ["-c", "pytest.ini", "--rootdir=.", "--pyargs", "mypackage", "--loupe-references=../refs"]
    tests.run(sys.executable, "-m", "pytest", *words, "--loupe-update").assert_outcomes(failed=5)
    assert len(list((tests.path / "refs/mypackage/tests/test_inside").iterdir())) == 5
    assert not list(package.rglob("*.png"))
    tests.run(sys.executable, "-m", "pytest", *words).assert_outcomes(passed=5)


def test_names_that_differ_in_capitals_alone_have_files_of_their_own(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import numpy, pytest

PICTURE = numpy.zeros((9, 9, 3), "uint8")

@pytest.mark.parametrize("value", ["A", "a"])
def test_value(loupe_snapshot, value):
    loupe_snapshot(PICTURE)

def test_names(loupe_snapshot):
    loupe_snapshot(PICTURE, name="Left")
    loupe_snapshot(PICTURE, name="left")

class TestA:
    def test_one(self, loupe_snapshot):
        loupe_snapshot(PICTURE)

class Testa:
    def test_one(self, loupe_snapshot):
        loupe_snapshot(PICTURE)
""")
    result = tests.runpytest_subprocess("--loupe-update")
    result.stdout.fnmatch_lines(["*test_names-left and test_names-Left differ in capitals alone; give one another name"])
    result.stdout.fnmatch_lines(["*Testa.test_one and TestA.test_one differ in capitals alone; *"])
    assert len({one.lower() for one in references(tests)}) == len(references(tests)) == 4


def test_marked_tests_return_their_picture(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import matplotlib, numpy, pytest, unittest
from matplotlib import pyplot

@pytest.mark.parametrize("value", [1, 2])
@pytest.mark.loupe(savefig_kwargs={"dpi": 20})
def test_figure(value):
    assert matplotlib.rcParams["lines.linewidth"] == 1.5
    figure, axes = pyplot.subplots()
    axes.plot([1, 2, value])
    return figure

@pytest.mark.loupe
def test_nothing():
    assert not pyplot.get_fignums()

class TestUnit(unittest.TestCase):
    @pytest.mark.loupe
    def test_nothing(self):
        pass

@pytest.mark.loupe
class TestMarked:
    def test_array(self):
        return numpy.zeros((9, 9, 3), "uint8")

    def test_without(self):
        pass

@pytest.mark.loupe
def test_no_picture():
    return 5
""")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=6, passed=1)
    assert references(tests) == ["TestMarked.test_array.png", "test_figure[1].png", "test_figure[2].png"]
    result = tests.runpytest_subprocess()
    result.assert_outcomes(failed=3, passed=4)
    result.stdout.no_fnmatch_line("*pytest_plugin.py:*")
    result.stdout.fnmatch_lines(["*neither uses loupe_snapshot nor returns a picture"])
    change(tests, "[1, 2, value]", "[1, 3, value]")
    tests.runpytest_subprocess().assert_outcomes(failed=5, passed=2)


def test_a_marked_test_of_pytest_mpl_returns_a_picture(tests: pytest.Pytester) -> None:
    tests.makepyfile("""
import pytest

@pytest.mark.mpl_image_compare
def test_nothing():
    pass
""")
    result = tests.runpytest_subprocess("--loupe-mpl", "-k", "test_nothing")
    result.stdout.fnmatch_lines(["*@pytest.mark.mpl_image_compare: the test neither uses loupe_snapshot nor returns a picture"])


def test_pytest_mpl_leaves_marked_tests_alone(tests: pytest.Pytester) -> None:
    """A plugin of the same name closes what tests return, as pytest-mpl does."""
    tests.makepyfile(**{"pytest_mpl/__init__": "", "pytest_mpl/plugin": """
import pytest

class FigureCloser:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        function = item.obj
        item.obj = lambda *given, **named: function(*given, **named) and None
        return (yield)

def pytest_addoption(parser):
    parser.addoption("--mpl", action="store_true")

def pytest_configure(config):
    config.pluginmanager.register(FigureCloser())
"""})
    tests.makepyfile("""
import numpy, pytest

@pytest.mark.mpl_image_compare
def test_nothing():
    return numpy.zeros((4, 4), "uint8")
""")
    words = ("-p", "pytest_mpl.plugin", "-k", "test_nothing")
    tests.syspathinsert()
    result = tests.runpytest_subprocess("--loupe-mpl", *words)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*there is no reference*"])
    both = tests.runpytest_subprocess("--loupe-mpl", "--mpl", *words)
    both.stderr.fnmatch_lines(["*--mpl: loupe_mpl compares what these tests return; leave out one of the two"])


def test_mismatches_fail_in_unittest_and_in_other_fixtures(tests: pytest.Pytester) -> None:
    change(tests, '@pytest.mark.parametrize("value", [10, 20, 30, 40, 50])', """
import unittest

class TestUnit(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def _given(self, loupe_snapshot):
        self.snapshot = loupe_snapshot

    def test_unit(self):
        self.snapshot(picture(1))

@pytest.fixture
def late(loupe_snapshot):
    yield
    loupe_snapshot(picture(1))

@pytest.fixture
def early(loupe_snapshot):
    loupe_snapshot(picture(1))

def test_late(late):
    pass

def test_early(early):
    pass

def test_otherwise(loupe_snapshot):
    loupe_snapshot(picture(1))
    assert 200 == 200

@pytest.mark.parametrize("value", [10])""")
    outcomes = {"failed": 4, "passed": 1, "errors": 1}
    result = tests.runpytest_subprocess("--loupe-update")
    result.assert_outcomes(**outcomes)
    assert len(references(tests)) == 5
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    change(tests, "3), 200,", "3), 205,")
    change(tests, "assert 200 ==", "assert 205 ==")
    result = tests.runpytest_subprocess()
    result.assert_outcomes(**outcomes)
    # Also that of the test which fails otherwise.
    names = ("TestUnit.test_unit", "test_late", "test_early", "test_otherwise", "test_square[[]10]")
    result.stdout.fnmatch_lines(["5 of 5 differ; *", *(f"failed: tests/__loupe__/test_plots/{name}.png" for name in names)])
    result = tests.runpytest_subprocess("--loupe-update")
    result.stdout.fnmatch_lines(["written: tests/__loupe__/test_plots/test_otherwise.png"])


def test_masks_are_arrays(tests: pytest.Pytester) -> None:
    change(tests, "picture(value))", "picture(value), mask=np.ones((20, 30), bool) & (np.arange(30) > 3))")
    record(tests)
    change(tests, "[5:9, 7:12] = value", "[5:9, 7:12] = value + 100")
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    change(tests, "> 3", "> 8")
    tests.runpytest_subprocess().assert_outcomes(failed=5)


def test_hashes_need_no_references(tests: pytest.Pytester) -> None:
    words = ["--loupe-hashes", "hashes.json"]
    tests.runpytest_subprocess(*words).assert_outcomes(failed=5)
    tests.runpytest_subprocess("--loupe-update", "-p", "xdist", "-n", "2", *words).assert_outcomes(failed=5)
    assert not (tests.path / "tests/__loupe__").exists()
    assert (tests.path / "hashes.json").read_text().count("tests/test_plots.py::test_square[") == 5
    tests.runpytest_subprocess(*words).assert_outcomes(passed=5)
    change(tests, "200", "201")
    result = tests.runpytest_subprocess(*words)
    result.assert_outcomes(failed=5)
    result.stdout.fnmatch_lines(["*does not have the hash of tests/test_plots.py::test_square[[]10] in hashes.json"])
    result = tests.runpytest_subprocess("--loupe-update", "-k", "10", *words)
    result.stdout.fnmatch_lines(["wrote the hash of tests/test_plots.py::test_square[[]10] in hashes.json: *"])
    record(tests)
    (tests.path / "hashes.json").write_text("{}")
    result = tests.runpytest_subprocess("--loupe-update", *words)
    result.stdout.fnmatch_lines(["written: hash of tests/test_plots.py::test_square[[]10] in hashes.json"])
    change(tests, "20, 30, 40, 50]", "20, 30, 40]")
    result = tests.runpytest_subprocess(*words)
    result.stdout.fnmatch_lines(["no test uses tests/test_plots.py::test_square[[]50]"])
    for text in ("[1]", "{"):
        (tests.path / "hashes.json").write_text(text)
        result = tests.runpytest_subprocess(*words)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: --loupe-hashes: *hashes.json can't be used: *"])


def test_hashes_tell_pictures_of_16_bits_apart(tests: pytest.Pytester) -> None:
    change(tests, "picture(value))", "picture(value) * np.uint16(100))")
    words = ["--loupe-hashes=hashes-{platform}.json"]
    tests.runpytest_subprocess("--loupe-update", *words).assert_outcomes(failed=5)
    tests.runpytest_subprocess(*words).assert_outcomes(passed=5)
    assert (tests.path / f"hashes-{sys.platform}.json").exists()
    change(tests, "np.uint16(100)", "np.uint16(100) + np.uint16(1)")
    tests.runpytest_subprocess(*words).assert_outcomes(failed=5)
    change(tests, "(20, 30, 3)", "(20, 30)")
    tests.runpytest_subprocess("--loupe-update", *words).assert_outcomes(failed=5)
    change(tests, " + np.uint16(1)", "")
    tests.runpytest_subprocess(*words).assert_outcomes(failed=5)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_hash_has_what_changes_how_pixels_are_shown(bits: int) -> None:
    side, rows = struct.pack(">II", 2, 1), bytes(range(1 + 2 * 3 * bits // 8))

    def png(**chunks: bytes) -> bytes:
        parts = {"IHDR": side + bytes((bits, 2, 0, 0, 0)), **chunks, "IDAT": zlib.compress(rows), "IEND": b""}
        return _png.SIGNATURE + b"".join(_png.chunk(kind.encode(), data) for kind, data in parts.items())

    shown = side + bytes((bits, 2, 0, 0, 0)) + rows if bits == 16 else side + b"\1\2\3\xff\4\5\6\xff"
    plain = "sha256:" + hashlib.sha256(shown).hexdigest()
    standard = struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
    gamma, density = struct.pack(">I", 100000), {"pHYs": bytes(9)}
    same = [{}, {"gAMA": struct.pack(">I", 45455), "cHRM": standard}, {"gAMA": gamma, "sRGB": b"\0"}, {"cICP": b"\1\15\0\1"}, density]
    turned = b"MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\3\0\0\0\0\0\0"
    other: list[dict[str, bytes]] = [{"gAMA": gamma}, {"cHRM": standard[::-1]}, {"cICP": b"\14\15\0\1"}, {"eXIf": turned}]
    other += [{"iCCP": b"a\0\0" + zlib.compress(b"profile")}, {"tRNS": rows[1:] if bits == 16 else b"\0\1\0\2\0\3"}]
    assert {_hash(png(**one)) for one in same} == {plain} == {_hash(png(), is_strict=True)}
    found = [_hash(png(**one)) for one in other] + [_hash(png(**density), is_strict=True)]
    assert len({plain, *found}) == len(found) + 1


def test_a_hash_has_the_orientation_of_a_jpeg_and_all_bytes_where_pillow_shows_less() -> None:
    image = Image.new("RGB", (8, 4), "red")
    exif = Image.Exif()
    exif[0x0112] = 3

    def jpeg(image: Image.Image, **options: Any) -> bytes:
        written = io.BytesIO()
        image.save(written, "JPEG", **options)
        return written.getvalue()

    assert _hash(jpeg(image)) != _hash(jpeg(image, exif=exif))
    assert _hash(jpeg(image)) == _hash(jpeg(image, dpi=(9, 9))) != _hash(jpeg(image, dpi=(9, 9)), is_strict=True)
    for data in (jpeg(image.convert("CMYK")), b"\0\0\0\x18ftypheic"):
        assert _hash(data) == "sha256:" + hashlib.sha256(data).hexdigest()


@needs_command
def test_what_differs_beside_the_pixels_is_a_warning(tests: pytest.Pytester) -> None:
    record(tests)
    path = tests.path / "tests/__loupe__/test_plots/test_square[10].png"
    data = path.read_bytes()
    path.write_bytes(data[:33] + _png.chunk(b"pHYs", struct.pack(">IIB", 3937, 3937, 1)) + data[33:])
    result = tests.runpytest_subprocess()
    result.assert_outcomes(passed=5, warnings=1)
    result.stdout.fnmatch_lines(["*LoupeWarning: tests/test_plots.py::test_square[[]10]: beside the pixels: density 100 dpi → none"])


def test_whole_numbers_of_16_bits_are_data(tests: pytest.Pytester) -> None:
    change(tests, "picture(value))", "picture(value).astype(np.uint16) + np.uint16(1000))")
    record(tests)
    change(tests, "np.uint16(1000)", "np.uint16(1001)")
    tests.runpytest_subprocess().assert_outcomes(failed=5)
    tests.runpytest_subprocess("-o", "loupe_tolerance=0.01").assert_outcomes(passed=5)


def test_a_test_that_shows_no_picture_fails(tests: pytest.Pytester) -> None:
    tests.makepyfile("def test_one(loupe_snapshot):\n    pass\n")
    result = tests.runpytest_subprocess("test_a_test_that_shows_no_picture_fails.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["loupe_snapshot: the test has it and shows it no picture, so nothing was compared"])


def test_references_of_a_platform_a_folder_and_an_address(tests: pytest.Pytester) -> None:
    import functools

    words = ["--loupe-references", "pictures/{platform}"]
    tests.runpytest_subprocess("--loupe-update", *words).assert_outcomes(failed=5)
    folder = tests.path / "pictures" / sys.platform / "tests/test_plots"
    assert len(list(folder.iterdir())) == 5 and not (tests.path / "tests/__loupe__").exists()
    tests.runpytest_subprocess(*words).assert_outcomes(passed=5)
    # In __loupe__, those of this platform go before those of all.
    record(tests)
    change(tests, "200", "100")
    own = tests.path / "tests/__loupe__/test_plots" / sys.platform
    own.mkdir()
    tests.runpytest_subprocess("-k", "10").assert_outcomes(failed=1, deselected=4)
    (tests.path / "loupe-failures/tests/test_plots/test_square[10]-actual.png").rename(own / "test_square[10].png")
    result = tests.runpytest_subprocess()
    result.assert_outcomes(failed=4, passed=1)
    assert "no test uses" not in result.stdout.str()
    change(tests, "100", "200")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tests.path / "pictures" / sys.platform))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        tests.runpytest_subprocess("--loupe-references", address).assert_outcomes(passed=5)
        change(tests, "50]", "60]")
        tests.runpytest_subprocess("--loupe-references", address).assert_outcomes(passed=4, failed=1)
        assert tests.runpytest_subprocess("--loupe-references", address, "--loupe-update").ret == pytest.ExitCode.USAGE_ERROR
        change(tests, "60]", "50]")
        change(tests, "200", "210")
        handler.keywords["directory"] = str(tests.path / "pictures")
        result = tests.runpytest_subprocess(f"--loupe-references={address}/{{platform}}/")
        result.assert_outcomes(failed=5)
        result.stdout.fnmatch_lines([f"*its reference {address}/{sys.platform}/tests/test_plots/test_square%5B10%5D.png",
                                     "If the picture is right, put it at that address."])  # fmt: skip
        server.shutdown()
    result = tests.runpytest_subprocess(f"--loupe-references={address}")
    result.assert_outcomes(failed=5)
    result.stdout.fnmatch_lines([f"the reference {address}/*.png can't be read: *refused*"])
    result.stdout.no_fnmatch_line("*urllib/request.py*")
    assert tests.runpytest_subprocess("--loupe-references=s3://bucket").ret == pytest.ExitCode.USAGE_ERROR


def test_references_that_no_test_uses_are_listed(tests: pytest.Pytester) -> None:
    record(tests)
    change(tests, ", 40, 50]", "]")
    for name in (".DS_Store", "README.md"):
        (tests.path / "tests/__loupe__/test_plots" / name).touch()
    for words in ([], ["-p", "xdist", "-n", "2"]):
        result = tests.runpytest_subprocess(*words)
        result.assert_outcomes(passed=3)
        result.stdout.fnmatch_lines([f"no test uses tests/__loupe__/test_plots/test_square[[]{one}].png" for one in (40, 50)])
        assert result.stdout.str().count("no test uses") == 2
    for words in (["-k", "10"], ["-x"], ["--deselect=tests/test_plots.py::test_square[10]"]):
        assert "no test uses" not in tests.runpytest_subprocess(*words).stdout.str()
    change(tests, "    loupe_snapshot(", "    if value == 30: pytest.skip()\n    loupe_snapshot(")
    assert "[30]" not in tests.runpytest_subprocess().stdout.str()


@pytest.mark.parametrize("word", ["--loupe-report", "--loupe-references=pictures", "--loupe-hashes=hashes.json"])
def test_references_of_test_files_that_are_gone_are_listed(tests: pytest.Pytester, word: str) -> None:
    old = (tests.path / "tests/test_plots.py").rename(tests.path / "tests/test_old.py")
    tests.runpytest_subprocess("--loupe-update", word).assert_outcomes(failed=5)
    old.rename(tests.path / "tests/test_plots.py")
    tests.runpytest_subprocess("--loupe-update", word).assert_outcomes(failed=5)
    for words in ([], ["tests"]):
        result = tests.runpytest_subprocess(word, *words)
        result.assert_outcomes(passed=5)
        result.stdout.fnmatch_lines([f"no test uses *test_old*test_square[[]{one}]*" for one in (10, 20, 30, 40, 50)])
        assert result.stdout.str().count("no test uses") == 5
    assert "no test uses" not in tests.runpytest_subprocess(word, "tests/test_plots.py").stdout.str()


def test_other_pictures_and_folders_without_tests_are_not_listed(tests: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--loupe-references=tests", "--loupe-hashes=hashes.json"]
    tests.runpytest_subprocess("--loupe-update", *words[:1]).assert_outcomes(failed=5)
    (tests.path / "hashes.json").write_text('{"tests/test_old.py::test_square[10]": "0"}')
    other = ["tests/data/test_square[10].png", "tests/test_data/picture.png"]
    old = [f"{one}/test_old/test_square[10].png" for one in ("tests/tests", "tests/__loupe__", ".git/__loupe__", "venv/__loupe__")]
    for name in (*other, *old):
        (tests.path / name).parent.mkdir(parents=True, exist_ok=True)
        (tests.path / name).touch()
    result = tests.runpytest_subprocess(*words)
    listed = ["no test uses tests/test_old.py::test_square[10]", f"no test uses {old[0]}"]
    assert [one for one in result.outlines if "no test uses" in one] == listed
    record(tests)
    result = tests.runpytest_subprocess()
    assert [one for one in result.outlines if "no test uses" in one] == [f"no test uses {old[1]}"]
    monkeypatch.chdir(tests.path / "tests/data")
    result = tests.runpytest_subprocess("../../tests", *words)
    assert [one for one in result.outlines if "no test uses" in one] == listed


@needs_command
def test_vectors_have_their_own_suffix_and_are_compared_as_drawn(tests: pytest.Pytester) -> None:
    path = tests.path / "tests/test_plots.py"
    path.write_text("""
import matplotlib, pytest
from matplotlib import pyplot

@pytest.mark.parametrize("kind", ["svg", "pdf"])
@pytest.mark.loupe(remove_text=True)
def test_plot(loupe_snapshot, kind):
    assert matplotlib.get_backend().lower() == "agg" and matplotlib.rcParams["lines.linewidth"] == 1.5
    figure, axes = pyplot.subplots(figsize=(2, 1))
    axes.plot([1, 2, 4], color="C0")
    axes.set_title("gone")
    loupe_snapshot(figure, savefig_kwargs={"format": kind})

def test_closed():
    assert not pyplot.get_fignums()
""")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=2, passed=1)
    assert references(tests) == ["test_plot[pdf].pdf", "test_plot[svg].svg"]
    tests.runpytest_subprocess().assert_outcomes(passed=3)
    svg = tests.path / "tests/__loupe__/test_plots/test_plot[svg].svg"
    svg.write_text(svg.read_text() + "<!-- other bytes, the same picture -->")
    change(tests, '"gone"', '"gone, too"')
    tests.runpytest_subprocess().assert_outcomes(passed=3)
    change(tests, '"C0"', '"C3"')
    tests.runpytest_subprocess().assert_outcomes(failed=2, passed=1)
    assert kept(tests) >= {f"tests/test_plots/test_plot[{one}" for one in ("svg]-actual.svg", "pdf]-difference.png")}


@needs_command
def test_the_list_of_the_page_is_accepted(tests: pytest.Pytester) -> None:
    import json

    record(tests)
    change(tests, "200", "205")
    tests.runpytest_subprocess().assert_outcomes(failed=5)
    hashes = {value: _hash((tests.path / f"loupe-failures/tests/test_plots/test_square[{value}]-actual.png").read_bytes()) for value in (10, 20)}
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert all(one in page for one in hashes.values()) and "pytest --loupe-accept=accept.json" in page
    cases = [{"scene": f"tests/__loupe__/test_plots/test_square[{value}].png", "picture": one} for value, one in hashes.items()]
    # What has changed since is not accepted.
    cases[1]["picture"] = hashes[10]
    (tests.path / "accept.json").write_text(json.dumps({"format": "loupe-accept/1", "cases": cases}))
    result = tests.runpytest_subprocess("--loupe-accept", "accept.json")
    result.assert_outcomes(failed=5)
    # Where `CI` is set, pytest repeats the whole message in its summary.
    assert sum(line.startswith("wrote the reference tests/__loupe__") for line in result.outlines) == 1
    tests.runpytest_subprocess().assert_outcomes(failed=4, passed=1)
    # It was accepted, and not drawn.
    result.stdout.fnmatch_lines(["no test shows the accepted picture of tests/__loupe__/test_plots/test_square[[]20].png"])
    (tests.path / "accept.json").write_text("{}")
    assert tests.runpytest_subprocess("--loupe-accept", "accept.json").ret == pytest.ExitCode.USAGE_ERROR


@needs_command
def test_the_page_names_the_run_also_where_all_passed(tests: pytest.Pytester) -> None:
    change(tests, "picture(value))", "__import__('loupe_render').render(picture(value)))")
    record(tests)
    result = tests.runpytest_subprocess("--loupe-report")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["0 of 5 differ; see loupe-failures/report.html"])
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert f"pytest {tests.path.name}, 20" in page and page.replace(" ", "").count('"message":"equal"') == 5
    # A run without pictures leaves it.
    tests.runpytest_subprocess("--collect-only")
    tests.runpytest_subprocess("-k", "nothing")
    assert (tests.path / PAGE).exists()


class Server(http.server.BaseHTTPRequestHandler):
    """Answers as its path says."""

    def do_GET(self) -> None:
        head = b"HTTP/1.0 200 OK\r\n"
        answers: dict[str, list[bytes]] = {
            "page": [head + b"\r\n<!doctype html><p>Log in"],
            "bitmap": [head + b"\r\nBM"],
            "loop": [b"HTTP/1.0 302 Found\r\nLocation: /loop\r\n\r\n"],
            "none": [b"HTTP/1.0 404 Not Found\r\n\r\n"],
            "broken": [b"HTTP/1.0 500 Oh\x1b[31m\r\n\r\n"],
            "nonsense": [b"nonsense\r\n\r\n"],
            "short": [head + b"Content-Length: 9\r\n\r\nshort"],
            "silent": [b""] * 20,
            "slow-head": [head, *[b"A: b\r\n"] * 40],
            "slow-body": [head + b"\r\n", *[b"a"] * 20],
            "endless": [head + b"\r\n" + bytes(1 << 21)],
        }
        with contextlib.suppress(OSError):
            for part in answers[self.path.split("/")[1]]:
                self.wfile.write(part)
                time.sleep(0.1 if self.path.startswith("/s") else 0)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """The address of the server."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("loop", "HTTP Error 302: The HTTP server returned a redirect error that would lead to an infinite loop."),
        ("broken", "HTTP Error 500: Oh?[31m"),
        ("nonsense", "BadStatusLine: nonsense"),
        ("short", "the connection ended before its last byte"),
        ("silent", "it took more than 0.5 s"),
        ("slow-head", "it took more than 0.5 s"),
        ("slow-body", "it took more than 0.5 s"),
        ("endless", "it has more than 1 MiB"),
    ],
)
def test_a_server_of_references_that_misbehaves_is_one_sentence(
    address: str, monkeypatch: pytest.MonkeyPatch, path: str, words: str
) -> None:
    monkeypatch.setattr(pytest_plugin, "_MOST_SECONDS", 0.5)
    monkeypatch.setattr(pytest_plugin, "_MOST_BYTES", 1 << 20)
    start = time.monotonic()
    with pytest.raises(pytest.fail.Exception) as caught:
        pytest_plugin._fetched(f"{address}/{path}")
    assert str(caught.value) == f"the reference {address}/{path} can't be read: {words}" and time.monotonic() - start < 3
    assert pytest_plugin._fetched(f"{address}/none") is None


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("page", "an HTML page, such as a server answers in place of a file; download the picture again"),
        ("bitmap", "cannot identify image file"),
        ("short", "the connection ended before its last byte"),
    ],
)
def test_an_address_without_a_picture_is_one_sentence(tests: pytest.Pytester, address: str, path: str, words: str) -> None:
    result = tests.runpytest_subprocess(f"--loupe-references={address}/{path}", "-k", "10")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines([f"the reference {address}/{path}/*.png can't be read: {words}"])


def test_folders_of_similar_names_keep_their_own_pictures(tests: pytest.Pytester) -> None:
    for folder in ("tests/a", "tests_a"):
        (tests.path / folder).mkdir()
        (tests.path / folder / "test_plots.py").write_text(MODULE)
    result = tests.runpytest_subprocess("--import-mode=importlib", "-k", "10")
    result.assert_outcomes(failed=3, deselected=12)
    folders = ("tests", "tests/a", "tests_a")
    assert kept(tests) == KEPT_PAGE | {f"{one}/test_plots/test_square[10]-actual.png" for one in folders}


def test_a_reference_that_can_not_be_read_is_named_and_replaced(tests: pytest.Pytester) -> None:
    record(tests)
    name = "tests/__loupe__/test_plots/test_square[10].png"
    for text, words in (("nothing", "*PNG*"), ("version https://git-lfs.github.com/spec/v1\n", "*run git lfs pull")):
        (tests.path / name).write_text(text)
        result = tests.runpytest_subprocess()
        result.assert_outcomes(failed=1, passed=4)
        result.stdout.fnmatch_lines([f"the reference {name.replace('[', '[[]')} can't be read: {words}"])
        tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=1, passed=4)
        tests.runpytest_subprocess().assert_outcomes(passed=5)


@pytest.mark.parametrize("line", ["loupe_report = perhaps", "loupe_remove_text = maybe", "loupe_tolerance = abc"])
def test_the_configuration_is_checked(tests: pytest.Pytester, line: str) -> None:
    tests.makeini(f"[pytest]\naddopts = -p loupe_render.pytest_plugin -p no:cacheprovider\n{line}\n")
    result = tests.runpytest_subprocess("--collect-only")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    key, _, value = line.partition(" = ")
    result.stderr.fnmatch_lines([f"ERROR: {key}: *'{value}'*"])


def test_names_that_no_file_can_have_are_told_apart(tests: pytest.Pytester) -> None:
    change(tests, "[10, 20, 30, 40, 50]", "[10, 20], ids=['a/b:*', 'a b?' * 99]")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=2)
    names = references(tests)
    assert len(names) == 2 and all(re.fullmatch(r"test_square\[a_b_+(a_b_)*.*-[0-9a-f]{8}\.png", name) for name in names)
    tests.runpytest_subprocess().assert_outcomes(passed=2)


def test_names_with_colons_and_points_are_told_apart(tests: pytest.Pytester) -> None:
    change(tests, "[10, 20, 30, 40, 50]", "[10, 20], ids=['a.b', 'a::b']")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=2)
    assert len(references(tests)) == 2
    tests.runpytest_subprocess().assert_outcomes(passed=2)


def test_figures_are_drawn_as_their_style_says_and_left_as_they_are(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import pytest
from matplotlib import pyplot

@pytest.mark.parametrize("kind", ["png", "tif", "eps"])
@pytest.mark.loupe(style={"savefig.dpi": 50}, remove_text=True)
def test_plot(loupe_snapshot, kind):
    figure, axes = pyplot.subplots(figsize=(2, 1))
    axes.set(title="above", xlabel="x")
    axes.bar(["one", "two"], [1, 2])
    figure.suptitle("above, too")
    loupe_snapshot(figure, savefig_kwargs={"format": kind})
""")
    result = tests.runpytest_subprocess("--loupe-update")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*UsageError: page: it begins with b'%!PS-Ado', which is no PNG, *"])
    assert references(tests) == ["test_plot[png].png", "test_plot[tif].png"]
    png = (tests.path / "tests/__loupe__/test_plots/test_plot[png].png").read_bytes()
    assert [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)] == [100, 50]
    tests.runpytest_subprocess().assert_outcomes(failed=1, passed=2)


@needs_command
def test_a_pdf_has_one_page(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

def test_pages(loupe_snapshot, tmp_path):
    with PdfPages(tmp_path / "page.pdf") as pages:
        pages.savefig(Figure())
        pages.savefig(Figure())
    loupe_snapshot(tmp_path / "page.pdf")
""")
    result = tests.runpytest_subprocess("--loupe-update")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*UsageError: page: the PDF has several pages; *"])
    assert not (tests.path / "tests/__loupe__").exists()


def test_figures_pillow_images_paths_and_loupe_pictures_are_compared(tests: pytest.Pytester, top: pathlib.Path) -> None:
    (tests.path / "tests/test_plots.py").write_text(f"""
import pathlib
import loupe_render as loupe, matplotlib, pytest
matplotlib.use("Agg")
from matplotlib import pyplot
from PIL import Image

@pytest.mark.parametrize("kind", ["figure", "image", "path", "bytes", "picture"])
def test_kind(loupe_snapshot, kind):
    figure, axes = pyplot.subplots(figsize=(2, 1))
    axes.plot([1, 2, 4])
    path = pathlib.Path({str(top)!r}, "reference-images/pages/interface.png")
    loupe_snapshot({{"figure": lambda: figure, "image": lambda: Image.open(path), "path": lambda: path,
                     "bytes": path.read_bytes, "picture": lambda: loupe.render(path, margin=0)}}[kind]())
""")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=5)
    tests.runpytest_subprocess().assert_outcomes(passed=5)


def test_several_figures_are_not_compared_by_their_first(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import matplotlib, pytest
matplotlib.use("Agg")
from matplotlib import pyplot

@pytest.mark.parametrize("kind", ["one", "pair"])
def test_figures(loupe_snapshot, kind):
    figure, axes = pyplot.subplots(1, 2)
    loupe_snapshot((figure, axes) if kind == "one" else [figure, pyplot.figure()])
""")
    result = tests.runpytest_subprocess("--loupe-update")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*it holds 2 figures, and a test compares one*"])
    assert [path.name for path in (tests.path / "tests/__loupe__").rglob("*.png")] == ["test_figures[one].png"]


@needs_command
def test_the_page_is_that_of_verify(tests: pytest.Pytester) -> None:
    """It has the pictures."""
    record(tests)
    change(tests, "200", "205")
    change(tests, "40, 50]", "40, 60]")
    result = tests.runpytest_subprocess()
    result.stdout.fnmatch_lines(["4 of 5 differ, 1 without a reference; see loupe-failures/report.html"])
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert '"state":"failed"' in page.replace(" ", "") and '"state":"missing"' in page.replace(" ", "")


def test_what_of_an_svg_is_not_drawn_is_a_warning(tests: pytest.Pytester) -> None:
    if not HAS_COMMAND:
        pytest.skip("it draws no SVG")
    (tests.path / "tests/test_plots.py").write_text("""
def test_svg(loupe_snapshot):
    loupe_snapshot(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><flowRoot/></svg>')
""")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=1, warnings=1)
    result = tests.runpytest_subprocess()
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*LoupeWarning: *librsvg does not draw flowed text*"])


def test_two_pictures_are_not_written_to_one_reference(tests: pytest.Pytester) -> None:
    (tests.path / "tests/test_plots.py").write_text("""
import numpy, pytest

@pytest.mark.loupe(filename="same.png")
@pytest.mark.parametrize("value", [3, 90])
def test_value(loupe_snapshot, value):
    loupe_snapshot(numpy.full((9, 9, 3), value, "uint8"))
""")
    for _ in range(2):
        result = tests.runpytest_subprocess("--loupe-update")
        result.stdout.fnmatch_lines([
            "*test_value[[]90] and *test_value[[]3] show two pictures and have one reference, *same.png; give each its filename=*"
        ])
    result.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(("brand", "suffix"), [(b"avis", ".avif"), (b"mif1xxxxavif", ".avif"), (b"heix", ".heic"), (b"isom", "")])
def test_a_file_of_boxes_has_the_suffix_of_its_brand(brand: bytes, suffix: str) -> None:
    data = b"\0\0\0\x20ftyp" + brand + bytes(30)
    if suffix:
        assert pytest_plugin._suffix(data) == suffix
    else:
        with pytest.raises(Exception, match="which is no PNG"):
            pytest_plugin._suffix(data)
