// A loupe's content under its rim, cut to its border by a feather of one pixel (SPEC 4, 6).
uniform sampler2D loupeContent; // premultiplied, working space
uniform ivec2 contentShift;     // content texel = fragment + shift
uniform vec4 rimColor;          // premultiplied, working space
uniform float erases;           // 1: write only the coverage, to clear what lies below; 0: write the colour

// Premultiplied, working space, times `share`, how much of the fragment the loupe covers. Beyond it nothing was drawn: what
// stands there may be no number, and times 0 it still is none.
vec4 bordered(float share, float rimShare) {
    if (share <= 0.0) discard;
    vec4 below = texelFetch(loupeContent, ivec2(gl_FragCoord.xy) + contentShift, 0);
    vec4 rim = rimColor * rimShare;
    vec4 content = rim + below * (1.0 - rim.a);
    return mix(content, vec4(0.0, 0.0, 0.0, 1.0), erases) * share;
}
