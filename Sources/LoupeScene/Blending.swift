/// The space in which texels are filtered and layers are blended.
public enum Blending: String, Hashable, Sendable, CaseIterable {
    /// The encoded sRGB values, as user-interface toolkits do.
    case srgb
    /// Linear light.
    case linear
}
