#version 300 es
// The shadow of a loupe, from the distance to its moved border alone (specification, section 6): half the complementary
// error function.
// HAS_OUTLINE: see common/border.glsl; the border is the loupe's, moved by the shadow's offset
// HAS_HOLE: 1 where the caster may be seen through, or is a layer: no shadow is drawn under it
// READS_BELOW: see common/source-over.glsl
// out color: premultiplied, working space, composited over what is there
#include "common/source-over.glsl"
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"
#include "common/erfc.glsl"
#include "common/border.glsl"

uniform float shadowScale; // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;  // premultiplied, working space
#if HAS_HOLE
uniform vec2 shadowOffset; // pixels
#endif

void main() {
    float x = -borderDistance(fragPosition()) * shadowScale;
    vec4 shadow = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
#if HAS_HOLE
    shadow *= 1.0 - coverage(borderDistance(fragPosition() + shadowOffset));
#endif
    sourceOver(shadow);
}
