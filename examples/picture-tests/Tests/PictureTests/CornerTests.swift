import LoupeBase
import LoupeScene
import LoupeTesting
import Testing

/// A scene and its reference, which the double-precision renderer drew.
@Suite struct CornerTests {
    @Test func cornerIsASquircle() {
        let page = Layer(
            content: .fill(Color(red: 32, green: 160, blue: 64)), rect: Rect(x: 8, y: 8, width: 80, height: 80),
            corner: Corner(radius: 24, exponent: 4))
        expectRenders(Scene(canvas: .init(width: 96, height: 96), layers: [page]), as: "squircle")
    }
}
