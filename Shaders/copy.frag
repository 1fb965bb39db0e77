#version 300 es
// Copies the pixels of another target, which may have another format.
// out color: as the other target holds it
#include "common/precision.glsl"

uniform sampler2D canvas;  // the other target
uniform ivec2 canvasShift; // canvas texel = fragment + shift

layout(location = 0) out vec4 color;

void main() {
    color = texelFetch(canvas, ivec2(gl_FragCoord.xy) + canvasShift, 0);
}
