import LoupeBase
import LoupeScene

/// The commands that a device has to know to draw passes. OpenGL ES carries them out at once; a live page records them for
/// WebGL2.
package protocol DrawingDevice: AnyObject {
    /// A texture that is freed with its last owner.
    associatedtype Texture
    /// A texture that can be drawn into, freed with its last owner.
    associatedtype Target: DrawingTarget
    /// A linked program, freed with its last owner.
    associatedtype Program
    /// The error of a command that fails.
    associatedtype Failure: Error

    /// Makes a texture of numbers.
    func makeTexture(_ numbers: FloatTexture) throws(Failure) -> Texture
    /// Makes a target that holds anything; sides in pixels.
    func makeTarget(_ format: TargetFormat, width: Int, height: Int) throws(Failure) -> Target
    /// What a target holds.
    func texture(of target: Target) -> Texture
    /// Compiles a program.
    func makeProgram(_ program: ShaderProgram) throws(Failure) -> Program
    /// Draws a mesh.
    func draw(_ call: DrawCall<Self>) throws(Failure)
    /// Copies a block to the same position, moved by `dx`, `dy`, in a target of the same format.
    func copy(_ block: PixelRect, of source: Target, dx: Int, dy: Int, to target: Target) throws(Failure)
    /// Copies a texture's texels to blocks of a target; the texel of a pixel is its own index plus `dx`, `dy`. Returns false,
    /// and does nothing, where a program has to draw them.
    func copyTexels(
        _ blocks: [PixelRect], of texture: Texture, dx: Int, dy: Int, to target: Target
    ) throws(Failure) -> Bool
    /// Uploads the pixels of an image to blocks of a target of bytes; the texel of a pixel is its own index plus `dx`, `dy`.
    func upload(
        _ blocks: [PixelRect], of image: PixelsInMemory, dx: Int, dy: Int, to target: Target
    ) throws(Failure)
}

/// A texture that can be drawn into.
package protocol DrawingTarget {
    /// In pixels.
    var width: Int { get }
    /// In pixels.
    var height: Int { get }
}

/// An image that is no texture: straight RGBA, row by row.
package struct PixelsInMemory {
    /// Four bytes a pixel.
    package let bytes: [UInt8]
    /// In pixels.
    package let width: Int

    /// The pixels of an image.
    package init(bytes: [UInt8], width: Int) { (self.bytes, self.width) = (bytes, width) }
}

/// A pass with the objects of a device that it needs.
package struct DrawCall<Device: DrawingDevice> {
    /// What is drawn.
    package let pass: Pass
    /// Its triangles, which are there.
    package let mesh: [SIMD2<Float>]
    /// The program that draws.
    package var program: Device.Program
    /// What is drawn into.
    package let target: Device.Target
    /// The textures of its inputs, in the order of the inputs.
    package let textures: [Device.Texture]
}

/// The textures and images that a frame shows, on a device.
package struct FrameImages<Device: DrawingDevice> {
    /// Images that are a texture as a whole.
    package var whole: [ImagePath: Device.Texture]
    /// What layers show of images that are not.
    package var held: [LayerUse: Device.Texture] = [:]
    /// Images that are not on the device.
    package var inMemory: [LayerUse: PixelsInMemory] = [:]
    /// Scale bars' bands and texts, from bottom to top.
    package var overlays: [Device.Texture] = []

    /// Images that are a texture as a whole, and no others.
    package init(whole: [ImagePath: Device.Texture]) { self.whole = whole }
}

/// Carries out steps on a device. Keeps its programs and targets from frame to frame, as page-faulting fresh memory costs more
/// than drawing into it.
package final class PassExecutor<Device: DrawingDevice> {
    /// What draws.
    package let device: Device
    private var programs: [ShaderProgram: Device.Program] = [:]
    private var targets: [TargetName: (target: Device.Target, format: TargetFormat)] = [:]

    /// An executor without any program or target yet.
    package init(_ device: Device) { self.device = device }

    /// A target that a step has begun; nil where none has.
    package func target(_ name: TargetName) -> Device.Target? { targets[name]?.target }

    /// Carries out steps, one after the other.
    package func run(_ steps: [DrawStep], _ images: FrameImages<Device>) throws(Device.Failure) {
        var tables: [ObjectIdentifier: Device.Texture] = [:]
        for step in steps {
            switch step {
            case .begin(let name, let format, let width, let height):
                _ = try begin(name, format, width: width, height: height)
            case .draw(let pass):
                try draw(pass, images, &tables)
            case .copy(let block, let source, let target):
                try device.copy(
                    block.moved(from: target), of: begun(source.name), dx: target.x - source.x,
                    dy: target.y - source.y, to: begun(target.name))
            case .upload(let use, let blocks, let dx, let dy, let target):
                guard let image = images.inMemory[use] else { preconditionFailure("an image is there or in memory") }
                try device.upload(
                    blocks.map { $0.moved(from: target) }, of: image, dx: dx + target.x,
                    dy: dy + target.y, to: begun(target.name))
            }
        }
    }

    /// A target, new or from before: at least as large as asked for, and exactly as large where rows of it will be read. It
    /// holds whatever was drawn last.
    package func begin(
        _ name: TargetName, _ format: TargetFormat, width: Int, height: Int
    ) throws(Device.Failure) -> Device.Target {
        let (width, height) = name.size(width, height)
        if let old = targets[name], old.format == format, name.fits(old.target, width, height) { return old.target }
        targets[name] = nil
        let target = try device.makeTarget(format, width: width, height: height)
        targets[name] = (target, format)
        return target
    }

    private func begun(_ name: TargetName) -> Device.Target {
        guard let target = targets[name]?.target else { preconditionFailure("a target is begun before it is used") }
        return target
    }

    private func draw(
        _ pass: Pass, _ images: FrameImages<Device>, _ tables: inout [ObjectIdentifier: Device.Texture]
    ) throws(Device.Failure) {
        let target = begun(pass.target.name)
        if let (use, dx, dy) = pass.texels {
            let blocks = pass.blocks.map { $0.moved(from: pass.target) }
            let isCopied = try device.copyTexels(
                blocks, of: image(use, images), dx: dx + pass.target.x, dy: dy + pass.target.y, to: target)
            if isCopied { return }
        }
        let mesh = pass.mesh(width: target.width, height: target.height)
        if mesh.isEmpty { return }
        var textures: [Device.Texture] = []
        for (_, value) in pass.inputs.values {
            guard case .texture(let name) = value else { continue }
            textures.append(try texture(name, images, &tables))
        }
        try device.draw(
            DrawCall(
                pass: pass, mesh: mesh, program: try program(pass.program), target: target, textures: textures))
    }

    private func program(_ name: ShaderProgram) throws(Device.Failure) -> Device.Program {
        if let program = programs[name] { return program }
        let program = try device.makeProgram(name)
        programs[name] = program
        return program
    }

    private func texture(
        _ name: TextureName, _ images: FrameImages<Device>, _ tables: inout [ObjectIdentifier: Device.Texture]
    ) throws(Device.Failure) -> Device.Texture {
        switch name {
        case .image(let use): return image(use, images)
        case .overlay(let index): return images.overlays[index]
        case .target(let name): return device.texture(of: begun(name))
        case .table(let table):
            if let known = tables[ObjectIdentifier(table)] { return known }
            let texture = try device.makeTexture(table)
            tables[ObjectIdentifier(table)] = texture
            return texture
        }
    }

    private func image(_ use: LayerUse, _ images: FrameImages<Device>) -> Device.Texture {
        guard let texture = images.held[use] ?? images.whole[use.image] else {
            preconditionFailure("every image is looked for before anything is drawn")
        }
        return texture
    }
}

extension TargetName {
    /// The sides of a new target.
    fileprivate func size(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        switch self {
        // A little larger, so that blocks that differ by a few pixels share one.
        case .frameBlock, .finishedBlock: ((width + 127) & ~127, (height + 127) & ~127)
        default: (width, height)
        }
    }

    fileprivate func fits(_ target: some DrawingTarget, _ width: Int, _ height: Int) -> Bool {
        switch self {
        case .canvas, .wideCanvas, .base: target.width == width && target.height == height
        // The first frame needs a target of the whole canvas; later frames must not keep it.
        case .frameBlock, .finishedBlock:
            target.width >= width && target.height >= height && target.width * target.height <= 4 * width * height
        case .loupeBlock, .below, .beforeLoupe, .otherHalf, .filteredRows:
            target.width >= width && target.height >= height
        }
    }
}

extension PixelRect {
    /// The same block, counted from another pixel.
    fileprivate func moved(from target: CanvasTarget) -> PixelRect {
        PixelRect(minX: minX - target.x, minY: minY - target.y, maxX: maxX - target.x, maxY: maxY - target.y)
    }
}
