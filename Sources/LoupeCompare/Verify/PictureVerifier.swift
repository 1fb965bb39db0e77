import LoupeImaging
import LoupeSystem

/// Compares pictures of any programs with their references.
package struct PictureVerifier: Sendable {
    private let limits: CaseLimits
    private let stated: LimitsList
    private let accepted: AcceptList?
    private let keepsPictures: Bool
    private let dpi: Double

    /// A verifier for one run.
    ///
    /// - Parameters:
    ///   - limits: Of pictures that have none of their own.
    ///   - stated: Limits of single pictures.
    ///   - accepted: Pictures that become references if they differ or have none.
    ///   - keepsPictures: Whether results contain the pictures of cases that did not pass.
    ///   - dpi: Pixels an inch of SVGs and PDFs.
    package init(
        limits: CaseLimits, stated: LimitsList = LimitsList(), accepted: AcceptList? = nil, keepsPictures: Bool = false,
        dpi: Double = 96
    ) {
        self.dpi = dpi
        (self.limits, self.stated, self.accepted) = (limits, stated, accepted)
        self.keepsPictures = keepsPictures
    }

    /// Compares all pictures, on all cores. Problems with a picture are part of its result and are not thrown.
    ///
    /// - Throws: Only `ImageError.unwritable`, if a reference can't be written.
    package func verify(_ cases: [PictureCase]) throws(ImageError) -> [CaseResult] {
        // One thread for a pair costs less than all threads for one pair after the other.
        let results = Threads.map(cases.count) { index in
            Result { () throws(ImageError) in try verify(cases[index]) }
        }
        var found: [CaseResult] = []
        for result in results { found.append(try result.get()) }
        return found
    }

    /// Compares one pair.
    ///
    /// - Throws: Only `ImageError.unwritable`, if a reference can't be written.
    package func verify(_ pictures: PictureCase) throws(ImageError) -> CaseResult {
        try CaseResult.timed(pictures, driver: nil) {
            let result = try judge(pictures)
            guard let picture = accepted?.picture(for: pictures.path), result.state.isAcceptable else { return result }
            return try accept(picture, pictures)
        }
    }

    private func judge(_ pictures: PictureCase) throws -> CaseResult {
        if let problem = pictures.problem { return CaseResult(pictures, problem.state, problem.message) }
        guard pictures.actual != nil else {
            let message =
                if let page = pictures.page {
                    "page \(page) is gone: the other file does not have it"
                } else {
                    "there is no picture to compare with \(pictures.path)\(alike(pictures)); delete the reference if none is made any more"
                }
            return CaseResult(
                pictures, .gone, message,
                pictures: try kept { try CasePictures(reference: pictures.referenceSource.image(dpi: dpi)) })
        }
        guard pictures.reference != nil else {
            let image = try pictures.actualSource.image(dpi: dpi)
            let message =
                if let page = pictures.page {
                    "page \(page) is new: the reference does not have it"
                } else {
                    "new: there is no reference \(pictures.path)\(alike(pictures))"
                }
            return CaseResult(pictures, .missing, message, pictures: try kept { try CasePictures(actual: image) })
        }
        let limits = stated.limits(of: pictures) ?? self.limits
        let files = try PictureFiles(pictures, dpi: dpi)
        return try CaseResult(
            pictures, files.verdict(limits), of: limits, reference: files.reference, actual: files.actual,
            keepsPictures: keepsPictures)
    }

    /// Names a picture of almost the same name.
    private func alike(_ pictures: PictureCase) -> String {
        pictures.alike.map { ", but \($0), whose name differs in capitals alone; rename one" } ?? ""
    }

    private func kept(_ pictures: () throws -> CasePictures) rethrows -> CasePictures? {
        keepsPictures ? try pictures() : nil
    }

    /// Copies the actual picture's file to the reference, if it is still the accepted picture.
    private func accept(_ accepted: PictureHash, _ pictures: PictureCase) throws -> CaseResult {
        guard let actual = pictures.actual else { return CaseResult(pictures, .gone, "there is no picture to accept") }
        guard pictures.canBeAccepted else {
            return CaseResult(
                pictures, .failed, "not accepted: \(actual) is of another format; replace the reference yourself")
        }
        let bytes = try ImageFile.bytes(path: actual, in: pictures.places.actual)
        let image = try pictures.actualSource.image(dpi: dpi)
        let shown = try kept { try CasePictures(actual: image) }
        guard PictureHash(of: image) == accepted else {
            let message = "not accepted: this is another picture than the accepted one; look at it and accept it"
            return CaseResult(pictures, .failed, message, pictures: shown)
        }
        do {
            if let folder = pictures.path.parent { try Folder.make(folder) }
            try AtomicFile.write(bytes, to: pictures.path, in: pictures.places.reference)
        } catch {
            throw ImageError.unwritable(error)
        }
        return CaseResult(
            pictures, .written, "\(pictures.path) written as accepted; run again", pictures: shown)
    }
}
