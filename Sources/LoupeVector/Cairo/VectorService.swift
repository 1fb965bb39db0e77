import LoupeImaging
import LoupeSandbox

/// Writes drawings as PDF and SVG: what the helper process does.
package struct VectorService: HelperService {
    private let library: RSVGLibrary
    private let cairo: CairoLibrary
    /// Reads SVGs.
    private let reader: SVGService
    /// The last file, until it is fetched.
    private var file: [UInt8] = []

    /// Loads librsvg and cairo, and what fontconfig knows of the fonts.
    package init() throws(HelperRefusal) {
        reader = try SVGService()
        guard let library = RSVGLibrary.shared, let cairo = CairoLibrary(library) else {
            throw HelperRefusal(.noLibrary, "")
        }
        (self.library, self.cairo) = (library, cairo)
    }

    package var readablePaths: [String] { reader.readablePaths }

    package mutating func answer(
        _ bytes: [UInt8], memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> [UInt8] {
        var answer = MessageWriter()
        switch VectorRequest(bytes) {
        case .write(let request):
            file = try CairoPainter.write(request, library, cairo, reader)
            switch request.format {
            case .pdf: file = PDFResources.withoutDuplicates(file)
            case .svg: file = SVGImages.withSquares(file, in: request.squares)
            }
            answer.write(UInt64(file.count))
        case .fetch:
            guard memory.count == file.count else { throw HelperRefusal(.invalidRequest, "") }
            memory.copyBytes(from: file)
            file = []
        case nil: throw HelperRefusal(.invalidRequest, "")
        }
        return answer.bytes
    }
}

/// Why ``VectorService`` refuses a request. The text beside it is the library's reason. The first codes are those of
/// `SVGRefusal`, as a page may be refused when it is read.
enum VectorFault: UInt8 {
    case noLibrary = 1
    case damaged, external, undrawable, invalidRequest
    /// Cairo can't write the file.
    case failed
}

extension HelperRefusal {
    init(_ fault: VectorFault, _ text: String) { self.init(code: fault.rawValue, text: text) }
}
