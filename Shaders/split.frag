#version 300 es
// The other half of a split loupe and the divider, to be composited over the first half.
// out color: premultiplied, working space, times the weight of each in the pixel
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"

uniform sampler2D loupeContent; // the other half, premultiplied, working space
uniform ivec2 contentShift;     // content texel = fragment + shift
uniform vec3 halfLine;          // a, b, c: the distance into the other half is a·x + b·y + c, in pixels
uniform vec4 dividerColor;      // premultiplied, working space
uniform float dividerWidth;     // pixels
uniform float adds;             // 1: the sum alone; 0: with the alpha that first removes the first half's part

layout(location = 0) out vec4 color;

void main() {
    float beyond = dot(halfLine, vec3(fragPosition(), 1.0));
    float weight = coverage(beyond);
    vec4 other = texelFetch(loupeContent, ivec2(gl_FragCoord.xy) + contentShift, 0) * weight;
    // How much of the pixel's width across the line the divider covers.
    vec4 divider = dividerColor
        * (coverage(dividerWidth * 0.5 + beyond) - coverage(beyond - dividerWidth * 0.5));
    vec4 content = divider + other * (1.0 - divider.a);
    float removed = divider.a + weight * (1.0 - divider.a);
    color = vec4(content.rgb, mix(removed, content.a, adds));
}
