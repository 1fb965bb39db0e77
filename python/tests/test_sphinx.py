"""The extension of Sphinx: what each builder gets, what is drawn again, and what errors say. tools/check/documents opens a book."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import zipfile
from collections.abc import Callable

import pytest

import loupe_render as loupe
import loupe_render._command

pytest.importorskip("sphinx")
pytest.importorskip("myst_parser")

from sphinx.cmd.build import build_main

Build = Callable[..., str]

RST = """
Book
====

.. loupe:: page.png
   :callout: 10,10
      30,20
   :letters: a
   :alt: Stripes & two
      loupes
   :width: 60mm
   :name: stripes

   A *caption*.

See :numref:`stripes`.

.. toctree::

   other
   plain
"""
MARKDOWN = """
# Other

```{loupe} other.png
:at: 20,15
:frame:
:zoom: 3

Another caption.
```
"""


@pytest.fixture
def book(tmp_path: pathlib.Path, page: pathlib.Path) -> pathlib.Path:
    """The sources of a book with a figure in reStructuredText and one in Markdown."""
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "conf.py").write_text('extensions = ["loupe_render.sphinx", "myst_parser"]\nnumfig = True\nproject = "Book"\n'
                                    'version = copyright = "1"\n')
    (folder / "index.rst").write_text(RST)
    (folder / "other.md").write_text(MARKDOWN)
    (folder / "plain.rst").write_text("Plain\n=====\n")
    shutil.copy(page, folder / "page.png")
    loupe.render(page, margin=4).save(folder / "other.png")
    return folder


@pytest.fixture
def build(book: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> Build:
    """Builds the book and returns the warnings and errors. Without any, it has to succeed with -W."""

    def run(builder: str = "html", *words: str) -> str:
        capsys.readouterr()
        code = build_main(["-q", "-W", "--keep-going", "-n", "-b", builder, "-d", f"{book}.d", *words, str(book), f"{book}.{builder}"])
        said = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().err)
        assert (code == 0) == (said == ""), said
        return said

    return run


def drawn(book: pathlib.Path) -> set[str]:
    """The files that were drawn so far, with their times."""
    return {f"{path.name} {path.stat().st_mtime_ns}" for path in pathlib.Path(f"{book}.d", "loupe").glob("*-*.[pj]*")
            if path.name != "loupe-figure.js"}  # fmt: skip


def test_html_has_live_figures_and_their_pictures(book: pathlib.Path, build: Build) -> None:
    assert build() == ""
    html = pathlib.Path(f"{book}.html")
    index, other, plain = ((html / f"{name}.html").read_text() for name in ("index", "other", "plain"))
    tag = re.search(r'<loupe-figure src="(_images/page-\w+\.js)" style="[^"]*width: 60mm;[^"]*"><img src="(_images/page-\w+\.png)" '
                    r'alt="Stripes &amp; two loupes" width="\d+" height="\d+" ', index)  # fmt: skip
    assert tag and (html / tag[1]).read_text().startswith("loupeFigure(")
    expected = loupe.render(book / "page.png", callout=["10,10", "30,20"], letters="a")
    assert loupe.diff(html / tag[2], expected).same
    assert '<figure class="align-default" id="stripes">' in index and '<a class="reference internal" href="#stripes">' in index
    # Without an alternative text it is the command's sentence.
    assert 'alt="A page with a loupe: 3 times as large, ' in other and "Another caption." in other
    assert all(("_static/loupe-figure.js" in text) == (text is not plain) for text in (index, other, plain))
    assert (html / "_static/loupe-figure.js").stat().st_size > 100_000


def test_other_builders_have_pictures(book: pathlib.Path, build: Build) -> None:
    assert build("latex", "-j", "2") == ""
    latex = pathlib.Path(f"{book}.latex")
    found = re.search(r"\\sphinxincludegraphics\[width=60mm,alt=\{Stripes \\& two loupes\}\]\{\{(page-\w+)\}\.pdf\}",
                      (latex / "book.tex").read_text())  # fmt: skip
    assert found and b"/Alt" in (latex / f"{found[1]}.pdf").read_bytes()
    assert build("epub") == ""
    with zipfile.ZipFile(next(pathlib.Path(f"{book}.epub").glob("*.epub"))) as epub:
        names, index = epub.namelist(), epub.read("index.xhtml").decode()
    assert re.search(r'<img alt="Stripes &amp; two loupes" src="_images/page-\w+\.png" style="width: 60mm;"', index)
    assert sum(name.startswith("_images/") for name in names) == 2 and not any("loupe-figure" in name for name in names)
    for builder in ("text", "man", "texinfo", "singlehtml", "dirhtml"):
        assert build(builder) == "", builder
    assert build("gettext", "-d", f"{book}.catalogs") == ""
    assert "Stripes & two loupes" in pathlib.Path(f"{book}.text/index.txt").read_text()
    assert 'src="../_images/other-' in pathlib.Path(f"{book}.dirhtml/other/index.html").read_text()
    assert pathlib.Path(f"{book}.singlehtml/index.html").read_text().count("<loupe-figure ") == 2


def test_only_what_changed_is_drawn_again(book: pathlib.Path, build: Build) -> None:
    build()
    first = drawn(book)
    assert len(first) == 4
    (book / "index.rst").write_text(RST.replace("See", "Look at"))
    build()
    build("singlehtml")
    assert drawn(book) == first
    loupe.render(book / "page.png", margin=2).save(book / "page.png")
    build()
    new = drawn(book) - first
    assert sorted(name.partition("-")[0] for name in new) == ["page", "page"] and first < drawn(book)
    (book / "other.md").write_text(MARKDOWN.replace("zoom: 3", "zoom: 4"))
    build()
    assert sorted(name.partition("-")[0] for name in drawn(book) - first - new) == ["other", "other"]


def test_a_scene_is_drawn_again_when_its_image_changes(book: pathlib.Path, build: Build) -> None:
    scene = {"canvas": {"width": 60, "height": 50}, "layers": [{"image": "../page.png", "rect": [5, 5, 40, 30]}]}
    (book / "scenes").mkdir()
    (book / "scenes/scene.json").write_text(json.dumps(scene))
    (book / "plain.rst").write_text("Plain\n=====\n\n.. loupe:: /scenes/scene.json\n   :alt: A scene\n")
    assert "plain.rst:4: ERROR:" in build() and "allow-outside" in build()
    with (book / "conf.py").open("a") as conf:
        conf.write('loupe_options = {"allow_outside": True}\n')
    assert build() == ""
    first = drawn(book)
    shutil.copy(book / "other.png", book / "page.png")
    assert build() == ""
    assert sorted(name.partition("-")[0] for name in drawn(book) - first) == ["page", "page", "scene", "scene"]


@pytest.mark.parametrize(("name", "options", "sentence"), [
    ("none.png", "", "none.png: can't be read"),
    ("page.png", ":zom: 4", 'unknown option: "zom"'),
    ("page.png", ":zoom: four", "zoom: 'four' is not a number"),
    ("page.png", ":zoom: 400\n   :at: 9,9", "--zoom: 400 is out of range"),
    ("page.png", ":filter: soft", "filter: 'soft' is not one of nearest"),
    ("page.png", ":callout:", "callout"),
    ("page.png", ":grid: yes", "grid"),
    ("page.png", ":align: beside", "align"),
    ("page.png", ":versus: none.png\n   :at: 9,9", "none.png: can't be read"),
    ("page.png", ":at: 900,9", "lies wholly off the canvas"),
])  # fmt: skip
def test_errors_name_the_line(book: pathlib.Path, build: Build, name: str, options: str, sentence: str) -> None:
    (book / "plain.rst").write_text(f"Plain\n=====\n\nA line.\n\n.. loupe:: {name}\n   {options}\n")
    for _ in range(2 if "read" in sentence else 1):
        said = build()
        assert re.search(rf"^{book}/plain\.rst:6: (ERROR|WARNING): ", said, re.MULTILINE) and sentence in said
        assert len(re.findall("^/", said, re.MULTILINE)) == 1 or "lies" in sentence, said
    # What was wrong is right without a change of the document.
    if name == "none.png":
        shutil.copy(book / "page.png", book / "none.png")
        assert build() == ""


def test_where_no_live_figure_can_be_made_its_picture_stands(
    book: pathlib.Path, build: Build, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "loupe-render"
    program.write_text(f"""#!/bin/sh
[ "$1" != live ] || {{ echo "loupe-render: error: built without the modules" >&2; exit 69; }}
exec {loupe._command.command()} "$@"
""")
    program.chmod(0o755)
    monkeypatch.setenv("LOUPE_RENDER", str(program))
    said = build()
    assert sorted(re.findall(rf"{book}/(\S+): ERROR: built without the modules", said)) == ["index.rst:5", "other.md:4"], said
    index = pathlib.Path(f"{book}.html/index.html").read_text()
    assert "<loupe-figure" not in index and re.search(r'<img alt="Stripes &amp; two loupes" src="_images/page-\w+\.png"', index)


@pytest.mark.parametrize(("options", "sentence"), [
    ({"zoom": 4}, "loupe_options: zoom is an option of a figure"), ({"devise": "cpu"}, "did you mean device"),
    ({"max_pixels": "x"}, "max_pixels: 'x' is not a number"),
])  # fmt: skip
def test_conf_py_is_checked(book: pathlib.Path, build: Build, options: dict[str, object], sentence: str) -> None:
    with (book / "conf.py").open("a") as conf:
        conf.write(f"loupe_options = {options}\n")
    assert sentence in build()
