import LoupeBase
import LoupeImaging
import LoupeMotion
import LoupeRenderer
import LoupeScene

/// Frames of a session as pictures that explain themselves: a caption, the outline of a device around each frame, and the
/// touches by their roles, also beside the screen.
///
/// librsvg draws what is around the frame. The same session gives the same pixels with the same fonts.
struct DeviceStage {
    private let session: Session
    private let showsTouches: Bool
    private let layout: StageLayout
    private let background: Image
    /// What lies over the frame: the corners of the screen.
    private let bezel: Image?
    private var last: (overlay: String, image: Image?) = ("", nil)

    /// Draws what stays the same.
    /// - Parameters:
    ///   - settings: what is shown; their scale is a whole number, and the frames are drawn at it already.
    ///   - canvas: the size of the frames, in pixels, before the scale.
    ///   - times: of the frames, in seconds.
    /// - Throws: `ImageError` where librsvg is missing or can't draw.
    init(_ session: Session, _ settings: ReplayJob.Settings, canvas: ImageSize, times: some Sequence<Double>)
        throws(ImageError)
    {
        (self.session, showsTouches) = (session, settings.showsTouches)
        let caption = settings.caption ?? ""
        layout = StageLayout(
            canvas: canvas, caption: caption, hasDevice: settings.showsDevice, scale: Int(settings.scale))
        // The legend stands below a device.
        var roles: [TouchRole] = []
        if showsTouches, settings.showsDevice, case .loupe = session.model {
            let seen = times.reduce(into: Set<TouchRole>()) { $0.formUnion(session.touches(at: $1).map(\.role)) }
            roles = TouchRole.allCases.filter(seen.contains)
        }
        background = try layout.draw(layout.background(caption: caption, roles: roles))
        bezel = settings.showsDevice ? try layout.draw(layout.bezel) : nil
    }

    /// The size of the pictures, in pixels; both sides are even.
    var size: ImageSize {
        ImageSize(width: layout.size.width * layout.scale, height: layout.size.height * layout.scale)
    }

    /// The picture of a frame.
    /// - Parameter time: the time of the frame, in seconds.
    mutating func picture(of frame: Image, at time: Double) throws(ImageError) -> Image {
        var picture = background
        picture.sourceOver(frame, x: layout.screenX * layout.scale, y: layout.screenY * layout.scale)
        if let bezel { picture.sourceOver(bezel, x: 0, y: 0) }
        let overlay = showsTouches ? layout.overlay(session.touches(at: time)) : ""
        if overlay != last.overlay { last = (overlay, overlay.isEmpty ? nil : try layout.draw(overlay)) }
        if let image = last.image { picture.sourceOver(image, x: 0, y: 0) }
        return picture
    }
}

/// The layout of a stage, and the drawings on it. Lengths are before the scale.
private struct StageLayout {
    private let canvas: ImageSize
    /// Of a whole picture; both sides are even.
    let size: ImageSize
    /// How many times as large everything is drawn.
    let scale: Int
    /// The upper left corner of the frame, in pixels.
    let screenX: Int
    let screenY: Int
    private let hasDevice: Bool

    private static let bezelWidth = 12
    private static let screenRadius = 22.0
    /// The room beside the device, where touches that leave the screen are visible.
    private static let side = 64
    private static let captionHeight = 56
    /// Above a device, over whose top a touch may leave.
    private static let captionHeightOverDevice = 84
    private static let legendHeight = 44
    private static let touchRadius = 20.0

    init(canvas: ImageSize, caption: String, hasDevice: Bool, scale: Int) {
        (self.canvas, self.hasDevice, self.scale) = (canvas, hasDevice, scale)
        let around = hasDevice ? Self.bezelWidth : 0
        let (side, edge) = hasDevice ? (Self.side, 24) : (0, 0)
        let top = caption.isEmpty ? edge : hasDevice ? Self.captionHeightOverDevice : Self.captionHeight
        (screenX, screenY) = (side + around, top + around)
        let width = canvas.width + 2 * screenX
        let height = canvas.height + top + (hasDevice ? Self.legendHeight : 0) + 2 * around
        size = ImageSize(width: width + width % 2, height: height + height % 2)
    }

    private var screen: Rect {
        Rect(x: Double(screenX), y: Double(screenY), width: Double(canvas.width), height: Double(canvas.height))
    }

    private var device: Rect { screen.inset(by: -Double(Self.bezelWidth)) }

    /// Draws elements on a transparent picture of the stage's size.
    func draw(_ elements: String) throws(ImageError) -> Image {
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
            font-family="DejaVu Sans, Verdana, sans-serif">\(elements)</svg>
            """
        return try VectorDocument(Array(svg.utf8), name: "the device").draw(scaledBy: scale).flattened
    }

    // MARK: - What stays the same

    func background(caption: String, roles: [TouchRole]) -> String {
        var text = "<rect width=\"\(size.width)\" height=\"\(size.height)\" fill=\"#eceef1\"/>"
        if hasDevice {
            text += Self.rounded(device.offset(by: Vector(dx: 0, dy: 3)).inset(by: -1), 35, "fill=\"#c3c7ce\"")
            text += Self.rounded(device, 34, "fill=\"#14161a\" stroke=\"#3a3f47\" stroke-width=\"1.5\"")
        }
        return text + line(caption) + legend(roles)
    }

    /// The caption, in letters so large that it fits.
    private func line(_ caption: String) -> String {
        guard !caption.isEmpty else { return "" }
        let room = Double(size.width) - 24
        let fontSize = min(17, 17 * room / SVG.width(of: caption, size: 17, isBold: true))
        return SVG.text(
            caption, Double(size.width) / 2, 34, size: fontSize, color: "#22262b", isBold: true, anchor: .middle)
    }

    private func legend(_ roles: [TouchRole]) -> String {
        let widths = roles.map { 22 + SVG.width(of: $0.words, size: 12) + 14 }
        var x = (Double(size.width) - widths.reduce(0, +) + 14) / 2
        let y = Double(size.height) - 18
        var text = ""
        for (role, width) in zip(roles, widths) {
            text += mark(role, at: Point(x: x + 7, y: y), radius: 6)
            text += SVG.text(role.words, x + 20, y + 4, size: 12, color: "#4a5058")
            x += width
        }
        return text
    }

    /// The device's colour around the rounded corners of the screen.
    var bezel: String {
        let outer = screen.inset(by: -0.5)
        let (x, y, w, h, r) = (screen.x, screen.y, screen.width, screen.height, Self.screenRadius)
        let hole =
            "M\(x + r) \(y)h\(w - 2 * r)a\(r) \(r) 0 0 1 \(r) \(r)v\(h - 2 * r)a\(r) \(r) 0 0 1 \(-r) \(r)h\(2 * r - w)"
            + "a\(r) \(r) 0 0 1 \(-r) \(-r)v\(2 * r - h)a\(r) \(r) 0 0 1 \(r) \(-r)z"
        let edge = "M\(outer.x) \(outer.y)h\(outer.width)v\(outer.height)h\(-outer.width)z"
        return "<path fill=\"#14161a\" fill-rule=\"evenodd\" d=\"\(edge)\(hole)\"/>"
    }

    private static func rounded(_ rect: Rect, _ radius: Double, _ style: String) -> String {
        "<rect x=\"\(rect.x)\" y=\"\(rect.y)\" width=\"\(rect.width)\" height=\"\(rect.height)\" rx=\"\(radius)\" \(style)/>"
    }

    // MARK: - What changes

    func overlay(_ touches: [ShownTouch]) -> String {
        let offset = Vector(dx: screen.x, dy: screen.y)
        return touches.map { mark($0.role, at: $0.position + offset, radius: Self.touchRadius) }.joined()
    }

    /// A touch: a disc, or a dotted ring for a ghost.
    private func mark(_ role: TouchRole, at center: Point, radius: Double) -> String {
        let circle = "<circle cx=\"\(center.x)\" cy=\"\(center.y)\""
        let gap = radius / 3.2
        guard role == .ghost else {
            return "\(circle) r=\"\(radius)\" fill=\"\(role.color)\" fill-opacity=\"0.72\"/>"
                + "\(circle) r=\"\(radius)\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"\(radius / 8)\"/>"
                + "\(circle) r=\"\(radius * 1.07)\" fill=\"none\" stroke=\"#000000\" stroke-opacity=\"0.35\"/>"
        }
        let dots = "stroke-linecap=\"round\" stroke-dasharray=\"0.1 \(gap)\""
        return "\(circle) r=\"\(radius)\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"\(radius / 3.4)\" \(dots)/>"
            + "\(circle) r=\"\(radius)\" fill=\"none\" stroke=\"\(role.color)\" stroke-width=\"\(radius / 5)\" \(dots)/>"
    }
}

extension TouchRole {
    /// For the legend.
    fileprivate var words: String { self == .ghost ? "left the screen" : rawValue }
}
