// Where a fragment is. Positions are told from a whole pixel near what is drawn, so that 32-bit
// floats hold them to a fraction of a thousandth even on the largest canvas.
uniform ivec2 pixelOrigin; // pixels of the target

// The fragment's centre, in pixels from pixelOrigin.
vec2 place() {
    return gl_FragCoord.xy - vec2(pixelOrigin);
}
