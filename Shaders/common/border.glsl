// A loupe's border (SPEC 4, 6): its rim over its content, and its feather, through which what lies below it comes back. The
// content is on the canvas already, uncut.
uniform sampler2D below;  // what the canvas held before, premultiplied, working space
uniform ivec2 belowShift; // texel of it = fragment + shift
uniform vec4 rimColor;    // premultiplied, working space
uniform float adds;       // 1: the sum alone; 0: with the alpha that takes the canvas's own part away first

// share, rimShare: how much of the fragment the loupe and its rim cover
// returns what is laid over the content, premultiplied, working space
vec4 bordered(float share, float rimShare) {
    vec4 rim = rimColor * rimShare;
    vec4 sum = rim * share + texelFetch(below, ivec2(gl_FragCoord.xy) + belowShift, 0) * (1.0 - share);
    float taken = 1.0 - share * (1.0 - rim.a);
    return vec4(sum.rgb, mix(taken, sum.a, adds));
}
