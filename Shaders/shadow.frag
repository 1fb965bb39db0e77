#version 300 es
// The shadow of a disc, from the distance alone (SPEC 6): half the complementary error function.
// HAS_HOLE: 1 for a loupe that can be seen through, 0 for others
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"

uniform vec2 shadowCenter;   // pixels from pixelOrigin
uniform float shadowRadius;  // pixels
uniform float shadowScale;   // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;    // premultiplied, working space
#if HAS_HOLE
uniform vec2 discCenter;     // pixels from pixelOrigin; the loupe's disc, where its shadow is left out
uniform float discRadius;    // pixels
#endif

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
#if HAS_HOLE
    color *= 1.0 - coverage(discRadius - length(place() - discCenter));
#endif
}
