#version 300 es
// Converts the wide canvas to what is written: straight alpha, encoded sRGB.
// LINEAR_LIGHT: see common/light.glsl
// DITHER: 1 where the picture is dithered, 0 where it is rounded to nearest
// out color: straight, encoded
#include "common/precision.glsl"
#include "common/light.glsl"
#if DITHER
#include "common/dither.glsl"
#endif

uniform sampler2D canvas;  // premultiplied, working space
uniform ivec2 canvasShift; // canvas texel = fragment + shift

layout(location = 0) out vec4 color;

void main() {
    vec4 pixel = texelFetch(canvas, ivec2(gl_FragCoord.xy) + canvasShift, 0);
    vec3 straight = clamp(pixel.rgb / max(pixel.a, 1e-6), 0.0, 1.0);
#if LINEAR_LIGHT
    straight = encoded(straight);
#endif
#if DITHER
    straight += ditherOffset();
#endif
    color = pixel.a > 0.0 ? vec4(straight, pixel.a) : vec4(0.0);
}
