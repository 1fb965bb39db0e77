import ArgumentParser
import LoupePipeline
import LoupeSystem

// Which files a command names, by the types of its options: an option of a new path is checked without another line.

extension ParsableArguments {
    /// Every file that the arguments name, but those of some properties.
    /// - Parameter others: properties that do not name a file as they are, such as a pattern of names.
    func fileUses(without others: Set<String> = []) -> FileUses {
        var uses = FileUses()
        visit { property, value, isOption in
            if !others.contains(property) {
                uses.declare(value, as: isOption ? "--\(property.asOption)" : "the \(property)")
            }
        }
        return uses
    }
}

extension FileUses {
    /// Declares the paths in the value of an option. Only values of these types have any.
    ///
    /// Casts to types, unlike those to a protocol, have the runtime search no table of all conformances: for each type of
    /// option, that took a percent of a short run's time.
    fileprivate mutating func declare(_ value: Any, as role: String) {
        switch value {
        case let input as InputPath: read(input.path, as: role)
        case let output as OutputPath: write(output.path, as: role)
        case let inputs as [InputPath]: for input in inputs { read(input.path, as: role) }
        case let outputs as [OutputPath]: for output in outputs { write(output.path, as: role) }
        default: break
        }
    }

    /// Declares the images that a scene shows.
    mutating func readImages(of file: SceneFile) {
        for path in file.scene.imagePaths { read(file.images.location(of: path), as: "the scene's image") }
    }
}
