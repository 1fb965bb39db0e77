#version 300 es
// The border of a loupe that is no disc, as rim.frag draws a disc's.
// out color: premultiplied, working space, laid over the content
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/outline.glsl"
#include "common/border.glsl"

uniform float rimWidth; // pixels

layout(location = 0) out vec4 color;

void main() {
    float depth = outlineDistance(place());
    color = bordered(coverage(depth), coverage(rimWidth - depth));
}
