// Several files include this one.
#ifndef HAS_TABLE
#define HAS_TABLE

// An entry of a one-dimensional table of floats of any length, stored in rows of 2048.
float tableEntry(sampler2D table, int index) {
    return texelFetch(table, ivec2(index & 2047, index >> 11), 0).r;
}

#endif
