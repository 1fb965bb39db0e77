/// The kinds of OpenGL ES objects that are made here, by what errors and tests call them.
public enum ObjectKind: String, Hashable, Sendable {
    case texture, framebuffer, buffer, query, shader, program, fence
    case vertexArray = "vertex array"
}
