/// Variants of the shaders that count how often the fragment shader runs.
extension ShaderSource {
    /// The same shader for OpenGL ES 3.1, which also increments an atomic counter each time its `main` runs.
    public var countingAtomically: ShaderSource {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        let body = lines.joined(separator: "\n")
        guard name.hasSuffix(".frag") else { return ShaderSource(name: name, text: "#version 310 es\n" + body) }
        return ShaderSource(
            name: name,
            text: """
                #version 310 es
                #define main shadedMain
                \(body)
                #undef main
                layout(binding = 0, offset = 0) uniform highp atomic_uint fragmentsShaded;
                void main() {
                    atomicCounterIncrement(fragmentsShaded);
                    shadedMain();
                }

                """)
    }

    /// A fragment shader that adds one step of 255 to each pixel it is run for, under additive blending.
    ///
    /// It stands for any other: which fragments there are, the triangles alone decide. One draw
    /// shades a pixel once at most, so that an 8-bit target, which every device has, is enough.
    public static let countingByBlending = ShaderSource(
        name: "counting.frag",
        text: """
            #version 300 es
            precision highp float;
            layout(location = 0) out vec4 color;
            void main() {
                color = vec4(1.0 / 255.0);
            }

            """)
}
