#version 300 es
// The connector from a loupe's source to the loupe: one convex polygon, or the union of two, with a feather of one pixel.
// The source stays free of it.
// HAS_HEAD: 1 for an arrow, whose head is the second polygon. HAS_OUTLINE, HAS_HOLE: see common/callout.glsl
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"
#include "common/callout.glsl"

// a, b, c of each side, four of a polygon: the distance inside is a·x + b·y + c, in pixels from pixelOrigin.
#if HAS_HEAD
uniform vec3 sides[8];
#else
uniform vec3 sides[4];
#endif
uniform vec4 connectorColor; // premultiplied, working space

layout(location = 0) out vec4 color;

// p: x, y, 1. Pixels inside the polygon whose first side is given.
float depth(int first, vec3 p) {
    return min(
        min(dot(sides[first], p), dot(sides[first + 1], p)),
        min(dot(sides[first + 2], p), dot(sides[first + 3], p)));
}

void main() {
    vec2 p = fragPosition();
    float inside = depth(0, vec3(p, 1.0));
#if HAS_HEAD
    inside = max(inside, depth(4, vec3(p, 1.0)));
#endif
    color = connectorColor * (coverage(inside) * (1.0 - coverage(sourceDistance(p))) * coverageOutsideLoupe(p));
}
