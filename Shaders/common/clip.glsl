// Clips a layer to its outline and, where what lies below is one colour, composites it over that.
#include "coverage.glsl"

uniform vec4 backdrop; // premultiplied, working space; transparent where the layer is blended instead

// layer: opaque unless it is blended. distance: to the outline, in pixels, positive inside.
vec4 clipped(vec4 layer, float distance) {
    float weight = coverage(distance);
    return layer * weight + backdrop * (1.0 - weight);
}
