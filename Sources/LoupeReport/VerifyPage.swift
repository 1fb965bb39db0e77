import LoupeJSON
import LoupeVerify

extension HTMLPage {
    /// The page of a verification: a list of all cases, and the pictures of those that did not pass, to compare and accept.
    /// - Throws: `DocumentError` if the results of a case are not what `verify` writes.
    package init(_ report: VerifyReport) throws(DocumentError) {
        let cases = try report.cases.map { (result) throws(DocumentError) in try result.pageData }
        self.init(
            template: PackageResources.verify_html, style: PackageResources.verify_css,
            script: [PackageResources.viewer_js, PackageResources.verify_js],
            data: [
                ("format", .string(AcceptList.format)), ("summary", .string(report.summary)),
                ("notes", .array(report.closingLines.dropLast().map(JSONValue.string))), ("cases", .array(cases)),
            ],
            pictures: report.cases.enumerated().flatMap { index, result in result.pagePictures(index) })
    }
}

extension CaseResult {
    /// The case as the script shows it.
    fileprivate var pageData: JSONValue {
        get throws(DocumentError) {
            let numbers = try CaseNumbers(details, of: title)
            let others = [["time", "\(milliseconds) ms"], ["scene", scene.description]]
            return [
                "suite": .string(suite), "name": .string(name), "scene": .string(scene.description),
                "state": .string(state.rawValue), "message": .string(message), "short": .string(numbers.short),
                "hash": .string(acceptableHash), "lacksPictures": .bool(lacksPictures),
                "facts": .array((numbers.facts + others).map { .array($0.map(JSONValue.string)) }),
                "regions": .array(numbers.regions), "boxes": .array(numbers.boxes),
                "hasMoreBoxes": .bool(numbers.boxes.count == CaseNumbers.namedBoxes),
            ]
        }
    }

    fileprivate func pagePictures(_ index: Int) -> [HTMLPage.Picture] {
        let kinds = [
            ("reference", pictures?.reference), ("actual", pictures?.actual), ("difference", pictures?.difference),
        ]
        return kinds.compactMap { kind, base64 in
            base64.map { HTMLPage.Picture(name: "\(index)-\(kind)", base64: $0) }
        }
    }

    /// Whether a picture was drawn, but the results were written without pictures.
    private var lacksPictures: Bool {
        switch state {
        case .failed, .missing, .written: pictures == nil
        case .passed, .broken: false
        }
    }

    /// The hash of the picture that can be accepted; empty if there is none.
    private var acceptableHash: String {
        state.isAcceptable ? pictures?.hash?.description ?? "" : ""
    }
}
