"""A picture like those of a fluorescence microscope: cells with nuclei, filaments and grains, on black."""

import math
import random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

SIZE = (1024, 768)


def pages():
    chance = random.Random(7)
    cells = placed(chance)
    channels = {
        "red": grains(chance, cells),
        "green": filaments(chance, cells),
        "blue": nuclei(chance, cells),
    }
    noise = grain(chance)
    return {"micrograph": Image.merge("RGB", [ImageChops.add(channels[name], noise) for name in ("red", "green", "blue")])}


def placed(chance):
    """Centres and radii of cells, about evenly spread."""
    cells = []
    while len(cells) < 15:
        x, y, radius = chance.uniform(20, SIZE[0] - 20), chance.uniform(20, SIZE[1] - 20), chance.uniform(84, 118)
        if all(math.hypot(x - other[0], y - other[1]) > 0.82 * (radius + other[2]) for other in cells):
            cells.append((x, y, radius, chance.uniform(0, math.tau)))
    return cells


def blob(chance, x, y, radius, turn, flatness=0.75):
    """A closed curve around a point, near an ellipse."""
    waves = [(number, chance.uniform(-0.05, 0.05), chance.uniform(0, math.tau)) for number in (2, 3, 5)]
    points = []
    for step in range(96):
        angle = math.tau * step / 96
        reach = radius * (1 + sum(size * math.cos(number * angle + phase) for number, size, phase in waves))
        along, across = reach * math.cos(angle), flatness * reach * math.sin(angle)
        points.append((x + along * math.cos(turn) - across * math.sin(turn), y + along * math.sin(turn) + across * math.cos(turn)))
    return points


def nuclei(chance, cells):
    picture = Image.new("L", SIZE)
    draw = ImageDraw.Draw(picture)
    for x, y, radius, turn in cells:
        draw.polygon(blob(chance, x, y, 0.36 * radius, turn), fill=round(chance.uniform(150, 215)))
    picture = picture.filter(ImageFilter.GaussianBlur(2.2))
    darker = Image.new("L", SIZE)
    draw = ImageDraw.Draw(darker)
    for x, y, radius, turn in cells:
        for _ in range(9):
            angle, reach = chance.uniform(0, math.tau), chance.uniform(0, 0.26 * radius)
            spot, size = (x + reach * math.cos(angle), y + reach * math.sin(angle)), chance.uniform(2, 6)
            draw.ellipse((spot[0] - size, spot[1] - size, spot[0] + size, spot[1] + size), fill=70)
    return ImageChops.subtract(picture, darker.filter(ImageFilter.GaussianBlur(2)))


def filaments(chance, cells):
    """Curved threads from around each nucleus to the cell's border, and a haze within."""
    haze, sharp = Image.new("L", SIZE), Image.new("L", SIZE)
    hazy, draw = ImageDraw.Draw(haze), ImageDraw.Draw(sharp)
    for x, y, radius, turn in cells:
        hazy.polygon(blob(chance, x, y, radius, turn), fill=38)
        for _ in range(70):
            angle = chance.uniform(0, math.tau)
            reach, bend = chance.uniform(0.3, 0.45) * radius, chance.uniform(-0.9, 0.9)
            points = []
            for step in range(14):
                points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
                reach += 0.045 * radius
                angle += 0.07 * bend
            draw.line(points, fill=round(chance.uniform(70, 190)), width=chance.choice((1, 1, 2)), joint="curve")
    haze = haze.filter(ImageFilter.GaussianBlur(9))
    threads = ImageChops.add(sharp.filter(ImageFilter.GaussianBlur(0.8)), sharp.filter(ImageFilter.GaussianBlur(3)).point(lambda v: v // 2))
    return ImageChops.add(haze, threads)


def grains(chance, cells):
    picture = Image.new("L", SIZE)
    draw = ImageDraw.Draw(picture)
    for x, y, radius, _ in cells:
        for _ in range(46):
            angle, reach = chance.uniform(0, math.tau), radius * chance.uniform(0.36, 0.85)
            spot, size = (x + reach * math.cos(angle), y + reach * math.sin(angle)), chance.uniform(0.8, 2.3)
            draw.ellipse((spot[0] - size, spot[1] - size, spot[0] + size, spot[1] + size), fill=round(chance.uniform(120, 255)))
    return ImageChops.add(picture.filter(ImageFilter.GaussianBlur(0.9)), picture.filter(ImageFilter.GaussianBlur(4)).point(lambda v: v // 3))


def grain(chance):
    """The camera's noise: few levels, so that the file stays small."""
    return Image.frombytes("L", SIZE, bytes(chance.choices((0, 6, 12), (20, 3, 1), k=SIZE[0] * SIZE[1])))
