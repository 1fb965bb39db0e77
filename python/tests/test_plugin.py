"""The plugin for pytest, in runs of their own."""

from __future__ import annotations

import pathlib
import re

import pytest

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
    assert kept(tests) == {"report.html", "tests_test_plots/test_square[10]-actual.png"}


def test_an_update_writes_and_still_fails_once(tests: pytest.Pytester) -> None:
    record(tests)
    assert references(tests) == [f"test_square[{value}].png" for value in (10, 20, 30, 40, 50)]
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(passed=5)
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    assert not (tests.path / "loupe-failures").exists()


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n", "2"]])
def test_a_difference_keeps_three_pictures_and_one_page(tests: pytest.Pytester, workers: list[str]) -> None:
    record(tests)
    change(tests, "200", "205")
    result = tests.runpytest_subprocess(*workers)
    result.assert_outcomes(failed=5)
    for part in ("reference", "actual", "difference"):
        result.stdout.fnmatch_lines([f"*{part}:*loupe-failures/tests_test_plots/test_square[[]10]-{part}.png"])
    result.stdout.fnmatch_lines(["*differs*580 of 600 pixels*", "5 of 5 differ; see loupe-failures/report.html"])
    names = {f"tests_test_plots/test_square[{value}]-{part}.png"
             for value in (10, 20, 30, 40, 50) for part in ("reference", "actual", "difference")}  # fmt: skip
    assert kept(tests) == names | {"report.html"}
    page = (tests.path / "loupe-failures/report.html").read_text()
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


def test_names_that_no_file_can_have_are_told_apart(tests: pytest.Pytester) -> None:
    change(tests, "[10, 20, 30, 40, 50]", "[10, 20], ids=['a/b:*', 'a b?' * 99]")
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(failed=2)
    names = references(tests)
    assert len(names) == 2 and all(re.fullmatch(r"test_square\[a_b_+(a_b_)*.*-[0-9a-f]{8}\.png", name) for name in names)
    tests.runpytest_subprocess().assert_outcomes(passed=2)


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


def test_the_page_is_that_of_verify(tests: pytest.Pytester) -> None:
    """It has the pictures, and no button that would accept what `verify` can't."""
    record(tests)
    change(tests, "200", "205")
    change(tests, "40, 50]", "40, 60]")
    result = tests.runpytest_subprocess()
    result.stdout.fnmatch_lines(["5 of 5 differ; see loupe-failures/report.html"])
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert '"state":"failed"' in page.replace(" ", "") and '"state":"missing"' in page.replace(" ", "")
    assert "sha256:" not in page
