#version 300 es
// The shadow of a loupe that is no disc, from the distance to its border alone (SPEC 6).
// HAS_HOLE: 1 for a loupe that can be seen through, 0 for others
// out color: premultiplied, working space, laid over what is there
#include "common/lay.glsl"
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/coverage.glsl"
#include "common/outline.glsl"
#include "common/erfc.glsl"

uniform float shadowScale; // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;  // premultiplied, working space
#if HAS_HOLE
uniform vec2 shadowOffset; // pixels; the outline is the loupe's own, moved by it
#endif

void main() {
    float x = -outlineDistance(place()) * shadowScale;
    vec4 shadow = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
#if HAS_HOLE
    shadow *= 1.0 - coverage(outlineDistance(place() + shadowOffset));
#endif
    lay(shadow);
}
