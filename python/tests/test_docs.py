"""The examples of docs/python.md run, and draw the pictures that the page shows. LOUPE_PICTURES=1 writes those anew."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
import shutil
from typing import Any

import matplotlib
import pytest

import loupe_render as loupe

matplotlib.use("Agg")


def blocks(page: pathlib.Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M)


def test_the_page_draws_its_pictures(top: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = top / "docs/python.md"
    shutil.copytree(top / "examples/pages", tmp_path / "examples/pages")
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    said = io.StringIO()
    with contextlib.redirect_stdout(said), matplotlib.rc_context():
        for block in blocks(page):
            exec(compile(block, str(page), "exec"), names)
    assert said.getvalue().startswith("False ")
    # A test in the page is one that pytest would run.
    seen: list[Any] = []
    names["test_plot"](lambda figure, tolerance: seen.append(figure))
    assert len(seen) == 1
    shown = sorted(re.findall(r"images/(python-[\w-]+\.png)", page.read_text()))
    assert shown == sorted(path.name for path in (tmp_path / "demo").iterdir()) and len(shown) == 3
    for name in shown:
        if "LOUPE_PICTURES" in os.environ:
            shutil.copy(tmp_path / "demo" / name, top / "docs/images" / name)
        # Another version of matplotlib may draw its texts elsewhere by a part of a pixel.
        found = loupe.diff(top / "docs/images" / name, tmp_path / "demo" / name, tolerance=8, max_ratio=0.03)
        assert found.same, f"{name}: {found.summary}\nrun LOUPE_PICTURES=1 tools/check/python if the new one is right"
