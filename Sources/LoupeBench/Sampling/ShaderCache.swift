import Glibc

/// The drivers' caches of compiled shaders on disk, which would make compiling seem to cost nothing.
enum ShaderCache {
    /// Before the first context. Variables that are set already stay as they are.
    static func disable() {
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 0)
        setenv("__GL_SHADER_DISK_CACHE", "0", 0)
    }
}
