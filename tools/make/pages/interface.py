"""A desktop window drawn pixel by pixel: 1-pixel lines, small text, icons and controls."""

import math

from PIL import Image, ImageDraw, ImageFont

OVERSAMPLING = 4
ACCENT, ACCENT_DARK, LINE, TEXT, FAINT = "#2f6fde", "#1f55b5", "#c9ced6", "#22262d", "#7d8592"
WINDOW, SIDEBAR, BAR, STRIPE, FIELD = "#ffffff", "#eef1f5", "#e3e7ed", "#f6f8fa", "#ffffff"
STATES = {"edge": "single-edge", "opposite": "single-edge", "middle": "no-edge", "outside": "outside"}
SIGNALS = ("#ee6a5f", "#f5bd4f", "#61c454")


def pages():
    return {"interface": small_page(), "interface-2048": large_page()}


class Screen:
    """A picture with the widgets that both screens are made of. Boxes are left, top, right, bottom, inclusive."""

    def __init__(self, width, height, color):
        self.picture = Image.new("RGB", (width, height), color)
        self.draw = ImageDraw.Draw(self.picture)

    def box(self, box, fill=None, outline=None, width=1):
        self.draw.rectangle(box, fill=fill, outline=outline, width=width)

    def hairline(self, start, end, color=LINE):
        self.draw.line((*start, *end), fill=color)

    def text(self, xy, text, size, color=TEXT, anchor="lm"):
        self.draw.text(xy, text, font=ImageFont.load_default(size=size), fill=color, anchor=anchor)

    def smooth(self, box, paint):
        """Paints a shape with smooth edges: `paint(draw, scale)` works on a mask of the box's size, enlarged."""
        left, top, right, bottom = box
        size = (right - left + 1, bottom - top + 1)
        mask = Image.new("L", (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING), 0)
        color = paint(ImageDraw.Draw(mask), OVERSAMPLING)
        self.picture.paste(color, (left, top, right + 1, bottom + 1), mask.reduce(OVERSAMPLING))

    def rounded(self, box, radius, fill):
        width, height = box[2] - box[0] + 1, box[3] - box[1] + 1

        def paint(draw, scale):
            draw.rounded_rectangle((0, 0, width * scale - 1, height * scale - 1), radius * scale, fill=255)
            return fill
        self.smooth(box, paint)

    def panel(self, box, radius, fill, outline=LINE):
        self.rounded(box, radius, outline)
        self.rounded((box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1), max(0, radius - 1), fill)

    def button(self, box, label, size, primary=False):
        radius = max(2, (box[3] - box[1]) // 5)
        self.panel(box, radius, ACCENT if primary else "#fbfcfd", ACCENT_DARK if primary else "#b4bac4")
        middle = ((box[0] + box[2] + 1) / 2, (box[1] + box[3] + 1) / 2)
        self.text(middle, label, size, "white" if primary else TEXT, "mm")

    def disc(self, center, radius, color):
        x, y = center
        self.rounded((x - radius, y - radius, x + radius - 1, y + radius - 1), radius, color)

    def checkbox(self, left, top, side, checked):
        self.panel((left, top, left + side - 1, top + side - 1), max(1, side // 5), ACCENT if checked else FIELD,
                   ACCENT_DARK if checked else "#9aa2ae")
        if checked:
            points = [(left + side * x, top + side * y) for x, y in ((0.22, 0.5), (0.42, 0.7), (0.78, 0.28))]
            self.draw.line(points, fill="white", width=max(1, side // 9))

    def switch(self, left, top, height, on):
        width = height * 7 // 4
        self.rounded((left, top, left + width - 1, top + height - 1), height / 2, ACCENT if on else "#b9c0ca")
        knob = left + (width - height // 2 if on else height // 2)
        self.disc((knob, top + height // 2), height // 2 - 2, "white")

    def slider(self, left, right, y, part, thickness, knob):
        self.rounded((left, y - thickness // 2, right, y - thickness // 2 + thickness - 1), thickness / 2, "#ccd2da")
        at = round(left + (right - left) * part)
        self.rounded((left, y - thickness // 2, at, y - thickness // 2 + thickness - 1), thickness / 2, ACCENT)
        self.disc((at, y), knob, "#8f98a5")
        self.disc((at, y), knob - 1, "white")

    def icon(self, kind, left, top, side, color):
        """An icon of one colour in a square: folder, page, gear, lens or star."""
        box = (left, top, left + side - 1, top + side - 1)

        def paint(draw, scale):
            ICONS[kind](draw, side * scale)
            return color
        self.smooth(box, paint)


def folder(draw, s):
    draw.rounded_rectangle((0.05 * s, 0.16 * s, 0.48 * s, 0.5 * s), 0.07 * s, fill=255)
    draw.rounded_rectangle((0.05 * s, 0.28 * s, 0.95 * s, 0.86 * s), 0.08 * s, fill=255)
    draw.line((0.05 * s, 0.4 * s, 0.95 * s, 0.4 * s), fill=90, width=round(0.06 * s))


def sheet(draw, s):
    draw.polygon([(0.18 * s, 0.04 * s), (0.62 * s, 0.04 * s), (0.84 * s, 0.27 * s), (0.84 * s, 0.96 * s),
                  (0.18 * s, 0.96 * s)], fill=255)
    for y in (0.42, 0.58, 0.74):
        draw.line((0.3 * s, y * s, 0.72 * s, y * s), fill=0, width=round(0.06 * s))


def gear(draw, s):
    for tooth in range(8):
        angle = tooth * math.pi / 4
        x, y = math.cos(angle), math.sin(angle)
        draw.line((0.5 * s, 0.5 * s, (0.5 + 0.46 * x) * s, (0.5 + 0.46 * y) * s), fill=255, width=round(0.18 * s))
    draw.ellipse((0.18 * s, 0.18 * s, 0.82 * s, 0.82 * s), fill=255)
    draw.ellipse((0.36 * s, 0.36 * s, 0.64 * s, 0.64 * s), fill=0)


def lens(draw, s):
    draw.ellipse((0.06 * s, 0.06 * s, 0.7 * s, 0.7 * s), outline=255, width=round(0.12 * s))
    draw.line((0.6 * s, 0.6 * s, 0.92 * s, 0.92 * s), fill=255, width=round(0.15 * s))


def star(draw, s):
    draw.polygon([(s * (0.5 + r * math.sin(k * math.pi / 5)), s * (0.53 - r * math.cos(k * math.pi / 5)))
                  for k, r in ((k, 0.2 if k % 2 else 0.5) for k in range(10))], fill=255)


ICONS = {"folder": folder, "page": sheet, "gear": gear, "lens": lens, "star": star}


# --- the small screen, 208×152


def small_page():
    screen = Screen(208, 152, WINDOW)
    small_title(screen)
    small_sidebar(screen)
    small_list(screen)
    small_footer(screen)
    screen.box((0, 0, 207, 151), outline="#8d96a4")
    return screen.picture


def small_title(screen):
    screen.box((0, 0, 207, 15), fill=BAR)
    screen.hairline((0, 16), (207, 16), "#b7bec9")
    for index, color in enumerate(SIGNALS):
        screen.disc((9 + 11 * index, 8), 4, color)
    screen.text((104, 8), "Pages", 9, anchor="mm")
    screen.icon("lens", 181, 3, 10, TEXT)
    screen.icon("gear", 195, 3, 10, TEXT)


def small_sidebar(screen):
    screen.box((1, 17, 58, 150), fill=SIDEBAR)
    screen.hairline((59, 17), (59, 150))
    folders = (("folder", "Inbox"), ("star", "Marked"), ("page", "Notes"), ("folder", "Old"))
    for row, (icon, label) in enumerate(folders):
        top = 21 + 15 * row
        if row == 2:
            screen.rounded((4, top, 55, top + 13), 3, ACCENT)
        screen.icon(icon, 8, top + 2, 10, "white" if row == 2 else FAINT)
        screen.text((21, top + 7), label, 9, "white" if row == 2 else TEXT)
    screen.text((7, 90), "TAGS", 8, FAINT)
    for row, (color, label) in enumerate((("#e0533d", "ink"), ("#3d9e56", "leaf"), ("#8a4fc9", "lens"))):
        screen.box((8, 98 + 13 * row, 15, 105 + 13 * row), fill=color)
        screen.text((21, 102 + 13 * row), label, 9)


def small_list(screen):
    screen.hairline((60, 31), (207, 31))
    screen.text((65, 24), "Name", 8, FAINT)
    screen.text((157, 24), "Size", 8, FAINT)
    screen.hairline((150, 17), (150, 113))
    rows = (("corner.png", "12 kB"), ("edge.png", "9 kB"), ("middle.png", "31 kB"), ("outside.png", "1 kB"),
            ("whole.png", "7 kB"))
    for row, (name, size) in enumerate(rows):
        top = 32 + 16 * row
        if row % 2:
            screen.box((60, top, 206, top + 15), fill=STRIPE)
        screen.checkbox(65, top + 4, 8, row in (0, 2))
        screen.text((78, top + 8), name, 9)
        screen.text((157, top + 8), size, 9, FAINT)
    screen.hairline((150, 17), (150, 113))


def small_footer(screen):
    screen.hairline((60, 113), (207, 113))
    screen.slider(66, 138, 122, 0.62, 3, 4)
    screen.switch(180, 117, 11, True)
    screen.text((150, 122), "Snap", 8)
    screen.button((96, 132, 144, 146), "Cancel", 9)
    screen.button((150, 132, 200, 146), "Open", 9, primary=True)


# --- the large screen, 2048×1536


def large_page():
    screen = Screen(2048, 1536, WINDOW)
    large_title(screen)
    large_sidebar(screen)
    large_table(screen)
    large_chart(screen)
    large_inspector(screen)
    large_status(screen)
    screen.box((0, 0, 2047, 1535), outline="#8d96a4")
    return screen.picture


def large_title(screen):
    screen.box((0, 0, 2047, 95), fill=BAR)
    screen.hairline((0, 96), (2047, 96), "#b7bec9")
    for index, color in enumerate(SIGNALS):
        screen.disc((44 + 40 * index, 48), 13, color)
    screen.text((1024, 48), "Reference pictures", 30, anchor="mm")
    for index, icon in enumerate(("folder", "page", "star")):
        screen.panel((420 + 76 * index, 20, 484 + 76 * index, 75), 10, "#fbfcfd", "#b4bac4")
        screen.icon(icon, 436 + 76 * index, 32, 32, TEXT)
    screen.panel((1560, 22, 1900, 73), 12, FIELD, "#b4bac4")
    screen.icon("lens", 1576, 36, 26, FAINT)
    screen.text((1614, 48), "Search pictures", 22, FAINT)
    screen.icon("gear", 1946, 30, 38, TEXT)


def large_sidebar(screen):
    screen.box((1, 97, 359, 1479), fill=SIDEBAR)
    screen.hairline((360, 97), (360, 1479))
    screen.text((32, 140), "SUITES", 20, FAINT)
    suites = ("states", "zoom", "exponents", "phase", "filters", "alpha", "linear", "rim-shadow", "canvas", "several",
              "focus")
    for row, label in enumerate(suites):
        top = 168 + 56 * row
        if row == 2:
            screen.rounded((16, top, 343, top + 51), 10, ACCENT)
        color = "white" if row == 2 else TEXT
        screen.icon("folder", 36, top + 11, 30, "white" if row == 2 else FAINT)
        screen.text((82, top + 26), label, 25, color)
        screen.text((326, top + 26), str(8 + row * 5 % 13), 20, color if row == 2 else FAINT, "rm")
    screen.text((32, 840), "TAGS", 20, FAINT)
    tags = (("#e0533d", "no edge"), ("#3d9e56", "single edge"), ("#8a4fc9", "corner"), ("#d99a1c", "outside"))
    for row, (color, label) in enumerate(tags):
        screen.rounded((40, 876 + 50 * row, 61, 897 + 50 * row), 5, color)
        screen.text((82, 887 + 50 * row), label, 24)
    screen.hairline((32, 1110), (328, 1110))
    for row, (label, on) in enumerate((("Snap to pixels", True), ("Linear light", False), ("Show rims", True))):
        screen.text((36, 1158 + 60 * row), label, 24)
        screen.switch(270, 1142 + 60 * row, 32, on)


def large_table(screen):
    columns = ((400, "Name"), (800, "State"), (1030, "Size"), (1190, "Zoom"))
    screen.box((361, 97, 1400, 150), fill=STRIPE)
    for left, label in columns:
        screen.text((left, 124), label, 21, FAINT)
    names = ("corner-top-left", "corner-top-right", "corner-bottom-left", "edge-top", "edge-left", "middle", "outside",
             "two-corners", "four-corners", "opposite-edges", "tiny-page", "quarter-phase")
    for row, name in enumerate(names):
        top = 151 + 60 * row
        if row % 2 == 0:
            screen.box((361, top, 1400, top + 59), fill=STRIPE)
        if row == 3:
            screen.box((361, top, 1400, top + 59), fill="#dbe8ff")
        screen.checkbox(392, top + 18, 24, row % 3 != 1)
        screen.icon("page", 430, top + 15, 30, FAINT)
        screen.text((472, top + 30), name + ".png", 25)
        screen.text((800, top + 30), STATES.get(name.split("-")[0], "corner"), 23, FAINT)
        screen.text((1150, top + 30), f"{7 + 13 * row % 40} kB", 23, FAINT, "rm")
        screen.text((1190, top + 30), ("1", "2.5", "4", "16", "64")[row % 5] + "x", 23, FAINT)
    for left, _ in columns[1:]:
        screen.hairline((left - 20, 97), (left - 20, 872))
    screen.hairline((361, 872), (1400, 872))


def large_chart(screen):
    left, right, top, bottom = 460, 1360, 960, 1400
    screen.text((400, 916), "Pixels shaded by loupe position", 26)
    for step in range(6):
        y = bottom - step * (bottom - top) // 5
        screen.hairline((left, y), (right, y), "#e1e5eb" if step else "#8d96a4")
        screen.text((left - 14, y), f"{20 * step}", 18, FAINT, "rm")
    for index, level in enumerate((1, 1, 1, 0.98, 0.9, 0.74, 0.5, 0.27, 0.22, 0.2, 0.24, 0.12, 0.06, 0.03, 0.01)):
        x = left + 20 + 58 * index
        screen.box((x, round(bottom - level * (bottom - top)), x + 30, bottom - 1), fill="#9dbcf3", outline=ACCENT)
        screen.text((x + 15, bottom + 20), f"{index}", 16, FAINT, "mm")
    levels = [0.1 + 0.75 / (1 + math.exp((step - 90) / 18)) for step in range(204)]
    curve = [(left + 36 + 4 * step, bottom - level * (bottom - top)) for step, level in enumerate(levels)]
    screen.draw.line(curve, fill="#e0533d", width=3, joint="curve")


def large_inspector(screen):
    screen.box((1401, 97, 2046, 1479), fill="#fafbfc")
    screen.hairline((1401, 97), (1401, 1479))
    large_preview(screen)
    fields = (("Radius", "180 px", 0.36), ("Zoom", "4x", 0.5), ("Corner", "60 px", 0.22), ("Exponent", "4", 0.66))
    for row, (label, value, part) in enumerate(fields):
        y = 716 + 78 * row
        screen.text((1440, y), label, 24)
        screen.slider(1590, 1850, y, part, 7, 13)
        screen.panel((1884, y - 22, 2007, y + 22), 8, FIELD, "#b4bac4")
        screen.text((1945, y), value, 22, anchor="mm")
    screen.hairline((1440, 1036), (2008, 1036))
    code = ('{"center": [900, 100],', ' "radius": 180, "zoom": 4,', ' "filter": "linear",', ' "rim": {"width": 6,',
            '         "color": "#ffffff"}}')
    screen.panel((1440, 1066, 2007, 1300), 10, "#1f2430", "#1f2430")
    for row, line in enumerate(code):
        screen.text((1464, 1100 + 40 * row), line, 23, ("#ffd580", "#d5e0f5", "#bae67e", "#d5e0f5", "#5ccfe6")[row])
    screen.button((1440, 1346, 1610, 1406), "Revert", 25)
    screen.button((1640, 1346, 1810, 1406), "Compare", 25)
    screen.button((1838, 1346, 2007, 1406), "Accept", 25, primary=True)


def large_preview(screen):
    """A page with a loupe over its corner, as an icon of what the window is about."""
    screen.panel((1440, 136, 2007, 640), 14, "#d6dae1")
    screen.rounded((1500, 236, 1880, 590), 44, "#fffdf5")
    for row in range(9):
        screen.box((1540, 290 + 30 * row, 1540 + 300 - 37 * (row * 5 % 4), 297 + 30 * row), fill="#9aa7c2")
    screen.disc((1860, 264), 108, "#8f98a5")
    screen.disc((1860, 264), 106, "white")
    inside = Screen(196, 196, "#d6dae1")
    inside.rounded((-400, 44, 140, 600), 100, "#fffdf5")
    inside.box((0, 164, 54, 182), fill="#9aa7c2")

    def paint(draw, scale):
        draw.ellipse((0, 0, 196 * scale - 1, 196 * scale - 1), fill=255)
        return inside.picture
    screen.smooth((1762, 166, 1957, 361), paint)


def large_status(screen):
    screen.box((1, 1480, 2046, 1534), fill=BAR)
    screen.hairline((1, 1480), (2046, 1480), "#b7bec9")
    screen.text((32, 1508), "124 pictures, 3 changed", 22, FAINT)
    screen.rounded((760, 1502, 1200, 1513), 6, "#c5cbd4")
    screen.rounded((760, 1502, 1098, 1513), 6, ACCENT)
    screen.text((1222, 1508), "77 %", 20, FAINT)
    screen.text((2010, 1508), "2048 x 1536", 22, FAINT, "rm")
