import LoupeSystem

/// A request about a picture to a helper process without rights.
enum RemotePicture {
    private static let pool = HelperPool()

    /// The answer to a request; the shared memory is passed on, where that has a size. The time and memory are limited.
    static func ask(
        _ request: [UInt8], name: String, format: ImageFile.Format? = nil, shared: Int = 0,
        use: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(ImageError) -> MessageReader {
        try member(name, format) { process throws(HelperFailure) in
            // The helper process holds the request twice.
            let limits = SVGDrawing.limits(beside: shared + 2 * request.count)
            return MessageReader(try process.ask(request, shared: shared, limits: limits, use: use))
        }
    }

    /// The file that a request asks for.
    static func file(_ request: [UInt8], name: String) throws(ImageError) -> [UInt8] {
        try member(name, nil) { process throws(HelperFailure) in
            let file = try process.askForFile(request, limits: SVGDrawing.limits(beside: 5 * request.count))
            guard file.answer.isWhole else { throw .invalidAnswer }
            return file.bytes
        }
    }

    private static func member<Answer: Sendable>(
        _ name: String, _ format: ImageFile.Format?, _ body: (HelperProcess) throws(HelperFailure) -> Answer
    ) throws(ImageError) -> Answer {
        do throws(HelperFailure) {
            return try pool.member().use { process, _ throws(HelperFailure) in try body(process) }
        } catch {
            if let file = error.fileError { throw .unwritable(file) }
            if let format, case .refused(let refusal) = error, refusal.reason == .damaged {
                throw .damaged(name: name, format: format, reason: refusal.line)
            }
            let reason = error.clause("reading it")
            if error.isOfInstallation { throw .noHelper(name: name, reason: reason) }
            throw .helperFailed(name: name, reason: reason)
        }
    }

    /// The error about an answer that is none.
    static func noAnswer(_ name: String) -> ImageError {
        .helperFailed(name: name, reason: HelperFailure.invalidAnswer.clause("reading it"))
    }
}
