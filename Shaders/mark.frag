#version 300 es
// The mark, a frame around a texel: the coverage of an outer rect less that of an inner one.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/frag-position.glsl"
#include "common/coverage.glsl"

uniform vec4 markOuter; // left, top, right, bottom, in pixels from pixelOrigin
uniform vec4 markInner; // the same
uniform vec4 markColor; // premultiplied, working space

layout(location = 0) out vec4 color;

float rectCoverage(vec2 p, vec4 rect) {
    vec2 depth = min(p - rect.xy, rect.zw - p);
    return coverage(min(depth.x, depth.y));
}

void main() {
    vec2 p = fragPosition();
    color = markColor * (rectCoverage(p, markOuter) - rectCoverage(p, markInner));
}
