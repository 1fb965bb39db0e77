import ArgumentParser
import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// `loupe-render verify`: every scene below some folders, drawn and compared with the reference beside it.
struct Verify: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Draws every scene below the folders and compares it with the PNG beside it; tests sessions.",
        discussion: """
            A session passes if all that it expects happens, such as {"at": 0.42, "gesture": "rewind"}; it needs no device. \
            A picture passes within the specification's tolerance (2 of 255 on premultiplied channels, and at most \
            0.1 % of the pixels over 1; 3 and 1 % in linear blending; 8 for corners of exponent over 8 or radius \
            under 4), within the limits that flags set, or within those that its scene states: "verify": {"tolerance": 2, \
            "maxPixels": 0, "regions": {"rim": 3}, "why": "…"}, or {"metric": "flip", "maxMean": 0.01, "why": "…"}. A missing reference fails. --accept takes the list that the page of \
            --report makes. Exit codes: 0 all passed; 1 not, or \
            references were written.
            """)

    @Argument(
        help: ArgumentHelp("Folders with scenes (.json) and references (.png) of the same names.", valueName: "dir"))
    var folders: [InputPath]

    @Option(
        help: ArgumentHelp(
            "Draw references with the double-precision CPU renderer; the run still ends in 1.",
            valueName: "missing|failed|all"))
    var update: Verifier.Update?

    @Option(
        help: ArgumentHelp(
            "Draw the references of the cases that a person accepted in the --report; the run still ends in 1.",
            valueName: "LIST"))
    var accept: InputPath?

    @Option(
        help: ArgumentHelp(
            "Write the SHA-256 of each drawn picture's size and pixels, and the case's name, a line each; - is standard output.",
            valueName: "path"))
    var hashes: OutputPath?

    @OptionGroup(title: "Comparing") var options: DiffOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup var process: WorkOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var outputs: ReportOutputs

    func validate() throws {
        if update != nil && accept != nil {
            throw ValidationError("--update and --accept both write references; give one of them")
        }
        try FlagValue.checkStandardOutput(outputs.files + [("--hashes", hashes)])
    }

    func run() throws {
        let start = ContinuousClock.now
        let comparison = try options.comparison()
        let list = try caseList()
        let accepted = try accept?.document { bytes in
            let accepted = try AcceptList(parsing: bytes)
            try accepted.check(among: list.cases.map(\.path))
            return accepted
        }
        var uses = fileUses()
        try uses.checkPlaces()
        list.declare(in: &uses, update, accepted, allowsOutside: files.allowOutside)
        outputs.declareFigures(of: list.cases.map { ($0.title, $0.path) }, in: &uses)
        try uses.check()
        if let flag = outputs.files.first?.flag ?? hashes.map({ _ in "--hashes" }) {
            try TextNames.check(list.cases.map(\.path) + list.obsolete, in: flag)
        }
        var obsolete = list.obsolete
        let (results, hashLines) = try verified(list.cases, comparison, accepted, &obsolete)
        var report = VerifyReport(
            cases: results, obsolete: obsolete, milliseconds: (ContinuousClock.now - start).milliseconds)
        report.notCompared = list.linkedFolders
        for folder in list.linkedFolders { StandardError.warn("not verified: \(folder), a link to a folder") }
        if let hashes { try Output(hashes).write(hashLines) }
        try told.write(report)
        if !report.isSame { throw Failure.Code.checkFailed.alone }
    }

    /// The outputs; nothing is told beside hashes on standard output.
    private var told: ReportOutputs {
        var outputs = outputs
        if hashes.isStandardOutput { outputs.quiet = true }
        return outputs
    }

    /// Draws and compares the cases, and tells of those that did not pass.
    /// - Parameter obsolete: The PNGs that no scene shows, of which those are taken that a session shows.
    /// - Returns: a result for each, and what `--hashes` writes.
    private func verified(
        _ cases: [SceneCase], _ comparison: Comparison, _ accepted: AcceptList?, _ obsolete: inout [Path]
    ) throws -> (results: [CaseResult], hashLines: String) {
        var hash: PictureHash?
        // Sessions need no device.
        var verifier: Verifier?
        func verify(_ scene: SceneCase) throws -> CaseResult {
            var current =
                try verifier
                ?? self.verifier(device.renderer(), comparison, accepted) { [hashes] in
                    if hashes != nil { hash = PictureHash(of: $0) }
                }
            defer { verifier = current }
            return try current.verify(scene)
        }
        let outputs = told
        var hashLines = ""
        var progress = Progress(total: cases.count)
        let width = ReportOutputs.width(of: cases.map(\.title))
        var results: [CaseResult] = []
        for sceneCase in cases {
            let result = try session(sceneCase, &obsolete) ?? verify(sceneCase)
            results.append(result)
            if let drawn = hash { hashLines += "\(drawn)  \(result.title)\n" }
            hash = nil
            progress.show(results.count, of: "scenes")
            if result.state != .passed {
                progress.clear()
                try outputs.tell(result, width: width)
            }
        }
        progress.clear()
        return (results, hashLines)
    }

    private func verifier(
        _ renderer: Renderer, _ comparison: Comparison, _ accepted: AcceptList?, drawn: @escaping (Image) -> Void
    ) -> Verifier {
        // With pictures, a scene that has no reference is drawn too.
        Verifier(
            driver: Driver(renderer.device), update: update, accepted: accepted,
            keepsPictures: outputs.needsPictures || hashes != nil, allowsOutside: files.allowOutside,
            limits: { options.limits(comparison, over: $0) },
            draw: { scene, images in
                try renderer.load(images)
                let picture = try renderer.render(DrawPlan(scene, images: images.mapValues(\.traits)))
                drawn(picture)
                return picture
            })
    }

    /// The result of a session's expectations; nil for a scene.
    private func session(_ session: SceneCase, _ obsolete: inout [Path]) throws -> CaseResult? {
        guard let bytes = try? InputBytes.read(path: session.path, as: .json), SessionFile.isSession(bytes) else {
            return nil
        }
        return try CaseResult.timed(session, driver: nil) {
            try session.confine([session.path], allowsOutside: files.allowOutside)
            let file = try SessionFile.read(session.path, allowsOutside: files.allowOutside)
            let (shown, picture) = (Set(file.files.map(\.ofFile)), session.referencePath)
            obsolete.removeAll { shown.contains($0.ofFile) }
            if picture.exists, !shown.contains(picture.ofFile) {
                throw DocumentError(
                    at: .key(path: "\(picture)"), "nothing compares it: a session has no reference")
            }
            let count = file.session.expectationCount
            guard count > 0 else {
                throw DocumentError(at: .key(path: "expect"), "missing; a session is verified by what it expects")
            }
            let failures = file.session.failedExpectations
            guard let first = failures.first else {
                return CaseResult(session, .passed, "\(count) expectations are met")
            }
            var pictures =
                outputs.needsPictures ? try CasePictures(actual: file.filmstrip(around: first.time)) : nil
            // It shows what happened, and can't become a reference.
            pictures?.hash = nil
            return CaseResult(
                session, .failed, failures.map(\.message).joined(separator: "; "), pictures: pictures)
        }
    }

    private func caseList() throws -> CaseList {
        let list = try CaseList(folders.map(\.path), allowsOutside: files.allowOutside)
        guard !list.cases.isEmpty else {
            throw Failure(
                .noInput,
                "\(folders.map(\.path.description).joined(separator: ", ")): no scene (.json) below it; nothing to verify"
            )
        }
        return list
    }
}

extension Driver {
    fileprivate init(_ device: DeviceInfo) {
        self.init(renderer: device.renderer, version: device.version)
    }
}

extension Verifier.Update: ExpressibleByArgument {}
