// A separable filter, and how it is held between its directions.
//
// FINE_ROWS is defined where pictures of 16 bits are drawn: floats then, whose bits are held, which loses nothing.
#ifdef FINE_ROWS

#define SUM vec4
#define WEIGHT float

uvec4 toFixed(vec4 sum) {
    return floatBitsToUint(sum);
}

vec4 fromFixed(uvec4 value) {
    return uintBitsToFloat(value);
}

vec4 filteredValue(vec4 sum) {
    return sum;
}

#else

// Else whole numbers, so that every device, and a CPU that has no device at hand, gets the same bits.
//
// A channel is 0…32640, 128 for each step of 8 bits; weights sum to 8192. A sum of either direction stays within 32 bits
// while the weights' magnitudes sum to less than four times that. Between the directions, and after the second, a value
// is held in steps of 1/16320: kernels with negative lobes leave 0…1, so that 16 bits hold -1…3.
#define SUM ivec4
#define WEIGHT int

// A channel's sum after the first direction, as the texture between the directions holds it.
uvec4 toFixed(ivec4 sum) {
    return uvec4(clamp(((sum + 8192) >> 14) + 16320, 0, 65535));
}

ivec4 fromFixed(uvec4 value) {
    return ivec4(value) - 16320;
}

// A channel's sum after the second direction, where 1 is full.
vec4 filteredValue(ivec4 sum) {
    return vec4(clamp((sum + 4096) >> 13, -16320, 49215)) / 16320.0;
}

#endif
