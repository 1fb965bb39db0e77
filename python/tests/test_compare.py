"""`loupe.diff` and `loupe.verify`, compared with the command itself."""

from __future__ import annotations

import io
import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import loupe_render as loupe
import loupe_render._command
from loupe_render import _anywhere, _png


def test_a_difference_has_the_commands_numbers(page: pathlib.Path, tmp_path: pathlib.Path, pixels: NDArray[np.uint8]) -> None:
    other = pixels.copy()
    other[3:5, 7:11] ^= 8
    Image.fromarray(other).save(tmp_path / "other.png")
    words = ["diff", "page.png", "other.png", "--tolerance", "3", "--json", "-", "-o", "native.png"]
    native = subprocess.run([loupe._command.command(), *words], cwd=tmp_path, capture_output=True, check=False)
    assert native.returncode == 1
    for given in (tmp_path / "other.png", other, Image.fromarray(other), (tmp_path / "other.png").read_bytes()):
        found = loupe.diff(page, given, tolerance=3)
        assert found.json == json.loads(native.stdout)
        assert not found.same and found.pixels == 8 and found.largest == 8
        assert found.png == (tmp_path / "native.png").read_bytes() and found.image.size == (40, 30)
        assert found.summary.startswith("differs: ")
    found.save(tmp_path / "saved.png")
    assert (tmp_path / "saved.png").read_bytes() == found.png == found._repr_png_()
    assert loupe.diff(page, other, tolerance=8).same and loupe.diff(page, other, max_pixels=8).same
    for region in ((7, 3, 4, 2), "7,3,4x2", "7,3..11,5", "11,5..7,3"):
        assert loupe.diff(page, other, ignore=[region]).same
    changed = np.zeros((30, 40), bool)
    changed[3:5, 7:11] = True
    assert loupe.diff(page, other, mask=changed).same and not loupe.diff(page, other, mask=changed[::-1]).same
    assert "would pass at tolerance=8 or max_pixels=8" in loupe.diff(page, other).summary
    assert loupe.diff(page, other[:20]).summary.startswith("differs: 40×30 → 40×20")
    with pytest.raises(loupe.UsageError, match="does not end in .png"):
        found.save(tmp_path / "saved.pdf")


def test_a_difference_shows_the_files_that_were_compared(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    other = tmp_path / "other.png"
    Image.new("RGB", (40, 30)).save(other)
    found, expected = loupe.diff(page, other), loupe.diff(page, other.read_bytes())
    other.unlink()
    assert found.png == expected.png and found.summary == expected.summary


def test_files_of_a_comparison_are_written_once(
    page: pathlib.Path, tmp_path: pathlib.Path, pixels: NDArray[np.uint8]
) -> None:
    figure, results = tmp_path / "figure.png", tmp_path / "results.xml"
    other = pixels.copy()
    other[3:5, 7:11] ^= 8
    found = loupe.diff(page, other, figure=figure, junit=results)
    assert figure.read_bytes().startswith(b"\x89PNG") and results.read_bytes().startswith(b"<?xml")
    figure.unlink()
    results.unlink()
    assert found.png and found.summary
    assert not figure.exists() and not results.exists()


@pytest.mark.skipif(_anywhere.is_used(), reason="the package for every processor draws no SVG")
def test_what_is_not_compared_is_a_warning(tmp_path: pathlib.Path) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><flowRoot/></svg>'
    (tmp_path / "a.svg").write_bytes(svg)
    for page, name in ((svg, "^the reference"), (tmp_path / "a.svg", "a.svg")):
        with pytest.warns(loupe.LoupeWarning, match=f"{name}: librsvg does not draw flowed text"):
            assert loupe.diff(page, page).same
    with pytest.raises(loupe.InputError, match="flowed text"):
        loupe.diff(svg, svg, strict=True)


def test_wrong_keywords_of_a_comparison_are_told(page: pathlib.Path) -> None:
    with pytest.raises(loupe.UsageError, match="threshold: not for metric channel"):
        loupe.diff(page, page, threshold=0.5)
    with pytest.raises(loupe.UsageError, match="did you mean tolerance"):
        loupe.diff(page, page, tolerence=2)  # type: ignore[call-arg]
    with pytest.raises(loupe.UsageError, match="^tolerance: 'x' is not a valid value; allowed is a number from 0 to 255$"):
        loupe.diff(page, page, tolerance="x")
    with pytest.raises(loupe.UsageError, match="^max_pixels: '2.5' is not a valid value; allowed is a whole number from 0$"):
        loupe.diff(page, page, max_pixels=2.5)
    with pytest.raises(loupe.UsageError, match="^ignore: .*X,Y,WxH or two opposite corners, X0,Y0..X1,Y1"):
        loupe.diff(page, page, ignore=["1,2,3,4"])
    with pytest.raises(loupe.UsageError, match="^mask: it is of type list"):
        loupe.diff(page, page, mask=[1])
    with pytest.raises(loupe.UsageError, match="^actual: it is of type int"):
        loupe.diff(page, 1)  # type: ignore[arg-type]
    with pytest.raises(loupe.UsageError, match="^mask: its largest value is 1"):
        loupe.diff(page, page, mask=np.eye(30, 40, dtype=np.uint8))
    with pytest.raises(loupe.InputError, match="^the other picture: (not|neither) a PNG"):
        loupe.diff(page, b"nothing")
    with pytest.raises(loupe.MissingError, match="gone.png"):
        loupe.diff(page, "gone.png")
    # A name that looks like a flag is a name.
    with pytest.raises(loupe.MissingError, match="--quiet"):
        loupe.diff("--quiet", page)


@pytest.mark.usefixtures("device")
def test_scenes_are_compared_with_their_references(top: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = next(path for path in sorted((top / "reference-images").rglob("*.json")) if "pages" not in path.read_text())
    for path in (case, case.with_suffix(".png")):
        shutil.copy(path, tmp_path)
    found = loupe.verify(tmp_path, device="cpu")
    assert found.same and [one.state for one in found.cases] == ["passed"] and found.cases[0].name == case.stem
    assert found.summary.startswith("1 case: 1 passed")
    array = np.array(Image.open(tmp_path / f"{case.stem}.png").convert("RGBA"))
    array[: array.shape[0] // 2] ^= 255
    Image.fromarray(array).save(tmp_path / f"{case.stem}.png")
    found = loupe.verify(tmp_path, report=tmp_path / "report.html")
    assert not found.same and [one.state for one in found.cases] == ["failed"] and "differ" in found.cases[0].message
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(loupe.LoupeError):
        loupe.verify(tmp_path / "gone")


def test_numbers_of_16_bits_and_floats_are_compared_as_they_are() -> None:
    one = np.full((8, 12), 1000, np.uint16)
    other = one.copy()
    other[3, 4] = 1100
    found = loupe.diff(one, other)
    assert (found.same, found.pixels) == (False, 1) and "compared in 16 bits, sRGB" in found.summary
    assert found.errors.max() == pytest.approx(100 / 257) == found.largest
    assert loupe.diff(one, other, tolerance=0.4).same
    assert not loupe.diff(np.full((8, 12), 0.5), np.full((8, 12), 0.501)).same


def test_of_an_animation_no_frame_is_compared_alone() -> None:
    def animation(level: int) -> bytes:
        written = io.BytesIO()
        frames = [Image.fromarray(np.full((8, 12), one, np.uint8)) for one in (9, level)]
        frames[0].save(written, "PNG", save_all=True, append_images=frames[1:])
        return written.getvalue()

    with pytest.raises(loupe.InputError, match="an animation"):
        loupe.diff(animation(50), animation(60))
    assert loupe.diff(animation(50), animation(50)).same


@pytest.mark.skipif(_anywhere.is_used(), reason="the package for every processor reads other files")
def test_an_opened_pillow_image_is_its_file(tmp_path: pathlib.Path, pixels: NDArray[np.uint8]) -> None:
    image, exif = Image.fromarray(pixels), Image.Exif()
    exif[0x0112] = 3
    written = io.BytesIO()
    image.save(written, "PNG", exif=exif, dpi=(300, 300))
    data = written.getvalue()
    linear = data[:33] + _png.chunk(b"gAMA", (100000).to_bytes(4, "big")) + data[33:]
    deep = [_png.encode(memoryview((b"\0" + bytes((9, low)) * 36) * 8), 12, 8, depth=16, color=2) for low in (9, 10)]
    for one in (data, linear, *deep):
        (tmp_path / "page.png").write_bytes(one)
        decoded = Image.open(tmp_path / "page.png")
        decoded.load()
        for opened in (Image.open(io.BytesIO(one)), Image.open(tmp_path / "page.png"), decoded):
            for _ in range(2):
                assert loupe.diff(opened, one, metadata="strict").same
    assert not loupe.diff(*(Image.open(io.BytesIO(one)) for one in deep)).same
    # Another picture than the file's is compared by its own pixels.
    drawn = Image.open(tmp_path / "page.png")
    drawn.putpixel((0, 0), (255, 0, 0))
    assert loupe.diff(deep[1], drawn, tolerance=1).pixels == 1
    image.save(tmp_path / "page.jpg")
    small = Image.open(tmp_path / "page.jpg")
    small.draft("RGB", (20, 15))
    assert loupe.diff(image.resize(small.size), small, tolerance=255).same


@pytest.mark.parametrize("is_decoded", [False, True])
def test_a_closed_pillow_image_is_refused(page: pathlib.Path, is_decoded: bool) -> None:
    with Image.open(page) as opened:
        pass
    if is_decoded:
        opened = Image.open(page)
        opened.load()
        opened.close()
    for draw in (loupe.render, lambda image: loupe.diff(image, page)):
        with pytest.raises(loupe.InputError, match="^(page|reference): the image is closed; open it again$"):
            draw(opened)


@pytest.mark.skipif(_anywhere.is_used(), reason="the package for every processor reads other files")
@pytest.mark.parametrize("kind", ["PNG", "GIF", "TIFF"])
def test_a_pillow_image_of_several_frames_is_refused(kind: str) -> None:
    written, frames = io.BytesIO(), [Image.fromarray(np.full((8, 12), level, np.uint8)) for level in (9, 200)]
    frames[0].save(written, kind, save_all=True, append_images=frames[1:])
    opened, decoded, second = (Image.open(io.BytesIO(written.getvalue())) for _ in range(3))
    decoded.load()
    for image in (opened, decoded):
        with pytest.raises(loupe.InputError, match="only the first frame|several pages or frames"):
            loupe.diff(frames[0], image)
    second.seek(1)
    assert loupe.diff(frames[0], opened.copy()).same and loupe.diff(frames[1], second).same


def test_another_size_passes_where_it_may() -> None:
    one = np.full((8, 12), 9, np.uint8)
    assert not loupe.diff(one, one[:6], max_ratio=1).same
    assert loupe.diff(one, one[:6], max_pixels=24, allow_size=True).same
    assert not loupe.diff(one, one[:6], max_pixels=23, allow_size=True).same
