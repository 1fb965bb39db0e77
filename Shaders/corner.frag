#version 300 es
// A layer anywhere, where its four corners are alike and circular or superelliptic: its colour, times the coverage by
// the distance to its whole outline.
//
// The outline is convex, so its signed distance is the least of the distances to its tangent lines. CornerTangents.swift
// says how the lines are chosen, why one octant serves all four corners, and why the distances fall and then rise along
// the list, so that bisection finds the least.
// HAS_INK, HAS_GRID, CONTENT: see common/surface.glsl and common/content.glsl
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/clip.glsl"
#include "common/surface.glsl"

uniform vec4 outlineEdges;     // left, top, right, bottom, in pixels from pixelOrigin, moved in by edgeOrigin
uniform float diagonalShift;   // edgeOrigin.x - edgeOrigin.y
uniform sampler2D tangents;    // row 0: a, b, c of each line, the distance being a·x + b·y + c; row 1: the same less the next line's
uniform int tangentCount;
uniform float edgeInset;       // pixels; the straight edge's distance is folded.x + edgeInset
uniform float curveEnd;        // pixels; folded.y where the curve meets the straight edge

layout(location = 0) out vec4 color;

// folded: the position mirrored into one octant, and 1. Pixels, positive inside.
float tangentDistance(int index, vec3 folded) {
    return dot(texelFetch(tangents, ivec2(index, 0), 0).xyz, folded);
}

// Pixels, positive inside.
float outlineDistance() {
    vec2 p = fragPosition();
    // Pixels inside the nearer vertical and the nearer horizontal edge.
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
