#version 300 es
// The shadow of a disc, from the distance alone (SPEC 6): half the complementary error function.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/erfc.glsl"

uniform vec2 shadowCenter;   // pixels from pixelOrigin
uniform float shadowRadius;  // pixels
uniform float shadowScale;   // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;    // premultiplied, working space

layout(location = 0) out vec4 color;

void main() {
    float x = (length(place() - shadowCenter) - shadowRadius) * shadowScale;
    color = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
}
