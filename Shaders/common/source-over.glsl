// Composites what a shader draws over what is there. Include it before anything but comments: it may name an extension.
// READS_BELOW: 1 where the device lets a shader read the pixel it draws over; the sum is then made in floats and rounded
// once, and blending is off. 0 where the fixed blending function composites.
// out color: premultiplied, working space
#if READS_BELOW
#extension GL_EXT_shader_framebuffer_fetch : require
layout(location = 0) inout highp vec4 color;
#else
layout(location = 0) out highp vec4 color;
#endif

// source: premultiplied, working space
void sourceOver(highp vec4 source) {
#if READS_BELOW
    color = source + color * (1.0 - source.a);
#else
    color = source;
#endif
}
