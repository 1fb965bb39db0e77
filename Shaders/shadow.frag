#version 300 es
// The shadow of a disc, from the distance alone (SPEC 6): half the complementary error function.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"

uniform vec2 shadowCenter;   // pixels from pixelOrigin
uniform float shadowRadius;  // pixels
uniform float shadowScale;   // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;    // premultiplied, working space

layout(location = 0) out vec4 color;

// Abramowitz and Stegun 7.1.26; off by at most 1.5e-7.
float complementaryError(float x) {
    float t = 1.0 / (1.0 + 0.3275911 * abs(x));
    float series =
        t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    float tail = series * exp(-x * x);
    return x < 0.0 ? 2.0 - tail : tail;
}

void main() {
    float x = (length(place() - shadowCenter) - shadowRadius) * shadowScale;
    color = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
}
