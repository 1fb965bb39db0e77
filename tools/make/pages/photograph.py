"""The photograph: one source picture, once large and once as a small close-up."""

from PIL import Image

SOURCE_SIZE = (5312, 2988)
# Boxes in the source's pixels, left, top, right, bottom; both are 4:3.
WHOLE = (0, 0, 3984, 2988)
CLOSE_UP = (560, 100, 2720, 1720)


def pages(source):
    with Image.open(source) as opened:
        photograph = opened.convert("RGB")
    if photograph.size != SOURCE_SIZE:
        raise SystemExit(f"make/reference-pages: {source} is {photograph.size}, but the crops are for {SOURCE_SIZE}")
    return {
        "photograph": photograph.resize((224, 168), Image.Resampling.LANCZOS, box=CLOSE_UP),
        "photograph-2048": photograph.resize((2048, 1536), Image.Resampling.LANCZOS, box=WHOLE),
    }
