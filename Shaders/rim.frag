#version 300 es
// The outer ring of a loupe: its content under the rim, cut to the disc by a feather of one pixel (SPEC 4, 6).
// out color: premultiplied, working space, times the disc's coverage
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"

uniform sampler2D loupeContent; // premultiplied, working space
uniform ivec2 contentShift;     // content texel = fragment + shift
uniform vec2 discCenter;        // pixels from pixelOrigin
uniform float discRadius;       // pixels
uniform vec4 rimColor;          // premultiplied, working space
uniform float rimInnerRadius;   // pixels
uniform float erases;           // 1: write only the coverage, to clear what lies below; 0: write the colour

layout(location = 0) out vec4 color;

void main() {
    float distance = length(place() - discCenter);
    float share = coverage(discRadius - distance);
    // Beyond the disc nothing was drawn: what stands there may be no number, and times 0 it still is none.
    if (share <= 0.0) discard;
    vec4 below = texelFetch(loupeContent, ivec2(gl_FragCoord.xy) + contentShift, 0);
    vec4 rim = rimColor * coverage(distance - rimInnerRadius);
    vec4 content = rim + below * (1.0 - rim.a);
    color = mix(content, vec4(0.0, 0.0, 0.0, 1.0), erases) * share;
}
