// The distance to any outline, in pixels, positive inside: the least of the distances to its four edges and to its tangent
// lines. OutlineTangents.swift says how the lines are chosen and ordered, and why bisection finds the least of a section.
uniform vec2 outlineOrigin; // what lines are relative to, in pixels from pixelOrigin
uniform vec4 outlineEdges;  // left, top, right, bottom, in pixels from outlineOrigin
uniform sampler2D sections; // the heads of the sections, then their lines: two texels each, in rows of 2048
uniform int sectionCount;
// A head: outward signs, least outward coordinates; then first and last line, 1 where turn is vertical.
// A line: a, b, c, turn; then a, b, c less the next line's, turn.

vec4 sectionEntry(int index, int part) {
    return texelFetch(sections, ivec2((index & 1023) * 2 + part, index >> 10), 0);
}

// The distance to the nearest line of a section. p: x, y, 1; outward: p by the section's signs; range: the head's second texel.
float sectionDistance(vec3 p, vec2 outward, vec4 range) {
    int low = int(range.x);
    int high = int(range.y);
    float along = range.z > 0.5 ? outward.y : outward.x;
    while (low < high) {
        int middle = (low + high) >> 1;
        vec4 step = sectionEntry(middle, 1);
        bool isFalling = dot(step.xyz, p) > 0.0 && along > step.w;
        low = isFalling ? middle + 1 : low;
        high = isFalling ? high : middle;
    }
    return dot(sectionEntry(low, 0).xyz, p);
}

// position: pixels from pixelOrigin.
float outlineDistance(vec2 position) {
    vec2 p = position - outlineOrigin;
    vec2 depth = min(p - outlineEdges.xy, outlineEdges.zw - p);
    float nearest = min(depth.x, depth.y);
    for (int section = 0; section < sectionCount; section++) {
        vec4 head = sectionEntry(section, 0);
        vec2 outward = head.xy * p;
        if (outward.x > head.z && outward.y > head.w) {
            vec4 range = sectionEntry(section, 1);
            nearest = min(nearest, sectionDistance(vec3(p, 1.0), outward, range));
        }
    }
    return nearest;
}
