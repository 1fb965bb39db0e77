import Glibc

/// The functions of poppler that are used, as its headers declare them. It is opened when the first PDF is read.
struct PopplerLibrary: @unchecked Sendable {
    typealias Object = RSVGLibrary.Object

    /// Bytes, their number, password, error. The bytes have to stay where they are.
    let newDocument:
        @convention(c) (UnsafeRawPointer?, Int32, UnsafePointer<CChar>?, RSVGLibrary.ErrorOutput) -> Object?
    let pageCount: @convention(c) (Object) -> Int32
    /// Document and index, from 0.
    let page: @convention(c) (Object, Int32) -> Object?
    let pageSize: @convention(c) (Object, RSVGLibrary.Numbers, RSVGLibrary.Numbers) -> Void
    /// Page and cairo's context.
    let render, renderForPrinting: @convention(c) (Object, Object) -> Void

    private let library: Object

    /// A function of poppler by its name without `poppler_`; nil where there is none.
    func symbol(_ name: String) -> Object? { dlsym(library, "poppler_" + name) }

    /// Nil where poppler is not installed.
    static let shared = PopplerLibrary()

    private init?() {
        guard let library = dlopen("libpoppler-glib.so.8", RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.library = library
        func function<Signature>(_ name: String) -> Signature? {
            dlsym(library, "poppler_" + name).map { unsafeBitCast($0, to: Signature.self) }
        }
        guard
            let newDocument:
                @convention(c) (UnsafeRawPointer?, Int32, UnsafePointer<CChar>?, RSVGLibrary.ErrorOutput)
                    -> Object? = function("document_new_from_data"),
            let pageCount: @convention(c) (Object) -> Int32 = function("document_get_n_pages"),
            let page: @convention(c) (Object, Int32) -> Object? = function("document_get_page"),
            let pageSize: @convention(c) (Object, RSVGLibrary.Numbers, RSVGLibrary.Numbers) -> Void =
                function("page_get_size"),
            let render: @convention(c) (Object, Object) -> Void = function("page_render"),
            let renderForPrinting: @convention(c) (Object, Object) -> Void = function("page_render_for_printing")
        else { return nil }
        (self.newDocument, self.pageCount, self.page, self.pageSize) = (newDocument, pageCount, page, pageSize)
        (self.render, self.renderForPrinting) = (render, renderForPrinting)
    }
}

/// A page of a PDF, freed once.
///
/// A page is white paper. Scripts are never run, and nothing outside the file is read.
package final class PDFHandle: @unchecked Sendable {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    let document, page: RSVGLibrary.Object
    let library: RSVGLibrary
    let poppler: PopplerLibrary
    /// From 1.
    let number: Int

    /// The page's size in CSS pixels, of 1/96 inch.
    package let size: (width: Double, height: Double)

    /// Why a page can't be read, as a clause.
    package struct Failure: Error {
        package let reason: String
    }

    /// CSS pixels in a point.
    private static let pixels = 96.0 / 72

    /// - Parameter number: of the page, from 1.
    init(_ source: [UInt8], page number: Int, _ library: RSVGLibrary, _ poppler: PopplerLibrary) throws(Failure) {
        (self.library, self.poppler, self.number) = (library, poppler, number)
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
        _ = bytes.initialize(from: source)
        var error: RSVGLibrary.Object?
        let document = poppler.newDocument(bytes.baseAddress, Int32(clamping: source.count), nil, &error)
        guard let document else {
            // A GError's code follows its domain; 1 is POPPLER_ERROR_ENCRYPTED.
            let isEncrypted = error.map { $0.load(fromByteOffset: 4, as: Int32.self) == 1 } ?? false
            let reason = library.reason(error)
            bytes.deallocate()
            throw Failure(reason: isEncrypted ? "it is encrypted; save it without a password" : reason)
        }
        let count = poppler.pageCount(document)
        guard number <= count, let page = poppler.page(document, Int32(number - 1)) else {
            library.unref(document)
            bytes.deallocate()
            let pages = count == 0 ? "no pages" : count == 1 ? "only one page" : "only \(count) pages"
            throw Failure(reason: count >= number ? "its page \(number) is broken" : "it has \(pages)")
        }
        (self.bytes, self.document, self.page) = (bytes, document, page)
        var (width, height) = (0.0, 0.0)
        poppler.pageSize(page, &width, &height)
        size = (width * Self.pixels, height * Self.pixels)
    }

    deinit {
        library.unref(page)
        library.unref(document)
        bytes.deallocate()
    }

    /// Draws the page on white onto a cairo context, in its own size at the origin.
    /// - Parameter keepsImages: whether images keep all of their pixels, for an output that is drawn larger.
    package func draw(onto context: RSVGLibrary.Object, keepsImages: Bool) {
        library.whiten(context)
        library.scale(context, Self.pixels, Self.pixels)
        (keepsImages ? poppler.renderForPrinting : poppler.render)(page, context)
    }

    /// Draws the page, stretched to the placement's rect, to premultiplied words, which must all be 0 before.
    func draw(_ placement: SVGPlacement, into words: UnsafeMutableRawBufferPointer) throws(Failure) {
        let reason = library.draw(placement, size, into: words) { context in
            self.draw(onto: context, keepsImages: false)
            return nil
        }
        if let reason { throw Failure(reason: reason) }
    }
}
