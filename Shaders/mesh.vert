#version 300 es
// Places a mesh that is given in pixels of the target, row 0 first.
// in  position: pixels of the target
layout(location = 0) in highp vec2 position;
uniform highp vec3 viewport; // x, y of its middle and half its side, in pixels of the target

void main() {
    gl_Position = vec4((position - viewport.xy) / viewport.z, 0.0, 1.0);
}
