import LoupeBase
import LoupeCompare

extension HTMLPage {
    /// The page of a verification: a list of all cases, and the pictures of those that did not pass, to compare and accept.
    /// - Throws: `DocumentError` if the results of a case are not what `verify` writes.
    package init(_ report: VerifyReport) throws(DocumentError) {
        let pictures = PagePictures(report.cases.map(\.pictures))
        let label = report.subject == .scenes ? "scene" : "reference"
        var cases: [JSONValue] = []
        for (result, numbers) in zip(report.cases, pictures.numbers) {
            cases.append(try result.pageData(numbers, pathLabel: label))
        }
        self.init(
            template: PackageResources.verify_html, style: PackageResources.verify_css,
            script: [
                PackageResources.pictures_js, PackageResources.viewer_js, PackageResources.lens_js,
                PackageResources.verify_js,
            ],
            data: [
                ("format", .string(AcceptList.format)), ("command", .string(report.subject.command)),
                ("summary", .string(report.summary)),
                ("notes", .array(report.closingLines.dropLast().map(JSONValue.string))), ("cases", .array(cases)),
            ])
        payloads = pictures.pictures.enumerated().map { ("picture-\($0.offset)", $0.element) }
    }
}

extension CaseResult {
    /// The case as the script shows it.
    /// - Parameters:
    ///   - pictures: The numbers of its pictures.
    ///   - pathLabel: What its path is of.
    fileprivate func pageData(
        _ pictures: [(kind: String, number: Int)], pathLabel: String
    ) throws(DocumentError) -> JSONValue {
        let numbers = try CaseNumbers(details, message: message, of: title)
        let others = [["time", "\(milliseconds) ms"], [pathLabel, scene.description]]
        return [
            "suite": .string(suite), "name": .string(name), "scene": .string(scene.description),
            "state": .string(state.rawValue), "message": .string(shortMessage), "short": .string(numbers.short),
            "hash": .string(acceptableHash), "lacksPictures": .bool(lacksPictures),
            "pictures": .object(JSONObject(pictures.map { ($0.kind, .number(Double($0.number))) })),
            "facts": .array((numbers.facts + others).map { .array($0.map(JSONValue.string)) }),
            "regions": .array(numbers.regions), "boxes": .array(numbers.boxes),
            "hasMoreBoxes": .bool(numbers.boxes.count == CaseNumbers.namedBoxes),
        ]
    }

    /// Whether a picture was drawn, but the results were written without pictures.
    private var lacksPictures: Bool {
        switch state {
        case .failed, .missing, .gone, .written: pictures == nil
        case .passed, .broken: false
        }
    }

    /// The hash of the picture that can be accepted; empty if there is none.
    private var acceptableHash: String {
        state.isAcceptable ? pictures?.hash?.description ?? "" : ""
    }
}
