import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeSystem

/// The parts of an image that the views of one scene show, where the image never becomes a texture as a whole: it is too
/// large, and its rows are taken one band after another, or it can be copied to the canvas without a device.
///
/// Where a view copies or mixes texels, those are cut out. Where it filters them by tables, both passes are done here, bit
/// for bit as the shaders do them. So the picture is the same as with the whole image.
package final class ImageStream {
    /// The path under which layers name the image.
    package let path: ImagePath
    /// The image's size in pixels.
    package let size: ImageSize
    /// Whether every pixel so far was opaque.
    package private(set) var isOpaque = true

    private var excerpts: [LayerUse: Excerpt] = [:]
    private var filters: [LayerUse: StreamedFilter] = [:]
    /// The image as the base view, where that needs no device.
    private(set) var base: HeldBase?

    /// A stream of an image whose rows have yet to be taken.
    /// - Parameters:
    ///   - path: the path under which layers name the image.
    ///   - size: the image's size in pixels.
    ///   - plan: the scene's plan; whether it takes the image for opaque does not matter.
    package init(_ path: ImagePath, size: ImageSize, for plan: DrawPlan) {
        self.path = path
        self.size = size
        forEachUse(in: plan) { use, layer in keep(layer, as: use, isLinear: plan.isLinear) }
    }

    /// A stream of an image in memory whose texels are the base view unchanged, so that no device has to draw it.
    ///
    /// Nil where the base view is anything else, or where there is no memory for what the loupes show.
    /// - Parameters:
    ///   - path: the path under which layers name the image.
    ///   - image: becomes the picture, so nothing else should hold it.
    ///   - plan: the plan that will be drawn, once.
    ///   - filtersOnDevice: whether the device filters what loupes show by tables, which is best where it has hardware. A
    ///     software device takes three times as long as the CPU takes here.
    package init?(
        _ path: ImagePath, moving image: Image, for plan: DrawPlan, filtersOnDevice: Bool = false
    ) {
        guard image.pixels16 == nil, plan.precision == .bytes else { return nil }
        self.path = path
        size = image.size
        var others: [(use: LayerUse, layer: LayerPlan)] = []
        forEachUse(in: plan) { use, layer in
            if use.view == 0, base == nil, let held = HeldBase(layer, as: use, of: size, in: plan.views[0]) {
                base = held
            } else {
                others.append((use, layer))
            }
        }
        // Nothing is kept before it is certain to be used.
        let bytes = others.map { 4 * (texels(of: $0.layer)?.pixelCount ?? 0) + 8 * $0.layer.shadedBlock.pixelCount }
        guard base != nil, Memory.hasRoom(for: bytes.reduce(0, +)) else { return nil }
        for (use, layer) in others {
            if filtersOnDevice {
                excerpts[use] = texels(of: layer).map(Excerpt.init)
            } else {
                keep(layer, as: use, isLinear: plan.isLinear)
            }
        }
        image.pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { pixels in
                for excerpt in excerpts.values { excerpt.take(pixels, width: size.width, rows: 0..<size.height) }
                for filter in filters.values { filter.take(pixels, width: size.width, rows: 0..<size.height) }
            }
        }
        base?.image = image
    }

    private func forEachUse(in plan: DrawPlan, _ body: (LayerUse, LayerPlan) -> Void) {
        for view in plan.viewsAndHalves {
            for layer in view.layers where layer.isVisible && layer.imagePath == path {
                if let use = LayerUse(layer, in: view) { body(use, layer) }
            }
        }
    }

    private func keep(_ layer: LayerPlan, as use: LayerUse, isLinear: Bool) {
        if case .separable(let columns, let rows) = layer.sampling {
            filters[use] = StreamedFilter(columns: columns, rows: rows, block: layer.shadedBlock, isLinear: isLinear)
        } else {
            excerpts[use] = texels(of: layer).map(Excerpt.init)
        }
    }

    /// The texels that a layer shows; nil where it shows none.
    private func texels(of layer: LayerPlan) -> PixelRect? {
        let block = layer.shadedBlock
        return switch layer.sampling {
        case .fill, .drawn: nil
        case .separable(let columns, let rows): texels(columns: columns.texels, rows: rows.texels)
        case .copy(let dx, let dy):
            texels(columns: block.minX + dx..<block.maxX + dx, rows: block.minY + dy..<block.maxY + dy)
        case .linear(let columns, let rows):
            texels(
                columns: columns.linearTexels(of: block.minX..<block.maxX),
                rows: rows.linearTexels(of: block.minY..<block.maxY))
        }
    }

    /// These texels clamped to the image.
    private func texels(columns: Range<Int>, rows: Range<Int>) -> PixelRect {
        let (columns, rows) = (columns.within(size.width), rows.within(size.height))
        return PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
    }

    /// Takes the next rows.
    /// - Parameter band: whole rows of straight 8-bit RGBA, aligned to four bytes.
    package func take(_ band: UnsafeRawBufferPointer, rows: Range<Int>) {
        precondition(band.count == rows.count * size.width * 4)
        band.withMemoryRebound(to: UInt32.self) { pixels in
            isOpaque = isOpaque && pixels.allOpaque
            for excerpt in excerpts.values { excerpt.take(pixels, width: size.width, rows: rows) }
            for filter in filters.values { filter.take(pixels, width: size.width, rows: rows) }
        }
    }

    /// What a plan needs to know of the image, as far as its rows have been taken.
    package var traits: ImageTraits { ImageTraits(size: size, isOpaque: isOpaque) }
}

extension ImageStream {
    /// Puts what the streams hold on the device.
    /// - Returns: which texels that is, by the layers that show them.
    static func hold(
        _ streams: [ImageStream], in images: inout FrameImages<GLDevice>, _ context: Context
    ) throws(GLError) -> [LayerUse: HeldTexels] {
        var held: [LayerUse: HeldTexels] = [:]
        for stream in streams {
            if let base = stream.base, let image = base.image {
                images.inMemory[base.use] = PixelsInMemory(bytes: image.pixels, width: image.width)
                held[base.use] = .inMemory
            }
            for (use, excerpt) in stream.excerpts {
                images.held[use] = try Texture(context, .rgba8, excerpt.block, excerpt.pixels)
                held[use] = .block(excerpt.block)
            }
            for (use, filter) in stream.filters {
                images.held[use] = try Texture(context, .rgba16UI, filter.block, filter.pixels)
                held[use] = .filtered(filter.block)
            }
        }
        return held
    }
}

extension AxisMapping {
    /// Every texel that linear filtering may fetch, and one more on each side, since the shader's positions are 32-bit floats.
    fileprivate func linearTexels(of pixels: Range<Int>) -> Range<Int> {
        (linearStart(pixel: pixels.lowerBound).texel - 1)..<(linearStart(pixel: pixels.upperBound - 1).texel + 3)
    }
}

extension Range<Int> {
    /// Those below `count` and not below 0; the nearest one where there is none.
    fileprivate func within(_ count: Int) -> Range<Int> {
        let low = Swift.min(Swift.max(lowerBound, 0), count - 1)
        return low..<Swift.max(low + 1, Swift.min(upperBound, count))
    }
}

/// A block of an image's texels, cut out as its rows arrive.
final class Excerpt {
    /// In texels of the image.
    let block: PixelRect
    private(set) var pixels: [UInt32] = []

    /// - Parameter block: at least one texel, all within the image.
    init(_ block: PixelRect) {
        self.block = block
        pixels.reserveCapacity(block.pixelCount)
    }

    /// Takes some of the image's rows, in order.
    func take(_ band: UnsafeBufferPointer<UInt32>, width: Int, rows: Range<Int>) {
        for row in rows.clamped(to: block.minY..<block.maxY) {
            let start = (row - rows.lowerBound) * width
            pixels += band[(start + block.minX)..<(start + block.maxX)]
        }
    }
}
