#version 300 es
// A layer where its outline covers the whole pixel: its colour, not clipped.
// HAS_INK, HAS_GRID, CONTENT: see common/surface.glsl and common/content.glsl
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/surface.glsl"

layout(location = 0) out vec4 color;

void main() {
    color = surface();
}
