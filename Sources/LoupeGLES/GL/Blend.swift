import CGLES

/// How what is drawn meets what is there. Everything is premultiplied.
public enum Blend: Hashable, Sendable {
    /// What is drawn stands instead.
    case replace
    /// Source over destination.
    case over
    /// Only takes away: destination times (1 − source alpha).
    case erase
    /// The sum.
    case add

    /// Puts this in force for what is drawn next.
    public func apply() {
        guard self != .replace else {
            glDisable(GLenum(GL_BLEND))
            return
        }
        glEnable(GLenum(GL_BLEND))
        switch self {
        case .replace: break
        case .over: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        case .erase: glBlendFunc(GLenum(GL_ZERO), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        case .add: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE))
        }
    }
}
