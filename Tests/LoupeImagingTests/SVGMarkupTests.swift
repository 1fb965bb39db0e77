import LoupeBase
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// The form in which constructs of SVGs are looked for.
@Suite struct SVGMarkupTests {
    private func markup(_ content: String) -> SVGMarkup { SVGMarkup(Array("<svg>\(content)</svg>".utf8)) }

    @Test func tagsAndStylesHaveOneForm() {
        let found = markup(
            "<?xml a?><!DOCTYPE svg><a:Rect\n FILL = 'Red' style='A : b ;\tc:d'/><style><![CDATA[ .x { e : F( 1, 2 ) } ]]></style>"
        )
        let tags = #"<root><rect fill="red" style=";a:b;c:d;"><style>;.x;e:f(1,2 );;"#
        #expect(String(decoding: found.bytes, as: UTF8.self).hasPrefix(tags))
    }

    @Test func outlinesAndDataAreLeftOut() {
        let found = markup(
            "<path d='M0 0H9'/><image href='data:image/png;base64,\(String(repeating: "A", count: 999))'/>")
        #expect(found.bytes.count < 120)
        #expect(found.count(of: "<path d=\"\"") == 1)
    }

    /// Most of a large file.
    @Test func numbersAndNamesAreLeftOut() {
        let found = markup("<rect id='a' x='-1.5' y='2' width='calc(1px)' height='3'/>")
        #expect(found.count(of: #"<rect width="calc(1px)">"#) == 1)
    }

    @Test func marksStandInTheirTag() {
        let found = markup("<use/><use n='1' href='#a'/><rect href='#b' width='5rem' height='rem'/>")
        #expect(found.count(of: "<use… href=\"#") == 1)
        #expect(found.count(of: "#rem") == 1)
    }

    @Test func marksStandInTheirDeclaration() {
        let found = markup("<g style='transform:translate(9%, 1px);x:1'/><g style='transform:scale(2);x:9%'/>")
        #expect(found.count(of: ";transform:…%") == 1)
        #expect(found.count(of: " style=\"…;transform:…;x:") == 2)
    }

    @Test func outermostElementIsTheRoot() {
        let found = SVGMarkup(Array("<!-- a --><svg transform='scale(2)'><svg transform='scale(3)'/></svg>".utf8))
        #expect(found.count(of: "<root… transform=") == 1)
    }

    @Test(arguments: [("FILL:red;stroke:Red", 1), ("--Color:red; Fill:red;STROKE:red", 2), ("fill:RED", 0)])
    func propertiesInCapitals(style: String, count: Int) {
        #expect(markup("<rect style='\(style)'/>").capitals == count)
    }

    @Test(arguments: [("radius='1 4'", 1.0), ("radius='12,3'", 12), ("", 0)])
    func radiusOfMorphology(attribute: String, radius: Double) {
        #expect(markup("<feMorphology \(attribute)/>").largestRadius == radius)
    }

    /// As in Mermaid's texts, whose words are parts of a line.
    @Test(arguments: [
        ("<text>a<tspan> b</tspan></text>", 1), ("<text><tspan>a</tspan><tspan> b</tspan></text>", 1),
        ("<text>a<tspan>b</tspan></text>", 0), ("<text>a <tspan> b</tspan></text>", 0),
        ("<text xml:space='preserve'>a<tspan> b</tspan></text>", 0), ("<text>a\nb</text>", 1),
        ("<text>a\n  b</text>", 0), ("<text>a</text><text><tspan> b</tspan></text>", 0),
    ])
    func spacesThatAreLost(content: String, count: Int) { #expect(markup(content).lostSpaces == count) }

    @Test(arguments: [
        ("<text x='1 2'>ab</text>", 1), ("<text x='1'>ab</text>", 0), ("<text rotate='30'>ab</text>", 1),
        ("<text dx='0,0'>ab</text>", 0), ("<rect x='1 2'/>", 0),
    ])
    func listsOfPlaces(content: String, count: Int) { #expect(markup(content).lists == count) }

    @Test(arguments: [
        ("<clipPath clip-path='url(#a)'/>", 1), ("<clipPath><path style='clip-path: url(#a)'/></clipPath>", 1),
        ("<clipPath/><path clip-path='url(#a)'/>", 0),
    ])
    func clipsThatAreClipped(content: String, count: Int) { #expect(markup(content).clippedClips == count) }

    @Test(arguments: [
        (".a { .b { x: y } }", 1), ("@media all { .b { x: y } }", 0), (".a { x: y } .b { x: y }", 0),
    ])
    func rulesWithinRules(sheet: String, count: Int) {
        #expect(markup("<style>\(sheet)</style>").nestedRules == count)
    }

    @Test(arguments: [(1, 0), (6, 1)]) func turnedPictures(orientation: Int, count: Int) throws {
        let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
        let bytes = try ImageFile.bytes(path: Path("/\(folder)/Fixtures/turned-\(orientation).jpg"))
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count / 3 * 3, by: 3) {
            let bits = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            for shift in [18, 12, 6, 0] { text.append(digits[bits >> shift & 63]) }
        }
        let image = "<image href='data:image/jpeg;base64,\(String(decoding: text, as: UTF8.self))'/>"
        #expect(markup(image).turnedPictures == count)
    }

    /// Tags that end nowhere, and quotes without an end.
    @Test(arguments: ["<", "<a", "<a b", "<a b=", "<a b='", "<!--", "<![CDATA[", "</", "<a/", "<text>a<tspan", "<?"])
    func brokenDocumentsEnd(content: String) { #expect(SVGMarkup(Array(content.utf8)).bytes.count < 20) }
}
