"""The keywords of the functions. Written by tools/make/python-options from the command's own flags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from numpy.typing import NDArray

Color: TypeAlias = "str | tuple[float, float, float] | tuple[float, float, float, float]"
"""A colour as the command takes it, or three or four numbers from 0 to 1."""
Point: TypeAlias = "tuple[float, float] | Sequence[float] | NDArray[Any] | str"
"""X and Y: canvas pixels, y down; or a text as the command takes it, such as "page:120,80" or "40%,30%"."""
Region: TypeAlias = "tuple[Point, Point]"
"""Two opposite corners."""
Size: TypeAlias = "tuple[int, int] | str"
"""Width and height, in pixels."""
Block: TypeAlias = "tuple[int, int, int, int] | str"
"""X, Y, width and height, in pixels; or a text as the command takes it, such as "8,8,96x64"."""
Path: TypeAlias = "str | os.PathLike[str]"
"""The path of a file."""
Callout: TypeAlias = "tuple[Point | Region, Point | None] | str"
"""What a loupe shows, and its centre: None where `place` chooses it."""


class CalloutOptions(TypedDict, total=False):
    """The options of `loupe.callout` beside the callouts."""

    canvas: Size
    """The canvas's size in pixels, 1x1 to 16384x16384; the page is scaled to fit. Default: the page and its
    margin."""
    margin: float
    """Room around the page, in canvas pixels, 0 to 8192. Default: 0."""
    background: Color
    """The canvas's colour: #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS name. Default: transparent for a page
    with transparency, the page's paper where loupes beside the page make the canvas wider, else #cccccc."""
    frame: bool | str
    """Put the page on a backdrop of soft greys, of a colour or of a gradient between two, with room around
    it, round corners and a shadow; without a value, dark around a dark drawing and light around all else."""
    corner: float | str
    """The page's corners: a radius in canvas pixels and a curve; R is 0 to half the shorter side, RX/RY for
    one along each edge, or four of them with commas for top left, top right, bottom right, bottom left; STYLE
    is an exponent, round, squircle, bevel, ios, css(K) or figma(S). Default: 0; squircle."""
    corner_keep_diagonal: bool
    """Read the radius of the page's corners as that of a round corner, and make them look as large as that
    one."""
    page_filter: Literal["nearest", "sharp", "linear", "cubic", "lanczos"]
    """The page's filter: nearest, sharp, linear, cubic or lanczos. Default: lanczos; sharp for pixel art that
    is enlarged, and for other pages from six times on."""
    blending: Literal["srgb", "linear"]
    """srgb blends encoded values, linear blends in linear light: srgb or linear. Default: srgb."""
    radius: float
    """The loupe's radius, in canvas pixels, 1 to 8192. Default: a fifth of the canvas's shorter side."""
    zoom: float
    """Magnification relative to the canvas, 1 to 64. Default: 3."""
    filter: Literal["nearest", "sharp", "linear", "cubic", "lanczos", "auto"]
    """The loupe's filter: nearest, sharp, linear, cubic, lanczos or auto. Default: auto: sharp for pixel art,
    and from 6 canvas pixels a pixel of the page on, else cubic."""
    rim_width: float
    """The rim's width (at most the radius), in canvas pixels, 0 to 8192. Default: 1.5 to a fortieth of the
    radius, by the page's kind."""
    rim_color: Color
    """The rim's colour. Default: the ring's; without one grey on light pages, white in photographs."""
    shadow_blur: float
    """The shadow's blur, which is twice its standard deviation, in canvas pixels, 0 to 8192. Default: a fifth
    of the radius."""
    shadow_color: Color
    """The shadow's colour. Default: #00000066."""
    shadow_offset: Point
    """The shadow's offset, in canvas pixels. Default: down a sixteenth of the radius."""
    shape: str | Size
    """A rectangle of WxH canvas pixels in place of the disc; 2 to 16384 each way; WxH:R:STYLE has corners as
    those of --corner; of a callout that shows a region also circle or rectangle, whose size follows from the
    region. Default: a disc; a rectangle for the region of a callout."""
    versus: Path
    """Split the loupe: an image that its other half shows in place of the page."""
    versus_angle: float
    """How far the halves are turned clockwise, in degrees, -180 to 180. Default: 0, the other half on the
    right."""
    divider_width: float
    """The width of the line between the halves, in canvas pixels, 0 to 8192. Default: no line."""
    divider_color: Color
    """The colour of the line between the halves. Default: #ffffff."""
    ring_width: float
    """The ring's width, in canvas pixels, 0.001 to 1024. Default: 3, less on pages under 480 pixels, more on
    those over 640."""
    ring_color: Color
    """The ring's colour. Default: as --accent says."""
    connector: Literal["lines", "cone", "arrow", "leader", "none"]
    """What leads from the ring to the loupe: lines, cone, arrow, leader or none. Default: a leader with
    --callout where it runs over nothing but paper; else none."""
    connector_width: float
    """The width of lines, an arrow or a leader, in canvas pixels, 0.001 to 1024. Default: 2, of an arrow 3,
    more on pages over 640 pixels."""
    connector_color: Color
    """The connector's colour. Default: the ring's, translucent for a cone."""
    grid: bool
    """Lines between the page's pixels where each is at least 4 canvas pixels wide."""
    grid_color: Color
    """The grid's colour."""
    mark: bool
    """A frame around the page's pixel in the loupe's centre."""
    mark_width: float
    """The mark's width, in canvas pixels, 0.001 to 1024."""
    mark_color: Color
    """The mark's colour."""
    outside: Literal["background", "transparent", "clamp"]
    """What a loupe shows beyond the page: the background, what is below the loupe (transparent), or never
    that, as its view moves to stay on the page (clamp): background, transparent or clamp. Default:
    background; clamp for a callout on a page that fills the canvas, with square corners."""
    strokes: Literal["scale", "keep"]
    """How wide a loupe shows the strokes of an SVG: magnified (scale), or as wide as on the page (keep):
    scale or keep. Default: scale."""
    opacity: float
    """The loupe's opacity, 0 to 1. Default: 1."""
    loupe: Sequence[str]
    """A loupe with properties of its own; repeat for more. Words: at=X,Y, radius=R, shape=SHAPE, zoom=Z,
    focus=X,Y, filter=F, rim=W:COLOR, shadow=B:COLOR:X,Y, ring=W:COLOR, connector=STYLE:W:COLOR, grid=COLOR,
    mark=W:COLOR, outside=background|transparent|clamp, strokes=scale|keep, opacity=O, label=TEXT."""
    accent: Color
    """The colour of rings, rims and connectors; auto is red, on dark pages yellow, and a colour for each of
    several callouts without letters. Default: auto."""
    plain: bool
    """Draw loupes without the default style: no rim, no shadow and no casings but those that are asked
    for."""
    letters: Literal["a", "A", "1", True, False]
    """Mark each loupe, and the ring around what it shows, with the same letter or number, from this one on;
    without a value, from a: a, A or 1."""
    zoom_label: bool
    """Write each loupe's zoom factor beside it, such as 3×."""
    pixel_size: str
    """Draw a scale bar in the page and in each loupe: how large a pixel of the page is in the world, a number
    and nm, um, mm, cm, m, km or in, such as 0.65um (auto: as the page's file says)."""
    bar_corner: Literal["auto", "top-left", "top-right", "bottom-right", "bottom-left"]
    """Where scale bars lie in the page and in loupes: auto, top-left, top-right, bottom-right or bottom-left.
    Default: auto: the emptiest corner of the page, and the same one of all loupes."""
    label_font: str
    """The family of the font of letters, zoom factors and scale bars. Default: sans-serif."""
    label_size: float
    """The size of letters (zoom factors and scale bars have four fifths of it), in canvas pixels, 1 to 1024.
    Default: a 36th of the page's shorter side, at least 11, and 7 points on paper."""
    label_color: Color
    """The colour of letters, zoom factors and scale bars. Default: black, or white on a dark page, each with
    a halo of the other."""
    alt: str
    """What the picture shows, for readers who can't see it; it is stored in the file. Default: a sentence
    about the loupes, in PDF and SVG."""
    compare_with: str
    """Other pages of the same size: each is drawn with the same loupes and text, all side by side with titles
    beneath."""
    titles: str
    """The titles beneath the pages that are compared, the input's first. Default: the files' names."""
    columns: float
    """How many of the compared pages stand in a row, a whole number, 1 to 100. Default: all of up to four; of
    more, so that there are about as many rows."""
    scale: float
    """Draw everything S times as large, from the page's own pixels: 2 is for screens of twice the density,
    0.1 to 16. Default: 1, or more for a PNG of an SVG or PDF, and for loupes on at most 256 pixels."""
    device: int | str
    """auto: the first that works, hardware before software; cpu: a software renderer; N: by its number in
    `loupe-render devices`; or /dev/dri/renderDN. Default: auto."""
    no_fallback: bool
    """Fail with code 69 where no device works, in place of drawing with the reference renderer.
    LOUPE_NO_FALLBACK=1 does the same; so does any --device."""
    no_metadata: bool
    """Leave the scene, the program and the device out of the PNG; they are stored in it as texts
    otherwise."""
    quality: str
    """How well a JPEG or WebP is packed, 1 to 100. Default: 92; a WebP without it has no losses."""
    strict: bool
    """A warning is an error, with code 65: nothing is written. For builds of documents."""
    map: Path
    """Write which point of the page each output pixel shows, as JSON; - is standard output."""
    show_plan: Path
    """Write the picture with each piece tinted by its shader and the cuts outlined, as a PNG; - is standard
    output."""
    width: str
    """The picture's width on paper, as 85mm, 8.5cm, 3.3in or 240pt; its height follows. With --dpi, a PNG is
    drawn with as many pixels as that takes."""
    height: str
    """The picture's height on paper, in place of --width."""
    dpi: float
    """Pixels per inch of paper, 1 to 1000000: with --width or --height of a PNG, or of the shadows in a PDF
    or SVG (300); alone, canvas pixels. Default: the page keeps its size on paper, where it says one."""
    depth: Literal[8, 16]
    """Bits a channel of the PNG: with 16, pages of 16 bits keep them all the way."""
    max_pixels: float
    """Refuse images of more pixels than this. Default: 1073741824, or 268435456 where they are held whole."""
    max_memory: float | str
    """Refuse what needs more memory than this: bytes, or a number with K, M, G or T. Default: half of what is
    free."""
    svg_timeout: float
    """End reading or drawing of an SVG that takes longer than this, in seconds, 0.1 to 86400."""
    svg_by: Literal["librsvg", "browser"]
    """What draws SVGs: librsvg, or a browser (Chromium on PATH), which prints each to a page of vectors on
    white paper, and knows CSS and HTML in it."""
    require_sandbox: bool
    """Refuse SVG, PDF, EXR and text with code 69 where the kernel has no Landlock or no seccomp, which keep
    what draws them from files, programs and the network."""
    no_sync: bool
    """Do not wait until written files are on the disk. A loss of power may then damage them. LOUPE_NO_SYNC=1
    does the same."""
    allow_outside: bool
    """Let scenes, sessions, lists of jobs and pictures that are drawn again name files anywhere, not only
    below their own folder."""
    reference: bool
    """Draw with the double-precision CPU renderer that references are made with."""
    stats: Path
    """Write what was drawn, by which shaders and how long it took, as JSON; - is standard output."""


class RenderOptions(CalloutOptions, total=False):
    """The options of `loupe.render`: the flags of `loupe-render render`."""

    at: Point
    """The loupe's centre: X,Y in canvas pixels, page:X,Y in pixels of the page, X%,Y% of the page, text:TEXT
    of an SVG or PDF (TEXT#2 for the second) or id:NAME of an SVG. Default: no loupe."""
    focus: Point | Region
    """What the loupe shows at its centre; where it is a region, --zoom follows from --radius, --radius from
    --zoom, or, without both, the zoom (2 to 64, less for most of a page) from the default radius: X,Y in
    canvas pixels, page:X,Y in pixels of the page, X%,Y% of the page, text:TEXT of an SVG or PDF (TEXT#2 for
    the second) or id:NAME of an SVG; a region is X,Y,WxH or two opposite corners, X0,Y0..X1,Y1, in one of
    these units. Default: the centre."""
    callout: Sequence[Callout]
    """A loupe at CX,CY that shows FX,FY, with a ring around that; repeat for more. Both are written as --at
    and --focus are, so FX,FY may be a region. Without @CX,CY it is placed as --place says. Words of --loupe
    may follow, for this callout alone: 40%,30% zoom=3."""
    place: Literal["auto", "page", "beside"]
    """Where loupes go that have only a focus. auto: on an even area of the page, or else beside it, and with
    --canvas as page; page: on the canvas as it is; beside: in columns beside the page, or in rows beneath a
    wide one: auto, page or beside. Default: auto."""


class DiffOptions(TypedDict, total=False):
    """The options of `loupe.diff`: the flags of `loupe-render diff`."""

    metric: Literal["channel", "yiq", "flip", "ssim", "ssim-rgb", "ms-ssim", "oklab"]
    """How pixels are compared. channel: the largest difference of a premultiplied channel, in 8 or 16 bits as
    the deeper picture has them; yiq: as pixelmatch 7.2.0 does; flip: what a person sees who alternates
    between the pictures; ssim, ssim-rgb, ms-ssim: 1 − structural similarity; oklab: 100 × the distance of the
    colours. Default: channel."""
    tolerance: float | str
    """channel only: the largest difference of a channel that passes, 0 to 255, also a part of 1 for 16 bits;
    with --scene also for regions: 2,rim=3,page-edge=3. Default: 0."""
    threshold: float
    """Not for channel: the largest error of a pixel that passes. Default: 0.1, oklab 2; none with
    --max-mean."""
    max_mean: float
    """Not for channel and yiq: the largest mean of the errors that passes."""
    pixels_per_degree: float
    """flip only: pixels per degree of the field of view. Default: 67.02, from 0.7 m before a screen 0.7 m
    wide with 3840 columns."""
    include_aa: bool
    """yiq only: count pixels that look anti-aliased too."""
    allow_size: bool
    """Pictures may have other sizes: they are compared where they overlap, and each pixel that only one has
    counts as differing. Only with --max-pixels or --max-ratio."""
    max_pixels: float
    """How many pixels may differ. Default: 0."""
    max_ratio: float
    """Which part of the pixels may differ, 0 to 1."""
    ignore: Sequence[Block]
    """A region to leave out, in pixels of the pictures, such as 8,8,96x64 or 8,8..104,72; repeat for more."""
    mask: Any
    """A picture of the same size; pixels that are white in it are left out."""
    allow_outside: bool
    """Let scenes, sessions, lists of jobs and pictures that are drawn again name files anywhere, not only
    below their own folder."""
    max_memory: float | str
    """Refuse what needs more memory than this: bytes, or a number with K, M, G or T. Default: half of what is
    free."""
    svg_timeout: float
    """End reading or drawing of an SVG that takes longer than this, in seconds, 0.1 to 86400."""
    svg_by: Literal["librsvg", "browser"]
    """What draws SVGs: librsvg, or a browser (Chromium on PATH), which prints each to a page of vectors on
    white paper, and knows CSS and HTML in it."""
    require_sandbox: bool
    """Refuse SVG, PDF, EXR and text with code 69 where the kernel has no Landlock or no seccomp, which keep
    what draws them from files, programs and the network."""
    no_sync: bool
    """Do not wait until written files are on the disk. A loss of power may then damage them. LOUPE_NO_SYNC=1
    does the same."""
    scene: Path
    """The scene that the reference shows; sorts the differences by region."""
    metadata: Literal["named", "strict"]
    """What differences beside the pixels mean, such as another density, profile or palette. named: the result
    names them; strict: they are failures. Default: named."""
    pages: float | str
    """The pages of PDFs and TIFFs to compare. Default: all."""
    dpi: float
    """Pixels an inch of SVGs and PDFs, 1 to 2400. Default: 96."""
    strict: bool
    """A warning is an error, with code 65, as of what is not compared or not drawn."""
    figure: Path
    """Write a figure for who reviews the change: the reference, and below it the four places that differ
    most, each as it should be and as it is. - is standard output."""
    junit: Path
    """Write the results as JUnit's XML; - is standard output."""


class VerifyOptions(TypedDict, total=False):
    """The options of `loupe.verify`: the flags of `loupe-render verify`."""

    update: Literal["missing", "failed", "all"]
    """Draw references with the double-precision CPU renderer; the run still ends in 1."""
    accept: Path
    """Draw the references of the cases that a person accepted in the --report; the run still ends in 1."""
    hashes: Path
    """Write the SHA-256 of each drawn picture's size and pixels, and the case's name, a line each; - is
    standard output."""
    metric: Literal["channel", "yiq", "flip", "ssim", "ssim-rgb", "ms-ssim", "oklab"]
    """How pixels are compared. channel: the largest difference of a premultiplied channel, in 8 or 16 bits as
    the deeper picture has them; yiq: as pixelmatch 7.2.0 does; flip: what a person sees who alternates
    between the pictures; ssim, ssim-rgb, ms-ssim: 1 − structural similarity; oklab: 100 × the distance of the
    colours. Default: channel."""
    tolerance: float | str
    """channel only: the largest difference of a channel that passes, 0 to 255, also a part of 1 for 16 bits;
    with --scene also for regions: 2,rim=3,page-edge=3. Default: 0."""
    threshold: float
    """Not for channel: the largest error of a pixel that passes. Default: 0.1, oklab 2; none with
    --max-mean."""
    max_mean: float
    """Not for channel and yiq: the largest mean of the errors that passes."""
    pixels_per_degree: float
    """flip only: pixels per degree of the field of view. Default: 67.02, from 0.7 m before a screen 0.7 m
    wide with 3840 columns."""
    include_aa: bool
    """yiq only: count pixels that look anti-aliased too."""
    allow_size: bool
    """Pictures may have other sizes: they are compared where they overlap, and each pixel that only one has
    counts as differing. Only with --max-pixels or --max-ratio."""
    max_pixels: float
    """How many pixels may differ. Default: 0."""
    max_ratio: float
    """Which part of the pixels may differ, 0 to 1."""
    ignore: Sequence[Block]
    """A region to leave out, in pixels of the pictures, such as 8,8,96x64 or 8,8..104,72; repeat for more."""
    mask: Path
    """A picture of the same size; pixels that are white in it are left out."""
    device: int | str
    """auto: the first that works, hardware before software; cpu: a software renderer; N: by its number in
    `loupe-render devices`; or /dev/dri/renderDN. Default: auto."""
    max_memory: float | str
    """Refuse what needs more memory than this: bytes, or a number with K, M, G or T. Default: half of what is
    free."""
    svg_timeout: float
    """End reading or drawing of an SVG that takes longer than this, in seconds, 0.1 to 86400."""
    svg_by: Literal["librsvg", "browser"]
    """What draws SVGs: librsvg, or a browser (Chromium on PATH), which prints each to a page of vectors on
    white paper, and knows CSS and HTML in it."""
    require_sandbox: bool
    """Refuse SVG, PDF, EXR and text with code 69 where the kernel has no Landlock or no seccomp, which keep
    what draws them from files, programs and the network."""
    no_sync: bool
    """Do not wait until written files are on the disk. A loss of power may then damage them. LOUPE_NO_SYNC=1
    does the same."""
    allow_outside: bool
    """Let scenes, sessions, lists of jobs and pictures that are drawn again name files anywhere, not only
    below their own folder."""
    junit: Path
    """Write the results as JUnit's XML; - is standard output."""
    report: Path
    """Write one HTML page to look at the pictures of what did not pass and to accept them; - is standard
    output."""
    figures: Path
    """Write a figure of what changed for each picture that differs, as diff --figure does, named after its
    case."""


OF_PROCESS: frozenset[str] = frozenset({"device", "max-memory", "no-fallback", "no-sync", "require-sandbox", "svg-by", "svg-timeout"})
"""The flags of render that one process has for all its pictures."""


KINDS: dict[str, str] = {
    "accent": "color",
    "accept": "path",
    "allow-outside": "flag",
    "allow-size": "flag",
    "alt": "text",
    "at": "point",
    "background": "color",
    "bar-corner": "text",
    "blending": "text",
    "callout": "callout",
    "canvas": "size",
    "columns": "number",
    "compare-with": "text",
    "connector": "text",
    "connector-color": "color",
    "connector-width": "number",
    "corner": "length",
    "corner-keep-diagonal": "flag",
    "depth": "bits",
    "device": "device",
    "divider-color": "color",
    "divider-width": "number",
    "dpi": "number",
    "figure": "path",
    "figures": "path",
    "filter": "text",
    "focus": "focus",
    "frame": "switch",
    "grid": "flag",
    "grid-color": "color",
    "hashes": "path",
    "height": "text",
    "ignore": "block",
    "include-aa": "flag",
    "junit": "path",
    "label-color": "color",
    "label-font": "text",
    "label-size": "number",
    "letters": "letters",
    "loupe": "text",
    "map": "path",
    "margin": "number",
    "mark": "flag",
    "mark-color": "color",
    "mark-width": "number",
    "mask": "path",
    "max-mean": "number",
    "max-memory": "length",
    "max-pixels": "number",
    "max-ratio": "number",
    "metadata": "text",
    "metric": "text",
    "no-fallback": "flag",
    "no-metadata": "flag",
    "no-sync": "flag",
    "opacity": "number",
    "outside": "text",
    "page-filter": "text",
    "pages": "length",
    "pixel-size": "text",
    "pixels-per-degree": "number",
    "place": "text",
    "plain": "flag",
    "quality": "text",
    "radius": "number",
    "reference": "flag",
    "report": "path",
    "require-sandbox": "flag",
    "rim-color": "color",
    "rim-width": "number",
    "ring-color": "color",
    "ring-width": "number",
    "scale": "number",
    "scene": "path",
    "shadow-blur": "number",
    "shadow-color": "color",
    "shadow-offset": "offset",
    "shape": "shape",
    "show-plan": "path",
    "stats": "path",
    "strict": "flag",
    "strokes": "text",
    "svg-by": "text",
    "svg-timeout": "number",
    "threshold": "number",
    "titles": "text",
    "tolerance": "length",
    "update": "text",
    "versus": "path",
    "versus-angle": "number",
    "width": "text",
    "zoom": "number",
    "zoom-label": "flag",
}
"""What kind of value each flag takes, for `flag_value`."""
