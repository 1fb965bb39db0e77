#!/usr/bin/env python3
"""Makes the JPEG and WebP files beside this script with Pillow, and what Pillow reads back from each, turned as EXIF
says, as straight RGBA bytes; and files with a profile, and what Pillow's Little CMS makes of them in sRGB. HEIC and AVIF files
are made by heif-enc and avifenc, without losses, so that their pixels are known."""
import ctypes
import io
import pathlib
import struct
import subprocess
import tempfile
import zlib

import numpy as np
from PIL import Image, ImageCms, ImageOps

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


def wide_gamut():
    """A profile of Display P3's primaries, adapted to D50, with a curve of 2.2 (ICC.1:2001-04)."""
    def fixed(*values):
        return b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    tags = {b"wtpt": b"XYZ \0\0\0\0" + fixed(0.9505, 1, 1.0891)}
    primaries = {b"r": (0.51512, 0.2412, -0.00105), b"g": (0.29198, 0.69225, 0.04189), b"b": (0.1571, 0.06657, 0.78407)}
    for name, place in primaries.items():
        tags[name + b"XYZ"] = b"XYZ \0\0\0\0" + fixed(*place)
        tags[name + b"TRC"] = b"curv\0\0\0\0" + struct.pack(">IHH", 1, round(2.2 * 256), 0)
    table, data = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content
    header = struct.pack(">I4sI4s4s4s6H4s", 0, b"", 0x02400000, b"mntr", b"RGB ", b"XYZ ", 2020, 1, 1, 0, 0, 0, b"acsp")
    header += b"\0" * (68 - len(header)) + fixed(0.9642, 1, 0.8249)
    profile = header.ljust(128, b"\0") + table + data
    return struct.pack(">I", len(profile)) + profile[4:]


def ink_profile():
    """A profile of CMYK with two steps of each ink (ICC.1:2001-04, 6.5.8): each combination's colour in Lab of D50."""
    to_lab = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB", 5000), "RGB", "LAB")
    table = b""
    for index in range(16):
        cyan, magenta, yellow, black = (index >> shift & 1 for shift in (3, 2, 1, 0))
        # No ink covers all of the paper.
        color = tuple(round(255 * (1 - 0.9 * ink) * (1 - 0.8 * black)) for ink in (cyan, magenta, yellow))
        light, a, b = ImageCms.applyTransform(Image.new("RGB", (1, 1), color), to_lab).tobytes()
        table += struct.pack(">HHH", light * 0xff00 // 255, (a + 128) % 256 * 256, (b + 128) % 256 * 256)
    straight = struct.pack(">HH", 0, 65535)
    lut = b"mft2\0\0\0\0" + bytes([4, 3, 2, 0])
    lut += struct.pack(">9i", *(65536 * int(n % 4 == 0) for n in range(9))) + struct.pack(">HH", 2, 2)
    lut += 4 * straight + table + 3 * straight
    white = b"XYZ \0\0\0\0" + struct.pack(">3i", round(0.9642 * 65536), 65536, round(0.8249 * 65536))
    start = 128 + 4 + 2 * 12
    tags = struct.pack(">I", 2) + b"wtpt" + struct.pack(">II", start, 20) + b"A2B0" + struct.pack(">II", start + 20, len(lut))
    header = struct.pack(">I4sI4s4s4s6H4s", 0, b"", 0x02400000, b"prtr", b"CMYK", b"Lab ", 2020, 1, 1, 0, 0, 0, b"acsp")
    header += b"\0" * (68 - len(header)) + white[8:]
    profile = header.ljust(128, b"\0") + tags + white + lut
    return struct.pack(">I", len(profile)) + profile[4:]


def inks(rgb):
    """JPEGs of CMYK: by a profile, as Pillow and Little CMS show it; and packed as YCCK by libjpeg-turbo."""
    cmyk, profile = rgb.convert("CMYK"), ink_profile()
    cmyk.save(FOLDER / "cmyk.jpg")
    cmyk.save(FOLDER / "inks.jpg", quality=95, icc_profile=profile)
    turbo = ctypes.CDLL("libturbojpeg.so.0")
    turbo.tjInitCompress.restype = ctypes.c_void_p
    packed, count = ctypes.c_void_p(), ctypes.c_ulong()
    # Adobe's numbers: 255 is no ink. 11 is TJPF_CMYK, which becomes YCCK.
    pixels = bytes(255 - value for value in cmyk.tobytes())
    turbo.tjCompress2(ctypes.c_void_p(turbo.tjInitCompress()), pixels, WIDTH, 0, HEIGHT, 11, ctypes.byref(packed),
                      ctypes.byref(count), 0, 95, 0)
    (FOLDER / "ycck.jpg").write_bytes(ctypes.string_at(packed, count.value))
    for name in ["cmyk.jpg", "ycck.jpg", "inks.jpg"]:
        stored = Image.open(FOLDER / name)
        shown = stored.convert("RGB") if name != "inks.jpg" else ImageCms.profileToProfile(
            stored, io.BytesIO(profile), ImageCms.createProfile("sRGB"), outputMode="RGB",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
        (FOLDER / f"{name}.rgba").write_bytes(shown.convert("RGBA").tobytes())


def phones(rgba, rgb):
    """What telephones write: HEIC and AVIF."""
    def run(*words):
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)

    with tempfile.TemporaryDirectory() as folder:
        rgba_png, rgb_png, deep_png = (pathlib.Path(folder) / name for name in ["rgba.png", "rgb.png", "deep.png"])
        rgba.save(rgba_png)
        rgb.save(rgb_png)
        rows = b"".join(b"\0" + row.tobytes() for row in (np.array(rgba).astype(">u2") * 257))
        header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, 6, 0, 0, 0)
        parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
        deep_png.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts))
        for name, page in {"colours.heic": rgba_png, "wide.heic": FOLDER / "wide.png"}.items():
            run("heif-enc", "-L", "-p", "chroma=444", "--matrix_coefficients=0", page, "-o", FOLDER / name)
        avifs = {
            "colours": [rgba_png], "premultiplied": ["-p", rgba_png], "turned": ["--irot", "1", rgb_png],
            "cropped": ["--imir", "1", "--crop", "3,2,12,8", rgb_png], "deep": ["-d", "10", deep_png],
            "p3": ["--cicp", "12/13/0", rgb_png], "turned-6": [FOLDER / "turned-6.jpg"],
        }
        for name, words in avifs.items():
            run("avifenc", "--lossless", *words, FOLDER / f"{name}.avif")


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
    profile = wide_gamut()
    (FOLDER / "wide-gamut.icc").write_bytes(profile)
    for name, options in {"wide.png": {}, "wide.jpg": {"quality": 95}, "wide.webp": {"lossless": True}}.items():
        rgb.save(FOLDER / name, icc_profile=profile, **options)
        stored = Image.open(FOLDER / name).convert("RGB")
        shown = ImageCms.profileToProfile(
            stored, io.BytesIO(profile), ImageCms.createProfile("sRGB"),
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
        (FOLDER / f"{name}.rgba").write_bytes(shown.convert("RGBA").tobytes())
    palette = rgb.quantize(32)
    palette.save(FOLDER / "palette.gif", transparency=5, interlace=1)
    palette.save(
        FOLDER / "frames.gif", save_all=True, append_images=[palette.rotate(180), palette], transparency=5, disposal=2)
    for name in ["palette.gif", "frames.gif"]:
        seen = np.array(Image.open(FOLDER / name).convert("RGBA"))
        seen[seen[..., 3] == 0] = 0
        (FOLDER / f"{name}.rgba").write_bytes(seen.tobytes())
    phones(rgba, rgb)
    inks(rgb)
    rgb.save(FOLDER / "animated.webp", save_all=True, append_images=[rgb.rotate(180)], lossless=True)


main()
