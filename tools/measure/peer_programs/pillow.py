"""A page with a loupe: the page, the picture."""
import sys
from PIL import Image, ImageDraw

x, y, r, side = 900, 700, 300, 75
page = Image.open(sys.argv[1]).convert("RGB")
loupe = page.resize((2 * r, 2 * r), Image.BILINEAR, (x - side, y - side, x + side, y + side))
mask = Image.new("L", (8 * r, 8 * r))
ImageDraw.Draw(mask).ellipse((0, 0, 8 * r - 1, 8 * r - 1), fill=255)
page.paste(loupe, (x - r, y - r), mask.resize((2 * r, 2 * r), Image.BOX))
page.save(sys.argv[2], compress_level=1)
