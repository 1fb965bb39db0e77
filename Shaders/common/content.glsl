// A layer's content at a fragment: content(), premultiplied, working space, times the layer's opacity
// (specification, section 5).
// CONTENT: where it comes from, one of the five below. LINEAR_LIGHT: see light.glsl. FINE_ROWS: see filter-sums.glsl
#include "light.glsl"

// A plain fill has no uniform but its colour: Mesa 25's llvmpipe reads every uniform of such a program from the first place.
#if CONTENT != CONTENT_FILL || HAS_INK || HAS_GRID
uniform float opacity; // 0…1
#endif

#if CONTENT == CONTENT_FILL

uniform vec4 fillColor; // premultiplied, working space, times the layer's opacity

vec4 content() {
    return fillColor;
}

#elif CONTENT == CONTENT_GRADIENT

uniform vec4 fillColor;    // premultiplied, working space: where the gradient begins
uniform vec4 gradientEnd;  // premultiplied, working space: where it ends
uniform vec3 gradientLine; // a, b, c: how far along it lies a·x + b·y + c, 0…1, in pixels from pixelOrigin

vec4 content() {
    return mix(fillColor, gradientEnd, clamp(dot(gradientLine, vec3(fragPosition(), 1.0)), 0.0, 1.0)) * opacity;
}

#elif CONTENT == CONTENT_COPY

uniform sampler2D image;
uniform ivec2 texelShift; // texel = fragment + shift; sampling clamps to lastTexel
uniform ivec2 lastTexel;

vec4 content() {
    ivec2 texel = clamp(ivec2(gl_FragCoord.xy) + texelShift, ivec2(0), lastTexel);
    return working(texelFetch(image, texel, 0)) * opacity;
}

#elif CONTENT == CONTENT_LINEAR

// Texels are fetched and mixed here: the weights of a sampler have only 8 bits on some hardware.
uniform sampler2D image;
uniform ivec2 texelBase;    // the texel left of and above pixelOrigin's centre
uniform vec2 texelFraction; // how far beyond that texel's centre, 0…1
uniform vec2 texelStep;     // texels a pixel, at most 1
uniform ivec2 lastTexel;

vec4 content() {
    vec2 position = texelFraction + (fragPosition() - 0.5) * texelStep;
    vec2 whole = floor(position);
    vec2 mixture = position - whole;
    // Sampling clamps to the edge.
    ivec2 low = clamp(texelBase + ivec2(whole), ivec2(0), lastTexel);
    ivec2 high = clamp(texelBase + ivec2(whole) + 1, ivec2(0), lastTexel);
    vec4 top = mix(
        working(texelFetch(image, low, 0)), working(texelFetch(image, ivec2(high.x, low.y), 0)), mixture.x);
    vec4 bottom = mix(
        working(texelFetch(image, ivec2(low.x, high.y), 0)), working(texelFetch(image, high, 0)), mixture.x);
    return mix(top, bottom, mixture.y) * opacity;
}

#elif CONTENT == CONTENT_SEPARABLE

#include "filter-sums.glsl"
#include "table.glsl"

// The second pass of a separable filter, along the columns; horizontal-pass.frag has done the first.
uniform usampler2D filtered;  // one column for each output column, one row for each texel row
uniform sampler2D rowTable;   // for each output row: its first texel row, then its weights
uniform int rowTaps;          // weights of a row
uniform ivec2 filteredOrigin; // the fragment of column 0, and the fragment row of the table's first entry
uniform int filteredFirstRow; // the texel row of row 0
uniform int filteredLastRow;  // the last row that holds a texel row

vec4 content() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - filteredOrigin;
    int entry = pixel.y * (rowTaps + 1);
    int first = int(tableEntry(rowTable, entry)) - filteredFirstRow;
    SUM sum = SUM(0);
    for (int tap = 0; tap < rowTaps; tap++) {
        int row = min(first + tap, filteredLastRow);
        sum += WEIGHT(tableEntry(rowTable, entry + 1 + tap)) * fromFixed(texelFetch(filtered, ivec2(pixel.x, row), 0));
    }
    vec4 value = filteredValue(sum);
    float alpha = clamp(value.a, 0.0, 1.0);
    return vec4(clamp(value.rgb, 0.0, alpha), alpha) * opacity;
}

#endif
