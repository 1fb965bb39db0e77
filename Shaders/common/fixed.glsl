// A filtered value between the two directions of a filter, as 16-bit fixed point: kernels with
// negative lobes leave 0…1, so the range is -1…2. One step is 3/65535, a hundredth of an 8-bit step.
// FINE_ROWS is defined where pictures of 16 bits are drawn: the bits of a float then, which loses nothing.
#ifdef FINE_ROWS

uvec4 toFixed(vec4 value) {
    return floatBitsToUint(value);
}

vec4 fromFixed(uvec4 value) {
    return uintBitsToFloat(value);
}

#else

uvec4 toFixed(vec4 value) {
    return uvec4(clamp((value + 1.0) * 21845.0 + 0.5, 0.0, 65535.0));
}

vec4 fromFixed(uvec4 value) {
    return vec4(value) / 21845.0 - 1.0;
}

#endif
