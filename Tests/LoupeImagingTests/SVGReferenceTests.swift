import Glibc
import TestSupport
import Testing

@testable import LoupeImaging

/// Pieces of SVGs that the tests put together.
enum SVGText {
    /// A document of 4×4 pixels with this content.
    static func document(_ content: String, before: String = "") -> [UInt8] {
        Array(
            """
            \(before)<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
            xmlns:xi="http://www.w3.org/2001/XInclude" width="4" height="4">\(content)</svg>
            """.utf8)
    }

    /// Base64, without the code under test.
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count, by: 3).map { start -> String in
            let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : nil }
            let bits = group.reduce(0) { $0 << 8 | ($1 ?? 0) }
            let letters = (0..<4).map { String(alphabet[bits >> (18 - 6 * $0) & 63]) }
            let missing = group.filter { $0 == nil }.count
            return letters.prefix(4 - missing).joined() + String(repeating: "=", count: missing)
        }.joined()
    }

    static func data(_ type: String, _ bytes: [UInt8]) -> String { "data:\(type);base64,\(base64(bytes))" }

    /// A PNG of one chunk of pixels with any size in its header: 70 bytes, and a bomb if the size is large.
    static func png(width: UInt32, height: UInt32) throws -> [UInt8] {
        var png = try PNG.encode(Image(width: 1, height: 1, pixels: [255, 0, 0, 255]))
        for (index, number) in [width, height].enumerated() {
            for byte in 0..<4 {
                png[16 + 4 * index + byte] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * byte))
            }
        }
        return png
    }
}

/// An SVG consists of its own bytes. One that shows anything else is refused, and the sentence names it. What a style sheet
/// names is passed over, most often a font.
@Suite struct SVGReferenceTests {
    private static let red: [UInt8] = try! PNG.encode(
        Image(width: 4, height: 4, pixels: (0..<16).flatMap { _ -> [UInt8] in [255, 0, 0, 255] }))

    /// Every way to refer to something; `%` is the address.
    private static let ways = [
        "<image width='4' height='4' xlink:href='%'/>", "<image width='4' height='4' href='%'/>",
        "<use xlink:href='%'/>",
        "<g><g><use href=' %'/></g></g>", "<filter id='f'><feImage xlink:href='%'/></filter>",
        "<linearGradient id='g' xlink:href='%'/>", "<pattern id='p' href='%'/>", "<text><tref xlink:href='%'/></text>",
        "<xi:include href='%'/>", "<xi:include parse='text' href='%'><xi:fallback/></xi:include>",
    ]
    private static let addresses = [
        "beside.png", "../up.svg#a", "/etc/hostname", "file:///etc/hostname", "http://127.0.0.1:9/a", "HTTPS://a.b/c",
        "//a.b/c", "beside.svg#a", "?a", "javascript:0", "datax:a", "ftp://a/b",
    ]

    private func error(_ document: [UInt8]) -> ImageError? {
        thrown(ImageError.self) { try ImageFile.decode(document, name: "a.svg") }
    }

    @Test(arguments: ways) func everyReferenceToOutsideIsRefused(_ way: String) {
        for address in Self.addresses {
            let document = SVGText.document(way.split(separator: "%", maxSplits: 1).joined(separator: address))
            guard case .externalReference("a.svg", let reference)? = error(document) else {
                Issue.record("\(way) \(address)")
                continue
            }
            #expect(reference.contains(address), "\(reference)")
        }
    }

    @Test func styleSheetsBeforeTheRootAreRefused() {
        let sheet = "<?xml-stylesheet type='text/css' href='a.css'?>"
        guard case .externalReference? = error(SVGText.document("", before: sheet)) else { return fail(sheet) }
    }

    /// What the search does not find shows nothing: librsvg gets no folder, and the process can open no file.
    @Test func hiddenReferencesShowNothing() throws {
        let entity = "<!DOCTYPE svg [<!ENTITY b 'file:///etc/hostname'><!ENTITY c SYSTEM '/etc/hostname'>]>"
        let inner = SVGText.data(
            "image/svg+xml", SVGText.document("<image width='4' height='4' href='/etc/hostname'/>"))
        for content in [
            "<image width='4' height='4' href='&b;'/>", "<text y='4'>&c;</text>", "<image href='\(inner)'/>",
        ] {
            guard let image = try? ImageFile.decode(SVGText.document(content, before: entity), name: "a.svg") else {
                continue
            }
            #expect(image.pixels.allSatisfy { $0 == 0 }, "\(content)")
        }
    }

    @Test(arguments: [
        "<use href='#a'/>", "<a href='http://a.b/'><rect width='4' height='4'/></a>", "<image href=''/>",
        "<rect fill='url(#a)' style='mask:url(\"#b\")'/>",
        "<style>@font-face{font-family:a;src:url(https://a.b/c.woff2)}</style>",
        "<style>@import url('https://a.b/css?family=c');</style>", "<metadata><b xmlns='c:d' href='a.png'/></metadata>",
        "<text>url(a.png) @import 'b'</text>", "<title>http://a.b/</title>", "<rect transform='translate(1,2)'/>",
    ])
    func whatIsInsideIsNotRefused(_ content: String) throws {
        _ = try ImageFile.decode(SVGText.document(content), name: "a.svg")
    }

    /// The document type of SVG 1.1, which many programs write, names an address that nobody reads.
    @Test func documentTypeIsNotRefused() throws {
        let type = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>"
        _ = try ImageFile.decode(SVGText.document("", before: type), name: "a.svg")
    }

    @Test func embeddedPicturesAreShown() throws {
        for way in ["xlink:href", "href"] {
            let text = "<image width='4' height='4' \(way)='\(SVGText.data("image/png", Self.red))'/>"
            #expect(try ImageFile.decode(SVGText.document(text), name: "a").pixels.prefix(4) == [255, 0, 0, 255])
        }
        let inner = SVGText.document("<rect width='4' height='4' fill='red'/>")
        let percent = inner.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        for address in [SVGText.data("image/svg+xml", inner), "data:image/svg+xml,\(percent)"] {
            let image = try ImageFile.decode(
                SVGText.document("<image width='4' height='4' href='\(address)'/>"), name: "a")
            #expect(image.pixels.prefix(4) == [255, 0, 0, 255])
        }
    }

    /// 70 bytes that would be gigabytes of pixels: the memory of the helper process is limited, and nothing is shown.
    @Test func embeddedBombsTakeNoMemory() throws {
        for (width, height) in [(30000, 30000), (2_000_000_000, 2_000_000_000)] as [(UInt32, UInt32)] {
            let address = SVGText.data("image/png", try SVGText.png(width: width, height: height))
            let document = SVGText.document("<image width='4' height='4' href='\(address)'/>")
            if let image = try? ImageFile.decode(document, name: "a.svg") {
                #expect(image.pixels.allSatisfy { $0 == 0 })
            }
        }
    }
}
