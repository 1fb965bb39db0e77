#version 300 es
// The shadow of a loupe that is no disc, from the distance to its border alone (SPEC 6).
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/outline.glsl"
#include "common/erfc.glsl"

uniform float shadowScale; // 1/(sigma·√2), per pixel
uniform vec4 shadowColor;  // premultiplied, working space

layout(location = 0) out vec4 color;

void main() {
    float x = -outlineDistance() * shadowScale;
    color = shadowColor * 0.5 * complementaryError(clamp(x, -6.0, 6.0));
}
