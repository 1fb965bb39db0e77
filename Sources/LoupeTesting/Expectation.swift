import LoupeCompare
import LoupeImaging
import LoupeScene
import LoupeSystem

/// One expectation: the picture's name, its call site, and how closely it has to match.
struct Expectation {
    let name: PictureName
    let limits: CaseLimits
    /// The scene that the reference shows; nil if it is not known.
    let scene: Scene?
    let site: CallSite
    let settings: Settings

    init(
        _ name: String, _ limits: CaseLimits, of scene: Scene? = nil, at site: CallSite, _ settings: Settings
    ) throws(PictureNameError) {
        self.name = try PictureName(name)
        (self.limits, self.scene, self.site, self.settings) = (limits, scene, site, settings)
    }

    /// Compares a picture with its reference file, or records the reference.
    ///
    /// - Parameter recording: Returns the picture to record.
    /// - Throws: `ExpectationFailure`, or what `recording` or writing a file throws.
    func check(_ actual: Image, in folder: ReferenceFolder, recording: () throws -> Image) throws {
        let path = folder.file(name, at: site)
        let isMissing = !path.exists
        switch settings.record {
        case .never where isMissing:
            throw ExpectationFailure(
                message: "there is no reference \(path). Fix: run with LOUPE_RECORD=missing, look at it and commit it")
        case .missing where isMissing, .failed where isMissing, .all:
            try record(recording(), at: path)
            // Only reached if another expectation of this run has recorded the reference.
            try compare(actual, withFile: path)
        case .failed:
            do {
                try compare(actual, withFile: path)
            } catch let failure as ExpectationFailure {
                try record(recording(), at: path, because: failure.message)
                throw failure
            }
        case .missing, .never:
            try compare(actual, withFile: path)
        }
    }

    /// Compares two pictures. Nothing is recorded.
    func check(_ actual: Image, against reference: Image) throws {
        let verdict = try Verdict(limits, scene: scene, reference: reference, actual: actual)
        guard !verdict.isMet else { return }
        let evidence = try Evidence(
            reference: reference, actual: actual, difference: verdict.difference,
            scene: scene ?? limits.comparison.scene)
        throw failure(verdict.message, evidence)
    }

    /// Writes the reference and throws, because nobody has looked at it yet. Returns if this run has written it already.
    private func record(_ image: Image, at path: Path, because reason: String? = nil) throws {
        guard try Recordings.write(image, to: path) else { return }
        let why = reason.map { "\n\($0)" } ?? ""
        throw ExpectationFailure(message: "recorded \(path). Fix: look at the picture and run the test again\(why)")
    }

    private func compare(_ actual: Image, withFile path: Path) throws {
        let reference: Image
        do {
            reference = try ComparedImage.read(path).image
        } catch {
            throw failure(error.description, try Evidence(actual: actual))
        }
        do {
            try check(actual, against: reference)
        } catch var failure as ExpectationFailure where Recordings.contains(path) {
            failure.message += "\n\(path) was recorded in this run already. Fix: give each picture its own name"
            throw failure
        }
    }

    /// Writes the evidence and returns a failure that names the files, or the reason why they could not be written.
    private func failure(_ message: String, _ evidence: Evidence) -> ExpectationFailure {
        let folder = settings.failures ?? site.packageRoot.child("test-failures")
        let stem = Evidence.freeStem(folder.child(site.suite).child(name.path))
        let attachments = evidence.files.map { file in
            (name: "\(name)".split(separator: "/").joined(separator: "-") + file.ending, bytes: file.bytes)
        }
        let endings = evidence.files.map(\.ending)
        do {
            try evidence.write(to: stem)
            let list = (["\(stem)\(endings[0])"] + endings.dropFirst()).joined(separator: ", ")
            return ExpectationFailure(message: "\(message)\nsee \(list)", attachments: attachments)
        } catch {
            return ExpectationFailure(message: "\(message)\n\(error)", attachments: attachments)
        }
    }
}

/// A failed expectation.
struct ExpectationFailure: Error {
    /// The line that `loupe-render diff` prints, then the paths of the pictures.
    var message: String
    /// Files for the test's results, if the framework keeps any.
    var attachments: [(name: String, bytes: [UInt8])] = []
}
