"""The parts of PNG that the package needs where neither numpy nor Pillow has them: texts, and 16 bits a channel."""

from __future__ import annotations

import array
import functools
import io
import json
import os
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TEXTS = (b"Software\0", b"loupe-device\0", b"loupe-scene\0")
_SCENE = b"loupe-scene\0"


def chunks(png: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The type, the start and the end of each chunk's data. What follows the last one is no chunk."""
    at, kind = len(SIGNATURE), b""
    while at + 8 <= len(png) and kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", png, at)
        yield kind, at + 8, at + 8 + length
        at += 12 + length


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and its checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


def without_texts(png: bytes) -> bytes:
    """The PNG without what the command stores beside the pixels, as --no-metadata writes it."""
    parts = [SIGNATURE]
    for kind, start, end in chunks(png):
        if kind not in (b"tEXt", b"iTXt") or not png[start:end].startswith(_TEXTS):
            parts.append(png[start - 8 : end + 4])
    return b"".join(parts)


def with_description(png: bytes, text: str | None) -> bytes:
    """The PNG with another text for those who can't see it, under the keyword that PNG has for that, or without one."""
    keyword = b"Description\0"
    parts = [SIGNATURE]
    for kind, start, end in chunks(png):
        if kind != b"iTXt" or not png.startswith(keyword, start):
            parts.append(png[start - 8 : end + 4])
        if kind == b"IHDR" and text is not None:
            parts.append(chunk(b"iTXt", keyword + b"\0\0\0\0" + text.encode()))
    return b"".join(parts)


def _record(png: bytes) -> tuple[bytes, int, int] | None:
    """The text with the scene, and where its chunk's data begin and end. A long text is compressed."""
    for kind, start, end in chunks(png):
        if kind == b"iTXt" and png.startswith(_SCENE, start):
            text = png[start + len(_SCENE) + 4 : end]
            return (zlib.decompress(text) if png[start + len(_SCENE)] else text), start, end
        if kind == b"IDAT":
            break
    return None


def scene(png: bytes) -> dict[str, Any] | None:
    """The scene that the PNG stores; None where it stores none."""
    place = _record(png)
    if place is None:
        return None
    record: dict[str, Any] = json.loads(place[0])
    found: dict[str, Any] = record["scene"]
    return found


def with_paths(png: bytes, folder: str) -> bytes:
    """The PNG with its images' paths relative to a folder. They were relative to the root folder."""
    place = _record(png)
    if place is None:
        return png
    text, start, end = place[0].decode(), *place[1:]
    for path in {one["path"] for one in json.loads(text)["images"]} - {"-"}:
        # Nothing else in a scene is a text that equals a path.
        new = os.path.relpath("/" + path, os.path.realpath(folder))
        text = text.replace(json.dumps(path, ensure_ascii=False), json.dumps(new, ensure_ascii=False))
    return png[: start - 8] + chunk(b"iTXt", _SCENE + bytes(4) + text.encode()) + png[end + 4 :]


def encode(rows: memoryview, width: int, height: int, *, depth: int, color: int) -> bytes:
    """A PNG without compression, which takes less time to write and to read than a small one.

    `rows` are the bytes of all rows, each with its filter's byte before it; `color` is PNG's colour type.
    """
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    # A stream of stored blocks, as `zlib.compress(rows, 0)` makes it, which takes ten times as long.
    data: list[bytes | memoryview] = [b"IDAT\x78\x01"]
    for start in range(0, len(rows), 65535):
        block = rows[start : start + 65535]
        data += [struct.pack("<BHH", start + len(block) == len(rows), len(block), len(block) ^ 0xFFFF), block]
    data.append(struct.pack(">I", zlib.adler32(rows)))
    checksum = functools.reduce(lambda sum, part: zlib.crc32(part, sum), data, 0)
    length = sum(map(len, data)) - 4
    return b"".join(
        [SIGNATURE, chunk(b"IHDR", header), struct.pack(">I", length), *data, struct.pack(">I", checksum), chunk(b"IEND", b"")]
    )


def compressed(png: bytes) -> bytes:
    """The PNG with its pixels compressed, where they are stored as `encode` stores them."""
    parts = [(start, end) for kind, start, end in chunks(png) if kind == b"IDAT"]
    (start, _), (_, end) = parts[0], parts[-1]
    if png[start : start + 2] != b"\x78\x01":
        return png
    data = zlib.compress(zlib.decompress(b"".join(png[one:other] for one, other in parts)))
    return png[: start - 8] + chunk(b"IDAT", data) + png[end + 4 :]


def packed(
    pixels: bytes | bytearray, width: int, height: int, depth: int, texts: Sequence[tuple[bytes, bytes]] = (),
    density: Sequence[int] | None = None,
) -> bytes:  # fmt: skip
    """A PNG of straight red, green, blue and alpha: of 8 bits, or of 16 as the machine of the reference renderer has them.

    `texts` are chunks with their types, `density` pixels a metre.
    """
    extra = b"".join(chunk(kind, data) for kind, data in texts)
    if density:
        extra = chunk(b"pHYs", struct.pack(">IIB", *density, 1)) + extra
    if depth == 16:
        samples = array.array("H", bytes(pixels))
        if sys.byteorder == "little":
            samples.byteswap()
        rows, stride = samples.tobytes(), 8 * width
        data = zlib.compress(b"".join(b"\0" + rows[start : start + stride] for start in range(0, len(rows), stride)))
        header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, 0))
        return b"".join([SIGNATURE, header, extra, chunk(b"IDAT", data), chunk(b"IEND", b"")])
    from PIL import Image

    image = Image.frombytes("RGBA", (width, height), bytes(pixels))
    if image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    written = io.BytesIO()
    # Level 6 takes twice the time for a fiftieth of the bytes of a photograph.
    image.save(written, "PNG", compress_level=4)
    png = written.getvalue()
    # After the header, whose chunk is of 25 bytes.
    return png[:33] + extra + png[33:]


def decode(png: bytes) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """The pixels of a PNG that the command wrote: height × width × 4, straight alpha, of 8 or 16 bits a channel."""
    import numpy as np

    data = []
    width = height = depth = color = 0
    for kind, start, end in chunks(png):
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", png, start)
        elif kind == b"IDAT":
            data.append(png[start:end])
    channels = {0: 1, 2: 3, 6: 4}[color]
    unit = channels * depth // 8
    packed = np.frombuffer(zlib.decompress(b"".join(data)), np.uint8).reshape(height, width * unit + 1)
    raw = _unfiltered(packed, unit)
    samples: NDArray[Any] = raw.view(">u2").astype(np.uint16) if depth == 16 else raw
    samples = samples.reshape(height, width, channels)
    most = 65535 if depth == 16 else 255
    pixels = np.full((height, width, 4), most, np.uint16 if depth == 16 else np.uint8)
    pixels[:, :, :channels] = samples
    if color == 0:
        pixels[:, :, 1:3] = samples
    return pixels


def _unfiltered(packed: NDArray[np.uint8], unit: int) -> NDArray[np.uint8]:
    """Undoes the filters of all rows, along diagonals: each byte needs those to the left, above, and above to the left."""
    import numpy as np

    height, length = packed.shape[0], (packed.shape[1] - 1) // unit
    kinds = packed[:, 0]
    # A row above and a unit to the left, both 0.
    out = np.zeros((height + 1, length + 1, unit), np.int16)
    source = packed[:, 1:].reshape(height, length, unit)
    for diagonal in range(height + length - 1):
        row = np.arange(max(0, diagonal - length + 1), min(height, diagonal + 1))
        column = diagonal - row
        left, above, corner = out[row + 1, column], out[row, column + 1], out[row, column]
        estimate = left + above - corner
        a, b, c = abs(estimate - left), abs(estimate - above), abs(estimate - corner)
        paeth = np.where((a <= b) & (a <= c), left, np.where(b <= c, above, corner))
        kind = kinds[row][:, None]
        guess = np.select([kind == 1, kind == 2, kind == 3, kind == 4], [left, above, (left + above) >> 1, paeth], 0)
        out[row + 1, column + 1] = (source[row, column] + guess) & 255
    return out[1:, 1:].reshape(height, -1).astype(np.uint8)
