"""A page with every kind of alpha: soft edges, translucent colour, and colour hidden under alpha 0."""

import math

from PIL import Image, ImageDraw, ImageFont

SIZE = (160, 120)


def pages():
    page = Image.new("RGBA", SIZE, (255, 0, 255, 0))
    draw_hidden_colour(page)
    draw_ball(page)
    draw_gradient(page)
    draw_glass(page)
    draw_label(page)
    return {"alpha": page}


def draw_hidden_colour(page):
    """Stripes of green under alpha 0: a filter on straight alpha drags them, and the magenta, into sight."""
    for y in range(60):
        for x in range(80, 160):
            page.putpixel((x, y), (0, 255, 0, 0) if (x // 8) % 2 else (255, 0, 255, 0))
    draw = ImageDraw.Draw(page)
    for x in range(96, 152, 16):
        draw.ellipse((x - 6, 24, x + 6, 36), fill=(30, 30, 40, 255))
    draw.line((88, 54, 156, 44), fill=(20, 90, 200, 255), width=1)
    draw.line((88, 6, 156, 16), fill=(20, 90, 200, 128), width=2)


def draw_ball(page):
    """A ball whose alpha falls softly from opaque to nothing."""
    for y in range(72):
        for x in range(80):
            distance = math.hypot(x + 0.5 - 38, y + 0.5 - 36)
            alpha = round(255 * min(1, max(0, (36 - distance) / 18)))
            light = max(0, 1 - math.hypot(x - 30, y - 26) / 40)
            page.putpixel((x, y), (230, round(60 + 150 * light), round(30 + 120 * light), alpha))


def draw_gradient(page):
    """A band from clear to opaque with changing hue, hard at its upper and lower edge."""
    for x in range(SIZE[0]):
        part = x / (SIZE[0] - 1)
        color = (round(20 + 200 * part), round(170 - 90 * part), round(220 - 180 * part), round(255 * part))
        for y in range(78, 94):
            page.putpixel((x, y), color)


def draw_glass(page):
    """Translucent panes, one over the other; the second reaches the page's corner."""
    panes = (((84, 60, 124, 112), (40, 120, 255, 110)), ((110, 68, 159, 119), (255, 200, 0, 110)))
    for box, color in panes:
        pane = Image.new("RGBA", SIZE, (*color[:3], 0))
        ImageDraw.Draw(pane).rectangle(box, fill=color)
        page.alpha_composite(pane)


def draw_label(page):
    text = Image.new("RGBA", SIZE, (0, 0, 0, 0))
    ImageDraw.Draw(text).text((8, 97), "soft alpha", font=ImageFont.load_default(size=15), fill=(20, 20, 30, 200))
    page.alpha_composite(text)
