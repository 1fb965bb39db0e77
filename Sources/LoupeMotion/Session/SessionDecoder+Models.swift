import LoupeBase
import LoupeScene

/// The models that are driven by a trace: tilt, scroll, panorama, transition and loupe.
extension SessionDecoder {
    /// `{"model": "tilt", "canvas": …, "photo": "pano.png", "trace": …, "options": {"gain": 5, "ease": 0.3,
    /// "rate": 60}}`
    func tilt(_ session: inout JSONReader, _ trace: Trace) throws(SceneDecodingError) -> TiltModel {
        let canvas = try self.canvas(&session)
        let photo = try session.required("photo")
        var options = try session.optionalObject("options")
        try session.finish()
        var decoded = TiltOptions()
        try options.read("gain", -1000...1000, into: &decoded.gain)
        try options.read("ease", 0...60, into: &decoded.easeDuration)
        var rate = RotationResampling.standardRate
        try options.read("rate", 10...1000, into: &rate)
        try options.finish()
        let (path, width, height) = try self.photo(photo)
        return TiltModel(
            canvas: canvas, photo: path, width: width, height: height,
            trace: RotationResampling.resampled(trace, to: rate), options: decoded)
    }

    /// `{"model": "scroll", "canvas": …, "photo": "page.png", …}`, or `scene` in place of `canvas` and `photo`; then
    /// `"content": [width, height]`, by default up to the right and the bottom end of the layers.
    func scroll(_ session: inout JSONReader, _ trace: Trace) throws(SceneDecodingError) -> ScrollModel {
        let sceneValue = try session.optional("scene")
        let scene = if let sceneValue { try self.scene(sceneValue) } else { try imageScene("photo", &session) }
        let content = try session.optional("content")
        let options = try session.optionalObject("options")
        try session.finish()
        let size = try content.map(Self.size)
        let decoded = try Self.scrollOptions(options, of: scene)
        let (width, height) = (Double(scene.canvas.width), Double(scene.canvas.height))
        let own = decoded.moved.map { (width: width + $0.reach(0), height: height + $0.reach(1)) }
        return ScrollModel(
            scene: scene, contentWidth: (size ?? own)?.width ?? scene.layers.map { $0.bounds.maxX }.max() ?? 0,
            contentHeight: (size ?? own)?.height ?? scene.layers.map { $0.bounds.maxY }.max() ?? 0, trace: trace,
            options: decoded)
    }

    /// The canvas with the image that a key names, unscaled at (0, 0).
    private func imageScene(_ key: String, _ session: inout JSONReader) throws(SceneDecodingError) -> Scene {
        let canvas = try self.canvas(&session)
        let (path, width, height) = try photo(try session.required(key))
        let rect = Rect(x: 0, y: 0, width: width, height: height)
        return Scene(canvas: canvas, layers: [Layer(content: .image(path: path), rect: rect)])
    }

    private static func scrollOptions(_ value: JSONReader, of scene: Scene) throws(DocumentError) -> ScrollOptions {
        var options = value
        var decoded = ScrollOptions(feel: try options.optional("feel")?.choice(of: ScrollOptions.Feel.self) ?? .pop)
        try options.read("ends", into: &decoded.ends)
        if let property = try options.optional("property") {
            decoded.moved = try Self.moved(property, of: scene, &decoded)
        }
        if var moved = decoded.moved {
            try Self.limit(&moved, &options)
            decoded.moved = moved
            decoded.offset = Vector(dx: moved.offset(0), dy: moved.ranges.count > 1 ? moved.offset(1) : 0)
        }
        for key in ["perPoint", "range", "toValue", "spring"] where decoded.moved == nil {
            guard let other = try options.optional(key) else { continue }
            throw other.error("only a property of the scene has it, such as \"property\": \"loupes[0].radius\"")
        }
        try options.read("deceleration", 0.5...0.9999, into: &decoded.deceleration)
        decoded.offset = try options.optional("offset")?.vector() ?? decoded.offset
        try options.finish()
        return decoded
    }

    /// `bounds`, `custom`, or the path of a property of the scene, such as `loupes[0].center` or `loupes[0].radius`.
    private static func moved(
        _ value: JSONReader, of scene: Scene, _ options: inout ScrollOptions
    ) throws(DocumentError) -> MovedProperty? {
        let name = try value.string(needed: "bounds, custom or a path")
        if let known = ScrollOptions.Property(rawValue: name) {
            options.property = known
            return nil
        }
        guard let property = SceneProperty(path: name), let values = property.values(in: scene) else {
            throw value.error(
                "\(value.value.excerpt) is not allowed; allowed are bounds, custom and a property of the scene that keyframes can move, such as loupes[0].center"
            )
        }
        options.property = .custom
        let sides = [Double(scene.canvas.width), Double(scene.canvas.height)]
        let (own, isLength) = property.limits
        // A position reaches all of the canvas, another number all that the scene allows, and a canvas at most; and where it starts.
        let ranges = zip(zip(own, values), sides).map { number, side -> ClosedRange<Double> in
            let least = number.0 == JSONReader.coordinateRange && property.isPosition ? 0 : -side
            let range = number.0.clamped(to: least...side)
            return min(range.lowerBound, number.1)...max(range.upperBound, number.1)
        }
        return MovedProperty(property: property, initial: values, ranges: ranges, perPoint: isLength ? 1 : 0.01)
    }

    private static func limit(_ moved: inout MovedProperty, _ options: inout JSONReader) throws(DocumentError) {
        try options.read("perPoint", 1e-6...1e6, into: &moved.perPoint)
        if let range = try options.optional("range") {
            let ends = try range.tuple("least", "greatest")
            let limits = JSONReader.coordinateRange
            let (low, high) = (try ends[0].number(in: limits), try ends[1].number(in: limits))
            guard low < high else { throw range.error("\(low.jsonText) is not below \(high.jsonText)") }
            moved.ranges = moved.ranges.map { _ in low...high }
            if let start = moved.initial.prefix(moved.ranges.count).first(where: { $0 < low || $0 > high }) {
                throw range.error("the scene's value, \(start.jsonText), is not in it")
            }
        }
        if let goal = try options.optional("toValue") {
            let numbers = moved.ranges.count == 1 ? [goal] : try goal.tuple("x", "y")
            var values: [Double] = []
            for (number, range) in zip(numbers, moved.ranges) { values.append(try number.number(in: range)) }
            moved.goal = values
        }
        if let spring = try options.optional("spring") {
            guard moved.goal != nil else { throw spring.error("it leads to a toValue, and there is none") }
            moved.spring = try self.spring(spring)
        }
    }

    private static func size(_ value: JSONReader) throws(DocumentError) -> (width: Double, height: Double) {
        let sides = try value.tuple("width", "height")
        return (
            try sides[0].number(in: JSONReader.sideRange), try sides[1].number(in: JSONReader.sideRange)
        )
    }

    // MARK: - Panorama

    /// `{"model": "panorama", "canvas": …, "title": "my minions", "background": {…}, "items": [{"image": …, "width":
    /// 0}]}`. A title is a text, or as the background an `image` or a `fill` with a `size`, which is the image's own by
    /// default. An item may have a `scene` in place of them, and a `title` of its own.
    func panorama(_ session: inout JSONReader, _ trace: Trace) throws(SceneDecodingError) -> PanoramaModel {
        let canvas = try self.canvas(&session)
        let title = try session.required("title")
        var background = try session.optional("background")
        let itemsValue = try session.required("items")
        var options = try session.optionalObject("options")
        try session.finish()
        var decoded = PanoramaOptions()
        try options.read("titleRate", into: &decoded.titleRate)
        try options.read("zeroStop", 0...1, into: &decoded.zeroStop)
        try options.finish()
        if let animate = try background?.optional("animate") { decoded.animatesBackground = try animate.bool() }
        var items: [PanoramaModel.Item] = []
        for item in try itemsValue.array() { items.append(try self.item(item)) }
        guard !items.isEmpty else { throw itemsValue.error("it is empty; at least one item is needed") }
        return PanoramaModel(
            canvas: canvas, title: try self.title(title), background: try background.map(picture), items: items,
            trace: trace, options: decoded)
    }

    private func item(_ value: JSONReader) throws(SceneDecodingError) -> PanoramaModel.Item {
        var item = value
        let sceneValue = try item.optional("scene")
        let content = sceneValue == nil ? try self.content(&item) : nil
        let width = try item.optional("width")?.number(in: 0...JSONReader.sideRange.upperBound)
        let title = try item.optional("title")
        try item.finish()
        let titlePicture = try title.map(self.title)
        if let content { return PanoramaModel.Item(.content(content), width: width ?? 0, title: titlePicture) }
        let scene = try self.scene(sceneValue ?? value)
        guard case .color = scene.canvas.background, scene.loupes.isEmpty else {
            throw (sceneValue ?? value).error(
                "the scene has a loupe or a gradient; that of an item has layers and a plain background only")
        }
        return PanoramaModel.Item(.scene(scene), width: width ?? Double(scene.canvas.width), title: titlePicture)
    }

    private func title(_ value: JSONReader) throws(SceneDecodingError) -> PanoramaModel.Picture {
        guard value.isText else { return try picture(value) }
        let title = try text(value)
        return PanoramaModel.Picture(title.label, width: title.width)
    }

    /// A text with its width.
    func text(_ value: JSONReader) throws(SceneDecodingError) -> (label: Label, width: Double) {
        let title = try sceneDecoder(in: "").title(value)
        if let width = title.width { return (title.label, width) }
        guard let textWidth else { throw value.error("its width is not known here; give it a width, in canvas pixels") }
        return (title.label, try textWidth(title.label))
    }

    private func picture(_ value: JSONReader) throws(SceneDecodingError) -> PanoramaModel.Picture {
        var picture = value
        let content = try self.content(&picture)
        let size = try picture.optional("size").map(Self.size)
        try picture.finish()
        if let size { return PanoramaModel.Picture(content: content, width: size.width, height: size.height) }
        guard case .image(let path) = content else {
            throw value.error(at: "size", "missing; a fill needs [width, height]")
        }
        let own = try imageSize(path)
        return PanoramaModel.Picture(content: content, width: Double(own.width), height: Double(own.height))
    }

    private func content(_ value: inout JSONReader) throws(SceneDecodingError) -> Layer.Content {
        let image = try value.optional("image")
        let fill = try value.optional("fill")
        switch (image, fill) {
        case (let image?, nil): return .image(path: try path(image, needed: "the path of a picture"))
        case (nil, let fill?): return .fill(try fill.color())
        case (nil, nil): throw value.error("it has neither image nor fill; one of them is needed")
        case (_?, _?): throw value.error("it has both image and fill; only one of them is allowed")
        }
    }

    // MARK: - Transition

    /// `{"model": "transition", "canvas": …, "photo": …, "thumbnail": {"rect": […], "corner": {…}}, …}`, or `scene`,
    /// which is drawn under the picture, in place of `canvas`; `thumbnails`, each with its `photo`, in place of both.
    func transition(_ session: inout JSONReader, _ trace: Trace) throws(SceneDecodingError) -> TransitionModel {
        let sceneValue = try session.optional("scene")
        let base = if let sceneValue { try scene(sceneValue) } else { Scene(canvas: try canvas(&session)) }
        let several = try session.optional("thumbnails")
        let photo = several == nil ? try session.required("photo") : nil
        let values = if let several { try several.array() } else { [try session.required("thumbnail")] }
        var options = try session.optionalObject("options")
        try session.finish()
        var thumbnails: [TransitionModel.Thumbnail] = []
        for value in values {
            var value = value
            let own = if let photo { photo } else { try value.required("photo") }
            thumbnails.append(try thumbnail(&value, photo: own))
        }
        if let several, thumbnails.isEmpty { throw several.error("it is empty; at least one thumbnail is needed") }
        var decoded = TransitionOptions()
        try options.read("zoomedTap", into: &decoded.zoomedTap)
        decoded.background = try options.optional("background")?.color() ?? decoded.background
        try options.finish()
        return TransitionModel(base: base, thumbnails: thumbnails, trace: trace, options: decoded)
    }

    private func thumbnail(
        _ value: inout JSONReader, photo: JSONReader
    ) throws(SceneDecodingError) -> TransitionModel.Thumbnail {
        let rect = try value.required("rect").rect()
        let corner = try Self.corner(try value.optionalObject("corner"), of: rect)
        try value.finish()
        let (path, width, height) = try self.photo(photo)
        return TransitionModel.Thumbnail(photo: path, width: width, height: height, rect: rect, corner: corner)
    }

    private static func corner(_ value: JSONReader, of rect: Rect) throws(DocumentError) -> Corner {
        var corner = value
        let decoded = Corner(
            radius: try corner.optional("radius")?.number(
                in: 0...(rect.shorterSide / 2), upTo: "half the rect's shorter side") ?? 0,
            exponent: try corner.optional("exponent")?.number(in: Corner.exponentRange) ?? 4)
        try corner.finish()
        return decoded
    }
}

/// The loupe that fingers hold.
extension SessionDecoder {
    /// `{"model": "loupe", "canvas": …, "page": "page.png", "trace": …, "options": {"released": "stays", …}}`, or
    /// `scene` in place of `canvas` and `page`; a loupe in the scene is the look of the loupe that a pinch opens. `tray`
    /// has the regions in which the other hand chooses a tool.
    func loupe(_ session: inout JSONReader, _ trace: Trace) throws(SceneDecodingError) -> LoupeModel {
        let sceneValue = try session.optional("scene")
        var base = if let sceneValue { try scene(sceneValue) } else { try pageScene(&session) }
        let tray = try session.optional("tray")
        var options = try session.optionalObject("options")
        try session.finish()
        var decoded = LoupeModelOptions()
        for region in try tray?.array() ?? [] { decoded.tray.append(try Self.trayRegion(region)) }
        if let look = base.loupes.first {
            guard base.loupes.count == 1 else {
                throw (sceneValue ?? session).error(
                    "the scene has \(base.loupes.count) loupes; at most one is allowed, as the look of the loupe that a pinch opens"
                )
            }
            decoded.look = look
            base.loupes = []
        }
        try Self.decode(&options, into: &decoded, layers: base.layers.count)
        return LoupeModel(base: base, trace: trace, options: decoded)
    }

    /// The canvas with the image of `page`, scaled to fit and centred.
    private func pageScene(_ session: inout JSONReader) throws(SceneDecodingError) -> Scene {
        var scene = try imageScene("page", &session)
        let (page, canvas) = (scene.layers[0].rect, scene.canvas)
        let scale = min(Double(canvas.width) / page.width, Double(canvas.height) / page.height)
        let (width, height) = (page.width * scale, page.height * scale)
        scene.layers[0].rect = Rect(
            x: (Double(canvas.width) - width) / 2, y: (Double(canvas.height) - height) / 2, width: width,
            height: height)
        return scene
    }

    /// `{"rect": [8, 40, 40, 40], "pen": {"color": "#c0261c", "width": 6}}`, or `"eraser": {"width": 24}`.
    private static func trayRegion(_ value: JSONReader) throws(DocumentError) -> TrayRegion {
        var region = value
        let rect = try region.required("rect").rect()
        let (pen, eraser) = (try region.optional("pen"), try region.optional("eraser"))
        try region.finish()
        let range = LoupeModelOptions.penWidthRange
        switch (pen, eraser) {
        case (var pen?, nil):
            let width = try pen.optional("width")?.number(in: range)
            let color = try pen.optional("color")?.color()
            try pen.finish()
            return TrayRegion(rect: rect, choice: .pen(width: width, color: color))
        case (nil, var eraser?):
            let width = try eraser.required("width").number(in: range)
            try eraser.finish()
            return TrayRegion(rect: rect, choice: .eraser(width: width))
        case (nil, nil): throw value.error("it has neither pen nor eraser; one of them is needed")
        case (_?, _?): throw value.error("it has both pen and eraser; only one of them is allowed")
        }
    }

    private static func decode(
        _ options: inout JSONReader, into decoded: inout LoupeModelOptions, layers: Int
    ) throws(DocumentError) {
        try options.read("pinchSpan", 1...1000, into: &decoded.thresholds.pinchSpan)
        try options.read("panTravel", 1...1000, into: &decoded.thresholds.panTravel)
        try options.read("rewindTurning", 1...360, into: &decoded.thresholds.rewindTurning)
        try options.read("rewindRadius", 1...1000, into: &decoded.thresholds.rewindRadius)
        try options.read("rewindStep", 1...360, into: &decoded.thresholds.rewindStep)
        try options.read("lead", 1...100, into: &decoded.thresholds.lead)
        try options.read("decisionTime", 0...10, into: &decoded.thresholds.decisionTime)
        try options.read("edgeBand", 1...1000, into: &decoded.thresholds.edgeBand)
        try options.read("greatestZoom", 1...Loupe.zoomRange.upperBound, into: &decoded.thresholds.greatestZoom)
        try options.read("ghostLife", 0...10, into: &decoded.thresholds.ghostLife)
        try options.read("released", into: &decoded.released)
        try options.read("radius", Loupe.radiusRange, into: &decoded.look.radius)
        try options.read("penWidth", LoupeModelOptions.penWidthRange, into: &decoded.penWidth)
        decoded.penColor = try options.optional("penColor")?.color() ?? decoded.penColor
        let layer = try options.optional("layer")
        try options.finish()
        guard layers > 0 else { throw options.error(at: "layer", "the scene has no layer; one is needed to draw on") }
        decoded.page = try layer?.integer(in: 0...(layers - 1)) ?? decoded.page
    }
}

extension JSONReader {
    /// Whether it is a text, or an object with one.
    var isText: Bool { if case .string = value { true } else { has("text") } }
}

/// Options that keep their defaults where their keys are missing.
extension JSONReader {
    fileprivate mutating func read(
        _ key: String, _ range: ClosedRange<Double>, into number: inout Double
    ) throws(DocumentError) {
        if let value = try optional(key) { number = try value.number(in: range) }
    }

    fileprivate mutating func read<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, into choice: inout Choice
    ) throws(DocumentError) {
        if let value = try optional(key) { choice = try value.choice(of: Choice.self) }
    }
}
