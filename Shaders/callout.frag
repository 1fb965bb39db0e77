#version 300 es
// The callout of a loupe as one shape: the ring around its source, the connector from there to the loupe, and their casings,
// each with a feather of one pixel. The source stays free of it (specification, section 6.3).
// HAS_OUTLINE: see common/border.glsl
// HAS_HOLE: 1 for a loupe that may be seen through, under which its own callout is not drawn
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"
#include "common/border.glsl"

// a, b, c of each side, four of each of two polygons: the distance inside is a·x + b·y + c, in pixels from pixelOrigin.
uniform vec3 sides[8];
uniform float capRadius;            // pixels; over 0 for lines, whose first two sides are twice as far apart
uniform vec4 connectorColor;        // premultiplied, working space, as the next three
uniform vec4 connectorCasing;
uniform vec4 ringColor;
uniform vec4 ringCasing;
uniform float connectorCasingWidth; // pixels; 0 for none
uniform float ringCasingWidth;      // pixels; 0 for none
uniform float ringWidth;            // pixels; far below 0 for no ring
#if HAS_HOLE
uniform float zoom;                 // the loupe's border is the source's, zoom times as large
uniform vec2 sourceShift;           // pixels; a position in the source = that in the loupe / zoom + shift
#endif

layout(location = 0) out vec4 color;

// p: x, y, 1. Pixels inside the polygon or line whose first side is given.
float depth(int first, vec3 p) {
    float across = min(dot(sides[first], p), dot(sides[first + 1], p));
    float along = min(dot(sides[first + 2], p), dot(sides[first + 3], p));
    return capRadius > 0.0
        ? capRadius - length(vec2(capRadius - across, min(along, 0.0)))
        : min(across, along);
}

void main() {
    vec2 p = fragPosition();
    float outside = -borderDistance(p);
    float middle = ringCasingWidth + 0.5 * ringWidth;
    float inside = max(depth(0, vec3(p, 1.0)), depth(4, vec3(p, 1.0)));
    float free = 1.0 - coverage(ringCasingWidth - outside);
    // Each takes what those before it leave of the pixel.
    float ring = coverage(0.5 * ringWidth - abs(outside - middle));
    float connector = max(ring, coverage(inside) * free);
    float casedRing = max(connector, coverage(middle - abs(outside - middle)));
    float cased = max(casedRing, coverage(inside + connectorCasingWidth) * free);
    color = ringColor * ring + connectorColor * (connector - ring) + ringCasing * (casedRing - connector)
        + connectorCasing * (cased - casedRing);
#if HAS_HOLE
    color *= 1.0 - coverage(zoom * borderDistance(p / zoom + sourceShift));
#endif
}
