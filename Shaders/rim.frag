#version 300 es
// The outer ring of a loupe: its content under the rim, cut to the disc by a feather of one pixel (SPEC 4, 6).
// out color: premultiplied, working space, times the disc's coverage
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/border.glsl"

uniform vec2 discCenter;      // pixels from pixelOrigin
uniform float discRadius;     // pixels
uniform float rimInnerRadius; // pixels

layout(location = 0) out vec4 color;

void main() {
    float distance = length(place() - discCenter);
    color = bordered(coverage(discRadius - distance), coverage(distance - rimInnerRadius));
}
