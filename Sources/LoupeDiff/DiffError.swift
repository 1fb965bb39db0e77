/// Why two pictures can't be compared.
public enum DiffError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mask does not cover the pictures pixel by pixel.
    case maskSize(width: Int, height: Int, neededWidth: Int, neededHeight: Int)
    /// The regions of a scene do not lie on the pictures.
    case sceneSize(width: Int, height: Int, neededWidth: Int, neededHeight: Int)
    /// There is no memory to compare so many pixels.
    case outOfMemory(width: Int, height: Int)

    public var description: String {
        switch self {
        case .maskSize(let width, let height, let neededWidth, let neededHeight):
            "the mask has \(width)×\(height) pixels, and the pictures have \(neededWidth)×\(neededHeight); make it the same size"
        case .sceneSize(let width, let height, let neededWidth, let neededHeight):
            "the scene's canvas has \(width)×\(height) pixels, and the reference has \(neededWidth)×\(neededHeight); name the scene that the reference shows"
        case .outOfMemory(let width, let height): "there is no memory to compare \(width)×\(height) pixels"
        }
    }
}
