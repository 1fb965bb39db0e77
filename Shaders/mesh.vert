#version 300 es
// Places a mesh on a target: pixels of the target become clip space. Row 0 is the first row in memory.
// in position: pixels of the target
layout(location = 0) in highp vec2 position;
uniform highp vec2 targetSize; // pixels

void main() {
    gl_Position = vec4(2.0 * position / targetSize - 1.0, 0.0, 1.0);
}
