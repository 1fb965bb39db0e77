"""Hostile texts and names through each door that writes text; other programs read what comes out.

expat reads SVG and JUnit, Python reads JSON, HTML and CSV, cmark reads Markdown; LuaLaTeX, Typst (of PyPI) and Chromium where they
are here.
"""
import csv
import html.parser
import importlib.util
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

from .place import Mismatch, Place

# What would be markup or code, and what hides it from a comparison of characters.
MARKUP = [
    '</title><image href="x:" onerror="document.title=1"/>', '"onload="document.title=1', "]]>", "-->", "<!--", "%00", "&lt;&amp;&#60;",
    "](javascript:alert(1))", "![x](y)", "`x`<b>", "\\input{/etc/hostname}}\\iffalse", "}{^^5c$#%_~&", '") #read("/etc/hostname")', "\\",
    "=1+1,\"x\"", "'; touch pwned; '",
]
MARKS = ["\u0301", "\u0338", "\u0600", "\u200d"]
ALONE = [
    "\u226e \u226f \u2260", "<\u0338 >\u0338 =\u0338", "\u202egnp.exe", "\u2066x\u2069", "\x1b]0;owned\x07\x1b[31m", "two\nlines\r\nand\ttabs",
    "\u2028\u2029", "\x7f\x85\x9b31m", "\ufffe\uffff", "\x01\x02\x1f", "\U000e0001", "nul\0nul",
]


def hostile():
    """The texts, 60 and more: each piece of markup as it is, and with a mark after each of its characters."""
    marked = ["".join(letter + MARKS[index % 4] for index, letter in enumerate(text)) for text in MARKUP]
    mixed = [mark + text + mark for text, mark in zip(MARKUP, MARKS * 4)]
    return MARKUP + marked + mixed + ALONE


CONTROLS = re.compile("[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def require(holds, what, text, found=None):
    if not holds:
        raise Mismatch(f"{what}, of {text!r}: {found!r}"[:2000])


class Tags(html.parser.HTMLParser):
    """The elements of a page, and the values of their `alt`."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.alt = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, sorted(name for name, _ in attributes)))
        self.alt += [value for name, value in attributes if name == "alt"]


class Doors:
    def __init__(self, command, place):
        self.command, self.place = command, place
        self.folder = place.folder
        self.svgs, self.latex, self.typst = [], [], []

    def run(self, *arguments, codes=(0,)):
        code, output, errors = self.command.run(list(arguments), self.folder)
        require(code in codes, f"code {code} of {arguments}", arguments, errors)
        require(not CONTROLS.search(errors.replace("\n", "")), f"standard error of {arguments}", arguments, errors)
        return output.decode()

    def alternative(self, text):
        """The text of a scene, in every form that the command writes it in."""
        scene = {"canvas": {"width": 60, "height": 40}, "layers": [{"image": "page.png"}], "alt": text,
                 "loupes": [{"center": [20, 20], "radius": 10, "zoom": 2}]}
        self.place.put("s.json", json.dumps(scene))
        line = self.run("s.json", "-o", "o.svg", "--print-markdown", codes=(0, 65))
        if not line:
            # Only control characters are refused, and not newlines.
            return require(re.search("[\0-\x09\x0b-\x1f\x7f-\x9f]", text), "a text that is refused", text)
        svg = (self.folder / "o.svg").read_bytes()
        root = ElementTree.fromstring(svg)
        shown = re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text)
        require(root[0].tag.endswith("title") and root[0].text == shown, "the title of an SVG", text, root[0].text)
        require(not [one for one in root.iter() if set(one.attrib) & {"onerror", "onload"}], "an SVG", text)
        self.svgs.append(svg.decode())
        plain = CONTROLS.sub(" ", text)
        page = subprocess.run(["cmark"], input=line.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
        tags = Tags(page)
        require([tag for tag, _ in tags.tags] == ["p", "img"] and [" ".join(alt.split()) for alt in tags.alt] == [" ".join(plain.split())], "Markdown", text, page)
        lines = self.run("s.json", "-o", "o.png", "--print-latex", "--print-typst").splitlines()
        require(len(lines) == 2 and not CONTROLS.search("".join(lines)), "lines for documents", text, lines)
        inner = re.fullmatch(r"\\includegraphics\[alt=\{(.*)\}\]\{o\.png\}", lines[0])
        left = re.sub(r"\\(textbackslash|textasciitilde|textasciicircum)\{\}|\\[#$%&_{}]", "", inner[1] if inner else "\\")
        require(not set(left) & set("\\{}#$%&_~^"), "a line for LaTeX", text, lines[0])
        require(json.loads(re.fullmatch(r'#image\("o\.png", alt: (".*")\)', lines[1])[1]) == plain, "a line for Typst", text, lines[1])
        self.latex.append(lines[0])
        self.typst.append(lines[1])
        require(json.loads(self.run("s.json", "--print-scene"))["alt"] == text, "a scene", text)

    def name(self, text):
        """A file of this name, as far as the file system takes it."""
        name = text.replace("/", "").replace("\0", "")[:60] + ".png"
        shutil.copy(self.folder / "page.png", self.folder / "names" / name)
        path, other = "names/" + name, "page.png"
        self.run("crops", "--reference", other, path, "--titles", "a,b", "-o", "c.png", "--report", "c.html", "--json", "c.json")
        require(json.loads((self.folder / "c.json").read_text())["methods"][0]["file"] == path, "JSON of crops", name)
        titled = self.run("crops", "--reference", other, path, "-o", "c.svg", codes=(0, 64, 65))
        require(titled == "", "crops", name, titled)
        if (self.folder / "c.svg").exists():
            root = ElementTree.parse(self.folder / "c.svg").getroot()
            require({one.tag.split("}")[1] for one in root.iter()} <= ALLOWED, "an SVG of crops", name, {one.tag for one in root.iter()})
            (self.folder / "c.svg").unlink()
        self.run("diff", path, other, "--junit", "j.xml", "--report", "j.html", "--json", "j.json")
        case = ElementTree.parse(self.folder / "j.xml").getroot().find(".//testcase")
        require(case is not None, "JUnit", name)
        shapes = [Tags((self.folder / page).read_text()).tags for page in ("c.html", "j.html")]
        require(shapes == self.__dict__.setdefault("shapes", shapes), "a page", name)
        require(json.loads((self.folder / "j.json").read_text())["differingPixels"] == 0, "JSON of diff", name)
        said = self.run("inspect", path, "--at", "3,3") + self.run("check", path, codes=(0, 1))
        require(not CONTROLS.search(said.replace("\n", "")), "lines for a person", name, said)
        line = self.run(path, "-o", "out/" + name, "--at", "20,20", "--print-markdown", "--print-typst")
        require(len(line.splitlines()) == 2, "lines for documents", name, line)
        self.run("replay", "session.json", "--plot", "p.svg", "--states", "p.csv", "--dry-run")
        ElementTree.parse(self.folder / "p.svg")
        rows = list(csv.reader((self.folder / "p.csv").read_text().splitlines()))
        require(len({len(row) for row in rows}) == 1, "a table", name, rows[:2])

    # MARK: - Programs that are not on every machine

    def by_chromium(self):
        page = "<!doctype html><title>safe</title>" + "".join(self.svgs)
        self.place.put("all.html", page)
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom", "all.html"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=True).stdout.decode()
        require("<title>safe</title>" in done and done.count("<svg") == len(self.svgs), "a browser", "all SVGs", done[:300])

    def by_latex(self):
        lines = "\\documentclass{article}\\usepackage{graphicx}\\begin{document}\n" + "\n\n".join(self.latex) + "\n\\end{document}\n"
        self.place.put("all.tex", lines)
        done = subprocess.run(["lualatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "all.tex"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        require(done.returncode == 0 and done.stdout.count(b"o.png") >= 1, "LaTeX", "all lines", done.stdout[-600:])

    def by_typst(self):
        import typst
        self.place.put("all.typ", "\n".join(self.typst))
        typst.compile(str(self.folder / "all.typ"), output=str(self.folder / "all.pdf"))


ALLOWED = {"svg", "title", "desc", "metadata", "defs", "g", "use", "path", "image", "clipPath", "mask", "rect", "filter", "pattern",
           "linearGradient", "radialGradient", "stop", "feColorMatrix", "symbol", "circle"}


def check(command, options):
    subprocess.run([command.root / "tools/setup", "cmark"], check=True)
    texts = hostile()
    with Place(command) as place:
        for folder in ("names", "out"):
            (place.folder / folder).mkdir()
        place.put("session.json", '{"model": "keyframes", "duration": 0.1, "scene": {"layers": [{"image": "page.png"}], "loupes": '
                                  '[{"center": [9, 9], "radius": 5, "zoom": 2}]}, "keyframes": [{"t": 0.1, "loupe": 0, "zoom": 3}]}')
        doors = Doors(command, place)
        for text in texts:
            doors.alternative(text)
        for text in dict.fromkeys(texts):
            doors.name(text)
        others = {"Chromium": (shutil.which("chromium"), doors.by_chromium), "LuaLaTeX": (shutil.which("lualatex"), doors.by_latex),
                  "Typst": (importlib.util.find_spec("typst"), doors.by_typst)}
        for is_here, read in others.values():
            if is_here:
                read()
        missing = [name for name, (is_here, _) in others.items() if not is_here]
    return f"{len(texts)} texts and names" + (f"; not read by {', '.join(missing)}, missing here" if missing else "")
