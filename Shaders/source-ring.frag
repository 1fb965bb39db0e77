#version 300 es
// The ring around what a loupe shows: a band about a circle, by distance.
// HAS_HOLE: 1 for a loupe that can be seen through, 0 for others
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"

uniform vec2 ringCenter;  // pixels from pixelOrigin
uniform float ringRadius; // pixels, of the band's middle
uniform float ringReach;  // half the band's width, in pixels
uniform vec4 ringColor;   // premultiplied, working space
#if HAS_HOLE
uniform vec2 discCenter;  // pixels from pixelOrigin; the loupe's disc, where the ring is left out
uniform float discRadius; // pixels
#endif

layout(location = 0) out vec4 color;

void main() {
    vec2 p = place();
    color = ringColor * coverage(ringReach - abs(length(p - ringCenter) - ringRadius));
#if HAS_HOLE
    color *= 1.0 - coverage(discRadius - length(p - discCenter));
#endif
}
