#version 300 es
// The layer along the straight edges of its outline: the distance to the nearest of them.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/clip.glsl"
#include "common/surface.glsl"

uniform vec4 outlineEdges; // left, top, right, bottom, in pixels from pixelOrigin

layout(location = 0) out vec4 color;

void main() {
    vec2 depth = min(place() - outlineEdges.xy, outlineEdges.zw - place());
    color = clipped(surface(), min(depth.x, depth.y));
}
