"""The project's own site, whose sources are its documents as they are: tools/make/docs site."""
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from loupe_render import _options
from loupe_render import sphinx as figures

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ["LOUPE_RENDER"]

project = "Loupe"
html_title = "Loupe"
author = copyright = "Loupe"
extensions = ["loupe_render.sphinx", "myst_parser"]
exclude_patterns = ["examples", "docs/site"]
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 6
# Pages and scenes of examples name pictures in other folders.
loupe_options = {"allow_outside": True}
# Examples leave out what goes without saying, and declarations are cut short.
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
# These lie outside of all landmarks.
html_theme_options = {"top_of_page_buttons": []}
html_show_sourcelink = html_copy_source = False
html_static_path = ["site.css", "articles.css", "site.js"]
html_js_files = ["site.js"]
html_css_files = ["site.css", "articles.css"]

# A picture of the gallery, and the commands that draw it.
SHOWN = re.compile(r'<img src="images/(?P<name>[^"]+)" width="(?P<width>\d+)" alt="(?P<alt>[^"]*)">\n\n(?P<block>```sh\n(?P<commands>.*?)```\n)', re.DOTALL)
# In place of the command: writes down its words, and the scene of standard input.
RECORDER = """#!/bin/sh
[ "$1" != - ] || { cat >"$SCENES/$NAME.json" && shift && set -- "$NAME.json" "$@"; }
printf '%s\\0' "$@" '' >>"$RECORD"
"""


def commands_of(name, block, scenes):
    """The words of each command of a block, without drawing anything."""
    with tempfile.TemporaryDirectory() as scratch:
        program, record = Path(scratch, "loupe-render"), Path(scratch, "record")
        program.write_text(RECORDER)
        program.chmod(0o755)
        environment = os.environ | {"PATH": f"{scratch}:{os.environ['PATH']}", "RECORD": str(record), "SCENES": str(scenes), "NAME": name}
        script = block.replace("(cd demo/ && loupe-render", "(loupe-render")
        subprocess.run(["bash", "-c", script], cwd=ROOT, env=environment, check=True, capture_output=True)
        return [text.split("\0") for text in record.read_text().removesuffix("\0\0").split("\0\0")]


def options_of(words):
    """The values of each flag."""
    given, words = {}, list(words)
    while words:
        flag, has_value, value = words.pop(0).partition("=")
        name = flag.lstrip("-").replace("o", "output", flag == "-o")
        kind = _options.KINDS.get(name, "text")
        if not has_value and kind != "flag" and not (kind == "switch" and (not words or words[0].startswith("-"))):
            value = words.pop(0)
        given.setdefault(name, []).append(value)
    return given


def live(words, to):
    """Writes a live page, and returns whether there is one for these words."""
    to.parent.mkdir(parents=True, exist_ok=True)
    return not subprocess.run([COMMAND, "live", *words, "--allow-outside", "-o", to], cwd=ROOT, capture_output=True).returncode


def articles(app):
    """The page of the five articles, whose files lie beside it; Sphinx adds what surrounds it."""
    environment = os.environ | {"LOUPE_RENDER": COMMAND}
    subprocess.run([ROOT / "tools/make/articles", app.outdir, "--body"], env=environment, check=True, stdout=subprocess.DEVNULL)
    body = Path(app.outdir, "articles/body.html")
    Path(app.srcdir, "articles.md").write_text(
        f'---\nhide-toc: true\n---\n# Five articles, measured\n\n```{{raw}} html\n<div class="articles">{body.read_text()}</div>\n```\n')
    body.unlink()


def inside(title, address):
    return f'<p><a class="loupe-inside" href="{address}">{title}</a></p>\n'


def alive(match, app):
    """A picture of the gallery as a live figure; or a session that is played."""
    name = Path(match["name"]).stem
    drawn = [words for words in commands_of(name, match["commands"], app.srcdir) if f"demo/{match['name']}" in words]
    page = Path(app.outdir, "live", f"{name}.html")
    if not drawn or drawn[0][0] in ("diff", "crops", "batch"):
        return match[0]
    if drawn[0][0] == "replay":
        return match[0] + inside("Play it, and take it into the hand", f"../live/{name}.html") if live(drawn[0][1:2], page) else match[0]
    source, given = drawn[0][0], options_of(drawn[0][1:])
    own = {flag: values for flag, values in given.items() if flag in figures._FLAGS}
    for flag in {"versus", "compare-with"} & own.keys():
        own[flag] = ["/" + own[flag][0]]
    if not all(Path(app.srcdir, file.lstrip("/")).exists() for file in (source, *own.get("versus", []), *own.get("compare-with", []))):
        return match[0]
    own |= {"alt": [match["alt"]], "width": [f"{match['width']}px"]}
    options = [f"{flag}: {json.dumps((chr(10) if flag == 'loupe' else ' ').join(values))}" for flag, values in own.items()]
    figure = "\n".join([f"```{{loupe}} /{source}", "---", *options, "---", "```"])
    return f"{figure}\n\n{match['block']}\n"


def library(archive, to):
    """A page of a library, of the Markdown that DocC makes of each of its symbols."""
    top = archive / "data/documentation"
    paths = sorted(top.rglob("*.md"), key=lambda path: path.relative_to(top).with_suffix("").parts)
    # By the names of pages, of which some differ in signs alone.
    anchors = {path.relative_to(top).with_suffix("").as_posix(): f"swift-{archive.stem.lower()}-{index}" for index, path in enumerate(paths)}

    def link(match):
        target = anchors.get(match[2].lower())
        return f"{match[1]}(#{target})" if target else match[1].strip("[]")

    parts = []
    for path in paths:
        here = path.relative_to(top).with_suffix("")
        title, _, text = re.sub(r"<!--.*?-->\s*", "", path.read_text(), flags=re.DOTALL).partition("\n")
        if "\n## Overview\n" in text:
            text = re.sub(r"^###", "##", text.replace("\n## Overview\n", "\n"), flags=re.MULTILINE)
        # Declarations name no language.
        text = re.sub(r"^```\n(.*?)^```$", r"```swift\n\1```", text, flags=re.DOTALL | re.MULTILINE)
        text = re.sub(r"(\[[^\]]*\])\(/documentation/([^)]*\)?)\)", link, text)
        # Only what lies in the library itself has a heading; a member begins with its declaration.
        title = f"{'#' * len(here.parts)} {title[2:]}\n" if len(here.parts) < 3 else ""
        text = re.sub(r"^#", "#" * len(here.parts), text, flags=re.MULTILINE) if title else re.sub(r"^#+ (.*)", r"**\1**", text, flags=re.MULTILINE)
        parts.append(f"({anchors[here.as_posix()]})=\n{title}{text}\n")
    to.mkdir(exist_ok=True)
    page, text = to / f"{archive.stem}.md", "\n".join(parts)
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def read(app, name, source):
    """Makes the gallery alive, and leaves out links to what is no part of the site."""
    here = Path(app.srcdir, name).parent
    if name == "docs/gallery":
        source[0] = SHOWN.sub(lambda match: alive(match, app), source[0])

    def link(match):
        target = match[2].partition("#")[0]
        return match[0] if not target or ":" in target or os.path.isfile(os.path.normpath(here / target)) else match[1]

    source[0] = re.sub(r"(?<!!)\[([^\]]*)\]\(([^)\s]*)\)", link, source[0])


def finish(app, error):
    """Says to screen readers and keyboards what Sphinx and its theme leave out."""
    for path in Path(app.outdir).rglob("*.html"):
        if path.parent.name != "live":
            text = path.read_text().replace('role="heading">', 'role="heading" aria-level="2">').replace("<pre>", '<pre tabindex="0">')
            # A wide table scrolls on its own.
            text = text.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
            text = text.replace('<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">')
            path.write_text(text.replace('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'))


def setup(app):
    live(["examples/pages/scatter.png", "--callout", "page:768,495@page:840,665", "--radius", "105"], Path(app.outdir, "live/first.html"))
    articles(app)
    for archive in ROOT.glob(".build-docs/*.doccarchive"):
        library(archive, Path(app.srcdir, "libraries"))
    app.connect("source-read", read)
    app.connect("build-finished", finish)
