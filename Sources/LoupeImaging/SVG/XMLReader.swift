import LoupeSandbox

/// Reads XML node by node with libxml2, which librsvg reads it with too. It reads no other file and no network.
final class XMLReader {
    enum Node {
        case element(Element)
        case end(Element)
        /// Text and CDATA.
        case text(String)
        case instruction(name: String, text: String)
    }

    struct Element {
        /// Without prefix.
        let name: String
        /// Empty where there is none.
        let namespace: String

        /// Whether librsvg may draw it: elements without a namespace are taken for SVG's, to be on the safe side.
        var isSVG: Bool { namespace == "" || namespace == "http://www.w3.org/2000/svg" }
    }

    struct Attribute {
        /// Without prefix.
        let name: String
        /// Empty where there is none.
        let namespace: String
        let value: String
    }

    private let functions: XMLFunctions
    private let reader: RSVGLibrary.Object
    /// libxml2 reads them as they are needed.
    private let bytes: UnsafeMutableRawBufferPointer
    /// Whether the last node was not the end.
    private(set) var hasFailed = false
    /// The end of an element without content, which libxml2 does not report.
    private var pending: Element?

    /// Nil where there is no memory.
    init?(_ document: [UInt8], _ library: RSVGLibrary) {
        functions = library.xml
        bytes = .allocate(byteCount: max(1, document.count), alignment: 1)
        bytes.copyBytes(from: document)
        // Entities are replaced by their text; no network; no messages.
        let options: Int32 = 1 << 1 | 1 << 5 | 1 << 6 | 1 << 11
        guard document.count <= Int32.max,
            let reader = functions.open(bytes.baseAddress, Int32(document.count), nil, nil, options)
        else {
            bytes.deallocate()
            return nil
        }
        self.reader = reader
    }

    deinit {
        functions.free(reader)
        bytes.deallocate()
    }

    /// The next node of those that are asked for; nil at the end and after an error.
    func next() -> Node? {
        if let element = pending {
            pending = nil
            return .end(element)
        }
        while true {
            switch functions.read(reader) {
            case 0: return nil
            case 1: break
            default:
                hasFailed = true
                return nil
            }
            switch functions.type(reader) {
            case 1:
                let element = Element(name: text(functions.name), namespace: text(functions.namespace))
                if functions.isEmpty(reader) == 1 { pending = element }
                return .element(element)
            case 15: return .end(Element(name: text(functions.name), namespace: text(functions.namespace)))
            case 3, 4, 13, 14: return .text(text(functions.value))
            case 7: return .instruction(name: text(functions.name), text: text(functions.value))
            default: continue
            }
        }
    }

    /// The attributes of the element that was read last.
    func attributes() -> [Attribute] {
        var attributes: [Attribute] = []
        while functions.nextAttribute(reader) == 1 {
            attributes.append(
                Attribute(
                    name: text(functions.name), namespace: text(functions.namespace), value: text(functions.value)))
        }
        _ = functions.toElement(reader)
        return attributes
    }

    private func text(_ function: (RSVGLibrary.Object) -> UnsafePointer<CChar>?) -> String {
        function(reader).map { String(cString: $0) } ?? ""
    }
}

/// The functions of libxml2's reader that are used, as `libxml/xmlreader.h` declares them.
struct XMLFunctions {
    typealias Text = @convention(c) (RSVGLibrary.Object) -> UnsafePointer<CChar>?
    typealias Number = @convention(c) (RSVGLibrary.Object) -> Int32

    /// Bytes, their number, URL, encoding, options.
    typealias Open =
        @convention(c) (UnsafeRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32) ->
        RSVGLibrary.Object?
    typealias Free = @convention(c) (RSVGLibrary.Object) -> Void

    let open: Open
    let free: Free
    let read, type, isEmpty, nextAttribute, toElement: Number
    let name, namespace, value: Text

    /// Nil where a function is missing.
    init?(_ symbol: (String) -> RSVGLibrary.Object?) {
        guard let open = symbol("xmlReaderForMemory"), let free = symbol("xmlFreeTextReader"),
            let read = symbol("xmlTextReaderRead"), let type = symbol("xmlTextReaderNodeType"),
            let isEmpty = symbol("xmlTextReaderIsEmptyElement"),
            let nextAttribute = symbol("xmlTextReaderMoveToNextAttribute"),
            let toElement = symbol("xmlTextReaderMoveToElement"), let name = symbol("xmlTextReaderConstLocalName"),
            let namespace = symbol("xmlTextReaderConstNamespaceUri"), let value = symbol("xmlTextReaderConstValue")
        else { return nil }
        self.open = unsafeBitCast(open, to: Open.self)
        self.free = unsafeBitCast(free, to: Free.self)
        func number(_ object: RSVGLibrary.Object) -> Number { unsafeBitCast(object, to: Number.self) }
        func text(_ object: RSVGLibrary.Object) -> Text { unsafeBitCast(object, to: Text.self) }
        (self.read, self.type, self.isEmpty) = (number(read), number(type), number(isEmpty))
        (self.nextAttribute, self.toElement) = (number(nextAttribute), number(toElement))
        (self.name, self.namespace, self.value) = (text(name), text(namespace), text(value))
    }
}
