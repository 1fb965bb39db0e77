#version 300 es
// The layer anywhere, where its corners differ from each other or along their edges.
// out color: premultiplied, working space
#include "common/precision.glsl"
#include "common/place.glsl"
#include "common/clip.glsl"
#include "common/surface.glsl"
#include "common/outline.glsl"

layout(location = 0) out vec4 color;

void main() {
    color = clipped(surface(), outlineDistance(place()));
}
