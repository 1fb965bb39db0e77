import CGLES

/// Objects that have a name: made, deleted and counted in one place.
extension Context {
    /// A new object's name.
    /// - Parameter generate: `glGenTextures` or another function like it.
    func make(_ kind: ObjectKind, _ generate: (GLsizei, UnsafeMutablePointer<GLuint>?) -> Void) -> GLuint {
        var name: GLuint = 0
        generate(1, &name)
        objects.made(kind)
        return name
    }

    /// - Parameter remove: `glDeleteTextures` or another function like it.
    func delete(_ kind: ObjectKind, _ name: GLuint, _ remove: (GLsizei, UnsafePointer<GLuint>?) -> Void) {
        var name = name
        if makeCurrentForDeletion() { remove(1, &name) }
        objects.deleted(kind)
    }
}
