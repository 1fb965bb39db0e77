#version 300 es
// A layer along the straight edges of its outline: its colour, times the coverage by the nearest edge.
// HAS_INK, HAS_GRID, CONTENT: see common/surface.glsl and common/content.glsl
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/clip.glsl"
#include "common/surface.glsl"

uniform vec4 outlineEdges; // left, top, right, bottom, in pixels from pixelOrigin

layout(location = 0) out vec4 color;

void main() {
    vec2 depth = min(fragPosition() - outlineEdges.xy, outlineEdges.zw - fragPosition());
    color = clipped(surface(), min(depth.x, depth.y));
}
