#version 300 es
// Places a mesh on a target: pixels of the target become clip space. Row 0 is the first row in memory.
// in position: pixels of the target
layout(location = 0) in highp vec2 position;
uniform highp vec3 viewport; // x and y of the viewport's middle, and half its side, in pixels of the target

void main() {
    gl_Position = vec4((position - viewport.xy) / viewport.z, 0.0, 1.0);
}
