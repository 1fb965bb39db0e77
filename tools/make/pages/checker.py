"""A test chart with the hardest contrasts: what filters and phases get wrong first."""

import math

from PIL import Image, ImageDraw, ImageFont

SIZE = (128, 96)
HALF = (64, 48)


def pages():
    chart = Image.new("RGB", SIZE, "white")
    draw_checks(chart)
    draw_zone_plate(chart)
    draw_lines(chart)
    draw_text(chart)
    return {"checker": chart}


def draw_checks(chart):
    """Top left: checks of 1, 2 and 4 pixels."""
    for y in range(HALF[1]):
        for x in range(HALF[0]):
            side = 1 if x < 32 else 2 if y < 24 else 4
            chart.putpixel((x, y), (0, 0, 0) if (x // side + y // side) % 2 else (255, 255, 255))


def draw_zone_plate(chart):
    """Top right: rings that reach the pixel grid's limit at the outside."""
    for y in range(HALF[1]):
        for x in range(HALF[0]):
            squared = (x + 0.5 - 32) ** 2 + (y + 0.5 - 24) ** 2
            level = round(127.5 + 127.5 * math.cos(math.pi * squared / 64))
            chart.putpixel((HALF[0] + x, y), (level, level, level))


def draw_lines(chart):
    """Bottom left: thin diagonals of every steepness, and bars of 1, 2 and 3 pixels in pure colours."""
    draw = ImageDraw.Draw(chart)
    for step in range(0, 49, 6):
        draw.line((0, 48 + 47, 47, 48 + step), fill="black")
    bars = ((49, 1, "#ff0000"), (51, 1, "#00ff00"), (53, 2, "#0000ff"), (56, 3, "#ff00ff"), (60, 3, "#00ffff"))
    for x, width, color in bars:
        draw.rectangle((x, 48, x + width - 1, 95), fill=color)


def draw_text(chart):
    """Bottom right: small text, dark on light and light on dark."""
    draw = ImageDraw.Draw(chart)
    font = ImageFont.load_default(size=10)
    draw.rectangle((64, 72, 127, 95), fill="black")
    draw.text((67, 48), "Rag 0123", font=font, fill="black")
    draw.text((67, 59), "edge, corner", font=ImageFont.load_default(size=9), fill="#c00000")
    draw.text((67, 71), "Rag 0123", font=font, fill="white")
    draw.text((67, 82), "edge, corner", font=ImageFont.load_default(size=9), fill="#ffe000")
