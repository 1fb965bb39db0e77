import LoupeBase
import Testing

@testable import LoupeScene

/// Each way in which a scene can be wrong, and the sentence that says so. All properties of a kind are read by the same code,
/// and the schema says their ranges, so one of each kind is tried.
@Suite struct DocumentErrorTests {
    private struct MissingImage: Error, Equatable {
        let path: String
    }

    private let decoder = SceneDecoder { path in
        switch path {
        case "page.png": ImageSize(width: 100, height: 80)
        case "wide.png": ImageSize(width: 20000, height: 80)
        case "endless.png": ImageSize(width: 2_000_000, height: 80)
        default: throw MissingImage(path: path.description)
        }
    }

    @Test(arguments: [
        ("[]", "the document: it is an array; an object is needed"),
        ("{\"canvas\": ", "line 1, column 12: the text ends where a value is needed"),
        (
            #"{"layer": []}"#,
            "layer: unknown key; allowed are verify, canvas, blending, layers, loupes, pixelSize, scaleBars, labels, alt"
        ),
        (
            #"{"canvas": {"width": 9, "height": 9}, "a key\n": 0}"#,
            #"["a key\n"]: unknown key; allowed are verify, canvas, blending, layers, loupes, pixelSize, scaleBars, labels, alt"#
        ),
        (#"{"canvas": null}"#, "canvas: it is null; an object is needed"),
        (#"{"blending": 2.2}"#, "blending: 2.2 is a number; one of srgb, linear is needed"),
        (#"{"layers": {}}"#, "layers: it is an object; an array is needed"),
    ])
    func documents(text: String, expected: String) {
        #expect(decoder.sentence(text) == expected)
    }

    @Test(arguments: [
        (#""width": "wide""#, #"canvas.width: "wide" is a string; a whole number from 1 to 16384 is needed"#),
        (#""height": 1e300"#, "canvas.height: 1e+300 is out of range; allowed is 1…16384"),
        (#""width": 10.5"#, "canvas.width: 10.5 is not whole; a whole number from 1 to 16384 is needed"),
        (
            #""background": "reddish""#,
            ##"canvas.background: "reddish" is not a colour; a colour as #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS name is needed"##
        ),
    ])
    func canvases(members: String, expected: String) {
        #expect(decoder.sentence(#"{"canvas": {\#(members)}, "layers": [{"image": "page.png"}]}"#) == expected)
    }

    @Test(arguments: [
        (#"{"layers": []}"#, "canvas.width: missing; it is needed where the first layer is not an image"),
        (
            #"{"layers": [{"image": "wide.png"}]}"#,
            "canvas.width: missing, and the first layer's image has 20000 for it; allowed is 1…16384"
        ),
    ])
    func canvasesWithoutASize(text: String, expected: String) {
        #expect(decoder.sentence(text) == expected)
    }

    @Test(arguments: [
        ("", "layers[1]: it has none of image, fill and strokes; one of them is needed"),
        (
            ##""image": "page.png", "fill": "#fff""##,
            "layers[1]: it has both image and fill; only one of them is allowed"
        ),
        (#""image": """#, #"layers[1].image: "" is not the path of a file; the path of a picture is needed"#),
        (
            #""image": "a\u0000b""#,
            #"layers[1].image: "a\u0000b" is not the path of a file; the path of a picture is needed"#
        ),
        (##""fill": "#fff""##, "layers[1].rect: missing; without an image [x, y, width, height] is needed"),
        (
            #""image": "endless.png""#,
            "layers[1].rect: missing, and the image has 2000000×80 for it; allowed is 0.001…1000000"
        ),
        (
            ##""fill": "#ｆｆｆ", "rect": [0, 0, 9, 9]"##,
            ##"layers[1].fill: "#ｆｆｆ" is not a colour; a colour as #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS name is needed"##
        ),
    ])
    func layerContents(members: String, expected: String) {
        #expect(decoder.sentence(#"{"layers": [{"image": "page.png"}, {\#(members)}]}"#) == expected)
    }

    @Test(arguments: [
        (#""rect": [1, 2, 3]"#, "layers[0].rect: its length is 3; an array [x, y, width, height] is needed"),
        (#""rect": [0, "0", 9, 9]"#, #"layers[0].rect[1]: "0" is a string; a number in -1000000…1000000 is needed"#),
        (
            #""corner": {"radius": 41}"#,
            "layers[0].corner.radius: 41 is out of range; allowed is 0…40, half the rect's shorter side of 80"
        ),
        (
            #""crop": [0, 0, 9, 20], "corner": {"radius": 5}"#,
            "layers[0].corner.radius: 5 is out of range; allowed is 0…4.5, half the crop's shorter side of 9"
        ),
    ])
    func layers(members: String, expected: String) {
        #expect(decoder.sentence(#"{"layers": [{"image": "page.png", \#(members)}]}"#) == expected)
    }

    @Test(arguments: [
        (
            #"{"points": [], "width": 3}"#,
            "layers[0].strokes[1].points: it is empty; at least one point [x, y] is needed"
        ),
        (
            #"{"points": [[1, 2], [3, 2e6]], "width": 3}"#,
            "layers[0].strokes[1].points[1][1]: 2000000 is out of range; allowed is -1000000…1000000"
        ),
    ])
    func strokes(stroke: String, expected: String) {
        let sound = #"{"points": [[1, 2]], "width": 3}"#
        #expect(
            decoder.sentence(#"{"layers": [{"image": "page.png", "strokes": [\#(sound), \#(stroke)]}]}"#) == expected)
    }

    @Test func strokesAloneNeedARect() {
        #expect(
            decoder.sentence(#"{"layers": [{"strokes": []}]}"#)
                == "layers[0].rect: missing; without an image [x, y, width, height] is needed")
        #expect(
            decoder.sentence(#"{"layers": [{"image": "page.png", "strokes": {}}]}"#)
                == "layers[0].strokes: it is an object; an array is needed")
    }

    @Test(arguments: [
        ("{}", "loupes[0].center: missing; the object is empty"),
        (
            #"{"centre": [1, 2], "radius": 5, "zoom": 2}"#,
            #"loupes[0].center: missing; the object has "centre", "radius", "zoom""#
        ),
    ])
    func loupes(loupe: String, expected: String) {
        #expect(decoder.sentence(#"{"layers": [{"image": "page.png"}], "loupes": [\#(loupe)]}"#) == expected)
    }

    @Test(arguments: [
        (
            #""rim": {"width": 51}"#,
            "loupes[0].rim.width: 51 is out of range; allowed is 0…50, the loupe's radius"
        ),
        (
            #""callout": {"connector": {"style": "cone", "width": 2}}"#,
            "loupes[0].callout.connector.width: a cone has no width; leave it out"
        ),
        (#""shadow": {"offset": 3}"#, "loupes[0].shadow.offset: 3 is a number; an array [dx, dy] is needed"),
    ])
    func loupeExtras(members: String, expected: String) {
        let loupe = #"{"center": [1, 2], "radius": 50, "zoom": 2, \#(members)}"#
        #expect(decoder.sentence(#"{"layers": [{"image": "page.png"}], "loupes": [\#(loupe)]}"#) == expected)
    }

    @Test func longValuesAreQuotedInPart() {
        let long = String(repeating: "z", count: 40)
        for (value, quoted) in [("gamma", "gamma"), (long + long, long + "…")] {
            let sentence = decoder.sentence(#"{"blending": "\#(value)"}"#)
            #expect(sentence == #"blending: "\#(quoted)" is not allowed; allowed are srgb, linear"#)
        }
    }

    @Test func theImagesOwnErrorPassesThrough() {
        #expect(throws: MissingImage(path: "gone.png")) {
            try decoder.decode(Array(#"{"layers": [{"image": "gone.png"}]}"#.utf8))
        }
    }

    @Test func aCallerMayReadKeysOfItsOwnBesideTheScenes() throws {
        let text = #"{"layers": [{"image": "page.png"}], "note": {"tolerance": 2}}"#
        var reader = try JSONReader(parsing: Array(text.utf8))
        var note = try reader.required("note")
        #expect(try note.required("tolerance").integer(in: 0...255) == 2)
        try note.finish()
        #expect(try decoder.scene(from: &reader).layers.count == 1)
        #expect(
            decoder.sentence(text)
                == "note: unknown key; allowed are verify, canvas, blending, layers, loupes, pixelSize, scaleBars, labels, alt"
        )
    }

    @Test func booleansAreReadAndNothingElseIsOne() throws {
        #expect(try JSONReader(.bool(true)).bool())
        let reader = JSONReader(.number(1), path: .index(3, in: .key("marks", in: .document)))
        #expect(throws: DocumentError(at: .key(path: "marks[3]"), "1 is a number; true or false is needed")) {
            try reader.bool()
        }
    }
}
