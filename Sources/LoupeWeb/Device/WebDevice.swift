import LoupeBase
import LoupePlan
import LoupeShaders

/// Records the commands of passes for WebGL2; the page's script carries them out.
package final class WebDevice: DrawingDevice {
    package typealias Texture = WebTexture
    package typealias Target = WebTarget
    package typealias Program = WebProgram
    package typealias Failure = WebError

    /// What has been recorded.
    package var stream = CommandStream()
    private let features: Features
    private var numbers: [Int] = []
    private var nextNumber = 1

    /// The features that WebGL2 leaves open, as the page's script found them.
    package struct Features: Sendable {
        /// The largest side of a texture and of a viewport, in pixels.
        package var largestSide: Int
        /// Whether `EXT_color_buffer_float` is there.
        package var hasFloats: Bool
        /// Whether `EXT_color_buffer_half_float` is there.
        package var hasHalfFloats: Bool
        /// Whether `EXT_float_blend` is there.
        package var blendsFloats: Bool

        /// Everything that the page's script found.
        package init(largestSide: Int, hasFloats: Bool, hasHalfFloats: Bool, blendsFloats: Bool) {
            (self.largestSide, self.hasFloats) = (largestSide, hasFloats)
            (self.hasHalfFloats, self.blendsFloats) = (hasHalfFloats, blendsFloats)
        }
    }

    /// A device that can do this.
    package init(_ features: Features) { self.features = features }

    /// What passes depend on. WebGL2 has no extension with which a fragment shader reads the pixel that it draws over.
    var traits: DeviceTraits {
        DeviceTraits(readsBelow: false, largestTexture: features.largestSide)
    }

    // MARK: - Objects

    /// A number for a new object. Those of deleted objects are used again, so that the script's tables do not grow.
    fileprivate func takeNumber() -> Int {
        if let number = numbers.popLast() { return number }
        defer { nextNumber += 1 }
        return nextNumber
    }

    fileprivate func delete(_ command: Command, _ number: Int) {
        stream.append(command, number)
        numbers.append(number)
    }

    /// A texture with the pixels of one of the page's pictures.
    func makeTexture(ofPicture index: Int, _ size: ImageSize) throws(WebError) -> WebTexture {
        let texture = try WebTexture(self, .rgba8, width: size.width, height: size.height)
        stream.append(.uploadPicture, texture.number, index)
        return texture
    }

    /// A texture of straight RGBA.
    func makeTexture(_ block: PixelRect, _ bytes: [UInt8]) throws(WebError) -> WebTexture {
        let texture = try WebTexture(self, .rgba8, width: block.width, height: block.height)
        stream.append(.uploadTexture, texture.number, 0, 0, block.width, block.height)
        stream.append(bytes)
        return texture
    }

    package func makeTexture(_ numbers: FloatTexture) throws(WebError) -> WebTexture {
        let format: WebTexture.Format = if case .floats = numbers.texels { .r32F } else { .rgba32F }
        let texture = try WebTexture(self, format, width: numbers.width, height: numbers.height)
        stream.append(.uploadTexture, texture.number, 0, 0, numbers.width, numbers.height)
        switch numbers.texels {
        case .floats(let floats): stream.append(floats)
        case .vectors(let vectors): stream.append(vectors)
        }
        return texture
    }

    package func makeTarget(_ format: TargetFormat, width: Int, height: Int) throws(WebError) -> WebTarget {
        let halves: WebTexture.Format = features.hasFloats || features.hasHalfFloats ? .rgba16F : .rgba8
        let format: WebTexture.Format =
            switch format {
            case .bytes: .rgba8
            case .halves: halves
            case .floats: features.hasFloats && features.blendsFloats ? .rgba32F : halves
            case .integers: .rgba16UI
            case .floatBits: .rgba32UI
            }
        return WebTarget(try WebTexture(self, format, width: width, height: height))
    }

    package func texture(of target: WebTarget) -> WebTexture { target.texture }

    package func makeProgram(_ program: ShaderProgram) -> WebProgram { WebProgram(self, program) }

    // MARK: - Commands

    package func draw(_ call: DrawCall<WebDevice>) {
        let (target, inputs) = (call.target, call.pass.inputs.values)
        stream.append(.draw, target.number, call.program.number, call.pass.blend.rawValue, inputs.count + 1)
        var textures = call.textures.makeIterator()
        append(.targetSize, 1, 2)
        for side in [target.width, target.height] { stream.append(Float(side)) }
        for (uniform, value) in inputs {
            switch value {
            case .integers(let v, let count):
                append(uniform, 0, count)
                for index in 0..<count { stream.append(v[index]) }
            case .floats(let v, let count):
                append(uniform, 1, count)
                for index in 0..<count { stream.append(v[index]) }
            case .vectors(let vectors):
                append(uniform, 2, 3 * vectors.count)
                for v in vectors { for index in 0..<3 { stream.append(v[index]) } }
            case .texture:
                append(uniform, 3, 1)
                stream.append(textures.next()?.number ?? 0)
            }
        }
        stream.append(call.mesh)
    }

    /// The places of uniforms in the list of names that every program gets.
    private static let places = Dictionary(uniqueKeysWithValues: zip(Uniform.allCases, 0...))

    private func append(_ uniform: Uniform, _ kind: Int, _ count: Int) {
        guard let place = Self.places[uniform] else { preconditionFailure("every uniform has a place") }
        for value in [place, kind, count] { stream.append(value) }
    }

    package func copy(_ block: PixelRect, of source: WebTarget, dx: Int, dy: Int, to target: WebTarget) {
        if block.isEmpty { return }
        stream.append(
            .copyBlock, source.number, target.number, block.minX, block.minY, block.width, block.height, dx, dy)
    }

    package func copyTexels(
        _ blocks: [PixelRect], of texture: WebTexture, dx: Int, dy: Int, to target: WebTarget
    ) -> Bool {
        let texels = PixelRect(minX: -dx, minY: -dy, maxX: texture.width - dx, maxY: texture.height - dy)
        guard texture.format == target.texture.format, blocks.allSatisfy({ texels.intersection($0) == $0 }) else {
            return false
        }
        let image = WebTarget(texture)
        for block in blocks { copy(block, of: image, dx: dx, dy: dy, to: target) }
        return true
    }

    package func upload(_ blocks: [PixelRect], of image: PixelsInMemory, dx: Int, dy: Int, to target: WebTarget) {
        for block in blocks {
            for row in block.minY..<block.maxY {
                stream.append(.uploadTexture, target.texture.number, block.minX, row, block.width, 1)
                let start = ((row + dy) * image.width + block.minX + dx) * 4
                stream.append(Array(image.bytes[start..<start + block.width * 4]))
            }
        }
    }

    /// Shows a target on the page.
    func present(_ target: WebTarget) { stream.append(.present, target.number) }
}

/// The reason why a frame can't be recorded. What WebGL2 itself refuses, the script finds.
package enum WebError: Error, Equatable {
    /// A texture's sides are over the device's limit, in texels.
    case tooLarge(width: Int, height: Int, limit: Int)
}

/// A texture of WebGL2; deleted with its last owner.
package final class WebTexture {
    /// The type of its texels; the script's table of formats has the same order.
    enum Format: Int {
        case rgba8, rgba16F, rgba16UI, rgba32UI, r32F, rgba32F
    }

    let format: Format
    /// In texels.
    let width: Int
    /// In texels.
    let height: Int
    fileprivate let number: Int
    fileprivate let device: WebDevice

    /// A texture whose texels are undefined; sides in texels.
    init(_ device: WebDevice, _ format: Format, width: Int, height: Int) throws(WebError) {
        let limit = device.traits.largestTexture
        guard width <= limit, height <= limit else { throw .tooLarge(width: width, height: height, limit: limit) }
        (self.device, self.format, self.width, self.height) = (device, format, width, height)
        number = device.takeNumber()
        device.stream.append(.makeTexture, number, format.rawValue, width, height)
    }

    deinit { device.delete(.deleteTexture, number) }
}

/// A texture that WebGL2 draws into or copies from; deleted with its last owner.
package final class WebTarget: DrawingTarget {
    let texture: WebTexture
    fileprivate let number: Int

    init(_ texture: WebTexture) {
        self.texture = texture
        number = texture.device.takeNumber()
        texture.device.stream.append(.makeTarget, number, texture.number)
    }

    deinit { texture.device.delete(.deleteTarget, number) }

    /// In pixels.
    package var width: Int { texture.width }
    /// In pixels.
    package var height: Int { texture.height }
}

/// A program of WebGL2; deleted with its last owner.
package final class WebProgram {
    fileprivate let number: Int
    private let device: WebDevice

    fileprivate init(_ device: WebDevice, _ program: ShaderProgram) {
        self.device = device
        number = device.takeNumber()
        device.stream.append(.makeProgram, number)
        let (vertex, fragment) = (ShaderSource.mesh(), ShaderSource(program))
        let names = Uniform.allCases.map { $0.rawValue }.joined(separator: " ")
        for text in [fragment.name, vertex.text, fragment.text, names] { device.stream.append(text) }
    }

    deinit { device.delete(.deleteProgram, number) }
}
