"""The page of enlarged corners: for each renderer one corner, and beside it what is wrong with it."""
import numpy
from PIL import Image, ImageDraw, ImageFont

shown = ["r8-n2-fraction-1x", "r16-n4-fraction-1x", "r40-n8-whole-1x"]
titles = ["radius 8, n = 2, at a fraction", "radius 16, n = 4, at a fraction", "radius 40, n = 8, whole"]
crop, zoom, gap = 16, 10, 8


def font(size):
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)


def errors(case, picture):
    """Blue where there is too much, red where there is too little, against the feather; 32/255 is full colour."""
    colors = numpy.full((crop, crop, 3), 245, numpy.uint8)
    for column, row, feather in zip(case.columns, case.rows, case.feather):
        if column < case.left or row < case.top or column >= case.left + crop or row >= case.top + crop:
            continue
        error = (picture[row, column] / 255 - feather) * 255 / 32
        strength = min(1.0, abs(error))
        full = numpy.array([0, 90, 200] if error > 0 else [200, 40, 0])
        colors[row - case.top, column - case.left] = (245 * (1 - strength) + full * strength).astype(numpy.uint8)
    return colors


def draw_page(path, all_cases, pictures):
    chosen = [case for name in shown for case in all_cases if case.name == name]
    for case in chosen:
        # Around the middle of the curve, or the whole corner where that is small.
        middle = case.shape.corner[len(case.shape.corner) // 2]
        case.left, case.top = (max(0, int(v) - crop // 2) for v in middle)
    side, label, head = crop * zoom, 190, 84
    width = label + len(chosen) * (2 * side + 3 * gap)
    page = Image.new("RGB", (width, head + len(pictures) * (side + gap)), "white")
    draw = ImageDraw.Draw(page)
    legend = "Corners, 10 times enlarged. Error against the feather: red too little, blue too much, full colour at 32/255"
    draw.text((8, 8), legend, "#222222", font(16))
    for number, title in enumerate(titles[:len(chosen)]):
        x = label + number * (2 * side + 3 * gap)
        draw.text((x, 36), title, "#222222", font(16))
        draw.text((x, 60), "drawn", "#666666", font(13))
        draw.text((x + side + gap, 60), "error", "#666666", font(13))
    for row, (name, drawn) in enumerate(pictures.items()):
        y = head + row * (side + gap)
        lines = name.split(", ")
        for index, line in enumerate(lines):
            draw.text((8, y + side // 2 - 12 * len(lines) + 24 * index), line, "#222222", font(16 if index == 0 else 14))
        for number, case in enumerate(chosen):
            x = label + number * (2 * side + 3 * gap)
            picture = drawn[case.name]
            part = picture[case.top:case.top + crop, case.left:case.left + crop]
            page.paste(Image.fromarray(numpy.ascontiguousarray(part)).resize((side, side), Image.NEAREST), (x, y))
            wrong = Image.fromarray(errors(case, picture)).resize((side, side), Image.NEAREST)
            page.paste(wrong, (x + side + gap, y))
    page.quantize(128, dither=Image.NONE).save(path, optimize=True)
