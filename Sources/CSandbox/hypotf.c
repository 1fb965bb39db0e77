// Swift's runtime refers to it and no code here calls it. With this definition, programs need no glibc 2.35, which has a new
// version of it, but run with 2.34, that of RHEL 9.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
    return (float)__builtin_sqrt((double)x * x + (double)y * y);
}
