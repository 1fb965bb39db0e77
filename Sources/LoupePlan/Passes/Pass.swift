import LoupeBase
import LoupeScene

/// A step of a drawing. A device carries steps out in their order and decides nothing.
package enum DrawStep: Sendable {
    /// Makes a target that holds at least a block of pixels. What it holds is undefined.
    case begin(TargetName, TargetFormat, width: Int, height: Int)
    /// Draws triangles.
    case draw(Pass)
    /// Copies a block of the canvas from one target to another of the same format.
    case copy(PixelRect, from: CanvasTarget, to: CanvasTarget)
    /// Uploads texels of an image in memory to their pixels in some blocks. The texel of a pixel is its own index plus
    /// `dx`, `dy`.
    case upload(LayerUse, [PixelRect], dx: Int, dy: Int, to: CanvasTarget)
}

/// A draw call: triangles, the program that draws them, and everything that the program reads.
package struct Pass: Sendable {
    /// The program that draws.
    package let program: ShaderProgram
    /// What is drawn onto.
    package let target: CanvasTarget
    /// How fragments are combined with what the target holds.
    package let blend: BlendMode
    /// The values of all uniforms but the target's size.
    package let inputs: ShaderInputs
    /// Set where each pixel is the texel of this image at its own index plus `dx`, `dy` and nothing else, so that a device
    /// may copy the texels instead, wherever the image has them all.
    package let texels: (use: LayerUse, dx: Int, dy: Int)?
    /// The blocks whose pixels are drawn, no two of which overlap.
    package let blocks: [PixelRect]

    init(
        _ program: ShaderProgram, in blocks: [PixelRect], onto target: CanvasTarget, blend: BlendMode,
        texels: (use: LayerUse, dx: Int, dy: Int)? = nil, _ inputs: ShaderInputs
    ) {
        (self.program, self.blocks) = (program, blocks)
        (self.target, self.blend, self.texels, self.inputs) = (target, blend, texels, inputs)
    }

    /// Three corners a triangle, in pixels of a target of this size; empty where nothing is drawn. Nothing lies outside of the
    /// target: a driver that clips a triangle gives it new edges, which are rounded.
    package func mesh(width: Int, height: Int) -> [SIMD2<Float>] {
        blocks.flatMap { block -> [SIMD2<Float>] in
            let part = PixelRect(
                minX: max(block.minX - target.x, 0), minY: max(block.minY - target.y, 0),
                maxX: min(block.maxX - target.x, width), maxY: min(block.maxY - target.y, height))
            if part.isEmpty { return [] }
            let (left, top) = (Float(part.minX), Float(part.minY))
            let (right, bottom) = (Float(part.maxX), Float(part.maxY))
            let (first, last) = (SIMD2(left, top), SIMD2(right, bottom))
            return [first, SIMD2(right, top), last, first, last, SIMD2(left, bottom)]
        }
    }
}

/// The rule that combines a fragment with the pixel that it is drawn over. Both are premultiplied.
package enum BlendMode: Int, Hashable, Sendable {
    /// The fragment replaces the pixel.
    case replace
    /// Source over destination.
    case over
    /// Only removes: destination times (1 − source alpha).
    case erase
    /// The sum.
    case add
}

/// The purpose of a target. A device keeps one target for each purpose, from frame to frame.
package enum TargetName: Hashable, Sendable {
    /// The canvas that is read back.
    case canvas
    /// The canvas with more than 8 bits a channel.
    case wideCanvas
    /// The base view, kept from frame to frame of a sequence.
    case base
    /// The block of a sequence's frame that is drawn anew.
    case frameBlock
    /// The same as it is read back, where the canvas has more than 8 bits a channel.
    case finishedBlock
    /// The block of the loupes, where it has more bits than the canvas.
    case loupeBlock
    /// What the canvas held under the border of the loupe that is being drawn.
    case below
    /// What the canvas held before the translucent loupe that is being drawn.
    case beforeLoupe
    /// The other half of the loupe that is being drawn.
    case otherHalf
    /// The result of the first pass of a separable filter.
    case filteredRows
}

/// The type of a target's pixels.
package enum TargetFormat: Hashable, Sendable {
    /// Four bytes.
    case bytes
    /// The format that a device blends with more than 8 bits a channel: half floats, or bytes where it has none.
    case halves
    /// The finest format that a device blends: floats, half floats or bytes.
    case floats
    /// Four unsigned 16-bit integers.
    case integers
    /// Four unsigned 32-bit integers, the bits of floats.
    case floatBits

    init(_ precision: CanvasPrecision) {
        switch precision {
        case .bytes: self = .bytes
        case .halves: self = .halves
        case .floats: self = .floats
        }
    }
}

/// A target that shows a block of the canvas.
package struct CanvasTarget: Hashable, Sendable {
    /// The target.
    package let name: TargetName
    /// The type of its pixels.
    package let format: TargetFormat
    /// The canvas pixel that the target's pixel (0, 0) shows.
    package let x: Int
    /// The canvas pixel that the target's pixel (0, 0) shows.
    package let y: Int

    /// A target whose first pixel is that of a block of the canvas.
    package init(_ name: TargetName, _ format: TargetFormat, x: Int = 0, y: Int = 0) {
        (self.name, self.format, self.x, self.y) = (name, format, x, y)
    }
}

/// The properties of a device that passes depend on, and that only the device knows.
package struct DeviceTraits: Hashable, Sendable {
    /// Whether a fragment shader can read the pixel that it draws over.
    package let readsBelow: Bool
    /// The largest side of a texture, in texels.
    package let largestTexture: Int

    /// A device's answers.
    package init(readsBelow: Bool, largestTexture: Int) {
        (self.readsBelow, self.largestTexture) = (readsBelow, largestTexture)
    }
}

/// A texture that a pass reads.
package enum TextureName: Sendable {
    /// What a layer of a view shows of its image.
    case image(LayerUse)
    /// A scale bar's band or a text, by its index among the frame's overlays.
    case overlay(Int)
    /// What a target holds.
    case target(TargetName)
    /// Numbers.
    case table(FloatTexture)
}

/// A texture of numbers. Passes that share one share the object.
package final class FloatTexture: Sendable {
    /// In texels.
    package let width: Int
    /// In texels.
    package let height: Int
    /// Row by row.
    package let texels: Texels

    /// The numbers of each texel.
    package enum Texels: Sendable {
        /// One.
        case floats([Float])
        /// Four.
        case vectors([SIMD4<Float>])
    }

    init(width: Int, height: Int, _ texels: Texels) {
        (self.width, self.height, self.texels) = (width, height, texels)
    }

    /// How many entries of a table lie in a row, as `tableEntry` of the shaders has it.
    static let tableWidth = 2048

    /// A table for `tableEntry` of the shaders.
    convenience init(table values: [Float]) {
        let height = Self.rows(values.count)
        self.init(width: Self.tableWidth, height: height, .floats(Self.padded(values, with: 0, to: height)))
    }

    /// A table of vectors.
    convenience init(table values: [SIMD4<Float>]) {
        let height = Self.rows(values.count)
        self.init(width: Self.tableWidth, height: height, .vectors(Self.padded(values, with: .zero, to: height)))
    }

    private static func rows(_ count: Int) -> Int { max(1, (count + tableWidth - 1) / tableWidth) }

    private static func padded<Value>(_ values: [Value], with zero: Value, to height: Int) -> [Value] {
        values + repeatElement(zero, count: tableWidth * height - values.count)
    }
}

/// The values of a pass's uniforms.
package struct ShaderInputs: Sendable {
    /// The value of a uniform.
    package enum Value: Sendable {
        /// The first integers of a pair.
        case integers(SIMD2<Int>, count: Int)
        /// The first floats of four.
        case floats(SIMD4<Float>, count: Int)
        /// The elements of an array.
        case vectors([SIMD3<Float>])
        /// What a sampler reads.
        case texture(TextureName)
    }

    /// In the order in which they were set.
    package private(set) var values: [(uniform: Uniform, value: Value)] = []

    mutating func set(_ uniform: Uniform, integer value: Int) { add(uniform, .integers(SIMD2(value, 0), count: 1)) }
    mutating func set(_ uniform: Uniform, integers x: Int, _ y: Int) { add(uniform, .integers(SIMD2(x, y), count: 2)) }
    mutating func set(_ uniform: Uniform, _ x: Float) { add(uniform, .floats(SIMD4(x, 0, 0, 0), count: 1)) }
    mutating func set(_ uniform: Uniform, _ v: SIMD2<Float>) { add(uniform, .floats(SIMD4(v.x, v.y, 0, 0), count: 2)) }
    mutating func set(_ uniform: Uniform, _ v: SIMD3<Float>) { add(uniform, .floats(SIMD4(v, 0), count: 3)) }
    mutating func set(_ uniform: Uniform, _ v: SIMD4<Float>) { add(uniform, .floats(v, count: 4)) }
    mutating func set(_ uniform: Uniform, _ vectors: [SIMD3<Float>]) { add(uniform, .vectors(vectors)) }
    mutating func set(_ uniform: Uniform, _ texture: TextureName) { add(uniform, .texture(texture)) }
    mutating func set(_ uniform: Uniform, _ table: FloatTexture) { add(uniform, .texture(.table(table))) }

    private mutating func add(_ uniform: Uniform, _ value: Value) { values.append((uniform, value)) }
}

/// A layer in a view.
package struct LayerUse: Hashable, Sendable {
    /// The view's index in `DrawPlan.views`.
    package let view: Int
    /// The layer's index in the scene.
    package let layer: Int
    /// The image that it shows there: the halves of a split loupe show different ones.
    package let image: ImagePath
}

/// The image of a layer, where it is not a texture as a whole.
package enum HeldTexels: Sendable {
    /// The image is in memory: its texels are uploaded where something is drawn over them.
    case inMemory
    /// A block of the image's texels.
    case block(PixelRect)
    /// The pixels of a block, filtered in both directions.
    case filtered(PixelRect)
}
