#version 300 es
// The first pass of a separable filter: each texel row is filtered along itself, one column for each output column.
// common/content.glsl does the second pass.
// LINEAR_LIGHT: see common/light.glsl. FINE_ROWS: see common/filter-sums.glsl
// out color: premultiplied, working space, in the format of common/filter-sums.glsl
#include "common/precision.glsl"
#include "common/filter-sums.glsl"
#include "common/table.glsl"

uniform sampler2D image;
uniform sampler2D columnTable; // for each output column: its first texel column, then its weights
uniform int columnTaps;        // weights of a column
uniform int firstTexelRow;     // the texel row of the target's row 0
uniform ivec2 lastTexel;

layout(location = 0) out uvec4 color;

// channels: a texel, premultiplied in the working space, as the numbers that the weights multiply.
#if FINE_ROWS

#include "common/light.glsl"

vec4 channels(vec4 texel) {
    return working(texel);
}

#else

uniform sampler2D lightTable; // only with LINEAR_LIGHT: for each stored byte, its channel in the working space

ivec4 channels(vec4 texel) {
    ivec4 bytes = ivec4(texel * 255.0 + 0.5);
#if LINEAR_LIGHT
    ivec3 straight = ivec3(
        tableEntry(lightTable, bytes.r), tableEntry(lightTable, bytes.g), tableEntry(lightTable, bytes.b));
#else
    ivec3 straight = bytes.rgb * 128;
#endif
    // Times 257, then shifted by 16: a rounded division by 255.
    return ivec4((straight * (bytes.a * 257) + 32768) >> 16, bytes.a * 128);
}

#endif

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    int entry = pixel.x * (columnTaps + 1);
    int first = int(tableEntry(columnTable, entry));
    int row = pixel.y + firstTexelRow;
    SUM sum = SUM(0);
    for (int tap = 0; tap < columnTaps; tap++) {
        vec4 texel = texelFetch(image, ivec2(min(first + tap, lastTexel.x), row), 0);
        sum += WEIGHT(tableEntry(columnTable, entry + 1 + tap)) * channels(texel);
    }
    color = toFixed(sum);
}
