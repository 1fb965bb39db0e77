"""A page with a loupe: the page, the picture. A disc whose border is antialiased is half a pixel larger than its radius."""
import sys
import cv2
import numpy as np

x, y, r, side = 900, 700, 300, 75
page = cv2.imread(sys.argv[1])
loupe = cv2.resize(page[y - side:y + side, x - side:x + side], (2 * r, 2 * r), interpolation=cv2.INTER_LINEAR)
mask = np.zeros((2 * r, 2 * r), np.uint8)
# In sixteenths of a pixel.
cv2.circle(mask, (16 * r - 8, 16 * r - 8), 16 * r - 8, 255, -1, cv2.LINE_AA, 4)
weight = mask / np.float32(255)
part = page[y - r:y + r, x - r:x + r]
part[:] = cv2.blendLinear(loupe, part, weight, 1 - weight)
cv2.imwrite(sys.argv[2], page, [cv2.IMWRITE_PNG_COMPRESSION, 1])
