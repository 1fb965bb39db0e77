import Glibc

/// Where fontconfig looks for fonts.
enum FontFolders {
    /// Reads the configuration of the fonts, and returns the folders of fonts and of fontconfig's caches.
    /// - Parameter library: an open library under which fontconfig is loaded.
    static func paths(_ library: UnsafeMutableRawPointer) -> [String] {
        typealias Object = UnsafeMutableRawPointer
        typealias Start = @convention(c) () -> Int32
        typealias List = @convention(c) (Object?) -> Object?
        typealias Next = @convention(c) (Object) -> UnsafePointer<CChar>?
        typealias Free = @convention(c) (Object) -> Void
        guard let start = dlsym(library, "FcInit"), let fonts = dlsym(library, "FcConfigGetFontDirs"),
            let caches = dlsym(library, "FcConfigGetCacheDirs"), let next = dlsym(library, "FcStrListNext"),
            let free = dlsym(library, "FcStrListDone"), unsafeBitCast(start, to: Start.self)() != 0
        else { return [] }
        var paths: [String] = []
        for make in [fonts, caches] {
            guard let list = unsafeBitCast(make, to: List.self)(nil) else { continue }
            while let path = unsafeBitCast(next, to: Next.self)(list) { paths.append(String(cString: path)) }
            unsafeBitCast(free, to: Free.self)(list)
        }
        return paths
    }

    /// What else the libraries read when they need it: character sets, types of files, the configuration.
    static let system = ["/usr/lib", "/usr/lib64", "/usr/share", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache"]
}
