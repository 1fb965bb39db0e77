import LoupeBase
import LoupeCompare
import LoupeFigure
import LoupeScene

extension HTMLPage {
    /// The page of a verification: a list of all cases, and the pictures of those that did not pass, to compare and accept.
    package init(_ report: VerifyReport) {
        let pictures = PagePictures(report.cases.map(\.pictures))
        self.init(
            template: PackageResources.verify_html, style: PackageResources.viewer_css + PackageResources.verify_css,
            script: [
                PackageResources.pictures_js, PackageResources.viewer_js, PackageResources.lens_js,
                PackageResources.changes_js, PackageResources.verify_js,
            ],
            data: [
                ("format", .string(AcceptList.format)), ("command", .string(report.subject.command)),
                ("label", report.subject == .scenes ? "scene" : "reference"), ("summary", .string(report.summary)),
                ("notes", .array(report.allNotes.map(JSONValue.string))),
                ("colors", CropsFigure.pageColors), ("namedBoxes", .number(Double(Difference.namedBoxes))),
                ("cases", .array(zip(report.cases, pictures.numbers).map { $0.pageData($1) })),
            ])
        payloads = pictures.pictures.enumerated().map { ("picture-\($0.offset)", $0.element) }
    }
}

extension CaseResult {
    /// The case as the script shows it.
    /// - Parameter pictures: The numbers of its pictures.
    fileprivate func pageData(_ pictures: [(kind: String, number: Int)]) -> JSONValue {
        [
            "suite": .string(suite), "name": .string(name), "scene": .string(scene.readable),
            "state": .string(state.rawValue), "message": .string(shortMessage),
            "findings": .array(message.split(separator: "; ").map { .string(String($0)) }),
            "milliseconds": .number(milliseconds), "hash": .string(acceptableHash),
            "lacksPictures": .bool(lacksPictures),
            "pictures": .object(JSONObject(pictures.map { ($0.kind, .number(Double($0.number))) })),
            "limits": details["limits"], "difference": details["difference"], "driver": details["driver"],
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
