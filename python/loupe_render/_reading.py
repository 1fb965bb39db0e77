"""Pictures in sRGB by Pillow, as the command decodes them."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from typing import TYPE_CHECKING, NamedTuple

from loupe_render import _png
from loupe_render._errors import InputError, LoupeError, UsageError, error_of

if TYPE_CHECKING:
    import PIL.Image

MOST_PIXELS = 1 << 28
"""The most pixels of a picture, unless a job says something else."""


class Decoded(NamedTuple):
    """Straight red, green, blue and alpha of 8 bits; or, with a colour type, the inflated rows of a PNG of 16 bits."""

    width: int
    height: int
    data: bytes
    density: tuple[int, int] | None
    """Pixels a metre, where the file says it."""
    color: int | None = None


def decoded(data: bytes, name: str, most: int = MOST_PIXELS, *, converts: bool = True) -> Decoded:
    """A PNG, JPEG or WebP, in sRGB unless `converts` is false. Errors call it `name`."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise UsageError("Pillow is not installed, which reads pictures; run pip install pillow", 64) from None
    if not data:
        raise InputError(f"{name}: the file is empty; name an image", 65)
    if not data.startswith((_png.SIGNATURE, b"\xff\xd8\xff", b"RIFF")):
        start = data[:512].lstrip()
        if start.startswith((b"%PDF", b"<")):
            raise error_of(69, f"{name}: SVG and PDF are not read by the package for every processor; convert it to PNG first")
        shown = "".join(chr(one) if 32 <= one < 127 else f"\\x{one:02x}" for one in data[:8])
        raise InputError(f"{name}: neither a PNG, a JPEG nor a WebP (starts with '{shown}'); convert it to PNG first", 65)
    try:
        with warnings.catch_warnings():
            # The limit is the command's.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP"))
        width, height = image.size
        if width * height > most:
            raise InputError(f"{name}: {width}×{height} pixels are over the limit of {most} pixels; scale it down first", 65)
        return _png_rows(data, name) if data[24:26] in _DEEP and image.format == "PNG" else _pixels(image, data, name, converts=converts)
    except LoupeError:
        raise
    except Exception as error:
        kind = "PNG" if data.startswith(_png.SIGNATURE) else "WebP" if data.startswith(b"RIFF") else "JPEG"
        raise InputError(f"{name}: the {kind} is damaged ({error}); save or copy it again", 65) from None


def have_one_profile(files: list[bytes]) -> bool:
    """Whether all files have the same colour profile."""
    from PIL import Image

    found = {Image.open(io.BytesIO(data)).info.get("icc_profile") for data in files}
    return len(found) == 1 and None not in found


def refuse_animation(data: bytes, name: str) -> None:
    """Refuses a PNG of several frames, of which only the first would be compared."""
    for kind, start, _ in _png.chunks(data) if data.startswith(_png.SIGNATURE) else ():
        if kind == b"acTL" and data[start : start + 4] != b"\0\0\0\1":
            raise InputError(f"{name}: an animation, of which only the first frame would be compared; compare its frames", 65)
        if kind == b"IDAT":
            return


# By PNG's colour type.
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
# Bits of a channel, and the colour type.
_DEEP = (b"\x10\x00", b"\x10\x02", b"\x10\x04", b"\x10\x06")


def _pixels(image: PIL.Image.Image, data: bytes, name: str, *, converts: bool) -> Decoded:
    from PIL import ImageOps

    if image.mode == "CMYK":
        raise InputError(f"{name}: the JPEG can't be used (its colours are CMYK; convert them to RGB); save or copy it again", 65)
    profile = _profile(image, data, name)
    density = _density(image, data)
    image.load()
    if image.format != "PNG":
        turned = ImageOps.exif_transpose(image)
        if density and turned.size != image.size:
            density = (density[1], density[0])
        image = turned
    if profile is not None and converts:
        image = _in_srgb(image, profile, name)
    image = image.convert("RGBA")
    return Decoded(image.width, image.height, image.tobytes(), density)


def _png_rows(data: bytes, name: str) -> Decoded:
    """A PNG of 16 bits a channel, of which Pillow keeps 8."""
    width, height, _, color, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
    found = dict[bytes, bytes]()
    rows = []
    for kind, start, end in _png.chunks(data):
        if kind == b"IDAT":
            rows.append(data[start:end])
        else:
            found.setdefault(kind, data[start:end])
    if interlaced or b"tRNS" in found:
        raise InputError(f"{name}: an interlaced PNG of 16 bits, or one with a transparent colour; save it without", 65)
    if _calibration(found) is not None or b"iCCP" in found:
        raise InputError(f"{name}: a PNG of 16 bits with a colour profile; convert it to sRGB first", 65)
    # A byte more than the rows have, so that a file that unpacks to more is refused, and not unpacked.
    most = (2 * _CHANNELS[color] * width + 1) * height + 1
    unpacked = zlib.decompressobj().decompress(b"".join(rows), most)
    return Decoded(width, height, unpacked, _physical(found.get(b"pHYs")), color)


def _physical(content: bytes | None) -> tuple[int, int] | None:
    if content is None or len(content) != 9 or content[8] != 1:
        return None
    x, y = struct.unpack(">II", content[:8])
    return (x, y) if 1 <= x < 1 << 31 and 1 <= y < 1 << 31 else None


def _density(image: PIL.Image.Image, data: bytes) -> tuple[int, int] | None:
    if image.format == "PNG":
        for kind, start, end in _png.chunks(data):
            if kind == b"pHYs":
                return _physical(data[start:end])
            if kind == b"IDAT":
                break
    elif image.format == "JPEG" and image.info.get("jfif_unit") in (1, 2):
        metre = 0.0254 if image.info["jfif_unit"] == 1 else 0.01
        x, y = (int(one / metre + 0.5) for one in image.info["jfif_density"])
        return (x, y) if x and y else None
    return None


def _calibration(chunks: dict[bytes, bytes]) -> str | None:
    """What a PNG says of its colours beside a profile and sRGB; None where that is sRGB."""
    code = chunks.get(b"cICP")
    if code is not None and code != b"\x01\x0d\x00\x01" and code[2:] == b"\x00\x01" and code[1:2] in b"\x04\x05\x08\x0d":
        return "cICP"
    if code is not None or b"iCCP" in chunks or b"sRGB" in chunks:
        return None
    usual = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
    gamma, points = chunks.get(b"gAMA", b""), chunks.get(b"cHRM", b"")
    if len(points) == 32 and any(abs(one - other) >= 100 for one, other in zip(struct.unpack(">8I", points), usual)):
        return "cHRM"
    return "gAMA" if len(gamma) == 4 and struct.unpack(">I", gamma)[0] not in (0, 45455) else None


def _profile(image: PIL.Image.Image, data: bytes, name: str) -> bytes | None:
    """The file's colour profile; None for sRGB."""
    if image.format == "PNG":
        found = dict[bytes, bytes]()
        for kind, start, end in _png.chunks(data):
            if kind == b"IDAT":
                break
            found.setdefault(kind, data[start:end])
        chunk = _calibration(found)
        if chunk is not None:
            raise InputError(
                f"{name}: its chunk {chunk} says that its colours are not sRGB, which the package for every processor converts"
                " for profiles only; convert it to sRGB first", 65,
            )  # fmt: skip
        if b"cICP" in found:
            return None
    profile: bytes | None = image.info.get("icc_profile")
    return profile


def _in_srgb(image: PIL.Image.Image, profile: bytes, name: str) -> PIL.Image.Image:
    """The image by its profile, with the relative colorimetric intent; the same where no colour would change visibly."""
    from PIL import Image, ImageCms

    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        space = source.profile.xcolor_space.strip()
        if space not in ("GRAY", "RGB"):
            raise InputError(f"{name}: its colour profile: it is for {space}; allowed are grey and RGB", 65)
        shown = image.convert("RGBA")
        steps = (0, 20, 64, 110, 128, 190, 240, 255)
        if space == "GRAY":
            red, green, blue, alpha = shown.split()
            if red.tobytes() != green.tobytes() or green.tobytes() != blue.tobytes():
                raise InputError(f"{name}: its colour profile: it is for grey, and the image has colours", 65)
            shown, probe = red, bytes(steps)
        else:
            probe = bytes(one for r in steps for g in steps for b in steps for one in (r, g, b))
        mode = "L" if space == "GRAY" else "RGB"
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        standard = ImageCms.createProfile("sRGB")
        transform = ImageCms.buildTransform(source, standard, mode, "RGB", renderingIntent=intent)
        tried = Image.frombytes(mode, (len(probe) // len(mode), 1), probe)
        after = ImageCms.applyTransform(tried, transform)
        assert after is not None
        if all(abs(one - other) <= 1 for one, other in zip(tried.convert("RGB").tobytes(), after.tobytes())):
            return image
        if space == "RGB":
            found = ImageCms.applyTransform(
                shown, ImageCms.buildTransform(source, standard, "RGBA", "RGBA", renderingIntent=intent)
            )
        else:
            found = ImageCms.applyTransform(shown, transform)
            assert found is not None
            found.putalpha(alpha)
        assert found is not None
        return found
    except (ImageCms.PyCMSError, OSError) as error:
        raise InputError(f"{name}: its colour profile: {error}", 65) from None
