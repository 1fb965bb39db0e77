import Glibc
import LoupeFiles

/// Where drivers keep compiled shaders between runs: in a folder of Loupe's own, or nowhere.
///
/// Compiling takes llvmpipe longer than drawing one picture. Mesa's default folder is not used: where it can't be written,
/// Mesa prints a line at each run.
enum ShaderCache {
    /// Sets the drivers' cache variables. Call it before a driver is loaded. Variables that the user set are kept.
    static func configure() {
        let names = [
            "MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DIR", "MESA_GLSL_CACHE_DISABLE",
        ]
        guard names.allSatisfy({ getenv($0) == nil }) else { return }
        // The width of llvmpipe's vectors is not part of the key of what Mesa keeps: code of another width would write beyond
        // the vertices' memory.
        if getenv("LP_NATIVE_VECTOR_WIDTH") == nil, let folder = folder() {
            _ = folder.withCString { setenv("MESA_SHADER_CACHE_DIR", $0, 1) }
            setenv("MESA_SHADER_CACHE_MAX_SIZE", "64M", 0)
            return
        }
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1)
        // NVIDIA's, which is in the home folder too.
        setenv("__GL_SHADER_DISK_CACHE", "0", 1)
    }

    /// `loupe/shaders` in `XDG_CACHE_HOME` or `~/.cache`, made where it is missing; nil where it can't be written to, or is
    /// not this user's alone: a driver runs what it finds there.
    private static func folder() -> Path? {
        func variable(_ name: String) -> Path? {
            getenv(name).map { Path(cString: $0) }.flatMap { $0.isAbsolute ? $0 : nil }
        }
        let caches: Path
        if let named = variable("XDG_CACHE_HOME") {
            caches = named
        } else {
            guard let home = variable("HOME"), isOwn(home) else { return nil }
            caches = home.child(".cache")
        }
        let own = caches.child("loupe")
        let folder = own.child("shaders")
        for path in [caches, own, folder] { _ = path.withCString { mkdir($0, 0o700) } }
        guard isOwn(own), isOwn(folder), folder.withCString({ access($0, R_OK | W_OK | X_OK) }) == 0 else { return nil }
        return folder
    }

    /// Whether the path leads to a folder that belongs to this user and that no other may write to.
    private static func isOwn(_ path: Path) -> Bool {
        guard let status = path.status() else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    }
}
