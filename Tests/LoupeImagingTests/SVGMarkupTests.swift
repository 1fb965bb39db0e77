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

    @Test(arguments: [
        (#"<rect width="-1" height="5"/>"#, 1), (#"<rect width="1e2" height="5em"/>"#, 0),
        (#"<rect width="5 px"/>"#, 1), (#"<foreignObject width="auto"/>"#, 0), (#"<div width="auto"/>"#, 0),
        (#"<rect sodipodi:width="zork"/>"#, 0), (#"<rect width="&w;"/>"#, 0),
        (#"<svg viewBox="0 0 0 9"/>"#, 1), (#"<svg viewBox="0,0 4 9 "/>"#, 0),
        (#"<image preserveAspectRatio="xminymin"/>"#, 1), (#"<image preserveAspectRatio="xMinYMax slice"/>"#, 0),
        (#"<g transform="rotate(20"/>"#, 1), (#"<g transform="matrix(1 0-.5 1,0 0)translate(-5.5.5)"/>"#, 0),
        (#"<g transform="turn(20)"/>"#, 1), (#"<g transform="rotate(10deg)"/>"#, 0),
        (#"<path d="M0 0,L9 9"/>"#, 1), (#"<path d="M0,0L9 9"/>"#, 0),
        (#"<stop offset="zork"/>"#, 1), (#"<stop offset="40%"/>"#, 0),
        (#"<pattern patternUnits="zork"/>"#, 1), (#"<marker orient=".25turn"/>"#, 1), (#"<marker orient="45deg"/>"#, 0),
        (#"<rect fill="CanvasText"/>"#, 1), (#"<rect fill="tomato" stroke="url(#a)"/>"#, 0),
    ])
    func valuesThatSVGDoesNotAllow(content: String, count: Int) {
        #expect((markup(content).wrongValues?.count ?? 0) == count)
    }

    @Test(arguments: [
        (#"<feGaussianBlur stdDeviation="-5"/>"#, 1), (#"<feGaussianBlur stdDeviation="5 5"/>"#, 0),
        (#"<feColorMatrix values="1 0 0"/>"#, 1), (#"<feColorMatrix values="1"/>"#, 0),
        (#"<feBlend mode="zork"/>"#, 1), (#"<feOffset dx="5mm"/>"#, 1), (#"<feOffset dx="5" x="5mm"/>"#, 0),
        (#"<feFlood result="a"/><feBlend in="a" in2="SourceAlpha"/>"#, 0), (#"<feBlend in="A"/>"#, 1),
    ])
    func valuesOfFiltersThatSVGDoesNotAllow(content: String, count: Int) {
        #expect((markup(content).wrongValues?.count ?? 0) == count)
    }

    @Test func firstWrongValueIsSaid() {
        let found = markup("<g><rect width='-1'/><rect height='-2'/></g>").wrongValues
        #expect(found?.example == #"width="-1" in <rect>"#)
    }

    @Test(arguments: [
        ("<linearGradient x1='.5' x2='.5'/>", 1), ("<linearGradient x2='0'/>", 1), ("<linearGradient/>", 0),
        ("<linearGradient x1='1' x2='1' y2='9'/>", 0), ("<radialGradient r='0'/>", 1), ("<radialGradient r='1'/>", 0),
    ])
    func gradientsWithoutLength(content: String, count: Int) { #expect(markup(content).pointGradients == count) }

    @Test(arguments: [
        ("<path d='M0 0H9M0 9H9' marker-mid='url(#m)'/>", 1), ("<path d='M0 0H9' marker-mid='url(#m)'/>", 0),
        ("<path d='M0 0H9M0 9H9' style='fill:url(#a);marker:none'/>", 0),
    ])
    func markersOfSeveralLines(content: String, count: Int) { #expect(markup(content).markedLines == count) }

    @Test(arguments: [
        ("<symbol id='s' width='9'/><use href='#s'/>", 1), ("<symbol id='s' width='9'/><use href='#t'/>", 0),
        ("<symbol id='s' width='9'/><use href='#s' width='1' height='1'/>", 0), ("<symbol id='s'/><use href='#s'/>", 0),
    ])
    func usesOfSizesOfSymbols(content: String, count: Int) { #expect(markup(content).usesOfSizes == count) }

    @Test(arguments: [
        ("<g clip-path='url(#c)'><path style='mix-blend-mode:multiply'/></g>", 1),
        ("<g><path style='mix-blend-mode:multiply'/></g>", 0),
    ])
    func blendsInClips(content: String, count: Int) { #expect(markup(content).blendsInClips == count) }

    @Test(arguments: [
        (
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAC0lEQVR42mNg+A8AAQIBANEay48AAAAASUVORK5CYII=",
            0
        ),
        ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAC0lEQVR42mNg", 1),
        ("data:image/tiff;base64,SUkqAAgAAAAKAAABBAABAAAAKAAAAAAAAAAA", 1), ("data:image/svg+xml;base64,PHN2Zy8+", 0),
    ])
    func brokenPictures(address: String, count: Int) {
        #expect(markup("<image href='\(address)'/>").brokenPictures == count)
    }

    @Test(arguments: [
        ("<g transform='rotate(9)'><path filter='url(#f)'/></g>", 1), ("<path filter='url(#f)'/>", 0),
        ("<g transform='scale(9)'><path filter='url(#f)'/></g>", 0),
    ])
    func filtersOfTurnedElements(content: String, count: Int) { #expect(markup(content).turnedFilters == count) }

    /// Tags that end nowhere, and quotes without an end.
    @Test(arguments: ["<", "<a", "<a b", "<a b=", "<a b='", "<!--", "<![CDATA[", "</", "<a/", "<text>a<tspan", "<?"])
    func brokenDocumentsEnd(content: String) { #expect(SVGMarkup(Array(content.utf8)).bytes.count < 20) }
}
