#version 300 es
// The first direction of a separable filter: each texel row mixed along itself, one column a pixel.
// out color: premultiplied, working space, 16-bit fixed point
#include "common/precision.glsl"
#include "common/light.glsl"
#include "common/fixed.glsl"
#include "common/table.glsl"

uniform sampler2D image;
uniform sampler2D columnTable; // for each pixel column: its first texel, then its weights
uniform int columnTaps;
uniform int firstTexelRow;     // the texel row of row 0
uniform ivec2 lastTexel;

layout(location = 0) out uvec4 color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    int entry = pixel.x * (columnTaps + 1);
    int first = int(tableEntry(columnTable, entry));
    int row = pixel.y + firstTexelRow;
    vec4 sum = vec4(0.0);
    for (int tap = 0; tap < columnTaps; tap++) {
        vec4 texel = texelFetch(image, ivec2(min(first + tap, lastTexel.x), row), 0);
        sum += tableEntry(columnTable, entry + 1 + tap) * working(texel);
    }
    color = toFixed(sum);
}
