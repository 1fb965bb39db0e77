// The numbers of a separable filter, and how they are stored between its two passes.
// FINE_ROWS: 1 where pictures of 16 bits are drawn: floats, whose bits are stored. 0: whole numbers.
#if FINE_ROWS

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

// Whole numbers give the same bits on every device and on the CPU (StreamedFilter.swift).
//
// A channel is 0…32640, 128 for each step of 8 bits; weights sum to 8192. The sum of a pass fits 32 bits as long as the
// magnitudes of the weights sum to less than four times that. Between the passes, and after the second, a value is stored in
// steps of 1/16320. Kernels with negative lobes leave 0…1, so that 16 bits store -1…3.
#define SUM ivec4
#define WEIGHT int

// A channel's sum after the first pass, as the texture between the passes stores it.
uvec4 toFixed(ivec4 sum) {
    return uvec4(clamp(((sum + 8192) >> 14) + 16320, 0, 65535));
}

ivec4 fromFixed(uvec4 value) {
    return ivec4(value) - 16320;
}

// A channel's sum after the second pass, where 1 is full.
vec4 filteredValue(ivec4 sum) {
    return vec4(clamp((sum + 4096) >> 13, -16320, 49215)) / 16320.0;
}

#endif
