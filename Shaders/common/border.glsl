// How deep a position lies in a border: that of a loupe, of its source or of its shadow.
// HAS_OUTLINE: 1 where the border is an outline, 0 where it is a disc
#if HAS_OUTLINE
#include "common/outline.glsl"
#else
uniform vec2 discCenter;  // pixels from pixelOrigin
uniform float discRadius; // pixels
#endif

// Pixels, positive inside. position: pixels from pixelOrigin.
float borderDistance(vec2 position) {
#if HAS_OUTLINE
    return outlineDistance(position);
#else
    return discRadius - length(position - discCenter);
#endif
}
