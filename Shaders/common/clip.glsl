// A layer within its outline, over what lies below it where that is known.
#include "coverage.glsl"

uniform vec4 backdrop; // premultiplied, working space; transparent where the layer is blended instead

// layer: opaque unless it is blended. distance: to the outline, in pixels, positive inside.
vec4 clipped(vec4 layer, float distance) {
    float share = coverage(distance);
    return layer * share + backdrop * (1.0 - share);
}
