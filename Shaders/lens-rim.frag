#version 300 es
// The outer ring of a loupe that is no disc, as rim.frag draws a disc's: its content under the rim, cut to its border by
// a feather of one pixel (SPEC 4, 6).
// out color: premultiplied, working space, times the lens's coverage
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/outline.glsl"

uniform sampler2D loupeContent; // premultiplied, working space
uniform ivec2 contentShift;     // content texel = fragment + shift
uniform vec4 rimColor;          // premultiplied, working space
uniform float rimWidth;         // pixels
uniform float erases;           // 1: write only the coverage, to clear what lies below; 0: write the colour

layout(location = 0) out vec4 color;

void main() {
    float depth = outlineDistance(place());
    float share = coverage(depth);
    // Beyond the lens nothing was drawn: what stands there may be no number, and times 0 it still is none.
    if (share <= 0.0) discard;
    vec4 below = texelFetch(loupeContent, ivec2(gl_FragCoord.xy) + contentShift, 0);
    vec4 rim = rimColor * coverage(rimWidth - depth);
    vec4 content = rim + below * (1.0 - rim.a);
    color = mix(content, vec4(0.0, 0.0, 0.0, 1.0), erases) * share;
}
