import LoupeSandbox

/// Reads and draws pages of PDFs: what a helper process of its own does. Requests are those of ``SVGService``.
package struct PDFService: HelperService {
    private var service: SVGService

    /// Loads poppler, librsvg's cairo, and what fontconfig knows of the fonts.
    package init() throws(HelperRefusal) {
        service = try SVGService()
        guard PopplerLibrary.shared != nil else { throw HelperRefusal(.noLibrary, "") }
    }

    package var readablePaths: [String] { service.readablePaths }

    package mutating func answer(
        _ bytes: [UInt8], memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> [UInt8] {
        try service.answer(bytes, memory: memory)
    }
}
