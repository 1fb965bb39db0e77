import Glibc
import LoupeSystem

/// The environment variables that drivers read when they are loaded.
///
/// Only the command sets it, as its first threads read it: changing the environment while another thread reads it ends the
/// process by a signal. Variables that the user set are kept.
enum DriverEnvironment {
    /// Call this once, before any thread is started.
    static func prepare() {
        // Mesa prints a warning for each device that it can't drive, which the table of devices reports anyway.
        setenv("EGL_LOG_LEVEL", "fatal", 0)
        keepShaders()
        // Mesa's llvmpipe makes a thread for each core, up to 16, for each of two pools, and waits for ever for those that
        // the system refuses. With none it draws on the caller's. The command has a thread for each core and a few more.
        if !Threads.canMake(2 * min(16, Threads.cores) + Threads.cores + 2) { setenv("LP_NUM_THREADS", "0", 0) }
    }

    /// Has drivers keep compiled shaders between runs in a folder of Loupe's own, or nowhere.
    ///
    /// Compiling takes llvmpipe longer than drawing one picture. Mesa's default folder is not used: where it can't be written,
    /// Mesa prints a line at each run.
    private static func keepShaders() {
        let names = [
            "MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DIR", "MESA_GLSL_CACHE_DISABLE",
        ]
        guard names.allSatisfy({ getenv($0) == nil }) else { return }
        // The width of llvmpipe's vectors is not part of the key of what Mesa keeps: code of another width would write beyond
        // the vertices' memory.
        if getenv("LP_NATIVE_VECTOR_WIDTH") == nil, let folder = shaderFolder() {
            _ = folder.withCString { setenv("MESA_SHADER_CACHE_DIR", $0, 1) }
            setenv("MESA_SHADER_CACHE_MAX_SIZE", "64M", 0)
            return
        }
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1)
        // NVIDIA's, which is in the home folder too.
        setenv("__GL_SHADER_DISK_CACHE", "0", 1)
    }

    /// `loupe/shaders` in the folder of caches, made where it is missing; nil where it can't be written to, or is not this
    /// user's alone: a driver runs what it finds there.
    private static func shaderFolder() -> Path? {
        if variable("XDG_CACHE_HOME") == nil {
            guard let home = variable("HOME"), isOwn(home) else { return nil }
        }
        guard let caches = cacheFolder else { return nil }
        let own = caches.child("loupe")
        let folder = own.child("shaders")
        for path in [caches, own, folder] { _ = path.withCString { mkdir($0, 0o700) } }
        guard isOwn(own), isOwn(folder), folder.withCString({ access($0, R_OK | W_OK | X_OK) }) == 0 else { return nil }
        return folder
    }

    /// `XDG_CACHE_HOME` or `~/.cache`; nil where neither is named.
    static var cacheFolder: Path? { variable("XDG_CACHE_HOME") ?? variable("HOME")?.child(".cache") }

    /// A variable that is an absolute path.
    private static func variable(_ name: String) -> Path? {
        getenv(name).map { Path(cString: $0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }

    /// Whether the path leads to a folder that belongs to this user and that no other may write to.
    private static func isOwn(_ path: Path) -> Bool {
        guard let status = path.status() else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    }
}
