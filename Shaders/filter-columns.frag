#version 300 es
// The first direction of a separable filter: each texel row mixed along itself, one column a pixel.
// out color: premultiplied, working space, as fixed.glsl holds it
#include "common/precision.glsl"
#include "common/fixed.glsl"
#include "common/table.glsl"

uniform sampler2D image;
uniform sampler2D columnTable; // for each pixel column: its first texel, then its weights
uniform int columnTaps;
uniform int firstTexelRow;     // the texel row of row 0
uniform ivec2 lastTexel;

layout(location = 0) out uvec4 color;

// What the weights are for: a texel, premultiplied in the working space.
#ifdef FINE_ROWS

#include "common/light.glsl"

vec4 channels(vec4 texel) {
    return working(texel);
}

#else

uniform sampler2D lightTable; // the channel of each stored byte, in the working space

// The product with 257 divides by 255 when it is shifted.
ivec4 channels(vec4 texel) {
    ivec4 bytes = ivec4(texel * 255.0 + 0.5);
#if LINEAR_LIGHT
    ivec3 straight = ivec3(
        tableEntry(lightTable, bytes.r), tableEntry(lightTable, bytes.g), tableEntry(lightTable, bytes.b));
#else
    ivec3 straight = bytes.rgb * 128;
#endif
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
