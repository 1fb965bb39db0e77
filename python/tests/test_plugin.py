"""The plugin for pytest, in runs of their own."""

from __future__ import annotations

import pathlib
import re

import pytest

from loupe_render import _anywhere

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
    assert kept(tests) == KEPT_PAGE | {"tests_test_plots/test_square[10]-actual.png"}


def test_an_update_writes_and_still_fails_once(tests: pytest.Pytester) -> None:
    record(tests)
    assert references(tests) == [f"test_square[{value}].png" for value in (10, 20, 30, 40, 50)]
    tests.runpytest_subprocess("--loupe-update").assert_outcomes(passed=5)
    tests.runpytest_subprocess().assert_outcomes(passed=5)
    assert not (tests.path / "loupe-failures").exists()


@needs_command
def test_a_change_in_a_few_places_keeps_a_figure_of_them(tests: pytest.Pytester) -> None:
    change(tests, "(20, 30, 3)", "(200, 300, 3)")
    record(tests)
    change(tests, "array[5:9", "array[6:9")
    tests.runpytest_subprocess("-k", "10").stdout.fnmatch_lines(["*figure:*-figure.png"])
    figure = (tests.path / "loupe-failures/tests_test_plots/test_square[10]-figure.png").read_bytes()
    assert figure.startswith(b"\x89PNG")
    assert (tests.path / "loupe-failures/report.html").exists()


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n", "2"]])
def test_a_difference_keeps_three_pictures_and_one_page(tests: pytest.Pytester, workers: list[str]) -> None:
    record(tests)
    change(tests, "200", "205")
    result = tests.runpytest_subprocess(*workers)
    result.assert_outcomes(failed=5)
    for part in ("reference", "actual", "difference"):
        result.stdout.fnmatch_lines([f"*{part}:*loupe-failures/tests_test_plots/test_square[[]10]-{part}.png"])
    result.stdout.fnmatch_lines(["*580 of 600 pixels differ*", f"5 of 5 differ; see {PAGE}"])
    names = {f"tests_test_plots/test_square[{value}]-{part}.png"
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


@pytest.mark.parametrize("given", ["tolerance=300", "tolerence=2", "metric='nope'", "mask=[1]"])
def test_keywords_are_checked_while_recording_too(tests: pytest.Pytester, given: str) -> None:
    change(tests, "picture(value))", f"picture(value), {given})")
    result = tests.runpytest_subprocess("--loupe-update", "-k", "10")
    result.assert_outcomes(failed=1, deselected=4)
    assert not (tests.path / "tests/__loupe__").exists()


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
    result.stdout.fnmatch_lines(["*hash is another*"])


def test_references_of_a_platform_a_folder_and_an_address(tests: pytest.Pytester) -> None:
    import functools
    import http.server
    import sys
    import threading

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
    (tests.path / "loupe-failures/tests_test_plots/test_square[10]-actual.png").rename(own / "test_square[10].png")
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
        server.shutdown()


def test_references_that_no_test_uses_are_listed(tests: pytest.Pytester) -> None:
    record(tests)
    change(tests, ", 40, 50]", "]")
    for words in ([], ["-p", "xdist", "-n", "2"]):
        result = tests.runpytest_subprocess(*words)
        result.assert_outcomes(passed=3)
        result.stdout.fnmatch_lines([f"no test uses tests/__loupe__/test_plots/test_square[[]{one}].png" for one in (40, 50)])
    assert "no test uses" not in tests.runpytest_subprocess("-k", "10").stdout.str()
    change(tests, "    loupe_snapshot(", "    if value == 30: pytest.skip()\n    loupe_snapshot(")
    assert "[30]" not in tests.runpytest_subprocess().stdout.str()


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
    assert "tests_test_plots/test_plot[svg]-actual.svg" in kept(tests) and "tests_test_plots/test_plot[pdf]-difference.png" in kept(tests)


@needs_command
def test_the_list_of_the_page_is_accepted(tests: pytest.Pytester) -> None:
    import json

    record(tests)
    change(tests, "200", "205")
    tests.runpytest_subprocess().assert_outcomes(failed=5)
    from loupe_render.pytest_plugin import _hash

    hashes = {value: _hash((tests.path / f"loupe-failures/tests_test_plots/test_square[{value}]-actual.png").read_bytes()) for value in (10, 20)}
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert all(one in page for one in hashes.values()) and "pytest --loupe-accept accept.json" in page
    cases = [{"scene": f"tests/__loupe__/test_plots/test_square[{value}].png", "picture": one} for value, one in hashes.items()]
    # What has changed since is not accepted.
    cases[1]["picture"] = hashes[10]
    (tests.path / "accept.json").write_text(json.dumps({"format": "loupe-accept/1", "cases": cases}))
    result = tests.runpytest_subprocess("--loupe-accept", "accept.json")
    result.assert_outcomes(failed=5)
    # Where `CI` is set, pytest repeats the whole message in its summary.
    assert sum(line.startswith("wrote the reference tests/__loupe__") for line in result.outlines) == 1
    tests.runpytest_subprocess().assert_outcomes(failed=4, passed=1)
    (tests.path / "accept.json").write_text("{}")
    assert tests.runpytest_subprocess("--loupe-accept", "accept.json").ret == pytest.ExitCode.USAGE_ERROR


@needs_command
def test_the_page_names_the_run_also_where_all_passed(tests: pytest.Pytester) -> None:
    record(tests)
    result = tests.runpytest_subprocess("--loupe-report")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["0 of 5 differ; see loupe-failures/report.html"])
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert f"pytest {tests.path.name}, 20" in page


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


@needs_command
def test_the_page_is_that_of_verify(tests: pytest.Pytester) -> None:
    """It has the pictures."""
    record(tests)
    change(tests, "200", "205")
    change(tests, "40, 50]", "40, 60]")
    result = tests.runpytest_subprocess()
    result.stdout.fnmatch_lines(["5 of 5 differ; see loupe-failures/report.html"])
    page = (tests.path / "loupe-failures/report.html").read_text()
    assert '"state":"failed"' in page.replace(" ", "") and '"state":"missing"' in page.replace(" ", "")
