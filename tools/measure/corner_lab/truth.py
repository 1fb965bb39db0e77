"""The exact coverage of a rounded rectangle's pixels, by numerical integration, apart from all renderers.

A corner of radius r and exponent n is |x/r|^n + |y/r|^n = 1 (docs/specification.md, section 3). Two coverages are told,
since there are two definitions:

area        the part of the pixel's square that lies inside
feather     an edge one pixel wide whatever its direction: distance to the curve + 0.5, limited to 0…1 (our definition)
"""
import math

import numpy
from scipy.spatial import cKDTree


def curve(radius, exponent, count=4096):
    """Points of the quarter from (radius, 0) to (0, radius), about evenly spread along it."""
    t = numpy.linspace(0, math.pi / 2, 20 * count + 1)
    with numpy.errstate(divide="ignore"):
        x = radius * numpy.abs(numpy.cos(t)) ** (2 / exponent)
        y = radius * numpy.abs(numpy.sin(t)) ** (2 / exponent)
    x[-1] = y[0] = 0.0
    length = numpy.concatenate([[0], numpy.cumsum(numpy.hypot(numpy.diff(x), numpy.diff(y)))])
    even = numpy.linspace(0, length[-1], count + 1)
    points = numpy.stack([numpy.interp(even, length, x), numpy.interp(even, length, y)], axis=1)
    # On the curve again, after the interpolation: along the axis on which it is steeper.
    flat = points[:, 0] < points[:, 1]
    a = numpy.clip(points / radius, 0, 1)
    points[flat, 1] = radius * (1 - a[flat, 0] ** exponent) ** (1 / exponent)
    points[~flat, 0] = radius * (1 - a[~flat, 1] ** exponent) ** (1 / exponent)
    return points


class Shape:
    """A square with four equal corners. x and y are its first corner's, in pixels."""

    def __init__(self, x, y, side, radius, exponent):
        self.x, self.y, self.side, self.radius, self.exponent = x, y, side, radius, exponent
        quarter = curve(radius, exponent)
        # The outline of the first corner in the picture's pixels, y down: from the left edge up and to the right.
        self.corner = numpy.stack([x + radius - quarter[:, 0], y + radius - quarter[:, 1]], axis=1)

    def edge_pixels(self, reach=1.5):
        """The pixels of the first corner whose centres lie within `reach` of the curve: columns, rows, signed distances,
        positive inside, and where along the curve, in pixels."""
        low, high = (int(math.floor(min(self.x, self.y))) - 3, int(math.ceil(max(self.x, self.y) + self.radius)))
        columns, rows = numpy.meshgrid(numpy.arange(max(low, 0), high), numpy.arange(max(low, 0), high))
        columns, rows = columns.ravel(), rows.ravel()
        inside = (columns + 0.5 <= self.x + self.radius) & (rows + 0.5 <= self.y + self.radius)
        columns, rows = columns[inside], rows[inside]
        centres = numpy.stack([columns + 0.5, rows + 0.5], axis=1)
        near, index = cKDTree(self.corner).query(centres, distance_upper_bound=reach + 1)
        kept = numpy.isfinite(near)
        centres, columns, rows, index = centres[kept], columns[kept], rows[kept], index[kept]
        best = numpy.full(len(centres), numpy.inf)
        for offset in range(-3, 3):
            i = numpy.clip(index + offset, 0, len(self.corner) - 2)
            a, b = self.corner[i], self.corner[i + 1]
            t = numpy.clip(((centres - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0, 1)
            best = numpy.minimum(best, numpy.hypot(*(centres - a - t[:, None] * (b - a)).T))
        u = numpy.maximum(self.x + self.radius - centres[:, 0], 0) / self.radius
        v = numpy.maximum(self.y + self.radius - centres[:, 1], 0) / self.radius
        signed = numpy.where(u ** self.exponent + v ** self.exponent <= 1, best, -best)
        step = numpy.hypot(*numpy.diff(self.corner, axis=0).T).mean()
        kept = best <= reach
        return columns[kept], rows[kept], signed[kept], index[kept] * step

    def area(self, columns, rows, count=400):
        """The part of each pixel that lies inside, by the midpoint rule: the height of the shape over `count` abscissas."""
        result = numpy.empty(len(columns))
        offsets = (numpy.arange(count) + 0.5) / count
        for start in range(0, len(columns), 4096):
            part = slice(start, start + 4096)
            # Integrated along the axis on which the curve is flatter.
            u = self.x + self.radius - (columns[part] + 0.5)
            v = self.y + self.radius - (rows[part] + 0.5)
            flip = u > v
            along = numpy.where(flip, rows[part], columns[part])[:, None] + offsets
            first = numpy.where(flip, self.y, self.x)[:, None]
            across = numpy.where(flip, columns[part], rows[part])[:, None]
            start_across = numpy.where(flip, self.x, self.y)[:, None]
            a = numpy.clip((first + self.radius - along) / self.radius, 0, 1)
            edge = start_across + self.radius * (1 - (1 - a ** self.exponent) ** (1 / self.exponent))
            heights = numpy.clip(across + 1 - edge, 0, 1)
            heights[along < first] = 0
            result[part] = heights.mean(1)
        return result


def cubics(shape, pieces=24):
    """The shape's outline as cubic Béziers, four corners: each as its four points, in order around the shape.

    Ends and directions are the curve's; how far the inner points lie is fitted, so the error is far below 1/255 pixel."""
    n, r = shape.exponent, shape.radius
    fine = curve(r, n, 64 * pieces)
    quarter = []
    for index in range(pieces):
        points = fine[64 * index:64 * index + 65]
        a, b = points[0], points[-1]

        def direction(p):
            d = numpy.array([-(max(p[1], 1e-12) / r) ** (n - 1), (max(p[0], 1e-12) / r) ** (n - 1)])
            return d / numpy.hypot(*d)

        da, db = direction(a), direction(b)
        length = numpy.concatenate([[0], numpy.cumsum(numpy.hypot(*numpy.diff(points, axis=0).T))])
        t = length / length[-1]
        for _ in range(8):
            basis = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
            rest = points - a * (basis[0] + basis[1])[:, None] - b * (basis[2] + basis[3])[:, None]
            matrix = numpy.stack([(basis[1][:, None] * da).ravel(), (-basis[2][:, None] * db).ravel()], axis=1)
            (p, q), *_ = numpy.linalg.lstsq(matrix, rest.ravel(), rcond=None)
            if p <= 0 or q <= 0:
                p = q = length[-1] / 3
            control = numpy.stack([a, a + p * da, b - q * db, b])
            # Nearer parameters for the points, by Newton's method.
            basis = numpy.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3], axis=1)
            slope = numpy.stack([-3 * (1 - t) ** 2, 3 * (1 - t) * (1 - 3 * t), 3 * t * (2 - 3 * t), 3 * t ** 2], axis=1)
            at, speed = basis @ control, slope @ control
            t = numpy.clip(t + ((points - at) * speed).sum(1) / numpy.maximum((speed ** 2).sum(1), 1e-12), 0, 1)
        quarter.append(control)
    far = shape.side - 2 * r
    result = []
    # From the left edge over the upper left corner, clockwise.
    turns = [lambda p: (r - p[:, 0], r - p[:, 1]), lambda p: (r + far + p[:, 0], r - p[:, 1]),
             lambda p: (r + far + p[:, 0], r + far + p[:, 1]), lambda p: (r - p[:, 0], r + far + p[:, 1])]
    for number, turn in enumerate(turns):
        corner = [numpy.stack(turn(piece), axis=1) + [shape.x, shape.y] for piece in quarter]
        if number % 2 == 1:
            corner = [piece[::-1] for piece in corner[::-1]]
        result += corner
    return result
