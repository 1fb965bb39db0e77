#version 300 es
// The ring around a loupe's source: a band that begins at the source's border, by distance.
// HAS_OUTLINE, HAS_HOLE: see common/callout.glsl
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"
#include "common/callout.glsl"

uniform float ringReach; // half the band's width, in pixels
uniform vec4 ringColor;  // premultiplied, working space

layout(location = 0) out vec4 color;

void main() {
    vec2 p = fragPosition();
    color = ringColor * (coverage(ringReach - abs(sourceDistance(p) + ringReach)) * coverageOutsideLoupe(p));
}
