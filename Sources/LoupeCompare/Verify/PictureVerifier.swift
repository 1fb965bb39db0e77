import LoupeImaging
import LoupeSystem

/// Compares pictures of any programs with their references.
package struct PictureVerifier: Sendable {
    private let limits: CaseLimits
    private let stated: LimitsList
    private let accepted: AcceptList?
    private let keepsPictures: Bool

    /// A verifier for one run.
    ///
    /// - Parameters:
    ///   - limits: Of pictures that have none of their own.
    ///   - stated: Limits of single pictures.
    ///   - accepted: Pictures that become references if they differ or have none.
    ///   - keepsPictures: Whether results contain the pictures of cases that did not pass.
    package init(
        limits: CaseLimits, stated: LimitsList = LimitsList(), accepted: AcceptList? = nil, keepsPictures: Bool = false
    ) {
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
        guard let actual = pictures.actual else {
            return CaseResult(
                pictures, .gone,
                "there is no picture to compare with \(pictures.path); delete the reference if none is made any more",
                pictures: try kept { try CasePictures(reference: Self.image(pictures.path, pictures.places.reference)) }
            )
        }
        guard let reference = pictures.reference else {
            let image = try Self.image(actual, pictures.places.actual)
            return CaseResult(
                pictures, .missing, "new: there is no reference \(pictures.path)",
                pictures: try kept { try CasePictures(actual: image) })
        }
        let limits = stated.limits(of: pictures) ?? self.limits
        let files = try PictureFiles(reference: reference, actual: actual, in: pictures.places)
        let verdict = try Verdict(limits, reference: files.reference, actual: files.actual)
        return try CaseResult(
            pictures, verdict, of: limits, reference: files.reference, actual: files.actual,
            keepsPictures: keepsPictures)
    }

    private static func image(_ path: Path, _ place: PathConfinement) throws(ImageError) -> Image {
        try ImageFile(path: path, in: place).image()
    }

    private func kept(_ pictures: () throws -> CasePictures) rethrows -> CasePictures? {
        keepsPictures ? try pictures() : nil
    }

    /// Copies the actual picture's file to the reference, if it is still the accepted picture.
    private func accept(_ accepted: PictureHash, _ pictures: PictureCase) throws -> CaseResult {
        guard let actual = pictures.actual else { return CaseResult(pictures, .gone, "there is no picture to accept") }
        let bytes = try ImageFile.bytes(path: actual, in: pictures.places.actual)
        let image = try ImageFile(bytes, name: actual.description).image()
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
