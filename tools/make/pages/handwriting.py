"""A hand: an alphabet of pen strokes, and a pen whose width follows the stroke's direction."""

import math

# Strokes as points for a smooth curve; "|" between two points is a sharp turn. Letters are drawn with y up,
# 0 the baseline and 1 the x-height; the number in front is the advance.
_LETTERS = """
a .84 .62,.82 .45,.98 .18,.9 .03,.5 .1,.1 .3,0 .5,.2 .64,.7 .66,.95 | .61,.3 .67,.03 .85,.12
b .76 .12,1.9 .08,1 .06,.1 | .2,0 .5,.08 .66,.5 .52,.92 .3,.9 .08,.6
c .68 .6,.78 .45,.97 .2,.88 .03,.5 .1,.1 .3,0 .6,.15
d .86 .62,.82 .45,.98 .18,.9 .03,.5 .1,.1 .3,0 .5,.2 .64,.8 .71,1.9 | .63,.3 .7,.02 .88,.12
e .7 .05,.46 .35,.5 .58,.68 .48,.95 .24,.93 .04,.58 .07,.18 .28,0 .65,.16
f .5 .64,1.7 .5,1.9 .31,1.75 .26,1.2 .22,.2 .14,-.5 / .02,.95 .5,.98
g .8 .62,.82 .45,.98 .18,.9 .03,.5 .1,.1 .3,.02 .5,.2 .64,.7 .66,.95 | .62,0 .5,-.68 .26,-.85 .06,-.62
h .84 .12,1.9 .08,1 .05,0 | .1,.5 .3,.9 .5,.93 .58,.7 .56,.2 .66,.02 .82,.12
i .36 .1,.95 .06,.3 .14,.02 .3,.12 / .14,1.38 .17,1.4
j .42 .25,.95 .22,0 .1,-.68 -.14,-.8 / .28,1.38 .31,1.4
k .7 .12,1.9 .07,.9 .05,0 / .55,.95 .3,.62 .1,.46 | .32,.3 .5,.05 .7,.06
l .38 .13,1.9 .07,1 .06,.25 .16,.02 .34,.12
m 1.1 .05,.95 .06,.5 .04,0 | .08,.5 .25,.9 .4,.92 .46,.7 .44,0 | .48,.5 .64,.9 .8,.92 .86,.7 .84,.2 .92,.02 1.08,.12
n .82 .05,.95 .06,.5 .04,0 | .1,.5 .3,.9 .48,.93 .56,.7 .54,.2 .63,.02 .8,.12
o .74 .42,.96 .14,.86 .03,.45 .14,.06 .36,0 .6,.25 .63,.66 .44,.96 .32,.9
p .76 .08,.95 .06,0 .02,-.85 / .07,.6 .25,.92 .48,.92 .65,.55 .5,.1 .25,0 .06,.2
q .78 .62,.82 .45,.98 .18,.9 .03,.5 .1,.1 .3,0 .5,.2 .64,.7 .66,.95 | .63,0 .6,-.85
r .6 .06,.95 .06,.5 .04,0 | .1,.55 .28,.9 .52,.86
s .62 .52,.82 .34,.97 .13,.86 .17,.62 .4,.42 .5,.2 .33,0 .03,.12
t .54 .24,1.5 .2,.8 .18,.2 .3,0 .5,.12 / .02,.97 .48,1.01
u .82 .06,.95 .04,.35 .16,.02 .36,.1 .54,.5 .6,.95 | .56,.3 .64,.02 .8,.12
v .64 .04,.95 .16,.4 .27,.02 | .4,.4 .55,.95
w .94 .04,.95 .1,.4 .22,.02 | .36,.4 .44,.8 | .5,.35 .6,.02 | .76,.4 .86,.95
x .68 .04,.92 .22,.65 .4,.2 .62,.03 / .58,.95 .3,.5 .02,.02
y .76 .06,.95 .06,.4 .2,.05 .38,.12 .54,.5 .61,.95 | .55,0 .4,-.65 .18,-.85 0,-.62
z .66 .04,.9 .3,.94 .54,.92 | .3,.5 .03,.04 | .3,.08 .6,.03
A .92 0,0 .3,.9 .52,1.75 | .66,.9 .84,0 / .14,.62 .74,.66
F .72 .16,1.72 .1,.9 .06,0 / .14,1.72 .45,1.76 .8,1.7 / .1,.92 .6,.96
L .8 .2,1.75 .12,.9 .06,.05 | .4,.02 .78,.08
T .8 0,1.68 .4,1.73 .88,1.7 / .44,1.7 .4,.9 .36,0
1 .4 .02,1.3 .24,1.7 | .2,.9 .18,0
2 .72 .08,1.4 .3,1.72 .56,1.5 .46,.9 .04,.06 | .34,.08 .66,.04
4 .76 .4,1.7 .2,1.1 .03,.55 | .3,.55 .68,.6 / .5,1.05 .46,.5 .42,-.05
- .6 .04,.52 .26,.55 .5,.52
= .76 .06,.72 .34,.74 .64,.7 / .04,.38 .34,.4 .62,.36
+ .76 .06,.55 .34,.57 .66,.54 / .36,.9 .35,.55 .33,.18
/ .6 .56,1.8 .28,.8 0,-.2
. .32 .08,.03 .11,.05
, .32 .12,.06 .1,-.08 .02,-.28
: .34 .1,.06 .12,.08 / .14,.72 .16,.74
' .26 .14,1.8 .1,1.5
"""


def _smooth(points, steps=14):
    """A Catmull-Rom curve through the points."""
    ends = [points[0], *points, points[-1]]
    curve = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:]):
        for step in range(steps):
            t = step / steps
            curve.append(tuple(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
                for a, b, c, d in zip(before, start, end, after)))
    return [*curve, points[-1]]


def _stroke(text):
    """One stroke's curve; a sharp turn joins two smooth pieces that share a point."""
    curve, turn = [], None
    for piece in text.split("|"):
        points = [tuple(float(number) for number in pair.split(",")) for pair in piece.split()]
        curve += _smooth([turn, *points] if turn else points)
        turn = points[-1]
    return curve


def _alphabet():
    letters = {}
    for line in _LETTERS.strip().splitlines():
        letter, advance, strokes = line.split(" ", 2)
        letters[letter] = (float(advance), [_stroke(stroke) for stroke in strokes.split(" / ")])
    return letters


ALPHABET = _alphabet()


def write(pen, text, x, baseline, x_height, width, slant=0.16):
    """Writes a line and returns where it ends. Lengths in pixels, `width` that of a down-stroke."""
    for index, letter in enumerate(text):
        if letter == " ":
            x += 0.5 * x_height
            continue
        advance, strokes = ALPHABET[letter]
        # A hand is never quite even: a fixed wobble, so that the page is the same each time.
        lift = 0.04 * math.sin(2.3 * index + 0.7 * len(text))
        for stroke in strokes:
            points = [(x + (px + slant * py) * x_height, baseline - (py + lift) * x_height) for px, py in stroke]
            pen.curve(points, width)
        x += (advance + 0.1) * x_height
    return x


def curve(points):
    """A smooth curve through points, as the pen likes it."""
    return _smooth([tuple(map(float, point)) for point in points], steps=24)
