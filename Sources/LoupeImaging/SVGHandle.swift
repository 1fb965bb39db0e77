/// An `RsvgHandle`, owned.
final class SVGHandle: @unchecked Sendable {
    private let object: RSVGLibrary.Object
    private let library: RSVGLibrary

    struct Failure: Error {
        /// The library's own words.
        let reason: String
    }

    /// - Parameter path: of the file, which says what folder it may read from; nil for none.
    init(_ bytes: [UInt8], path: String?, _ library: RSVGLibrary) throws(Failure) {
        let file = path.flatMap { library.newFile($0) }
        var error: RSVGLibrary.Object?
        let object = bytes.withUnsafeBytes { bytes in
            let stream = library.newStream(bytes.baseAddress, bytes.count, nil)
            defer { library.unref(stream) }
            return library.newHandle(stream, file, 0, nil, &error)
        }
        if let file { library.unref(file) }
        guard let object else { throw Failure(reason: library.reason(error)) }
        (self.object, self.library) = (object, library)
        library.setDPI(object, 96)
    }

    deinit { library.unref(object) }

    /// Of the document, in CSS pixels; nil where it names none.
    var size: (width: Double, height: Double)? {
        var (width, height) = (0.0, 0.0)
        if library.pixelSize(object, &width, &height) != 0 { return (width, height) }
        var hasBox: Int32 = 0
        var box = [0.0, 0.0, 0.0, 0.0]
        library.dimensions(object, nil, nil, nil, nil, &hasBox, &box)
        return hasBox != 0 ? (box[2], box[3]) : nil
    }

    /// Draws into premultiplied words of alpha, red, green, blue, all 0 before.
    /// - Parameter viewport: of the document, which is stretched to the placement's rect.
    func draw(
        _ place: SVGPlacement, viewport: (width: Double, height: Double), into words: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let (width, height) = (Int32(place.columns.count), Int32(place.rows.count))
        let surface = library.newSurface(words.baseAddress, 0, width, height, width * 4)
        defer { library.freeSurface(surface) }
        guard let context = library.newContext(surface) else { throw Failure(reason: "cairo has no memory") }
        defer { library.freeContext(context) }
        library.translate(
            context, place.x - Double(place.columns.lowerBound), place.y - Double(place.rows.lowerBound))
        library.scale(context, place.width / viewport.width, place.height / viewport.height)
        var error: RSVGLibrary.Object?
        guard library.render(object, context, [0, 0, viewport.width, viewport.height], &error) != 0 else {
            throw Failure(reason: library.reason(error))
        }
        let status = library.status(context)
        if status != 0 { throw Failure(reason: String(cString: library.statusText(status))) }
        library.flush(surface)
    }
}
