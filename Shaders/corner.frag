#version 300 es
// The layer anywhere: the distance to its whole outline, superellipse corners included.
//
// The outline is convex, so its signed distance is the least of the distances to its tangent lines.
// CornerTangents says how the lines are chosen, why one octant serves all four corners, and why the
// terms fall and then rise, so that the least is found by halving.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/clip.glsl"
#include "common/surface.glsl"

uniform vec4 outlineEdges;     // left, top, right, bottom, in pixels from pixelOrigin, moved in by edgeOrigin
uniform float diagonalShift;   // edgeOrigin.x - edgeOrigin.y
uniform sampler2D tangents;    // row 0: a, b, c of each line; row 1: a line's a, b, c less the next one's
uniform int tangentCount;
uniform float edgeInset;       // the straight edge's distance is folded.x + edgeInset
uniform float curveEnd;        // where the curve meets the straight edge, as folded.y

layout(location = 0) out vec4 color;

float tangentDistance(int index, vec3 folded) {
    return dot(texelFetch(tangents, ivec2(index, 0), 0).xyz, folded);
}

float outlineDistance() {
    vec2 p = place();
    // How far inside the nearer vertical and the nearer horizontal edge.
    vec2 depth = min(p - outlineEdges.xy, outlineEdges.zw - p);
    bool isBeyondDiagonal = depth.x + diagonalShift > depth.y;
    vec3 folded = vec3(isBeyondDiagonal ? depth.yx : depth, 1.0);
    vec3 onCurve = vec3(folded.x, min(folded.y, curveEnd), 1.0);
    int low = 0;
    int high = tangentCount - 1;
    while (low < high) {
        int middle = (low + high) >> 1;
        bool isRising = dot(texelFetch(tangents, ivec2(middle, 1), 0).xyz, onCurve) <= 0.0;
        high = isRising ? middle : high;
        low = isRising ? low : middle + 1;
    }
    float nearest = tangentDistance(low, folded);
    // Beyond the curve's end a line before this one may be nearer.
    while (low > 0 && folded.y > curveEnd) {
        float before = tangentDistance(low - 1, folded);
        if (before >= nearest) break;
        nearest = before;
        low--;
    }
    return min(nearest, folded.x + edgeInset);
}

void main() {
    color = clipped(surface(), outlineDistance());
}
