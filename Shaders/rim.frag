#version 300 es
// The border of a disc: its rim, and its feather of one pixel.
// out color: premultiplied, working space, laid over the content
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
