#version 300 es
// The layer along one straight edge of its outline: one signed distance to a line.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/surface.glsl"

uniform vec3 edgeLine; // a, b, c: the distance inside is a·x + b·y + c, in pixels from pixelOrigin

layout(location = 0) out vec4 color;

void main() {
    color = surface() * coverage(dot(edgeLine, vec3(place(), 1.0)));
}
