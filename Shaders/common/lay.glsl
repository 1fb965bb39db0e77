// Lays what a shader draws over what is there. Included before anything but comments, as it may name an extension.
// READS_BELOW: 1 where the device lets the shader read what it draws over: the sum is made in floats and rounded once,
// and blending is off; 0 where the fixed blending function lays it over.
// out color: premultiplied, working space
#if READS_BELOW
#extension GL_EXT_shader_framebuffer_fetch : require
layout(location = 0) inout highp vec4 color;
#else
layout(location = 0) out highp vec4 color;
#endif

// content: premultiplied, working space
void lay(highp vec4 content) {
#if READS_BELOW
    color = content + color * (1.0 - content.a);
#else
    color = content;
#endif
}
