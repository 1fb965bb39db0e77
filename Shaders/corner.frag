#version 300 es
// A layer anywhere: its colour, times the coverage by the distance to its whole outline.
// HAS_INK, HAS_GRID, CONTENT: see common/surface.glsl and common/content.glsl
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/clip.glsl"
#include "common/surface.glsl"
#include "common/outline.glsl"

layout(location = 0) out vec4 color;

void main() {
    color = clipped(surface(), outlineDistance(fragPosition()));
}
