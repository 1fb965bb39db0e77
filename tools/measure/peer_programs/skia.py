"""Raw frames of a page over which a loupe moves, to standard output: the page, the number of frames.

As loupe-render does, it restores only what the loupe has left. Skia's raster is fastest with opaque BGRA. So RGBA is called
BGRA, which changes no result.
"""
import sys
import numpy as np
import skia

r, side = 300, 75
page = skia.Image.open(sys.argv[1]).toarray(colorType=skia.kRGBA_8888_ColorType)
frame = page.copy()
format = {"colorType": skia.kBGRA_8888_ColorType, "alphaType": skia.kOpaque_AlphaType}
image = skia.Image.fromarray(page, **format)
canvas = skia.Surface(frame, **format).getCanvas()
linear = skia.SamplingOptions(skia.FilterMode.kLinear)
for number in range(int(sys.argv[2])):
    x, y = 400 + 10 * number, 500 + 4 * number
    canvas.save()
    canvas.clipPath(skia.Path.Circle(x, y, r), True)
    canvas.drawImageRect(image, skia.Rect(x - side, y - side, x + side, y + side), skia.Rect(x - r, y - r, x + r, y + r), linear)
    canvas.restore()
    sys.stdout.buffer.write(frame)
    left = np.s_[y - r - 1:y + r + 1, x - r - 1:x + r + 1]
    frame[left] = page[left]
