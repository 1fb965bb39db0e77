// A layer's colour at a fragment before clipping: its content, the strokes on it, and lines on the borders of its texels.
// HAS_INK: 1 where the layer has strokes here, 0 where not
// HAS_GRID: 1 where the lines are drawn, 0 where not
#include "content.glsl"
#if HAS_INK
#include "ink.glsl"
#endif

#if HAS_GRID

uniform vec4 gridColor;    // premultiplied, working space
uniform vec2 gridFraction; // the texel coordinate of pixelOrigin's centre, less a whole number at most 1 below it
uniform vec2 gridStep;     // texels a pixel
uniform vec4 gridBorders;  // the image's first border, then its last, x and y each, less the same whole number

// Lines one pixel wide, no darker where they cross. Premultiplied, working space.
vec4 grid() {
    vec2 position = gridFraction + (fragPosition() - 0.5) * gridStep;
    vec2 border = clamp(floor(position + 0.5), gridBorders.xy, gridBorders.zw);
    vec2 distance = abs(position - border) / gridStep;
    return gridColor * clamp(1.0 - min(distance.x, distance.y), 0.0, 1.0);
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
