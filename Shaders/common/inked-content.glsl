// The colour of a layer with its strokes at a fragment: stands in for content.glsl where there are any.
#define content plainContent
#include "common/content.glsl"
#undef content

// InkTiles says how the lists are laid out. Lengths are in pixels, places from the middle of the fragment's tile.
uniform sampler2D inkTiles;   // for each tile of 8×8 pixels: its topmost stroke among the entries; 0 where it has none
uniform ivec2 inkOrigin;      // the fragment of the first tile's first pixel
uniform sampler2D inkEntries; // in rows of 2048

vec4 inkEntry(int index) {
    return texelFetch(inkEntries, ivec2(index & 2047, index >> 11), 0);
}

// segment: where it starts, and the way to its end. The square of the distance from p.
float squaredDistance(vec2 p, vec4 segment) {
    vec2 offset = p - segment.xy;
    float share = dot(offset, segment.zw) / max(dot(segment.zw, segment.zw), 1e-12);
    vec2 nearest = offset - clamp(share, 0.0, 1.0) * segment.zw;
    return dot(nearest, nearest);
}

// All strokes, from the topmost down as long as anything below is seen. Premultiplied, working space.
vec4 ink() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - inkOrigin;
    vec2 p = vec2(pixel & 7) - 3.5;
    int stroke = int(texelFetch(inkTiles, pixel >> 3, 0).r);
    vec4 sum = vec4(0.0);
    while (stroke > 0 && sum.a < 0.9999) {
        vec4 head = inkEntry(stroke); // segments, reach, next stroke, least square before any segment
        vec4 strokeColor = inkEntry(stroke + 1);
        int end = stroke + 2 + int(head.x);
        float least = head.w;
        float full = max(head.y - 1.0, 0.0);
        for (int segment = stroke + 2; segment < end && least > full * full; segment++) {
            least = min(least, squaredDistance(p, inkEntry(segment)));
        }
        sum += strokeColor * (clamp(head.y - sqrt(least), 0.0, 1.0) * (1.0 - sum.a));
        stroke = int(head.z);
    }
    return sum;
}

vec4 content() {
    vec4 laid = ink();
    return plainContent() * (1.0 - laid.a) + laid * opacity;
}
