#!/usr/bin/env python3
"""Makes the JPEG and WebP files beside this script with Pillow, and what Pillow reads back from each, turned as EXIF
says, as straight RGBA bytes."""
import pathlib

import numpy as np
from PIL import Image, ImageOps

FOLDER = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 21, 14
ORIENTATION = 0x0112


def colours():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    return np.stack([x * 12, y * 18, 255 - x * y, 255 - x * 11], -1).astype(np.uint8)


def exif(orientation):
    data = Image.Exif()
    data[ORIENTATION] = orientation
    return data


def main():
    rgba = Image.fromarray(colours())
    rgb = rgba.convert("RGB")
    pictures = {
        "grey.jpg": (rgb.convert("L"), {"quality": 90}),
        "colour-444.jpg": (rgb, {"quality": 95, "subsampling": 0}),
        "colour-420-progressive.jpg": (rgb, {"quality": 80, "subsampling": 2, "progressive": True}),
        "lossless.webp": (rgba, {"lossless": True, "exact": True}),
        "lossy.webp": (rgb, {"quality": 80}),
        "turned-6.webp": (rgb, {"lossless": True, "exif": exif(6)}),
    }
    for orientation in range(1, 9):
        pictures[f"turned-{orientation}.jpg"] = (rgb, {"quality": 90, "exif": exif(orientation)})
    for name, (picture, options) in pictures.items():
        path = FOLDER / name
        picture.save(path, **options)
        seen = ImageOps.exif_transpose(Image.open(path)).convert("RGBA")
        (FOLDER / f"{name}.rgba").write_bytes(seen.tobytes())
    rgb.convert("CMYK").save(FOLDER / "cmyk.jpg")
    rgb.save(FOLDER / "animated.webp", save_all=True, append_images=[rgb.rotate(180)], lossless=True)


main()
