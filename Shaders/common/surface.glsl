// A layer's content, with lines on the borders of its texels where HAS_GRID is 1, before clipping.
#include "content.glsl"

#if HAS_GRID

uniform vec4 gridColor;    // premultiplied, working space
uniform vec2 gridFraction; // the texel coordinate of pixelOrigin's centre, from a whole one at most 1 below
uniform vec2 gridStep;     // texels a pixel
uniform vec4 gridBorders;  // the image's first and last border, x and y each, from the same whole coordinate

// Lines one pixel wide; where they cross they are no darker. Premultiplied, working space.
vec4 grid() {
    vec2 position = gridFraction + (place() - 0.5) * gridStep;
    vec2 border = clamp(floor(position + 0.5), gridBorders.xy, gridBorders.zw);
    vec2 distance = abs(position - border) / gridStep;
    return gridColor * clamp(1.0 - min(distance.x, distance.y), 0.0, 1.0);
}

vec4 surface() {
    vec4 lines = grid();
    return content() * (1.0 - lines.a) + lines * opacity;
}

#else

vec4 surface() {
    return content();
}

#endif
