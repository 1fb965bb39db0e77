"""The package for every processor, which has the reference renderer as a module and no command. Run by tools/check/anywhere."""

from __future__ import annotations

import io
import json
import os
import pathlib
import subprocess
import sys
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageCms

import loupe_render as loupe
from loupe_render import _anywhere, _png, _reading

pytestmark = pytest.mark.skipif(not _anywhere.is_used(), reason="the package has the command")


@pytest.mark.filterwarnings("ignore::loupe_render.LoupeWarning")
@pytest.mark.skipif("LOUPE_ANYWHERE_JOBS" not in os.environ, reason="nothing was drawn to compare with")
def test_pictures_have_the_pixels_of_the_commands_reference_renderer(top: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [json.loads(line) for line in pathlib.Path(os.environ["LOUPE_ANYWHERE_JOBS"]).read_text().splitlines()]
    monkeypatch.chdir(top / "reference-images/pages")
    drawn = 0
    for job in jobs:
        expected = pathlib.Path(job["output"])
        try:
            answer = _anywhere.engine().ask({"input": job["input"], "output": "-", "allow-outside": True}, None)
        except loupe.DeviceError as error:
            assert "package for every processor" in str(error), job["input"]
            continue
        pixels = answer.pixels
        assert pixels and bytes(pixels.data) == _reading.decoded(expected.read_bytes(), str(expected)).data, job["input"]
        drawn += 1
    assert drawn > 0.9 * len(jobs)


def test_a_large_page_takes_three_seconds(tmp_path: pathlib.Path, top: pathlib.Path) -> None:
    page = top / "reference-images/pages/photograph-2048.png"
    program = f"""import time
began = time.process_time()
import loupe_render as loupe
loupe.render({str(top / "reference-images/pages/alpha.png")!r})
start = time.process_time() - began
picture = loupe.render({str(page)!r}, at=(900, 700), radius=300, zoom=4)
took = time.process_time() - began - start
# Not `ru_maxrss`, which is at least what the process had that started this one.
print(start, took, next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    # The first time the module is compiled.
    for _ in range(2):
        said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    start, draw, kilobytes = map(float, said.split())
    # The first number holds a small picture too.
    assert start < 0.6 and draw < 3 and kilobytes < 300_000, said


def test_what_only_the_command_has_is_named(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
    refused: dict[str, Callable[[], object]] = {
        "SVG": lambda: loupe.render(svg),
        "PDF": lambda: loupe.render(page).save(tmp_path / "out.pdf"),
        "fonts": lambda: loupe.callout(page, [((9, 7), None)], letters="a"),
        "devices": lambda: loupe.render(page, device="cpu"),
        "show_plan": lambda: loupe.render(page, show_plan=tmp_path / "plan.png"),
        "crops": lambda: loupe.crops(page, {"Ours": page}),
        "report": lambda: loupe.verify(tmp_path, report=tmp_path / "report.html"),
    }
    for word, act in refused.items():
        with pytest.raises(loupe.LoupeError, match=word) as found:
            act()
        assert "package for every processor" in str(found.value), word


def test_samples_of_16_bits_are_kept(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(3)
    for channels, color in ((1, 0), (3, 2), (2, 4), (4, 6)):
        page = rng.integers(0, 65536, (5, 7, channels), np.uint16)
        rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in page)
        header = (7).to_bytes(4, "big") + (5).to_bytes(4, "big") + bytes([16, color, 0, 0, 0])
        chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
        data = _png.SIGNATURE + b"".join(_png.chunk(kind, part) for kind, part in chunks)
        found = loupe.render(data, depth=16).array
        expected = page if channels > 2 else page[..., [0] * 3]
        # Where nothing is seen, no colour is kept.
        opaque = found[..., 3] == 65535
        assert found.dtype == np.uint16 and (found[opaque][:, :3] == expected[opaque][:, :3]).all()


def test_colours_are_converted_by_their_profile(tmp_path: pathlib.Path) -> None:
    page = Image.new("RGBA", (4, 4), (200, 80, 40, 255))
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, format in (("page.png", "PNG"), ("page.webp", "WEBP")):
        page.save(tmp_path / name, format, icc_profile=lab, **({"lossless": True} if format == "WEBP" else {}))
        assert (loupe.render(tmp_path / name).array[0, 0] == (200, 80, 40, 255)).all()
    with pytest.raises(loupe.InputError, match="profile"):
        page.save(tmp_path / "broken.png", icc_profile=b"no profile")
        loupe.render(tmp_path / "broken.png")


def test_a_figure_has_the_pixels_that_its_loupe_needs() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    _, ax = pyplot.subplots(figsize=(3, 2))
    ax.plot([0, 1, 2], [0, 1, 0], linewidth=0.5)
    picture = loupe.matplotlib.callout(ax, (1, 1), zoom=8, redraw=False)
    center, radius = picture.scene["loupes"][0]["center"], picture.scene["loupes"][0]["radius"]
    pyplot.close("all")
    (x, y), half = (int(one) for one in center), int(radius / 2)
    inside = picture.array[y - half : y + half, x - half : x + half, :3].astype(int)
    # An edge of a fine raster takes two pixels; one of the page, magnified, takes eight.
    assert np.abs(np.diff(inside, axis=0)).max() > 80


def test_the_program_draws_and_compares(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def run(*words: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "loupe_render", *words], input=data, capture_output=True, cwd=tmp_path, check=False)

    assert run(str(page), "--at", "9,7", "--zoom=3", "-o", "out.png").returncode == 0
    expected = loupe.render(page, at=(9, 7), zoom=3).array
    assert (np.array(Image.open(tmp_path / "out.png").convert("RGBA")) == expected).all()
    piped = run("-", "--at", "9,7", "--zoom", "3", "-o", "-", data=page.read_bytes())
    assert (np.array(Image.open(io.BytesIO(piped.stdout)).convert("RGBA")) == expected).all()
    assert run("diff", str(page), str(page)).stdout.startswith(b"same: ")
    other = run("diff", str(page), "out.png", "--output", "where.png", "--json", "numbers.json")
    assert other.returncode == 1 and (tmp_path / "where.png").exists()
    assert json.loads((tmp_path / "numbers.json").read_text())["same"] is False
    wrong = run(str(page), "--zom", "3", "-o", "out.png")
    assert wrong.returncode == 64 and b"--zoom" in wrong.stderr
    range = run(str(page), "--at", "9,7", "--zoom", "300", "-o", "out.png")
    assert range.returncode == 64 and b"--zoom: 300 is out of range" in range.stderr
    for name in ("devices", "bench", "cost", "live", "replay"):
        assert run(name).returncode == 69


def test_scenes_are_verified(top: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = next(path for path in sorted((top / "reference-images").rglob("*.json")) if "pages" not in path.read_text())
    (tmp_path / case.name).write_bytes(case.read_bytes())
    assert [one.state for one in loupe.verify(tmp_path).cases] == ["missing"]
    assert [one.state for one in loupe.verify(tmp_path, update="missing").cases] == ["written"]
    found = loupe.verify(tmp_path)
    assert found.same and found.summary.startswith("1 case: 1 passed")
    array = np.array(Image.open(tmp_path / f"{case.stem}.png").convert("RGBA"))
    array[: array.shape[0] // 2] ^= 255
    Image.fromarray(array).save(tmp_path / f"{case.stem}.png")
    found = loupe.verify(tmp_path)
    assert [one.state for one in found.cases] == ["failed"] and "differ" in found.cases[0].message
