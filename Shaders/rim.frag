#version 300 es
// The border of a loupe (specification, sections 4 and 6): its rim over its content, which is on the canvas already, uncut,
// and its feather of one pixel, through which what lay below the loupe shows.
// HAS_OUTLINE: see common/border.glsl
// out color: premultiplied, working space, to be composited over the content
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"
#include "common/border.glsl"

uniform sampler2D below;      // what the canvas held before the loupe, premultiplied, working space
uniform ivec2 belowShift;     // texel of below = fragment + shift
uniform vec4 rimColor;        // premultiplied, working space
uniform float borderShift;    // pixels; 0, or 1 where no feather is drawn yet and the loupe covers each of its pixels
uniform float adds;           // 1: the sum alone; 0: with the alpha that first removes the canvas's own part
uniform float rimWidth;       // pixels

layout(location = 0) out vec4 color;

// loupeCoverage, rimCoverage: how much of the pixel lies inside the loupe's border, and how much outside the rim's inner one
// returns what is composited over the content
vec4 bordered(float loupeCoverage, float rimCoverage) {
    vec4 rim = rimColor * rimCoverage;
    vec4 sum = rim * loupeCoverage
        + texelFetch(below, ivec2(gl_FragCoord.xy) + belowShift, 0) * (1.0 - loupeCoverage);
    float removed = 1.0 - loupeCoverage * (1.0 - rim.a);
    return vec4(sum.rgb, mix(removed, sum.a, adds));
}

void main() {
    float depth = borderDistance(fragPosition());
    color = bordered(coverage(depth + borderShift), coverage(rimWidth - depth));
}
