// How deep a fragment lies in what a loupe shows, the source, and how much of it the loupe's own callout may cover.
// IS_LENS: 1 for a loupe that is no disc. HAS_HOLE: 1 for a loupe that can be seen through, under which nothing is drawn
#if IS_LENS
#include "common/outline.glsl"
// The outline is the source's; the loupe's is the same, zoom times as large.
#else
uniform vec2 sourceCenter;  // pixels from pixelOrigin
uniform float sourceRadius; // pixels
#endif
#if HAS_HOLE
#if IS_LENS
uniform float zoom;
uniform vec2 sourceShift;   // pixels; a place in the source, from outlineOrigin = that in the loupe / zoom + shift
#else
uniform vec2 discCenter;    // pixels from pixelOrigin
uniform float discRadius;   // pixels
#endif
#endif

// Pixels, positive inside. place: in pixels from pixelOrigin.
float sourceDistance(vec2 place) {
#if IS_LENS
    return outlineDistance(place);
#else
    return sourceRadius - length(place - sourceCenter);
#endif
}

float freeShare(vec2 place) {
#if HAS_HOLE
#if IS_LENS
    return 1.0 - coverage(zoom * distanceFromOrigin(place / zoom + sourceShift));
#else
    return 1.0 - coverage(discRadius - length(place - discCenter));
#endif
#else
    return 1.0;
#endif
}
