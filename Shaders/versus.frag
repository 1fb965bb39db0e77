#version 300 es
// The other half of a split loupe and the divider, to be laid over the first half.
// out color: premultiplied, working space, times the share of the pixel that they take
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"

uniform sampler2D loupeContent; // the other half, premultiplied, working space
uniform ivec2 contentShift;     // content texel = fragment + shift
uniform vec3 halfLine;          // a, b, c: the distance beyond the border of the halves is a·x + b·y + c
uniform vec4 dividerColor;      // premultiplied, working space
uniform float dividerWidth;     // pixels
uniform float adds;             // 1: the sum alone; 0: with the alpha that takes the first half's part away

layout(location = 0) out vec4 color;

void main() {
    float beyond = dot(halfLine, vec3(place(), 1.0));
    float share = coverage(beyond);
    vec4 other = texelFetch(loupeContent, ivec2(gl_FragCoord.xy) + contentShift, 0) * share;
    // The part of the pixel's width across the line that the line takes.
    vec4 divider = dividerColor
        * (coverage(dividerWidth * 0.5 + beyond) - coverage(beyond - dividerWidth * 0.5));
    vec4 content = divider + other * (1.0 - divider.a);
    float taken = divider.a + share * (1.0 - divider.a);
    color = vec4(content.rgb, mix(taken, content.a, adds));
}
