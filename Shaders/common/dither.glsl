// A fixed ordered dither under half a step of 8 bits, from the pixel's position alone: Bayer's matrix of 8×8
// (specification, section 6.7).
uniform ivec2 ditherOrigin; // the canvas pixel that the target's first pixel shows

// What to add to a channel, 0…1, before it is rounded to 8 bits.
float ditherOffset() {
    ivec2 p = (ivec2(gl_FragCoord.xy) + ditherOrigin) & 7;
    int x = p.x ^ p.y;
    int rank = ((x & 1) << 5) | ((p.y & 1) << 4) | ((x & 2) << 2) | ((p.y & 2) << 1) | ((x & 4) >> 1) | (p.y >> 2);
    return ((float(rank) + 0.5) / 64.0 - 0.5) / 255.0;
}
