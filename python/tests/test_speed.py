"""How long pictures take from Python, and how long the installed command takes to start. Run with LOUPE_LONG_TESTS=1."""

from __future__ import annotations

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

import loupe_render as loupe
import loupe_render._command

pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.skipif("LOUPE_LONG_TESTS" not in os.environ, reason="set LOUPE_LONG_TESTS=1"),
]

COUNT = 1000


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def test_a_thousand_small_pictures_take_hardly_longer_than_a_batch(tmp_path: pathlib.Path, top: pathlib.Path) -> None:
    """The same pages, from files and from memory, and PNGs in memory, against a list whose pictures go to files."""
    scatter = Image.open(top / "examples/pages/scatter.png").convert("RGB").resize((320, 240))
    pages = [np.roll(np.asarray(scatter), shift, axis=1) for shift in range(COUNT)]
    jobs = []
    for number, page in enumerate(pages):
        Image.fromarray(page).save(tmp_path / f"{number}.png", compress_level=1)
        jobs.append({"input": f"{number}.png", "output": f"out-{number}.png", "at": [160, 120], "radius": 60})
    (tmp_path / "jobs.jsonl").write_text("\n".join(json.dumps(job) for job in jobs))

    def batch() -> None:
        command = [loupe._command.command(), "batch", "jobs.jsonl", "--quiet", "--no-sync"]
        subprocess.run(command, cwd=tmp_path, check=True)

    def files() -> None:
        for number in range(COUNT):
            loupe.render(tmp_path / f"{number}.png", at=(160, 120), radius=60, no_sync=True)

    def arrays() -> None:
        for page in pages:
            loupe.render(page, at=(160, 120), radius=60, no_sync=True)

    loupe.render(pages[0], no_sync=True)
    # One after another, so that what else the machine does meets all alike.
    rounds = [(seconds(batch), seconds(files), seconds(arrays)) for _ in range(3)]
    own, from_files, from_arrays = (min(times) for times in zip(*rounds, strict=True))
    print(f"batch {own:.2f} s, files {from_files:.2f} s, arrays {from_arrays:.2f} s")
    assert from_files <= 1.3 * own and from_arrays <= 1.3 * own


def test_the_installed_command_starts_like_the_native_one() -> None:
    native = os.environ.get("LOUPE_NATIVE")
    if native is None:
        pytest.skip("LOUPE_NATIVE names no command to compare with")

    def start(path: str) -> float:
        return seconds(lambda: subprocess.run([path, "--version"], check=True, capture_output=True))

    pairs = [(start(loupe._command.command()), start(native)) for _ in range(40)]
    installed, own = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
    print(f"installed {installed:.1f} ms, native {own:.1f} ms")
    assert installed <= own + 15


def test_an_import_takes_60_milliseconds(tmp_path: pathlib.Path) -> None:
    """With the start of Python, and compiled as an installed package is."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path)

    def start(program: str) -> float:
        return seconds(lambda: subprocess.run([sys.executable, "-c", program], env=environment, check=True))

    start("import loupe_render")
    pairs = [(start("pass"), start("import loupe_render")) for _ in range(20)]
    bare, whole = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
    print(f"import {whole:.1f} ms, of which Python {bare:.1f} ms")
    assert whole <= 60


def test_four_threads_draw_faster_than_a_loop() -> None:
    pages = [np.random.default_rng(number).integers(0, 256, (240, 320, 3), np.uint8) for number in range(8)]

    def draw(number: int) -> bytes:
        return loupe.render(pages[number % 8], at=(160, 120), radius=60, no_sync=True).png

    def loop() -> None:
        for number in range(200):
            draw(number)

    def threads() -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(draw, range(200)))

    draw(0)
    one, four = (min(times) for times in zip(*[(seconds(loop), seconds(threads)) for _ in range(3)], strict=True))
    print(f"loop {one:.2f} s, four threads {four:.2f} s, {one / four:.2f} times as fast")
    assert one / four >= 1.5
