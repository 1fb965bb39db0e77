"""The laboratory of tools/measure/corners: cases, renderers, judgement, table and pictures."""
import argparse
import ctypes
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy
from PIL import Image

from truth import Shape, cubics

# PySide6 6.12 loses references to None, which end Python 3.11 when there are none left.
nones = [None] * 10_000_000
exponents = [1, 2, 3.35, 4, 8]
radii = {1: [4, 8, 16, 40, 100, 300], 3: [4, 8, 16, 40, 100]}
fraction = (0.37, 0.71)


class Case:
    """One square with round corners, white on black, in a picture of its own. All numbers but `scale` are device pixels."""

    def __init__(self, radius, exponent, fractional, scale):
        self.css = (radius, fraction if fractional else (0, 0), scale)
        self.exponent, self.fractional, self.scale = exponent, fractional, scale
        dx, dy = self.css[1]
        self.shape = Shape((4 + dx) * scale, (4 + dy) * scale, (2 * radius + 8) * scale, radius * scale, exponent)
        self.size = (2 * radius + 17) * scale
        self.name = f"r{radius}-n{exponent}-{'fraction' if fractional else 'whole'}-{scale}x"
        self.cubics = cubics(self.shape)
        self.columns, self.rows, self.distances, self.along = self.shape.edge_pixels()
        self.area = self.shape.area(self.columns, self.rows)
        self.feather = numpy.clip(self.distances + 0.5, 0, 1)


def cases(quick):
    return [
        Case(radius, n, fractional, scale) for scale in radii for radius in radii[scale] for n in exponents
        for fractional in (False, True) if not quick or radius in (8, 40)]


def timed(draw):
    """What a function returns, and the milliseconds of its fastest of several calls."""
    best, began = math.inf, time.perf_counter()
    while True:
        start = time.perf_counter()
        result = draw()
        best = min(best, time.perf_counter() - start)
        if time.perf_counter() - began > 0.02:
            return result, best * 1000


# Renderers that draw one case: a function from a case to a picture of bytes and milliseconds.

def skia_picture(case):
    import skia

    surface = skia.Surface(case.size, case.size)
    path = skia.Path()
    path.moveTo(*case.cubics[0][0])
    for piece in case.cubics:
        path.lineTo(*piece[0])
        path.cubicTo(*piece[1], *piece[2], *piece[3])
    path.close()
    paint = skia.Paint(AntiAlias=True, Color=skia.ColorWHITE)

    def draw():
        surface.getCanvas().clear(skia.ColorBLACK)
        surface.getCanvas().drawPath(path, paint)

    _, milliseconds = timed(draw)
    return surface.makeImageSnapshot().toarray()[:, :, 0], milliseconds


def cairo_picture(case, quality="default"):
    import cairocffi

    surface = cairocffi.ImageSurface(cairocffi.FORMAT_A8, case.size, case.size)
    context = cairocffi.Context(surface)
    context.set_antialias({"default": 0, "best": 6}[quality])
    if quality == "best":
        # A curve becomes lines that are at most so many pixels away; 0.1 where nothing is said.
        context.set_tolerance(0.001)

    def draw():
        context.set_operator(cairocffi.OPERATOR_CLEAR)
        context.paint()
        context.set_operator(cairocffi.OPERATOR_OVER)
        context.move_to(*case.cubics[0][0])
        for piece in case.cubics:
            context.line_to(*piece[0])
            context.curve_to(*piece[1], *piece[2], *piece[3])
        context.close_path()
        context.fill()

    _, milliseconds = timed(draw)
    surface.flush()
    stride = surface.get_stride()
    return numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(case.size, stride)[:, :case.size].copy(), milliseconds


def polyline(case, steps=32):
    """The outline as points, for what draws no curves: 32 lines a Bézier, 1/255 pixel from the curve at most."""
    t = numpy.arange(steps)[:, None] / steps
    return numpy.concatenate([
        (1 - t) ** 3 * p[0] + 3 * t * (1 - t) ** 2 * p[1] + 3 * t ** 2 * (1 - t) * p[2] + t ** 3 * p[3]
        for p in case.cubics for p in [numpy.asarray(p)]] + [case.cubics[-1][3:]])


def blend2d_picture(case):
    import blend2d

    image = blend2d.Image(case.size, case.size)
    path = blend2d.Path()
    points = polyline(case)
    path.move_to(*map(float, points[0]))
    for point in points[1:]:
        path.line_to(*map(float, point))
    path.close()

    def draw():
        context = blend2d.Context(image)
        context.set_fill_style_rgba(0, 0, 0, 255)
        context.fill_all()
        context.set_fill_style_rgba(255, 255, 255, 255)
        context.fill_path(path)
        context.end()

    _, milliseconds = timed(draw)
    return numpy.array(image.asarray())[:, :, 0], milliseconds


def qt_picture(case):
    from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

    image = QImage(case.size, case.size, QImage.Format_RGB32)
    path = QPainterPath()
    path.moveTo(*case.cubics[0][0])
    for piece in case.cubics:
        path.lineTo(*piece[0])
        path.cubicTo(*piece[1], *piece[2], *piece[3])
    path.closeSubpath()

    def draw():
        image.fill(QColor("black"))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.fillPath(path, QColor("white"))
        painter.end()

    _, milliseconds = timed(draw)
    return numpy.frombuffer(image.constBits(), numpy.uint8).reshape(case.size, case.size, 4)[:, :, 0].copy(), milliseconds


def pillow_picture(case, factor=4):
    from PIL import ImageDraw

    points = polyline(case)
    outline = [tuple(p) for p in points * factor]

    def draw():
        large = Image.new("L", (case.size * factor, case.size * factor))
        ImageDraw.Draw(large).polygon(outline, fill=255)
        return large.resize((case.size, case.size), Image.BOX)

    picture, milliseconds = timed(draw)
    return numpy.asarray(picture), milliseconds


def rsvg_picture(case):
    import cairocffi

    rsvg, glib = ctypes.CDLL("librsvg-2.so.2"), ctypes.CDLL("libgobject-2.0.so.0")
    rsvg.rsvg_handle_new_from_data.restype = ctypes.c_void_p
    rsvg.rsvg_handle_new_from_data.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
    rsvg.rsvg_handle_render_document.argtypes = [ctypes.c_void_p] * 4
    glib.g_object_unref.argtypes = [ctypes.c_void_p]
    words = ["M", *case.cubics[0][0]]
    for piece in case.cubics:
        words += ["L", *piece[0], "C", *piece[1:].ravel()]
    d = " ".join(w if isinstance(w, str) else f"{w:.6f}" for w in words)
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{case.size}" height="{case.size}">'
            f'<path d="{d} Z" fill="white"/></svg>').encode()
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_ARGB32, case.size, case.size)
    context = cairocffi.Context(surface)
    pointer = ctypes.c_void_p(int(cairocffi.ffi.cast("uintptr_t", context._pointer)))
    viewport = (ctypes.c_double * 4)(0, 0, case.size, case.size)

    def draw():
        handle = rsvg.rsvg_handle_new_from_data(text, len(text), None)
        context.set_operator(cairocffi.OPERATOR_CLEAR)
        context.paint()
        context.set_operator(cairocffi.OPERATOR_OVER)
        assert rsvg.rsvg_handle_render_document(handle, pointer, ctypes.cast(viewport, ctypes.c_void_p), None)
        glib.g_object_unref(handle)

    _, milliseconds = timed(draw)
    surface.flush()
    return numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(case.size, case.size, 4)[:, :, 3].copy(), milliseconds


# Renderers that draw all cases at once.

def chromium_pages(cases_of_scale):
    """Places cases of one scale on pages: lists of cases with their left and top edges in CSS pixels."""
    pages, page, x, y, row = [], [], 0, 0, 0
    for case in sorted(cases_of_scale, key=lambda c: c.size):
        side = case.size // case.scale
        if x + side > 1300:
            x, y, row = 0, y + row, 0
        if y + side > 1300:
            pages.append(page)
            page, x, y, row = [], 0, 0, 0
        page.append((case, x, y))
        x, row = x + side, max(row, side)
    return pages + [page]


def chromium(html, text, scale, *flags):
    """Opens a page in a Chromium of its own, without a window, and waits for its end."""
    html.write_text(text)
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb",
         f"--force-device-scale-factor={scale}", "--window-size=1300,1300", *flags, html.as_uri()],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)


def chromium_milliseconds(text, scale, work):
    """The milliseconds in which Chromium rasters a page, of its fastest frame; None if its trace does not say.

    A script changes the colour of all boxes 40 times, so that all their tiles are drawn anew, and closes the page. The first
    frames take twice as long or more, as they get new memory for the tiles. A tile of one colour is not rastered. The time is
    that of the thread, as Chromium's other threads and processes are busy meanwhile."""
    text += ("<style>.other div{background:#fefefe}</style><script>let left = 40; function frame() {"
             "document.body.className = left % 2 ? 'other' : '';"
             "if (left--) requestAnimationFrame(frame); else window.close() } requestAnimationFrame(frame)</script>")
    trace = work / "trace.json"
    trace.unlink(missing_ok=True)
    # Without "-*" the trace would also have all that is on by default, which is many times as much.
    chromium(work / "page.html", text, scale, "--num-raster-threads=1", f"--trace-startup-file={trace}",
             "--trace-startup-format=json", "--trace-startup-duration=0",
             "--trace-startup=-*,disabled-by-default-devtools.timeline")
    try:
        events = json.loads(trace.read_text())["traceEvents"]
    except (OSError, ValueError):
        return None
    # The browser draws its own surface with the same tasks; the page is drawn by the renderer.
    renderers = {e["pid"] for e in events if e["name"] == "process_name" and e["args"]["name"] == "Renderer"}
    frames = {}
    for event in events:
        if event["name"] == "RasterTask" and event["pid"] in renderers and "dur" in event:
            number = event["args"]["tileData"]["sourceFrameNumber"]
            frames.setdefault((event["pid"], number), []).append(event.get("tdur", event["dur"]))
    if not frames:
        return None
    # The end of the page may cut its last frame short.
    tiles = statistics.mode(len(times) for times in frames.values())
    return min(sum(times) for times in frames.values() if len(times) == tiles) / 1000


def chromium_pictures(all_cases, work):
    """Pictures and milliseconds of the cases, drawn by pages, one screenshot each. CSS names the exponent by its logarithm. The
    milliseconds of a page are given to its cases in equal parts, as only their sum is used."""
    results = {}
    for scale in sorted({case.scale for case in all_cases}):
        for page in chromium_pages([case for case in all_cases if case.scale == scale]):
            boxes = []
            for case, x, y in page:
                radius, (dx, dy), _ = case.css
                boxes.append(
                    f'<div style="left:{x + 4}px;top:{y + 4}px;width:{2 * radius + 8}px;height:{2 * radius + 8}px;'
                    f'border-radius:{radius}px;corner-shape:superellipse({math.log2(case.exponent):.12g});'
                    + (f"transform:translate({dx}px,{dy}px)" if case.fractional else "") + '"></div>')
            text = "<style>body{background:#000;margin:0}div{position:absolute;background:#fff}</style>" + "".join(boxes)
            shot = work / "page.png"
            chromium(work / "page.html", text, scale, f"--screenshot={shot}")
            picture = numpy.asarray(Image.open(shot).convert("L"))
            milliseconds = chromium_milliseconds(text, scale, work)
            for case, x, y in page:
                results[case.name] = (
                    picture[y * scale:y * scale + case.size, x * scale:x * scale + case.size],
                    None if milliseconds is None else milliseconds / len(page))
    return results


def own_pictures(all_cases, work, command, variables):
    """Draws every case five times with our command, in one process, with a driver that the environment names, by one thread. The
    milliseconds are the fastest draw's, from an empty canvas to pixels in memory."""
    jobs = []
    for case in all_cases:
        shape = case.shape
        scene = {
            "canvas": {"width": case.size, "height": case.size, "background": "#000000"},
            "layers": [{"fill": "#ffffff", "rect": [shape.x, shape.y, shape.side, shape.side],
                        "corner": {"radius": shape.radius, "exponent": case.exponent}}]}
        job = {"input": scene, "output": str(work / f"{case.name}.png"), "answer-stats": True}
        jobs += [json.dumps(job)] * 5
    done = subprocess.run(
        [command, "batch", "-", "--quiet", "--jobs", "1", "--allow-outside"], input="\n".join(jobs) + "\n", text=True,
        capture_output=True, env={**os.environ, "LP_NUM_THREADS": "0", **variables})
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"code {done.returncode}")
    times = [json.loads(line)["stats"]["milliseconds"]["draw"] for line in done.stdout.splitlines()]
    return {
        case.name: (numpy.asarray(Image.open(work / f"{case.name}.png").convert("L")), min(times[5 * index:5 * index + 5]))
        for index, case in enumerate(all_cases)}


def judged(case, picture):
    """Errors of one picture in 1/255: against the area, against the feather, and the waves of the edge along the curve."""
    value = picture[case.rows, case.columns] / 255
    area, feather = (value - case.area) * 255, (value - case.feather) * 255
    # What the edge moves: the coverage that is too much, by the length along which it is; in 1/255 pixel, over 2 pixels.
    bins = (case.along / 2).astype(int)
    moved = numpy.bincount(bins, weights=area) / 2
    counts = numpy.bincount(bins)
    inner = numpy.flatnonzero(counts > 0)[1:-1]
    return numpy.abs(area), numpy.abs(feather), moved[inner]


def row(name, results, milliseconds):
    area = numpy.concatenate([r[0] for r in results])
    feather = numpy.concatenate([r[1] for r in results])
    waves = numpy.concatenate([r[2] for r in results])
    numbers = [f(values) for values in (feather, area) for f in (numpy.mean, lambda v: numpy.quantile(v, 0.999), numpy.max)]
    return name, numbers, numpy.std(waves), milliseconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    all_cases = cases(options.quick)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "loupe"
    own = {
        "Loupe, llvmpipe": {"GALLIUM_DRIVER": "llvmpipe"},
        "Loupe, softpipe": {"GALLIUM_DRIVER": "softpipe"},
        "Loupe, zink on lavapipe": {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "zink", "XDG_RUNTIME_DIR": str(options.work)},
        "Loupe, SwiftShader": {"LD_LIBRARY_PATH": str(cache / "swiftshader-4.1")},
        "Loupe, the oracle": {"__EGL_VENDOR_LIBRARY_FILENAMES": "/dev/null", "LIBGL_DRIVERS_PATH": "/nowhere"},
    }
    single = {
        "Skia": skia_picture, "Cairo": cairo_picture, "Cairo, best": lambda case: cairo_picture(case, "best"),
        "Blend2D": blend2d_picture, "librsvg": rsvg_picture, "Qt, raster": qt_picture,
        "Pillow, 4×4 samples": pillow_picture, "Pillow, 8×8 samples": lambda case: pillow_picture(case, 8),
    }
    rows, left_out, pictures = [], [], {}

    def add(name, draw):
        try:
            results = draw()
        except Exception as error:  # A renderer that can't be had is left out, with the reason.
            left_out.append(f"{name}: {error.__class__.__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}")
            return
        pictures[name] = {case.name: results[case.name][0] for case in all_cases}
        times = [results[case.name][1] for case in all_cases]
        total = None if None in times else sum(times)
        rows.append(row(name, [judged(case, results[case.name][0]) for case in all_cases], total))
        print(f"· {name}", file=sys.stderr)

    for name, variables in own.items():
        if "SwiftShader" in name and not (cache / "swiftshader-4.1").exists():
            left_out.append(f"{name}: tools/check/drivers --prepare swiftshader fetches it")
            continue
        add(name, lambda: own_pictures(all_cases, options.work, options.command, variables))
    for name, draw in single.items():
        add(name, lambda: {case.name: draw(case) for case in all_cases})
    add("Chromium", lambda: chromium_pictures(all_cases, options.work))

    head = ["renderer", "mean", "99.9 %", "worst", "mean", "99.9 %", "worst", "waves", "ms"]
    lines = ["| | to the feather | | | to the area | | | | |", "| --- |" + " ---: |" * 8, "| " + " | ".join(head) + " |"]
    for name, numbers, waves, milliseconds in rows:
        cells = [name] + [f"{n:.2f}" if i % 3 == 0 else f"{n:.1f}" for i, n in enumerate(numbers)]
        cells += [f"{waves:.2f}", "" if milliseconds is None else f"{milliseconds:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    table = "\n".join(lines)
    print(table)
    for line in left_out:
        print("left out:", line)
    # Cross-check of this tool by the oracle, which is another program: the same feather within a rounding step of 8 bits.
    oracle = next((r for r in rows if r[0] == "Loupe, the oracle"), None)
    if oracle is None or oracle[1][2] > 0.8:
        print("measure/corners: the oracle and this tool's integral disagree", file=sys.stderr)
        return 1
    if options.write:
        write(options.write, table, left_out, all_cases, pictures)
    return 0


def write(docs, table, left_out, all_cases, pictures):
    from page import draw_page

    draw_page(docs / "images/corners.png", all_cases, pictures)
    text = (docs / "corners.md").read_text()
    start, end = "<!-- table -->\n", "<!-- end of table -->"
    notes = "".join(f"\nLeft out: {line}." for line in left_out)
    before, after = text.split(start)[0], text.split(end)[1]
    (docs / "corners.md").write_text(before + start + "\n" + table + "\n" + notes + "\n" + end + after)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Without Python's own end, which the lost references would stop.
    os._exit(code)
