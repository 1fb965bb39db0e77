"""A page from a notebook: paper, rules and a margin; handwriting, a drawing of a lens, and printed words."""

import math

from PIL import Image, ImageChops, ImageDraw, ImageFont

from .handwriting import curve, write
from .pen import Pen

PAPER_LIGHT, PAPER_SHADE = (253, 250, 240), (243, 235, 214)
RULE, MARGIN, PRINT = "#b9cfe2", "#e59a94", "#8b8778"
INK, RED, PENCIL, MARKER = "#1c2f63", "#c2342c", "#5b5a5e", "#ffe97a"


def pages():
    return {"notebook": small_page(), "notebook-2048": large_page()}


# --- paper


def paper(size):
    """Warm paper, a little darker towards the bottom right."""
    shade = ImageChops.add(
        Image.linear_gradient("L").resize(size), Image.linear_gradient("L").rotate(90).resize(size), scale=2)
    return Image.composite(Image.new("RGB", size, PAPER_SHADE), Image.new("RGB", size, PAPER_LIGHT), shade)


def ruled_paper(size, first_rule, spacing, margin, thickness):
    page = paper(size)
    draw = ImageDraw.Draw(page)
    for y in range(first_rule, size[1], spacing):
        draw.rectangle((0, y, size[0], y + thickness - 1), fill=RULE)
    draw.rectangle((margin, 0, margin + thickness - 1, size[1]), fill=MARGIN)
    return page


def highlight(page, box):
    """A marker's stroke darkens what it covers, as a transparent ink does."""
    pen = Pen(page.size)
    left, top, right, bottom = box
    thickness = bottom - top
    points = [(left + (right - left) * t / 20, (top + bottom) / 2 - thickness * 0.06 * math.sin(t / 4))
              for t in range(21)]
    pen.line(points, thickness)
    marked = Image.new("RGB", page.size, "white")
    pen.put_on(marked, MARKER, 0.85)
    page.paste(ImageChops.multiply(page, marked))


def printed(page, xy, text, size, color=PRINT, anchor="ls"):
    ImageDraw.Draw(page).text(xy, text, font=ImageFont.load_default(size=size), fill=color, anchor=anchor)


# --- drawings


def ellipse(center, radii, turn=0.0, start=0.0, end=2 * math.pi):
    (x, y), (a, b) = center, radii
    steps = [start + (end - start) * step / 120 for step in range(121)]
    return [(x + a * math.cos(t) * math.cos(turn) - b * math.sin(t) * math.sin(turn),
             y + a * math.cos(t) * math.sin(turn) + b * math.sin(t) * math.cos(turn)) for t in steps]


def arrow(pen, foot, head, width, barb):
    pen.line([foot, head], width)
    angle = math.atan2(head[1] - foot[1], head[0] - foot[0])
    for side in (2.6, -2.6):
        pen.line([head, (head[0] + barb * math.cos(angle + side), head[1] + barb * math.sin(angle + side))], width)


def dashes(pen, start, end, width, dash):
    length = math.dist(start, end)
    for step in range(int(length / (2 * dash)) + 1):
        ends = [min(1, (2 * step + part) * dash / length) for part in (0, 1)]
        pen.line([tuple(p + (q - p) * t for p, q in zip(start, end)) for t in ends], width)


def magnifier(pen, center, radius, width):
    pen.curve(ellipse(center, (radius, radius), start=0.9, end=0.9 + 2.05 * math.pi), width)
    pen.curve(ellipse(center, (radius * 0.9, radius * 0.9), start=0.8, end=0.8 + 2 * math.pi), width * 0.45)
    pen.curve(ellipse(center, (radius * 0.68, radius * 0.68), start=3.5, end=4.5), width * 0.8)
    along = lambda distance, side: (  # noqa: E731
        center[0] + (distance - side) * math.sqrt(0.5), center[1] + (distance + side) * math.sqrt(0.5))
    neck, end, half = radius * 1.03, radius * 2.15, radius * 0.11
    pen.curve(curve([along(neck, -half * 0.7), along(neck * 1.3, -half), along(end, -half * 1.2), along(end * 1.06, 0),
                     along(end, half * 1.2), along(neck * 1.3, half), along(neck, half * 0.7)]), width)
    for distance in (1.45, 1.55, 1.65):
        pen.line([along(radius * distance, -half), along(radius * distance, half)], width * 0.5)


def star(pen, center, radius, width):
    points = [(center[0] + radius * math.sin(0.8 * math.pi * k), center[1] - radius * math.cos(0.8 * math.pi * k))
              for k in range(6)]
    pen.line(points, width)


def ray_diagram(page, x, axis, unit):
    """A lens as a magnifying glass: the object inside the focal length, its upright image beyond."""
    pencil, red, ink = Pen(page.size), Pen(page.size), Pen(page.size)
    lens, focal, near, height = x + 7.2 * unit, 3.2 * unit, 1.9 * unit, 1.15 * unit
    far, tall = near * focal / (focal - near), height * focal / (focal - near)

    pencil.line([(x, axis), (x + 13.4 * unit, axis)], 0.035 * unit)
    for side in (-1, 1):
        bulge = [(lens + side * 0.42 * unit * (1 - (t / 20) ** 2), axis + 3.3 * unit * t / 20) for t in range(-20, 21)]
        ink.line(bulge, 0.075 * unit)
        pencil.line(ellipse((lens + side * focal, axis), (0.07 * unit, 0.07 * unit)), 0.07 * unit)
    for step in range(9):
        y = axis - 2.6 * unit + step * 0.62 * unit
        pencil.line([(lens - 0.12 * unit, y + 0.2 * unit), (lens + 0.12 * unit, y)], 0.03 * unit)

    top = (lens - near, axis - height)
    beyond = 5.6 * unit
    through_focus = (lens + beyond, axis - height + height * beyond / focal)
    through_middle = (lens + beyond, axis + height * beyond / near)
    red.line([top, (lens, axis - height), through_focus], 0.05 * unit)
    if through_middle[1] < axis + 3.4 * unit:
        red.line([top, through_middle], 0.05 * unit)
    else:
        red.line([top, (lens + 3.4 * unit * near / height, axis + 3.4 * unit)], 0.05 * unit)
    image = (lens - far, axis - tall)
    dashes(red, image, (lens, axis - height), 0.04 * unit, 0.16 * unit)
    dashes(red, image, top, 0.04 * unit, 0.16 * unit)
    arrow(ink, (lens - near, axis), top, 0.09 * unit, 0.28 * unit)
    dashes(ink, (lens - far, axis), image, 0.07 * unit, 0.2 * unit)
    arrow(ink, (image[0], image[1] + 0.3 * unit), image, 0.09 * unit, 0.32 * unit)

    small = 0.26 * unit
    for center, letter in ((lens - focal, "f"), (lens + focal, "f")):
        write(pencil, letter, center - 0.08 * unit, axis + 0.72 * unit, small, 0.05 * unit)
    write(ink, "a", lens - near - 0.1 * unit, axis + 0.55 * unit, small, 0.05 * unit)
    write(ink, "b", lens - far - 0.1 * unit, axis + 0.6 * unit, small, 0.05 * unit)
    pencil.put_on(page, PENCIL, 0.8)
    red.put_on(page, RED, 0.95)
    ink.put_on(page, INK)


# --- pages


def coffee_ring(page, center, radius):
    """What a cup left behind: a faint ring, darker at its rim."""
    for inner, width, opacity in ((0, 22, 0.10), (9, 5, 0.22), (-8, 4, 0.12)):
        pen = Pen(page.size)
        points = [(center[0] + (radius + inner + 3 * math.sin(3 * t)) * math.cos(t),
                   center[1] + (radius + inner + 3 * math.sin(3 * t)) * math.sin(t))
                  for t in (0.4 + step * 6 / 300 for step in range(301))]
        pen.swell(points, 0.5, width)
        pen.put_on(page, "#9a6a3c", opacity)


def large_page():
    page = ruled_paper((2048, 1536), first_rule=192, spacing=64, margin=250, thickness=3)
    coffee_ring(page, (1730, 1290), 190)
    for y in (256, 768, 1280):
        ImageDraw.Draw(page).ellipse((88, y - 34, 156, y + 34), fill="#cbc3ad")
    printed(page, (290, 92), "NOTEBOOK  ·  LIGHT AND LENSES", 30)
    printed(page, (1985, 84), "42", 44, color="#56534a", anchor="rs")
    printed(page, (1985, 110), "leaf 21, verso", 15, anchor="rs")
    printed(page, (290, 1510), "Ruled at 64 px, margin at 250 px. Set in Aileron.", 15)
    printed(page, (2000, 1510), "a page to be looked at closely", 15, anchor="rs")
    highlight(page, (1003, 486, 1300, 520))
    large_writing(page)
    ray_diagram(page, 330, 960, 74)
    large_flourishes(page)
    return page


def large_writing(page):
    ink, red = Pen(page.size), Pen(page.size)
    end = write(ink, "Through the lens", 300, 250, 62, 10)
    ink.swell(curve([(310, 292), (520, 276), (760, 282), (1000, 272), (end, 280)]), 2, 7)
    body = (("A loupe shows a small part of the page, drawn anew", 381),
            ("at its own size. The edge of the paper stays as crisp", 445),
            ("as the ink on it, however near you look at a corner.", 509))
    for text, baseline in body:
        write(ink, text, 300, baseline, 27, 4.6)
    write(red, "1/f = 1/a - 1/b", 1510, 765, 34, 5.5)
    red.curve(ellipse((1670, 738), (215, 72), turn=-0.05, start=2.6, end=2.6 + 2.12 * math.pi), 4)
    write(ink, "so the image is b/a times", 1420, 893, 27, 4.6)
    write(ink, "as tall as the thing.", 1420, 957, 27, 4.6)
    write(ink, "The four corners are the best test: a straight edge is", 300, 1341, 27, 4.6)
    write(ink, "easy, a curve is not.", 300, 1405, 27, 4.6)
    ink.put_on(page, INK)
    red.put_on(page, RED, 0.95)


def large_flourishes(page):
    ink, red, pencil = Pen(page.size), Pen(page.size), Pen(page.size)
    magnifier(ink, (1730, 330), 105, 9)
    magnified = Pen(page.size)
    write(magnified, "ink", 1665, 352, 52, 9)
    magnified.put_on(page, INK)
    ink.swell(curve([(720, 1400), (800, 1372), (860, 1412), (930, 1366), (990, 1414), (1060, 1362), (1120, 1412),
                     (1200, 1368), (1300, 1396)]), 1.5, 11)
    star(red, (2012, 38), 15, 3)
    for center in ((38, 40), (40, 1470)):
        pencil.curve(ellipse(center, (17, 17), end=2.1 * math.pi), 3)
        pencil.line([(center[0] - 26, center[1]), (center[0] + 26, center[1])], 2)
        pencil.line([(center[0], center[1] - 26), (center[0], center[1] + 26)], 2)
    arrow(red, (1950, 1400), (2022, 1470), 4, 18)
    for step in range(9):
        pencil.line([(1440 + 16 * step, 500), (1420 + 16 * step, 540)], 1.5 + 0.5 * step)
    write(pencil, "thin to thick", 1430, 573, 18, 3)
    write(pencil, "Fig. 1: a thing inside the focal length looks larger", 400, 637, 20, 3.2)
    ink.put_on(page, INK)
    red.put_on(page, RED, 0.95)
    pencil.put_on(page, PENCIL, 0.8)


def small_page():
    page = ruled_paper((200, 150), first_rule=32, spacing=14, margin=26, thickness=1)
    for y in (39, 109):
        ImageDraw.Draw(page).ellipse((8, y - 4, 16, y + 4), fill="#cbc3ad")
    printed(page, (30, 12), "LIGHT AND LENSES", 8)
    printed(page, (194, 12), "42", 10, color="#56534a", anchor="rs")
    printed(page, (5, 147), "fig. 1", 7)
    highlight(page, (88, 63, 120, 71))
    ink, red, pencil = Pen(page.size), Pen(page.size), Pen(page.size)
    write(ink, "The lens", 31, 45, 10, 1.9)
    ink.swell(curve([(32, 51), (60, 49), (95, 51), (112, 49)]), 0.4, 1.8)
    write(ink, "an edge is as crisp", 31, 71.5, 6.4, 1.2)
    write(ink, "as ink.", 31, 85.5, 6.4, 1.2)
    write(red, "1/f = 1/a", 76, 86, 5.6, 1.1)
    magnifier(ink, (156, 52), 19, 2)
    write(red, "ink", 145, 56, 9, 1.8)
    ink.swell(curve([(34, 132), (48, 104), (62, 138), (78, 102), (94, 138), (112, 104), (130, 134)]), 0.4, 4)
    arrow(red, (150, 118), (189, 141), 1.4, 6)
    star(pencil, (11, 11), 6, 0.9)
    pencil.curve(ellipse((177, 112), (12, 8), turn=0.4, end=2.2 * math.pi), 1)
    for pen, color in ((ink, INK), (red, RED), (pencil, PENCIL)):
        pen.put_on(page, color, 0.95)
    return page
