#version 300 es
// The shadow of a disc, from the distance alone (SPEC 6): half the complementary error function.
// HAS_HOLE: 1 for a loupe that can be seen through, 0 for others
// out color: premultiplied, working space, laid over what is there
#include "common/lay.glsl"
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/erfc.glsl"

uniform vec2 shadowCenter;   // pixels from pixelOrigin
uniform float shadowRadius;  // pixels
uniform float shadowScale;   // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;    // premultiplied, working space
#if HAS_HOLE
uniform vec2 discCenter;     // pixels from pixelOrigin; the loupe's disc, where its shadow is left out
uniform float discRadius;    // pixels
#endif

void main() {
    float x = (length(place() - shadowCenter) - shadowRadius) * shadowScale;
    vec4 shadow = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
#if HAS_HOLE
    shadow *= 1.0 - coverage(discRadius - length(place() - discCenter));
#endif
    lay(shadow);
}
