import Glibc
import LoupeImaging

/// One expectation: the picture's name, where it is expected, and what it is held to. Throws what is not met.
struct Expectation {
    let name: PictureName
    let criterion: Criterion
    let site: CallSite
    let settings: Settings

    init(_ name: String, _ criterion: Criterion, at site: CallSite, _ settings: Settings) throws(PictureNameError) {
        self.name = try PictureName(name)
        self.criterion = criterion
        self.site = site
        self.settings = settings
    }

    /// Compares with a reference from a file, or records it there.
    /// - Parameter recording: the picture that would be recorded.
    func check(_ actual: Image, in folder: ReferenceFolder, recording: () throws -> Image) throws {
        let path = folder.file(name, at: site)
        let isMissing = access(path, F_OK) != 0
        switch settings.record {
        case .never where isMissing:
            throw ExpectationFailure(
                message: "there is no reference \(path); record it with LOUPE_RECORD=missing, look at it and commit it")
        case .missing where isMissing, .failed where isMissing, .all:
            try record(recording(), at: path)
            // Another expectation of this run was first.
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

    /// Compares with a picture from memory; nothing is ever recorded.
    func check(_ actual: Image, against reference: Image) throws {
        let judgement = try criterion.judge(reference: reference, actual: actual)
        guard !judgement.isMet else { return }
        let evidence = try Evidence(
            reference: reference, actual: actual, difference: judgement.difference, scene: criterion.scene)
        throw failure(judgement.message, evidence)
    }

    /// Writes the reference and fails, since nobody has looked at it yet; returns where this run has written it already.
    private func record(_ image: Image, at path: String, because reason: String? = nil) throws {
        guard try Recordings.write(image, to: path) else { return }
        let why = reason.map { "\n\($0)" } ?? ""
        throw ExpectationFailure(message: "recorded \(path); look at it and run again\(why)")
    }

    private func compare(_ actual: Image, withFile path: String) throws {
        let reference: Image
        do {
            reference = try PNG.read(path: path)
        } catch {
            throw failure(error.description, try Evidence(actual: actual))
        }
        do {
            try check(actual, against: reference)
        } catch var failure as ExpectationFailure where Recordings.contains(path) {
            failure.message += "\n\(path) was recorded in this run already; give each picture its own name"
            throw failure
        }
    }

    /// Leaves the evidence and says where; that it can't be left is no reason to be silent about the rest.
    private func failure(_ message: String, _ evidence: Evidence) -> ExpectationFailure {
        let folder = settings.failures ?? site.packageRoot + "/test-failures"
        let stem = Evidence.freeStem("\(folder)/\(site.suite)/\(name)")
        let attachments = evidence.files.map { file in
            (name: "\(name)".split(separator: "/").joined(separator: "-") + file.ending, bytes: file.bytes)
        }
        let endings = evidence.files.map(\.ending)
        do {
            try evidence.write(to: stem)
            let list = ([stem + endings[0]] + endings.dropFirst()).joined(separator: ", ")
            return ExpectationFailure(message: "\(message)\nsee \(list)", attachments: attachments)
        } catch {
            return ExpectationFailure(message: "\(message)\n\(error)", attachments: attachments)
        }
    }
}
