#!/usr/bin/env python3
"""Writes the EXRs beside this file, by OpenEXR's own package of PyPI (pip install OpenEXR numpy).

Their numbers are those of `LinearImageTests.value`, which halves hold exactly.
"""
import pathlib

import numpy as np
import OpenEXR

FOLDER = pathlib.Path(__file__).parent
y, x, channel = np.meshgrid(np.arange(14), np.arange(21), np.arange(3), indexing="ij")
light = (x - 4 + 21 * y) * 2.0 ** (channel - 3)


def write(file_name, channels, compression, tile=None):
    header = {"compression": compression, "type": OpenEXR.tiledimage if tile else OpenEXR.scanlineimage}
    if tile:
        header["tiles"] = OpenEXR.TileDescription()
        header["tiles"].xSize = header["tiles"].ySize = tile
    with OpenEXR.File(header, {name: np.ascontiguousarray(values) for name, values in channels.items()}) as file:
        file.write(str(FOLDER / file_name))


half, single = light.astype(np.float16), light.astype(np.float32)
write("half-zip.exr", {"RGB": half}, OpenEXR.ZIP_COMPRESSION)
write("float-tiles.exr", {"RGBA": np.dstack([single, 0 * single[..., :1]])}, OpenEXR.NO_COMPRESSION, tile=8)
write("mixed-piz.exr", {"R": half[..., 0], "G": single[..., 1], "B": half[..., 2], "Y": single[..., 0], "Z": single[..., 1]},
      OpenEXR.PIZ_COMPRESSION)  # fmt: skip
write("grey-tiles.exr", {"Y": half[..., 0]}, OpenEXR.ZIPS_COMPRESSION, tile=16)
write("b44.exr", {"RGB": half}, OpenEXR.B44_COMPRESSION)
write("whole-numbers.exr", {name: (x[..., 0] + y[..., 0]).astype(np.uint32) for name in "RGB"}, OpenEXR.ZIP_COMPRESSION)
write("layers.exr", {f"light.{name}": half[..., 0] for name in "RGB"}, OpenEXR.ZIP_COMPRESSION)
