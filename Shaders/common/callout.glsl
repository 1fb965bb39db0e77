// Distances of a callout: how deep a fragment lies in the loupe's source, and how much of it the callout may cover.
// HAS_OUTLINE: 1 for a loupe whose border is an outline, 0 for a disc
// HAS_HOLE: 1 for a loupe that is transparent beyond the page, under which its own callout is not drawn
#if HAS_OUTLINE
#include "common/outline.glsl"
// The outline is the source's. The loupe's is the same, zoom times as large.
#else
uniform vec2 sourceCenter;  // pixels from pixelOrigin
uniform float sourceRadius; // pixels
#endif
#if HAS_HOLE
#if HAS_OUTLINE
uniform float zoom;
uniform vec2 sourceShift;   // pixels; a position in the source, from outlineOrigin = that in the loupe / zoom + shift
#else
uniform vec2 discCenter;    // pixels from pixelOrigin
uniform float discRadius;   // pixels
#endif
#endif

// Pixels, positive inside the source. position: pixels from pixelOrigin.
float sourceDistance(vec2 position) {
#if HAS_OUTLINE
    return outlineDistance(position);
#else
    return sourceRadius - length(position - sourceCenter);
#endif
}

// How much of a pixel lies outside of the loupe where it has a hole; 1 where it has none. position: pixels from pixelOrigin.
float coverageOutsideLoupe(vec2 position) {
#if HAS_HOLE
#if HAS_OUTLINE
    return 1.0 - coverage(zoom * distanceFromOrigin(position / zoom + sourceShift));
#else
    return 1.0 - coverage(discRadius - length(position - discCenter));
#endif
#else
    return 1.0;
#endif
}
