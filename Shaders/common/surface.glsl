// A layer's colour at a fragment before clipping: its content, the strokes on it, and lines on the borders of its texels.
// HAS_INK: 1 where the layer has strokes here, 0 where not
// HAS_GRID: 1 where the lines are drawn, 0 where not
#include "content.glsl"
#if HAS_INK
#include "ink.glsl"
#endif

#if HAS_GRID
#include "table.glsl"

uniform vec4 gridColor;      // premultiplied, working space
uniform sampler2D gridLines; // 1 where a line is, else 0: for each pixel column of a block, then for each of its rows
uniform ivec2 gridOrigin;    // the fragment of the block's first pixel
uniform int gridColumns;     // columns of the block

// Lines on whole pixels, no darker where they cross. Premultiplied, working space.
vec4 grid() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - gridOrigin;
    return gridColor * max(tableEntry(gridLines, pixel.x), tableEntry(gridLines, gridColumns + pixel.y));
}

#endif

// Premultiplied, working space.
vec4 surface() {
    vec4 color = content();
#if HAS_INK
    vec4 strokes = ink();
    color = color * (1.0 - strokes.a) + strokes * opacity;
#endif
#if HAS_GRID
    vec4 lines = grid();
    color = color * (1.0 - lines.a) + lines * opacity;
#endif
    return color;
}
