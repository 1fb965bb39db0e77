#version 300 es
// Places a mesh that is given in pixels of the target, row 0 first.
// in  position: pixels of the target
layout(location = 0) in highp vec2 position;
uniform highp vec2 targetSize; // pixels

void main() {
    gl_Position = vec4(position / targetSize * 2.0 - 1.0, 0.0, 1.0);
}
