import ArgumentParser
import LoupeFiles
import LoupePipeline

// Which files a command names, by the types of its options: an option of a new path is checked without another line.

/// The value of an option, from which the paths are declared.
private protocol PathValue {
    func declare(as role: String, in uses: inout FileUses)
}

extension InputPath: PathValue {
    fileprivate func declare(as role: String, in uses: inout FileUses) { uses.read(path, as: role) }
}

extension OutputPath: PathValue {
    fileprivate func declare(as role: String, in uses: inout FileUses) { uses.write(path, as: role) }
}

extension Optional: PathValue where Wrapped: PathValue {
    fileprivate func declare(as role: String, in uses: inout FileUses) { self?.declare(as: role, in: &uses) }
}

extension Array: PathValue where Element: PathValue {
    fileprivate func declare(as role: String, in uses: inout FileUses) {
        for value in self { value.declare(as: role, in: &uses) }
    }
}

/// The property wrappers of options and arguments.
private protocol PathWrapper {
    /// Declares the paths of a property of this name.
    func declare(property: String, in uses: inout FileUses)
}

extension Option: PathWrapper {
    fileprivate func declare(property: String, in uses: inout FileUses) {
        (wrappedValue as? any PathValue)?.declare(as: property.asFlag, in: &uses)
    }
}

extension Argument: PathWrapper {
    fileprivate func declare(property: String, in uses: inout FileUses) {
        (wrappedValue as? any PathValue)?.declare(as: "the \(property)", in: &uses)
    }
}

extension OptionGroup: PathWrapper {
    fileprivate func declare(property: String, in uses: inout FileUses) { wrappedValue.declarePaths(in: &uses) }
}

extension ParsableArguments {
    /// Every file that the arguments name, but those of some properties.
    /// - Parameter others: properties that do not name a file as they are, such as a pattern of names.
    func fileUses(without others: Set<String> = []) -> FileUses {
        var uses = FileUses()
        declarePaths(without: others, in: &uses)
        return uses
    }

    fileprivate func declarePaths(without others: Set<String> = [], in uses: inout FileUses) {
        for child in Mirror(reflecting: self).children {
            // A wrapped property `output` is stored as `_output`.
            let name = String(child.label?.dropFirst() ?? "")
            if !others.contains(name) { (child.value as? any PathWrapper)?.declare(property: name, in: &uses) }
        }
    }
}

extension FileUses {
    /// Declares the images that a scene shows.
    mutating func readImages(of file: SceneFile) {
        for path in file.scene.imagePaths { read(file.images.location(of: path), as: "the scene's image") }
    }
}
