// The fragment's position. It is relative to a whole pixel near what is drawn, so that 32-bit floats keep it exact to less
// than a thousandth of a pixel even on the largest canvas.
uniform ivec2 pixelOrigin; // pixels of the target

// The fragment's centre, in pixels from pixelOrigin.
vec2 fragPosition() {
    return gl_FragCoord.xy - vec2(pixelOrigin);
}
