#version 300 es
// What leads from a loupe's source to the loupe: one convex polygon, or the union of two, cut by a feather of one pixel.
// The source stays free.
// POLYGONS: 1 or 2. IS_LENS, HAS_HOLE: as common/callout.glsl has them
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/callout.glsl"

uniform vec3 sides[4 * POLYGONS]; // a, b, c: the distance inside is a·x + b·y + c, in pixels from pixelOrigin
uniform vec4 connectorColor;      // premultiplied, working space

layout(location = 0) out vec4 color;

float depth(int first, vec3 p) {
    return min(
        min(dot(sides[first], p), dot(sides[first + 1], p)),
        min(dot(sides[first + 2], p), dot(sides[first + 3], p)));
}

void main() {
    vec2 p = place();
    float inside = depth(0, vec3(p, 1.0));
#if POLYGONS == 2
    inside = max(inside, depth(4, vec3(p, 1.0)));
#endif
    color = connectorColor * (coverage(inside) * (1.0 - coverage(sourceDistance(p))) * freeShare(p));
}
