"""A pen that lays ink of varying width on a picture, drawn large and scaled down for smooth edges."""

import math

from PIL import Image, ImageDraw

OVERSAMPLING = 4


class Pen:
    """Collects strokes of one colour; `put_on` lays them on the page."""

    def __init__(self, size):
        self.mask = Image.new("L", (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING), 0)
        self.draw = ImageDraw.Draw(self.mask)

    def curve(self, points, width):
        """A nib's line: full width downwards, thinner upwards and sideways, tapered at both ends."""
        lengths = [math.dist(a, b) for a, b in zip(points, points[1:])]
        total, walked, press = sum(lengths), 0.0, 0.7
        if total > width:
            for a, b, length in zip(points, points[1:], lengths):
                down = (b[1] - a[1]) / length if length else 0
                press += 0.3 * (0.72 + 0.28 * down - press)
                taper = min(1, 0.55 + 0.3 * min(walked, total - walked) / width)
                self._segment(a, b, width * press * taper, width * press * taper)
                walked += length
        else:
            self.line(points, width)  # a dot

    def line(self, points, width):
        """A line of even width with round ends."""
        for a, b in zip(points, points[1:]):
            self._segment(a, b, width, width)

    def swell(self, points, thin, thick):
        """A flourish that swells from thin to thick and back."""
        last = len(points) - 1
        widths = [thin + (thick - thin) * math.sin(math.pi * index / last) ** 2 for index in range(last + 1)]
        for index in range(last):
            self._segment(points[index], points[index + 1], widths[index], widths[index + 1])

    def _segment(self, a, b, start_width, end_width):
        steps = max(1, math.ceil(math.dist(a, b) * OVERSAMPLING / max(1, start_width * OVERSAMPLING * 0.2)))
        for step in range(steps + 1):
            part = step / steps
            x, y = (OVERSAMPLING * (p + (q - p) * part) for p, q in zip(a, b))
            half = OVERSAMPLING * (start_width + (end_width - start_width) * part) / 2
            self.draw.ellipse((x - half, y - half, x + half, y + half), fill=255)

    def put_on(self, page, color, opacity=1.0):
        coverage = self.mask.reduce(OVERSAMPLING).point(lambda level: round(level * opacity))
        page.paste(color, mask=coverage)
