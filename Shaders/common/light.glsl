// Converts between stored texels and the working space, in which they are filtered and blended.
// LINEAR_LIGHT: 1 to blend in linear light, 0 to blend the encoded values.

// The sRGB transfer function, IEC 61966-2-1.
vec3 decoded(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045)));
}

vec3 encoded(vec3 c) {
    return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

// texel: straight sRGB as stored. Returns it premultiplied, in the working space.
vec4 working(vec4 texel) {
#if LINEAR_LIGHT
    texel.rgb = decoded(texel.rgb);
#endif
    return vec4(texel.rgb * texel.a, texel.a);
}
