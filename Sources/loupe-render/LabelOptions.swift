import ArgumentParser
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// The flags about text in figures: letters, zoom factors and scale bars.
struct LabelOptions: ParsableArguments {
    @Option(.letters) var letters: FigureText.Letters?
    @Flag(.zoomLabel) var zoomLabel = false
    @Option(.pixelSize) var pixelSize: PixelSize?
    @Option(.barCorner) var barCorner: BarCorner?
    @Option(.labelFont) var labelFont: FontFamily?
    @Option(.labelSize) var labelSize: Double?
    @Option(.labelColor) var labelColor: Color?

    /// Whether the style chooses the colours.
    var isColored: Bool { labelColor == nil }

    /// What the flags say, but for the size of pixels.
    func look() throws -> FigureText {
        var text = FigureText()
        (text.letters, text.showsZoom) = (letters, zoomLabel)
        (text.barCorner, text.color) = (barCorner?.position, labelColor)
        text.size = try labelSize.map { try PictureOption.labelSize.checked($0) }
        if let labelFont { text.family = labelFont.name }
        return text
    }

    /// The scene with the text that the flags ask for.
    /// - Parameters:
    ///   - marks: of single loupes, by their index.
    ///   - page: the image of the first layer.
    ///   - name: of the page, for messages.
    ///   - hasTitles: whether titles are added later, in the same font.
    func added(
        to scene: Scene, marks: [Int: String], page: ImageFile, name: String, hasTitles: Bool
    ) throws -> Scene {
        if given.isEmpty, marks.isEmpty { return scene }
        for flag in [letters.map { _ in "--letters" }, zoomLabel ? "--zoom-label" : nil].compactMap(\.self)
        where scene.loupes.isEmpty {
            throw Failure(.usage, "\(flag): there is no loupe to mark; add one with --at, --callout or --loupe")
        }
        if barCorner != nil, pixelSize == nil {
            throw Failure(
                .usage, "--bar-corner: there is no scale bar; say how large a pixel is with --pixel-size LENGTH")
        }
        if letters == nil, marks.isEmpty, !zoomLabel, pixelSize == nil, !hasTitles, let flag = given.first {
            throw Failure(.usage, "\(flag): there is no text; add some with --letters, --zoom-label or --pixel-size")
        }
        return try text(on: scene, marks: marks, page: page, name: name).added(to: scene)
    }

    /// What the flags say, with the size of pixels on a scene's canvas. The parameters are those of ``added``.
    func text(on scene: Scene, marks: [Int: String], page: ImageFile, name: String) throws -> FigureText {
        var text = try look()
        text.marks = marks
        text.pixelSize = try pixelSize.map { size in
            var length = try size.length(of: page, name: name)
            // The length that a canvas pixel shows; the page may have been scaled to fit the canvas.
            length.value *= Double(page.size.width) / scene.layers[0].rect.width
            return length
        }
        return text
    }
}

extension FigureText.Letters: ExpressibleByArgument {}

/// How large a pixel is: a length, or what the picture's file says.
enum PixelSize: ExpressibleByArgument {
    case auto
    case length(PhysicalLength)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let length = PhysicalLength(text: argument) {
            self = .length(length)
        } else {
            return nil
        }
    }

    fileprivate func length(of page: ImageFile, name: String) throws -> PhysicalLength {
        switch self {
        case .length(let length): return length
        case .auto:
            guard let density = try page.density() else {
                throw Failure(
                    .usage,
                    "--pixel-size auto: \(name.quotable) does not say how large its pixels are; give a length, such as --pixel-size 0.65um"
                )
            }
            return PhysicalLength(1000 / Double(density.x), .mm)
        }
    }
}

/// A font's family.
struct FontFamily: ExpressibleByArgument {
    let name: String

    init?(argument: String) {
        let name = Arguments.readable(argument)
        guard LoupeScene.TextStyle.isFamily(name) else { return nil }
        self.name = name
    }
}

/// A corner in words.
enum BarCorner: String, ExpressibleByArgument, CaseIterable {
    case auto
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomRight = "bottom-right"
    case bottomLeft = "bottom-left"

    /// Nil for auto.
    var position: CornerPosition? {
        switch self {
        case .auto: nil
        case .topLeft: .topLeft
        case .topRight: .topRight
        case .bottomRight: .bottomRight
        case .bottomLeft: .bottomLeft
        }
    }
}
