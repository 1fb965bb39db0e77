import CPango

/// The fonts of this process, and what its libraries say. One thread draws.
enum Fonts {
    /// How many messages GLib and Pango wrote.
    nonisolated(unsafe) static private(set) var warnings = 0
    /// The first thing that poppler said since this was nil.
    nonisolated(unsafe) static var complaint: String?
    /// Whether nothing was drawn since the fonts were forgotten.
    nonisolated(unsafe) static var areFresh = false

    /// Parts of messages about a file's structure, which poppler repairs, and about what follows a page's content.
    private static let harmless = ["endstream", "xref", "XRef", "Leftover args", "Unknown operator"]

    /// Takes GLib's messages off standard error, but for that of an error that ends the process, and counts them. Poppler's are
    /// about files.
    static func catchWarnings() {
        g_log_set_writer_func(
            { level, fields, count, data in
                if Fonts.field("GLIB_DOMAIN", fields, count) == "Poppler" {
                    // As "Syntax error at position -1: Missing language pack".
                    let text = Fonts.field("MESSAGE", fields, count)
                    if !Fonts.harmless.contains(where: text.contains) {
                        Fonts.complaint =
                            Fonts.complaint ?? text.split(separator: ": ", maxSplits: 1).last.map(String.init)
                    }
                    return G_LOG_WRITER_HANDLED
                }
                Fonts.warnings += 1
                return level.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0
                    ? g_log_writer_default(level, fields, count, data) : G_LOG_WRITER_HANDLED
            }, nil, nil)
    }

    /// A text of a message; empty where it has none of this name.
    private static func field(_ name: String, _ fields: UnsafePointer<GLogField>?, _ count: gsize) -> String {
        let found = UnsafeBufferPointer(start: fields, count: Int(count)).first {
            $0.length < 0 && String(cString: $0.key) == name
        }
        return found?.value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
    }

    /// Forgets the fonts that were opened.
    ///
    /// Pango 1.50 measures a font at its size × scale². Where that is 65,536 or more, FreeType fails, and cairo keeps the
    /// font's error: all later texts in that font fail, at any scale. The text itself needs only size × scale.
    static func forget() {
        pango_cairo_font_map_set_default(nil)
        areFresh = true
    }

    /// The folders and files that stay readable: of fonts, of fontconfig's caches, and what the libraries read when they need
    /// it, such as character sets, loaders of images, types of files and the configuration. Reads fontconfig's own first.
    static var readablePaths: [String] {
        var paths = ["/usr/lib", "/usr/lib64", "/usr/share", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache"]
        guard FcInit() != 0 else { return paths }
        for list in [FcConfigGetFontDirs(nil), FcConfigGetCacheDirs(nil)] {
            guard let list else { continue }
            while let path = FcStrListNext(list) { paths.append(String(cString: path)) }
            FcStrListDone(list)
        }
        return paths
    }
}
