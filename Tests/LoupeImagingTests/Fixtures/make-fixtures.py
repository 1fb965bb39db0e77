#!/usr/bin/env python3
"""Makes the PNG files beside this script with Pillow, and what Pillow reads back from each as straight RGBA bytes."""
import pathlib

import numpy as np
from PIL import Image

FOLDER = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 16, 12


def colours():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    noise = np.random.default_rng(7).integers(0, 40, (HEIGHT, WIDTH))
    return np.stack([x * 13 + noise, y * 17 + noise, (x * y) + noise, 255 - x * 16], -1).astype(np.uint8)


def main():
    rgba = Image.fromarray(colours())
    rgb = rgba.convert("RGB")
    few, many = rgb.quantize(11), rgb.quantize(150)
    pictures = {
        "bilevel": (rgb.convert("1"), {}),
        "grey": (rgb.convert("L"), {}),
        "grey-alpha": (rgba.convert("LA"), {}),
        "palette-4bit": (few, {}),
        "palette-8bit-transparent": (many, {"transparency": bytes(range(0, 250, 5))}),
        "rgb": (rgb, {}),
        "rgb-key": (rgb, {"transparency": rgb.getpixel((3, 4))}),
        "rgba": (rgba, {}),
    }
    for name, (picture, options) in pictures.items():
        path = FOLDER / f"{name}.png"
        picture.save(path, **options)
        (FOLDER / f"{name}.rgba").write_bytes(Image.open(path).convert("RGBA").tobytes())


main()
