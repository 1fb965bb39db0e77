// A layer's strokes at a fragment, from the lists that InkTiles.swift describes.
// Lengths are in pixels, positions relative to the centre of the fragment's tile.
uniform sampler2D inkTiles;   // for each tile of 8×8 pixels: the index of its topmost stroke's entry; 0 where it has none
uniform ivec2 inkOrigin;      // the fragment of the first tile's first pixel
uniform sampler2D inkEntries; // in rows of 2048

vec4 inkEntry(int index) {
    return texelFetch(inkEntries, ivec2(index & 2047, index >> 11), 0);
}

// The squared distance from p to a segment. segment: its start, then the vector to its end.
float squaredDistance(vec2 p, vec4 segment) {
    vec2 offset = p - segment.xy;
    float along = dot(offset, segment.zw) / max(dot(segment.zw, segment.zw), 1e-12);
    vec2 nearest = offset - clamp(along, 0.0, 1.0) * segment.zw;
    return dot(nearest, nearest);
}

// All strokes, from the topmost down as long as anything below shows. Premultiplied, working space.
vec4 ink() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - inkOrigin;
    vec2 p = vec2(pixel & 7) - 3.5;
    int stroke = int(texelFetch(inkTiles, pixel >> 3, 0).r);
    vec4 sum = vec4(0.0);
    while (stroke > 0 && sum.a < 0.9999) {
        vec4 head = inkEntry(stroke); // count of segments, reach, next stroke, least squared distance before any segment
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
