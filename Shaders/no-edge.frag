#version 300 es
// The layer where it covers everything: sampled, never clipped.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/surface.glsl"

layout(location = 0) out vec4 color;

void main() {
    color = surface();
}
