"""An extension of Sphinx: a figure with loupes, live in HTML, a PDF in LaTeX, a PNG elsewhere.

    extensions = ["loupe_render.sphinx"]

`.. loupe:: page.png` takes the flags of `loupe-render render` as options; docs/python.md shows how.
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.directives.patches import Figure
from sphinx.errors import ConfigError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

from loupe_render import _flags, _options
from loupe_render._command import NAME, command, ended
from loupe_render._errors import LoupeError, UsageError
from loupe_render._options import RenderOptions
from loupe_render._files import write_whole

# What the document says in its own way, and what is about other files than the picture.
_LEFT_OUT = {
    "alt", "width", "height", "dpi", "scale", "depth", "reference", "map", "show-plan", "stats", "no-metadata",
}  # fmt: skip
# What is about the machine, and is in conf.py.
_OF_MACHINE = _options.OF_PROCESS | {"allow-outside", "max-pixels"}
_FLAGS = {name.replace("_", "-") for name in RenderOptions.__annotations__} - _LEFT_OUT - _OF_MACHINE
# The options of `figure`.
_OF_FIGURES = ("alt", "width", "align", "name", "class", "figclass", "figwidth")
_SCRIPT = "loupe-figure.js"
_KEYS = "Arrow keys move the loupe, plus and minus zoom, Escape puts it away."

_logger = logging.getLogger(__name__)


class loupe_figure(nodes.General, nodes.Element):
    """A picture with loupes. `stem` is the path of its files without a suffix, `words` what the command gets."""


def _option(flag: str) -> Any:
    """What reads the text of an option; a ValueError says what is wrong with it."""
    kind = _options.KINDS[flag]
    if kind == "flag":
        return directives.flag
    if kind == "switch":
        return lambda text: text
    if flag == "callout":
        return lambda text: directives.unchanged_required(text).split()
    if flag == "loupe":
        return lambda text: directives.unchanged_required(text).splitlines()
    if kind == "path":
        return directives.unchanged_required

    def read(text: str) -> Any:
        try:
            return _flags.value(flag, directives.unchanged_required(text))
        except UsageError as error:
            # docutils makes another one of its kind.
            raise ValueError(str(error)) from None

    return read


class Loupe(Figure, SphinxDirective):
    """`.. loupe:: page.png`: what `figure` is, with the flags of the command as options."""

    option_spec: ClassVar[dict[str, Any]] = {
        **{flag: _option(flag) for flag in _FLAGS},
        **{name: read for name, read in (Figure.option_spec or {}).items() if name in _OF_FIGURES},
    }

    def run(self) -> list[nodes.Node]:
        # A flag alone is None in docutils.
        given = {flag: self.options.pop(flag) or True for flag in sorted(_FLAGS & self.options.keys())}
        try:
            drawing = self._drawing(given)
        except LoupeError as error:
            # The next build reads the document again, though it may not have changed.
            self.env.note_reread()
            raise self.error(str(error)) from None
        found = super().run()
        if isinstance(figure := found[0], nodes.figure):
            if drawing.get("width", "").endswith("%") and figure.get("align") in ("left", "right") and "width" not in figure:
                # A figure with text at its side has no width of its own to take a part of.
                figure["width"], drawing["width"] = drawing["width"], "100%"
            figure[0] = drawing
        return found

    def _path(self, name: str) -> str:
        """The path of a file that the document names: relative to the document, or to the sources where it begins with /."""
        return self.env.relfn2path(name)[1]

    def _drawing(self, given: dict[str, Any]) -> loupe_figure:
        page = self._path(self.arguments[0])
        if "versus" in given:
            given["versus"] = self._path(given["versus"])
        if "compare-with" in given:
            given["compare-with"] = ",".join(self._path(one.strip()) for one in given["compare-with"].split(","))
        alt = " ".join(self.options.get("alt", "").split())
        words = [page, *_flags.arguments(given | _usual(self.config)), *([f"--alt={alt}"] if alt else [])]
        self._depend_on(page)
        # Vectors have a size of their own; a PNG of them is larger.
        size = ["--scale=1"] if re.search(r"\.(svg|pdf(#\d+)?)$", page, re.IGNORECASE) else []
        scene, said = _run(["render", *words, *size, "--print-scene"])
        digest = hashlib.sha256(json.dumps([self.config.loupe_version, words]).encode() + scene)
        document = json.loads(scene)
        for path in dict.fromkeys([page, *_images(document)]):
            digest.update(self._depend_on(os.path.join(os.path.dirname(page), path)))
        name = re.sub(r"[^A-Za-z0-9]+", "-", Path(page).stem).strip("-") or "figure"
        node = loupe_figure(
            stem=str(Path(self.env.doctreedir, "loupe", f"{name}-{digest.hexdigest()[:16]}")), words=words,
            canvas=(document["canvas"]["width"], document["canvas"]["height"]), said=said,
        )  # fmt: skip
        if "width" in self.options:
            node["width"] = self.options["width"]
        self.set_source_info(node)
        for sentence in said:
            _logger.warning(sentence, location=node, type="loupe")
        _draw(node, ".png")
        node["alt"] = alt or Path(node["stem"] + ".txt").read_text("utf-8")
        return node

    def _depend_on(self, path: str) -> bytes:
        """The contents of a file, after whose change the document is read again. figure.pdf#3 is a page of a file."""
        file = path if os.path.exists(path) else re.sub(r"#\d+$", "", path)
        self.env.note_dependency(file)
        with contextlib.suppress(OSError), open(file, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").digest()
        return b""


def _images(part: Any) -> Iterator[str]:
    """The paths of a scene's images, absolute or relative to its folder."""
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key in ("image", "versus") and isinstance(value, str))
        part = list(part.values())
    for one in part if isinstance(part, list) else []:
        yield from _images(one)


def _run(words: list[str]) -> tuple[bytes, list[str]]:
    """What the command writes to standard output, and its warnings."""
    done = subprocess.run([command(), *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode:
        # The options of the directive are the command's flags, so its sentence stays as it is.
        found = re.search(f"^{NAME}: error: (.*)", errors, re.DOTALL | re.MULTILINE)
        raise LoupeError(found[1].strip(), done.returncode) if found else ended(done.returncode, done.stderr)
    return done.stdout, re.findall(f"^{NAME}: warning: (.*)", errors, re.MULTILINE)


def _draw(node: loupe_figure, suffix: str) -> str:
    """The path of the figure's file of a kind, which is drawn where it is missing: its name says all that it depends on."""
    path, text = str(node["stem"] + suffix), str(node["stem"] + ".txt")
    if os.path.exists(path) and os.path.exists(text):
        return path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if suffix == ".js":
        _, said = _run(["live", *node["words"], "--embed", f"--label={node['alt']} {_KEYS}", "-o", path])
    else:
        line, said = _run(["render", *node["words"], "--no-metadata", "--print-markdown", "-o", path])
        found = re.match(r"!\[(.*)\]\(<", line.decode())
        assert found
        write_whole(text, re.sub(r"\\(.)", r"\1", found[1]).encode())
    for sentence in said:
        if sentence not in node["said"]:
            _logger.warning(sentence, location=node, type="loupe")
    return path


def _suffixes(builder: Builder) -> list[str]:
    """The files of a figure that a builder needs."""
    if builder.format == "html" and not getattr(builder, "embedded", False):
        return [".png", ".js"]
    if builder.format == "latex":
        return [".pdf"]
    return [".png"]


def _read(app: Sphinx, doctree: nodes.document) -> None:
    """Draws what the builder needs where documents are read, which may be in several processes."""
    for node in doctree.findall(loupe_figure):
        for suffix in _suffixes(app.builder):
            with contextlib.suppress(LoupeError):
                _draw(node, suffix)


def _resolved(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Gives each figure its files. Where its files are pictures alone, it becomes an image, which every builder knows."""
    for node in list(doctree.findall(loupe_figure)):
        try:
            paths = [_draw(node, suffix) for suffix in _suffixes(app.builder)]
        except LoupeError as error:
            _logger.error(str(error), location=node, type="loupe")
            # It was drawn when the document was read.
            paths = [node["stem"] + ".png"]
        for path in paths:
            app.builder.images[path] = os.path.basename(path)
        if paths[-1].endswith(".js"):
            static = Path(app.outdir, "_static", _SCRIPT)
            static.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(paths[-1]).parent / _SCRIPT, static)
        elif paths[-1].endswith(".png"):
            width = node.get("width") or (f"{node['canvas'][0]}px" if app.builder.format == "html" else "")
            image = nodes.image(uri=paths[-1], candidates={"*": paths[-1]}, alt=node["alt"])
            if width:
                image["width"] = width
            node.replace_self(image)


def _add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if doctree is not None and ".js" in _suffixes(app.builder) and any(doctree.findall(loupe_figure)):
        app.add_js_file(_SCRIPT, loading_method="defer")


def _visit_html(self: HTML5Translator, node: loupe_figure) -> None:
    picture, script = (
        html.escape(posixpath.join(self.builder.imgpath, quote(self.builder.images[node["stem"] + suffix])))
        for suffix in (".png", ".js")
    )
    width, height = node["canvas"]
    # The picture's own width may shrink in tables; a given width is that of a figure at the side of text.
    size = f"width: min({width}px, 100%)"
    if given := node.get("width"):
        size = f"width: {given}{'px' if given.isdecimal() else ''}; max-width: 100%"
    self.body.append(
        f'<loupe-figure src="{script}" style="display: flow-root; {size}; margin: 0 auto">'
        f'<img src="{picture}" alt="{html.escape(node["alt"])}" width="{width}" height="{height}"'
        ' style="display: block; width: 100%; height: auto"></loupe-figure>\n'
    )
    raise nodes.SkipNode


def _visit_latex(self: LaTeXTranslator, node: loupe_figure) -> None:
    width = self.latex_image_length(node["width"]) if "width" in node else None
    size = f"width={width}," if width else ""
    stem, suffix = os.path.splitext(self.builder.images[node["stem"] + ".pdf"])
    self.body.append(f"\n\\noindent\\sphinxincludegraphics[{size}alt={{{self.encode(node['alt'])}}}]{{{{{stem}}}{suffix}}}\n")
    raise nodes.SkipNode


def _usual(config: Config) -> dict[str, Any]:
    """The flags that all figures have: `loupe_options` of conf.py."""
    given = _flags.checked(config.loupe_options, RenderOptions, "loupe_options")
    if others := given.keys() - _OF_MACHINE:
        raise UsageError(f"loupe_options: {min(others)} is an option of a figure; say it there", 64)
    return given


def _check(app: Sphinx, config: Config) -> None:
    try:
        _flags.arguments(_usual(config))
    except UsageError as error:
        raise ConfigError(str(error)) from None


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds the directive to Sphinx."""
    app.add_config_value("loupe_options", {}, "env", [dict])
    # All figures are drawn again by another version of the command.
    app.add_config_value("loupe_version", _run(["--version"])[0].decode().strip(), "env", [str])
    app.add_node(loupe_figure, html=(_visit_html, None), latex=(_visit_latex, None))
    app.add_directive("loupe", Loupe)
    app.connect("config-inited", _check)
    app.connect("doctree-read", _read)
    app.connect("doctree-resolved", _resolved)
    app.connect("html-page-context", _add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
