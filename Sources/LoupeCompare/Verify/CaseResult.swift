import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// The result of verifying one case.
public struct CaseResult: Sendable {
    /// The outcome of a case.
    public enum State: String, Sendable, CaseIterable {
        /// The picture matches its reference within the limits.
        case passed
        /// The picture does not match its reference, or the reference can't be read.
        case failed
        /// There is no reference.
        case missing
        /// There is a reference and no picture to compare it with. Only for folders of pictures.
        case gone
        /// The scene can't be read or drawn.
        case broken
        /// The run wrote the reference.
        case written
    }

    /// The case's suite, which is its folder.
    public let suite: String
    /// The scene file's name without its extension.
    public let name: String
    /// The scene's path; for folders of pictures, the reference's.
    public let scene: Path
    /// How the case ended.
    public let state: State
    /// The reason, on one line.
    public let message: String
    /// How long the case took, drawing and comparing included.
    public private(set) var milliseconds: Double
    /// For machines: the limits, the difference and the driver.
    package private(set) var details: JSONObject
    /// The pictures for the HTML report; nil if the case passed or the pictures were not asked for.
    public let pictures: CasePictures?

    /// What a line about it says, also where it passed.
    package private(set) var remarks: [String] = []

    /// What changed and where, of pictures that differ.
    private(set) var change: ChangedAreas?

    /// The case's name in results: suite/name.
    public var title: String { "\(suite)/\(name)" }

    /// In which depth and colours the pictures were compared; nil where none were.
    var compared: String? { if case .string(let text) = differenceValue("compared") { text } else { nil } }

    /// How many pixels differ; 0 where nothing was compared.
    var differingPixels: Int {
        if case .number(let count) = differenceValue("differingPixels") { Int(count) } else { 0 }
    }

    /// Whether pixels were left out.
    var leavesOut: Bool { differenceValue("ignoredPixels") != nil }

    private func differenceValue(_ key: String) -> JSONValue? {
        if case .object(let difference) = details["difference"] { difference[key] } else { nil }
    }

    /// What was wrong with the pictures that were compared all the same, and what differs beside the pixels, a sentence each.
    package var warnings: [String] {
        func texts(_ key: String) -> [String] {
            guard case .array(let values) = differenceValue(key) else { return [] }
            return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        return texts("warnings") + texts("metadata").map { "\(title): beside the pixels: \($0)" }
    }
}

extension CaseResult {
    /// The result for machines.
    ///
    /// - Parameter includesPictures: Whether the pictures are included, as PNGs in base64.
    package func json(includesPictures: Bool) -> JSONValue {
        let members: [(String, JSONValue?)] = [
            ("suite", .string(suite)), ("name", .string(name)), ("scene", .string(scene.readable)),
            ("state", .string(state.rawValue)), ("message", .string(message)), ("milliseconds", .number(milliseconds)),
        ]
        let pictures = includesPictures ? pictures?.json : nil
        return .object(
            JSONObject(members + details.members.map { ($0.key, $0.value) } + [("pictures", pictures)]))
    }

    /// Reads a result that `json(includesPictures:)` wrote.
    package init(_ value: JSONReader) throws(DocumentError) {
        var result = value
        suite = try result.required("suite").string()
        name = try result.required("name").string()
        scene = Path(try result.required("scene").string())
        state = try result.required("state").choice(of: State.self)
        message = try result.required("message").string()
        milliseconds = try result.required("milliseconds").number(in: 0...1e12)
        change = try Self.checkDetails(of: result)
        details = JSONObject(
            try Self.detailKeys.map { (key) throws(DocumentError) in (key, try result.optional(key)?.value) })
        pictures = try result.optional("pictures").map(CasePictures.init)
        try result.finish()
    }

    private static let counts = 0...(1 << 53)

    /// Refuses details in which what a page of results shows is missing or out of range.
    /// - Returns: what changed, where results hold it.
    private static func checkDetails(of result: JSONReader) throws(DocumentError) -> ChangedAreas? {
        func check(_ keys: String..., in value: JSONReader) throws(DocumentError) {
            var value = value
            for key in keys { _ = try value.required(key).integer(in: Self.counts) }
        }
        var result = result
        var change: ChangedAreas?
        if var difference = try result.optional("difference") {
            var sizes = try difference.required("sizes")
            for key in ["reference", "actual"] { try check("width", "height", in: sizes.required(key)) }
            var regions = try difference.required("regions")
            let parts = try PictureRegion.allCases.map { (region) throws(DocumentError) in
                try regions.optional(region.rawValue)
            }
            for part in [difference] + parts.compactMap(\.self) {
                var part = part
                try check("differingPixels", in: part)
                _ = try part.required("maxDelta").number(in: 0...255)
            }
            if let offset = try difference.optional("offset"), offset.value != .null {
                for length in try offset.tuple("x", "y") {
                    _ = try length.integer(in: -Self.counts.upperBound...Self.counts.upperBound)
                }
            }
            for box in try difference.required("boxes").array() {
                try check("pixels", "x", "y", "width", "height", in: box)
            }
            if let areas = try difference.optional("areas"), areas.value != .null {
                let boxes = try areas.array().map(Box.init)
                let count = try difference.optional("areaCount")?.integer(in: boxes.count...1 << 40)
                change = ChangedAreas(
                    differingPixels: try difference.required("differingPixels").integer(in: counts), areas: boxes,
                    count: count ?? boxes.count)
            }
        }
        if var limits = try result.optional("limits") { _ = try limits.optional("why")?.string() }
        if var driver = try result.optional("driver") {
            for key in ["renderer", "version"] { _ = try driver.required(key).string() }
        }
        return change
    }

    /// The keys of `details`.
    static let detailKeys = ["changes", "limits", "difference", "driver"]
}

extension Box {
    /// Reads a part of a picture, as results have it.
    fileprivate init(_ value: JSONReader) throws(DocumentError) {
        var box = value
        func side(_ key: String) throws(DocumentError) -> Int { try box.required(key).integer(in: 0...1 << 20) }
        let (x, y) = (try side("x"), try side("y"))
        bounds = PixelRect(minX: x, minY: y, maxX: x + (try side("width")), maxY: y + (try side("height")))
        differingPixels = try box.required("pixels").integer(in: 0...1 << 40)
    }
}

extension CaseResult {
    /// The result for a person, on one line.
    public var line: String { "\(state.rawValue) \(title): \(message)" }

    /// The message without what a line of many has no room for: of a difference its first two findings, which are the
    /// violated limit, or how many pixels differ and where most, and its remarks.
    package var shortMessage: String {
        if state == .passed, !remarks.isEmpty { return remarks.joined(separator: "; ") }
        let start = "differs: "
        guard message.hasPrefix(start) else { return message }
        let first = message.dropFirst(start.count).split(separator: "; ").prefix(2).map(String.init)
        return (first + remarks.filter { !first.contains($0) }).joined(separator: "; ")
    }
}

/// A case with the names that results give it.
package protocol VerifiedCase {
    /// The path of the scene; where there is none, that of the reference.
    var path: Path { get }
    /// For people: the case's folder.
    var suite: String { get }
    /// For people: the case's name in its folder.
    var name: String { get }
    /// Whether an accept list can make its picture the reference.
    var canBeAccepted: Bool { get }
}

extension SceneCase: VerifiedCase {
    package var canBeAccepted: Bool { true }
}

extension CaseResult {
    /// A result without its time.
    package init(_ of: some VerifiedCase, _ state: State, _ message: String, pictures: CasePictures? = nil) {
        var pictures = pictures
        if !of.canBeAccepted { pictures?.hash = nil }
        self.init(
            suite: of.suite, name: of.name, scene: of.path, state: state, message: message, milliseconds: 0,
            details: JSONObject([]), pictures: pictures)
    }

    /// The result of comparing two pictures.
    /// - Parameters:
    ///   - keepsPictures: whether they are part of it where they differ.
    ///   - milliseconds: how long it took.
    package init(
        _ of: some VerifiedCase, _ verdict: Verdict, of limits: CaseLimits, reference: Image, actual: Image,
        keepsPictures: Bool, milliseconds: Double = 0
    ) throws(ImageError) {
        let isShown = keepsPictures && !verdict.isMet
        self.init(
            of, verdict.isMet ? .passed : .failed, verdict.message,
            pictures: isShown
                ? try CasePictures(reference: reference, actual: actual, difference: verdict.difference) : nil)
        self.milliseconds = milliseconds
        details = JSONObject([
            ("changes", verdict.change.map { .array([$0.json]) }), ("limits", limits.json),
            ("difference", verdict.difference.json),
        ])
        remarks = verdict.difference.remarks
        change = isShown ? verdict.difference.change : nil
    }

    /// Verifies a case, and takes the time. Problems with the case are part of the result and are not thrown.
    ///
    /// - Throws: Only `ImageError.unwritable`, if a reference can't be written.
    package static func timed(
        _ of: some VerifiedCase, driver: Driver?, _ verify: () throws -> CaseResult
    ) throws(ImageError) -> CaseResult {
        let start = ContinuousClock.now
        var result: CaseResult
        do {
            result = try verify()
        } catch let error as ImageError where error.kind == .unwritable {
            throw error
        } catch {
            result = CaseResult(of, .broken, "\(error)")
        }
        result.milliseconds = (ContinuousClock.now - start).roundedMilliseconds
        if let driver { _ = result.details.append(driver.json, forKey: "driver") }
        return result
    }
}

extension Duration {
    /// Milliseconds, rounded to a thousandth.
    fileprivate var roundedMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}

/// The OpenGL ES driver that drew the pictures.
public struct Driver: Hashable, Sendable {
    /// GL_RENDERER.
    public let renderer: String
    /// GL_VERSION, which includes Mesa's version for drivers of Mesa.
    public let version: String

    /// A driver by what its context reports.
    public init(renderer: String, version: String) {
        self.renderer = renderer
        self.version = version
    }

    /// The driver as in the results of `verify`.
    package var json: JSONValue { ["renderer": .string(renderer), "version": .string(version)] }
}
