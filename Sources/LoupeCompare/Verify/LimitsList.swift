import LoupeBase
import LoupeSystem

/// Limits of single pictures of a folder.
///
/// ```json
/// {"format": "loupe-limits/1",
///  "pictures": {"chart.png": {"tolerance": 3, "ignore": [[0, 0, 80, 20]]},
///               "pages/about.webp": {"metric": "flip", "maxMean": 0.01, "why": "the map is a live one"}}}
/// ```
/// The keys of `pictures` are paths below the folder of references. Their values have the keys of a scene's `verify`, but
/// none for regions; `why` may be missing.
package struct LimitsList: Sendable {
    /// The name of the JSON format. A change that older versions can't read gets a new number.
    package static let format = "loupe-limits/1"

    private let limits: [Path: CaseLimits]

    /// No limits.
    package init() { limits = [:] }

    /// Reads a list.
    ///
    /// - Parameter given: The limits of pictures that are not in the list. Their metric is that of a picture that names none.
    /// - Throws: `DocumentError` with the position of what is wrong.
    package init(
        parsing bytes: [UInt8], over given: CaseLimits = CaseLimits(tolerance: Tolerance())
    ) throws(DocumentError) {
        var list = try JSONReader(parsing: bytes)
        try list.requireFormat(Self.format)
        var pictures = try list.required("pictures")
        try list.finish()
        var limits: [Path: CaseLimits] = [:]
        for name in try pictures.keys() {
            limits[Path(name)] = try CaseLimits(try pictures.required(name), over: given, isOfScene: false)
        }
        self.limits = limits
    }

    /// Checks that all pictures of the list are among those compared.
    ///
    /// - Throws: `DocumentError` for one that is not.
    package func check(among cases: [PictureCase]) throws(DocumentError) {
        let known = Set(cases.map(\.below))
        guard let name = limits.keys.filter({ !known.contains($0) }).min() else { return }
        throw DocumentError(
            at: .key(path: "pictures.\(name)"),
            "there is no such picture in either folder; names are paths below the folders")
    }

    /// The limits of a picture; nil where it has none of its own.
    func limits(of pictures: PictureCase) -> CaseLimits? { limits[pictures.below] }
}
