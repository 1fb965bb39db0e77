"""What check/figures and check/vectors share: the command, pictures as arrays, and the programs that draw PDFs and SVGs.

Runs the script that imports it again in .build-figures, where numpy and Pillow are.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from program import command, inside, require  # noqa: E402

inside(".build-figures", "numpy", "pillow")

import numpy  # noqa: E402
import PIL.Image  # noqa: E402

program = command()


def picture(path):
    """The RGB values of a picture of 8 bits, on white: rows, columns, channels."""
    with PIL.Image.open(path) as opened:
        image = opened.convert("RGBA")
    white = PIL.Image.new("RGBA", image.size, "white")
    return numpy.asarray(PIL.Image.alpha_composite(white, image).convert("RGB"))


def around(pixels):
    """The least and the largest values of the nine pixels around each."""
    height, width = pixels.shape[:2]
    padded = numpy.pad(pixels, ((1, 1), (1, 1), (0, 0)), "edge").astype(int)
    nine = [padded[y:y + height, x:x + width] for y in range(3) for x in range(3)]
    return numpy.minimum.reduce(nine), numpy.maximum.reduce(nine)


def poppler(folder, name, scale):
    require("pdftoppm", "-r", 96 * scale, "-singlefile", f"{name}.pdf", "poppler", cwd=folder)
    return picture(folder / "poppler.ppm")


def mupdf(folder, name, scale):
    require("mutool", "draw", "-q", "-r", 96 * scale, "-c", "rgb", "-o", "mupdf.ppm", f"{name}.pdf", cwd=folder)
    return picture(folder / "mupdf.ppm")


def chromium(folder, file, scale, size):
    require("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
            f"--force-device-scale-factor={scale}", f"--window-size={size[0]},{size[1]}", "--virtual-time-budget=20000",
            "--screenshot=chromium.png", (folder / file).as_uri(), cwd=folder)
    return picture(folder / "chromium.png")
