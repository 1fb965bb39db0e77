#version 300 es
// The ring around what a loupe shows: a band that begins where that ends, by distance.
// IS_LENS, HAS_HOLE: as common/callout.glsl has them
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/callout.glsl"

uniform float ringReach; // half the band's width, in pixels
uniform vec4 ringColor;  // premultiplied, working space

layout(location = 0) out vec4 color;

void main() {
    vec2 p = place();
    color = ringColor * (coverage(ringReach - abs(sourceDistance(p) + ringReach)) * freeShare(p));
}
