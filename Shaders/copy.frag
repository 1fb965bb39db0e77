#version 300 es
// The pixels of another target as they are.
#include "common/precision.glsl"

uniform sampler2D canvas;
uniform ivec2 canvasShift; // canvas texel = fragment + shift

layout(location = 0) out vec4 color;

void main() {
    color = texelFetch(canvas, ivec2(gl_FragCoord.xy) + canvasShift, 0);
}
