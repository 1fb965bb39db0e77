"""`loupe.render` and `loupe.callout`, compared with the command itself."""

from __future__ import annotations

import copy
import datetime
import io
import json
import pathlib
import pickle
import subprocess
import sys
import types
import warnings
import xml.etree.ElementTree
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import loupe_render as loupe
from loupe_render import _flags, _options, _pages, _png

Native = Callable[..., bytes]


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"at": (20, 15), "radius": 8, "zoom": 3.5}, ["--at", "20,15", "--radius", "8", "--zoom", "3.5"]),
        ({"at": np.array([9, 7]), "focus": ((3, 4), (9, 10))}, ["--at", "9,7", "--focus", "3,4..9,10"]),
        ({"at": "50%,50%", "shape": (12, 9), "grid": True, "mark": False}, "--at 50%,50% --shape 12x9 --grid".split()),
        ({"frame": True, "corner": "4:ios"}, ["--frame", "--corner", "4:ios"]),
        ({"margin": 5, "background": "#123", "dpi": 200}, "--margin 5 --background #123 --dpi 200".split()),
        ({"loupe": ["at=9,9 zoom=3", "at=30,20"], "plain": True}, ["--loupe", "at=9,9 zoom=3", "--loupe", "at=30,20", "--plain"]),
        ({"callout": [((9, 9), (30, 20)), "5,6@8,25"], "accent": "gold"}, "--callout 9,9@30,20 --callout 5,6@8,25 --accent gold".split()),
        ({"callout": [(("page:9,9", "page:15,12"), None)], "place": "beside"}, "--callout page:9,9..15,12 --place beside".split()),
        ({"reference": True, "at": (20, 15), "radius": 8}, ["--reference", "--at", "20,15", "--radius", "8"]),
        ({"scale": 2, "depth": 16, "device": "cpu"}, ["--scale", "2", "--depth", "16", "--device", "cpu"]),
        ({"no_metadata": True, "at": (20, 15)}, ["--no-metadata", "--at", "20,15"]),
    ],
)  # fmt: skip
def test_keywords_draw_what_the_flags_draw(
    page: pathlib.Path, tmp_path: pathlib.Path, native: Native, options: Any, flags: list[str], request: pytest.FixtureRequest
) -> None:
    if "device" in options:
        request.getfixturevalue("device")
    native("page.png", "-o", "native.png", *flags, cwd=tmp_path)
    picture = loupe.render(page, **options)
    picture.save(tmp_path / "own.png")
    assert (tmp_path / "own.png").read_bytes() == (tmp_path / "native.png").read_bytes()


def test_png_is_what_the_command_writes_to_standard_output(
    page: pathlib.Path, native: Native, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(page.parent)
    assert loupe.render("page.png", at=(9, 7)).png == native("page.png", "-o", "-", "--at", "9,7", cwd=page.parent)
    # Also after the working folder has changed: paths are those of the caller.
    (page.parent / "below").mkdir()
    monkeypatch.chdir("below")
    assert loupe.render("../page.png", at=(9, 7)).png == native("../page.png", "-o", "-", "--at", "9,7", cwd=page.parent / "below")


def test_scene_is_what_print_scene_prints(page: pathlib.Path, native: Native) -> None:
    picture = loupe.render(page, at=(30, 25), frame=True)
    assert picture.scene == json.loads(native(str(page), "--print-scene", "--at", "30,25", "--frame"))
    assert (loupe.render(picture.scene).array == picture.array).all()
    assert loupe.render(page, at=(30, 25), frame=True, no_metadata=True).scene == picture.scene


def test_saved_picture_is_drawn_again_from_another_folder(page: pathlib.Path, tmp_path: pathlib.Path, native: Native) -> None:
    (tmp_path / "out").mkdir()
    picture = loupe.render(page, at=(9, 7))
    picture.save(tmp_path / "out" / "first.png")
    native("out/first.png", "-o", "again.png", "--allow-outside", cwd=tmp_path)
    assert (np.array(Image.open(tmp_path / "again.png").convert("RGBA")) == picture.array).all()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["first.png"]


@pytest.mark.parametrize("in_memory", [False, True])
def test_vectors_are_those_of_the_command(page: pathlib.Path, tmp_path: pathlib.Path, native: Native, in_memory: bool) -> None:
    flags = ["--at", "20,15", "--radius", "8", "--width", "85mm"]
    picture = loupe.render(page.read_bytes() if in_memory else page, at=(20, 15), radius=8, width="85mm", map=tmp_path / "map.json")
    for suffix in (".pdf", ".svg", ".SVG"):
        picture.save(tmp_path / f"own{suffix}")
        given = ["-"] if in_memory else ["page.png"]
        native(*given, "-o", f"native{suffix}", *flags, cwd=tmp_path, data=page.read_bytes() if in_memory else None)
        assert (tmp_path / f"own{suffix}").read_bytes() == (tmp_path / f"native{suffix}").read_bytes()
    for name in ("own.jpg", "own", "own.png.gz"):
        with pytest.raises(loupe.UsageError, match="does not end in"):
            picture.save(tmp_path / name)
    with pytest.raises(loupe.UsageError, match="a int is no path"):
        picture.save(5)  # type: ignore[arg-type]
    for name in ("own.pdf", "own.png"):
        with pytest.raises(loupe.OutputError):
            picture.save(tmp_path / "gone" / name)


def test_a_picture_says_what_it_shows(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    words = "Two colours & a ring, “enlarged” <6 times>"
    picture = loupe.render(page, at=(20, 15), radius=8, alt=words)
    picture.save(tmp_path / "own.png")
    saved = Image.open(tmp_path / "own.png")
    assert saved.info["Description"] == words == picture.image.info["Description"] and "loupe-scene" in saved.info
    assert (np.array(saved.convert("RGBA")) == picture.array).all()
    picture.save(tmp_path / "own.svg")
    root = xml.etree.ElementTree.parse(tmp_path / "own.svg").getroot()
    assert root.get("role") == "img" and root[0].tag.endswith("title") and root[0].text == words
    picture.save(tmp_path / "own.pdf")
    assert b"/Alt <feff" + words.encode("utf-16-be").hex().encode() in (tmp_path / "own.pdf").read_bytes()
    picture.alt = "Other words"
    assert picture.image.info["Description"] == "Other words"
    picture.alt = None
    picture.save(tmp_path / "own.png")
    assert "Description" not in Image.open(tmp_path / "own.png").info


def test_pictures_are_copied_and_pickled(pixels: NDArray[np.uint8], tmp_path: pathlib.Path) -> None:
    picture = loupe.render(pixels, at=(9, 7))
    for other in (pickle.loads(pickle.dumps(picture)), copy.copy(picture), copy.deepcopy(picture)):
        assert other.png == picture.png and other.stats == picture.stats and other.scene == picture.scene
        other.save(tmp_path / "other.svg")
    with pytest.raises(loupe.UsageError, match="in memory"):
        loupe.render(picture.scene)


def test_stats_say_what_was_drawn(page: pathlib.Path) -> None:
    stats = loupe.render(page, at=(9, 7)).stats
    assert [view["view"] for view in stats["views"]] == ["base", "loupe 0"]
    assert stats["milliseconds"]["total"] > 0


@pytest.mark.parametrize("shape", [(30, 40), (30, 40, 1), (30, 40, 3), (30, 40, 4)])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_arrays_keep_every_bit(shape: tuple[int, ...], kind: type[np.uint8] | type[np.uint16]) -> None:
    most = np.iinfo(kind).max
    array: Any = np.random.default_rng(7).integers(0, most + 1, shape, dtype=kind)
    if shape[-1] == 4:
        array[..., 3] = most
    # Any layout in memory.
    for given in (array, np.asfortranarray(array), array[::-1], array.astype(array.dtype.newbyteorder(">"))):
        drawn = loupe.render(given, margin=0, depth=16 if kind is np.uint16 else 8).array
        assert drawn.dtype == kind and drawn.shape == (30, 40, 4)
        expected = np.broadcast_to(np.atleast_3d(given)[..., :3], (30, 40, 3))
        assert (drawn[..., :3] == expected).all() and (drawn[..., 3] == most).all()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_pillow_images_are_pages(mode: str, pixels: NDArray[np.uint8]) -> None:
    image = Image.fromarray(pixels)
    image = Image.fromarray(pixels[..., 0].astype(np.uint16) * 257) if mode == "I;16" else image.convert(mode)
    drawn = loupe.render(image, margin=0).array
    expected = np.array((image.convert("RGB") if mode != "I;16" else Image.fromarray(pixels[..., 0])).convert("RGBA"))
    assert (drawn == expected).all()


@pytest.mark.parametrize("mode", ["La", "RGBa"])
def test_premultiplied_images_of_pillow_are_pages(mode: str) -> None:
    straight = "LA" if mode == "La" else "RGBA"
    image = Image.new(straight, (9, 9), (100, 128) if mode == "La" else (100, 60, 200, 128))
    drawn, expected = (loupe.render(one, margin=0).array.astype(int) for one in (image.convert(mode), image))
    assert np.abs(drawn - expected).max() <= 1


def test_cmyk_is_converted_by_its_profile(top: pathlib.Path) -> None:
    """As the command converts a JPEG with the same profile."""
    found = list(pathlib.Path("/usr/share/color/icc").rglob("*CMYK*.icc")) + list((top / "Tests").rglob("*cmyk*.icc"))
    if not found:
        pytest.skip("this machine has no CMYK profile")
    image = Image.new("CMYK", (8, 8), (200, 40, 10, 30))
    image.info["icc_profile"] = found[0].read_bytes()
    written = io.BytesIO()
    image.save(written, "JPEG", quality=100, icc_profile=found[0].read_bytes())
    drawn, expected = (loupe.render(one, margin=0).array.astype(int) for one in (image, written.getvalue()))
    assert np.abs(drawn - expected).max() <= 2


@pytest.mark.parametrize("suffix", ["tif", "bmp"])
def test_tiff_and_bmp_are_read_by_pillow(suffix: str, pixels: NDArray[np.uint8], tmp_path: pathlib.Path) -> None:
    path = tmp_path / f"page.{suffix}"
    Image.fromarray(pixels).save(path)
    for given in (path, str(path), path.read_bytes()):
        assert (loupe.render(given, margin=0).array[..., :3] == pixels).all() and loupe.diff(given, pixels).same


def test_numbers_of_32_bits_are_16_where_they_fit(pixels: NDArray[np.uint8]) -> None:
    values = pixels[..., 0].astype(np.int32) * 257
    assert (loupe.render(Image.fromarray(values), margin=0, depth=16).array[..., 0] == values).all()
    assert (loupe.render(pixels[..., 0] > 99, margin=0).array[..., 0] == (pixels[..., 0] > 99) * 255).all()


def test_an_svg_may_have_more_than_libxml2s_10_megabytes_in_an_attribute() -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="%s" width="9" height="9" fill="#f00"/></svg>'
    assert (loupe.render(svg % (b"a" * 10_500_000), scale=1).array == (255, 0, 0, 255)).all()


def test_help_has_every_keyword_with_its_text() -> None:
    import inspect

    for function, kind in ((loupe.render, _options.RenderOptions), (loupe.diff, _options.DiffOptions)):
        names = set(kind.__annotations__)
        assert names <= set(inspect.signature(function).parameters) and function.__doc__
        assert all(f"    {name}: " in function.__doc__ for name in names)
    assert "Magnification relative to the canvas, 1 to 64" in str(loupe.callout.__doc__)
    # Keywords of one name may mean two things.
    assert "How many pixels may differ" in str(loupe.diff.__doc__) and "How many pixels may differ" not in str(loupe.render.__doc__)
    assert "--" not in str(loupe.render.__doc__)


@pytest.mark.parametrize("module", ["PIL.Image", "matplotlib.figure"])
def test_an_array_is_a_page_while_another_thread_imports(
    pixels: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, types.ModuleType(module))
    assert _pages.png_of(pixels).startswith(_png.SIGNATURE)


def test_bytes_a_path_and_an_earlier_picture_are_the_same_page(page: pathlib.Path, pixels: NDArray[np.uint8]) -> None:
    drawn = [loupe.render(one, at=(9, 7)).array for one in (page, str(page), page.read_bytes(), bytearray(page.read_bytes()), pixels)]  # fmt: skip
    again = loupe.render(loupe.render(pixels, margin=0), at=(9, 7)).array
    assert all((one == drawn[0]).all() for one in [*drawn, again])


def test_svg_bytes_are_drawn_crisp() -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect x="20" width="20" height="30"/></svg>'
    array = loupe.render(svg, background="#fff", at=(20, 15), focus=(20, 15), radius=12, zoom=32, plain=True, scale=1).array
    assert {tuple(pixel) for pixel in array[15, 10:30, :3]} == {(255, 255, 255), (0, 0, 0)}


def test_decoder_agrees_with_pillow_for_every_kind_of_png(pixels: NDArray[np.uint8], top: pathlib.Path) -> None:
    photograph = top / "reference-images/pages/photograph.png"
    pages: list[Any] = [pixels, pixels[..., 0], photograph, np.zeros((5, 7), np.uint8), np.eye(9, dtype=np.uint8) * 255]
    pages.append((pixels // 64) * 64)
    for given in pages:
        for options in ({"margin": 0}, {"at": (9, 7), "canvas": (90, 70)}, {"margin": 2}):
            picture = loupe.render(given, **options)
            expected = np.array(Image.open(io.BytesIO(picture.png)).convert("RGBA"))
            assert (_png.decode(picture.png) == expected).all()


@pytest.mark.parametrize(
    ("page_given", "options", "kind", "code", "words"),
    [
        (None, {"zoom": 99, "at": (1, 2)}, loupe.UsageError, 64, "zoom: 99 is out of range"),
        (None, {"zom": 3}, loupe.UsageError, 64, "did you mean zoom?"),
        (None, {"at": (1, 2, 3)}, loupe.UsageError, 64, "at: (1, 2, 3) is not 2 numbers"),
        (None, {"at": (1, float("nan"))}, loupe.UsageError, 64, "finite"),
        (None, {"grid": 1}, loupe.UsageError, 64, "True or False"),
        (None, {"map": 3}, loupe.UsageError, 64, "a path"),
        ("gone.png", {}, loupe.MissingError, 66, "gone.png"),
        (b"no picture", {}, loupe.InputError, 65, "page: neither a PNG"),
        ({"loupes": []}, {}, loupe.InputError, 65, "page.canvas.width: missing"),
        (7, {}, loupe.UsageError, 64, "of type int, which is no picture"),
        (np.full((3, 3), 2.0), {}, loupe.UsageError, 64, "floats from 2 to 2 are no picture"),
        (np.zeros((3, 3), int), {}, loupe.UsageError, 64, "an array of int64 is no picture"),
        (np.zeros((3, 3, 2), np.uint8), {}, loupe.UsageError, 64, "3 × 3 × 2"),
        (None, {"device": "99"}, loupe.DeviceError, 69, ""),
        (None, {"map": "/proc/gone/map.json"}, loupe.OutputError, 73, "/proc/gone"),
        (None, {"background": "nocolor"}, loupe.UsageError, 64, "background: 'nocolor' is not a colour"),
        (None, {"blending": "flat"}, loupe.UsageError, 64, "blending: 'flat' is not one of srgb"),
        (None, {"zoom": "big"}, loupe.UsageError, 64, "zoom: 'big' is not a number"),
        (None, {"frame": "x"}, loupe.UsageError, 64, "frame: 'x' is not a backdrop"),
        (None, {"focus": 5}, loupe.UsageError, 64, "focus: 5"),
        (None, {"callout": [5]}, loupe.UsageError, 64, "callout: 5"),
        (None, {"figure_format": "pdf"}, loupe.UsageError, 64, "figure_format"),
        ("gone.tif", {}, loupe.MissingError, 66, "gone.tif"),
        (b"BM no picture", {}, loupe.InputError, 65, "page: "),
        (Image.new("F", (3, 3)), {}, loupe.UsageError, 64, "mode F"),
        (Image.fromarray(np.full((3, 3), -1, np.int32)), {}, loupe.UsageError, 64, "from -1 to -1"),
    ],
)
def test_errors_have_the_commands_sentence_and_code(
    page: pathlib.Path, page_given: Any, options: Any, kind: type[loupe.LoupeError], code: int, words: str
) -> None:
    with pytest.raises(kind) as raised:
        loupe.render(page if page_given is None else page_given, **options)
    assert raised.value.code == code and words in str(raised.value)
    assert isinstance(raised.value, loupe.LoupeError) and "--" not in str(raised.value)


@pytest.mark.parametrize(
    ("keyword", "call"),
    [
        ("alt", lambda page, wrong: loupe.render(page, alt=f"a{wrong}")),
        ("alt", lambda page, wrong: setattr(loupe.render(page), "alt", wrong)),
        ("label_font", lambda page, wrong: loupe.render(page, label_font=wrong)),
        ("loupe", lambda page, wrong: loupe.render(page, loupe=[f"at=9,9 label={wrong}"])),
        ("at", lambda page, wrong: loupe.render(page, at=wrong)),
        ("callout", lambda page, wrong: loupe.callout(page, [(wrong, None)])),
        ("device", lambda page, wrong: loupe.render(page, device=wrong)),
        ("versus", lambda page, wrong: loupe.render(page, at=(9, 9), versus=wrong)),
        ("page", lambda page, wrong: loupe.render(wrong)),
        ("page", lambda page, wrong: loupe.render(f"{wrong}.tif")),
        ("page", lambda page, wrong: loupe.render({"version": 1, "alt": wrong})),
        ("save", lambda page, wrong: loupe.render(page).save(f"{wrong}.png")),
        ("save", lambda page, wrong: loupe.diff(page, page).save(f"{wrong}.png")),
        ("actual", lambda page, wrong: loupe.diff(page, wrong)),
        ("scene", lambda page, wrong: loupe.diff(page, page, scene=wrong)),
        ("verify", lambda page, wrong: loupe.verify(wrong)),
        ("titles", lambda page, wrong: loupe.crops(page, [page], titles=["a", wrong])),
        ("methods", lambda page, wrong: loupe.crops(page, {wrong: page})),
        ("alt", lambda page, wrong: loupe.crops(page, [page], alt=wrong)),
        ("metric", lambda page, wrong: loupe.crops(page, [page], metric=["flip", wrong])),
        ("regions", lambda page, wrong: loupe.crops(page, [page], wrong)),
    ],
)
def test_a_lone_surrogate_is_one_sentence_about_the_keyword(page: pathlib.Path, keyword: str, call: Any) -> None:
    with pytest.raises(loupe.UsageError) as caught:
        call(page, "\ud800")
    assert str(caught.value) == f"{keyword}: '\\ud800' is a lone surrogate, which UTF-8 can't encode; remove it, or rename the file that has it"


def test_a_path_that_is_not_utf8_disturbs_no_later_picture(pixels: NDArray[np.uint8]) -> None:
    with pytest.raises(loupe.UsageError, match=r"^versus: '\\udce9' is a lone surrogate"):
        loupe.render(pixels, at=(9, 9), versus="caf\udce9.png")
    assert (loupe.render(pixels, margin=0).array[..., :3] == pixels).all()


def test_what_looks_wrong_is_a_warning_at_the_callers_line(page: pathlib.Path) -> None:
    with pytest.warns(loupe.LoupeWarning) as noted:
        loupe.render(page, at=(-900, 7), radius=5)
    assert noted[0].filename == __file__


def test_a_scene_names_only_files_below_its_folder(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "scenes").mkdir()
    scene = tmp_path / "scenes" / "scene.json"
    scene.write_text('{"layers": [{"image": "../page.png"}]}')
    with pytest.raises(loupe.InputError, match=r"layers\[0\]\.image"):
        loupe.render(scene)
    assert loupe.render(scene, allow_outside=True).width == 40


def test_files_beside_the_picture_are_written_where_the_caller_is(
    page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loupe.render("page.png", at=(9, 7), scale=1, map="map.json", stats="stats.json", show_plan="plan.png")
    assert json.loads(pathlib.Path("map.json").read_text())["canvas"] == {"width": 40, "height": 30}
    assert pathlib.Path("stats.json").exists() and pathlib.Path("plan.png").exists()


def test_callout_places_what_has_no_centre(page: pathlib.Path, top: pathlib.Path) -> None:
    scatter = top / "examples/pages/scatter.png"
    loupes = loupe.callout(scatter, [((420, 380), None), ((700, 500), (1000, 150))]).scene["loupes"]
    assert loupes[1]["center"] == [1000, 150] and loupes[0]["focus"] == [420, 380]
    assert all("callout" in one for one in loupes)
    beside = loupe.callout(scatter, [((420, 380), None)], place="beside")
    center, radius = (beside.scene["loupes"][0][key] for key in ("center", "radius"))
    left, top_edge, width, height = beside.scene["layers"][0]["rect"]
    across, down = abs(center[0] - left - width / 2) - width / 2, abs(center[1] - top_edge - height / 2) - height / 2
    assert beside.width * beside.height > width * height and max(across, down) > 0
    # The bare paper at the page's border is part of the room, but nothing that stands on the page.
    drawn = loupe.render(scatter).array[..., :3]
    y, x = np.mgrid[: drawn.shape[0], : drawn.shape[1]]
    under = drawn[np.hypot(x + left - center[0], y + top_edge - center[1]) <= radius]
    assert len(under) and (under == drawn[0, 0]).all()
    # Nothing is placed, so nothing has to be said about it.
    assert loupe.callout(page, ["9,9@30,20"], scale=1).scene["loupes"][0]["center"] == [30, 20]


def test_notebooks_get_a_png(page: pathlib.Path) -> None:
    picture = loupe.render(page)
    assert picture._repr_png_() == picture.png and picture.image.size == (40, 30) and (picture.width, picture.height) == (40, 30)


def test_numbers_of_any_library_are_numbers() -> None:
    from fractions import Fraction

    assert _flags.value("at", (np.float32(1.5), Fraction(1, 4))) == "1.5,0.25"
    assert _flags.value("zoom", np.int64(4)) == 4
    with pytest.raises(loupe.UsageError):
        _flags.value("at", (datetime.date.today(), 1))


def test_every_flag_is_a_keyword(top: pathlib.Path) -> None:
    """The list of keywords is what the command's own declarations say: no flag is missed."""
    import os

    import loupe_render._command

    done = subprocess.run(
        [sys.executable, top / "tools/make/python-options", "--check"],
        env={**os.environ, "LOUPE_RENDER": loupe._command.command()}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(_options.CalloutOptions.__annotations__) < set(_options.RenderOptions.__annotations__)


@pytest.mark.parametrize("missing", ["numpy", "PIL", "matplotlib"])
def test_libraries_are_needed_only_where_they_are_used(page: pathlib.Path, missing: str) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
import loupe_render as loupe
picture = loupe.render({str(page)!r}, at=(9, 7), scale=1)
assert picture.png and picture.scene and loupe.diff(picture, picture).same
uses = {{"numpy": lambda: picture.array, "PIL": lambda: picture.image, "matplotlib": lambda: None}}
if {missing!r} == "PIL":
    assert picture.array.shape == (30, 40, 4)
try:
    uses[{missing!r}]()
except loupe.UsageError as error:
    assert "pip install" in str(error)
else:
    assert {missing!r} == "matplotlib"
assert not ({{"numpy", "PIL", "matplotlib"}} - {{{missing!r}}} & set(sys.modules)) or {missing!r} == "PIL"
"""
    with warnings.catch_warnings():
        subprocess.run([sys.executable, "-c", program], check=True)


def test_a_scene_of_many_loupes_is_read_and_saved(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    picture = loupe.callout(page, [((4 + 3 * index, 20), (4 + 3 * index, 5)) for index in range(9)], radius=2, zoom=2)
    picture.save(tmp_path / "many.png")
    assert len(picture.scene["loupes"]) == 9
    assert (loupe.render(picture.scene).array == picture.array).all()
