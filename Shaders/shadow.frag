#version 300 es
// The shadow of a loupe, from the distance to its moved border alone (specification, section 6): half the complementary
// error function.
// HAS_OUTLINE: 1 for a loupe whose border is an outline, 0 for a disc
// HAS_HOLE: 1 for a loupe that is transparent beyond the page, under which no shadow is drawn
// READS_BELOW: see common/source-over.glsl
// DITHER: 1 where the sum is written to 8 bits and dithered, 0 elsewhere; only with READS_BELOW
// out color: premultiplied, working space, composited over what is there
#include "common/source-over.glsl"
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"
#include "common/erfc.glsl"
#if DITHER
#include "common/dither.glsl"
#endif
#if HAS_OUTLINE
#include "common/outline.glsl"
#endif

uniform float shadowScale;  // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;   // premultiplied, working space
#if HAS_OUTLINE
#if HAS_HOLE
uniform vec2 shadowOffset;  // pixels; outline.glsl has the loupe's own outline moved by it
#endif
#else
uniform vec2 shadowCenter;  // pixels from pixelOrigin
uniform float shadowRadius; // pixels
#if HAS_HOLE
uniform vec2 discCenter;    // pixels from pixelOrigin; the loupe's own disc
uniform float discRadius;   // pixels
#endif
#endif

void main() {
#if HAS_OUTLINE
    float x = -outlineDistance(fragPosition()) * shadowScale;
#else
    float x = (length(fragPosition() - shadowCenter) - shadowRadius) * shadowScale;
#endif
    vec4 shadow = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
#if HAS_HOLE
#if HAS_OUTLINE
    shadow *= 1.0 - coverage(outlineDistance(fragPosition() + shadowOffset));
#else
    shadow *= 1.0 - coverage(discRadius - length(fragPosition() - discCenter));
#endif
#endif
    sourceOver(shadow);
#if DITHER
    color.rgb += ditherOffset();
#endif
}
