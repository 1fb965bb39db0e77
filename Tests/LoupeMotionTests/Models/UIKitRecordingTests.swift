import LoupeScene
import Testing

@testable import LoupeMotion

/// Recordings of a UIScrollView in the iOS 26.5 Simulator, by samoylenkodmitry/Cranpose (Apache-2.0), which have
/// offsets in thirds of a point. The content is met without shifting the time: within 1 point RMS and 3 points.
@Suite struct UIKitRecordingTests {
    private func expectClose(_ misses: [Double], _ comment: Comment) {
        let mean = (misses.reduce(0) { $0 + $1 * $1 } / Double(misses.count)).squareRoot()
        let most = misses.map(abs).max() ?? .nan
        print("recording: \(comment): RMS \(mean.hundredths), at most \(most.hundredths) points")
        #expect(mean <= 1 && most <= 3, comment)
    }

    private func model(height: Double = 20_000, from y: Double, _ write: (inout TouchScript) -> Void) -> ScrollModel {
        var script = TouchScript()
        write(&script)
        let canvas = Scene.Canvas(width: 320, height: 682)
        let layer = Layer(content: SampleModels.fill, rect: .init(x: 0, y: 0, width: 320, height: height))
        var options = ScrollOptions(feel: .uikit)
        options.offset.dy = y
        return ScrollModel(
            scene: Scene(canvas: canvas, layers: [layer]), contentWidth: 320, contentHeight: height,
            trace: script.trace, options: options)
    }

    /// A finger at 480.83 points per second and 60 Hz that was at 400 points one sample before its release. Milliseconds
    /// since the release, and offsets.
    @Test func courseOfAFling() {
        let recorded: [(milliseconds: Double, offset: Double)] = [
            (0.29, 408), (100.213, 449.6667), (199.568, 484), (299.717, 512.3333), (400.298, 535.3333),
            (500.281, 554.3333), (600.284, 570), (700.302, 582.6667), (799.691, 593), (900.283, 601.6667),
            (1000.261, 608.6667), (1100.212, 614.3333), (1199.606, 619), (1299.828, 622.6667), (1400.246, 625.6667),
            (1500.25, 628.3333), (1599.643, 630.3333), (1700.271, 632.3333), (1850.238, 634.3333), (1916.913, 635),
        ]
        let (speed, frame) = (480.833_664_7, 1.0 / 60)
        let model = model(from: 310) { script in
            // Ten points are the slop.
            var samples = (0...12).map { step -> (Double, Double, Double) in
                let time = Double(step) * frame
                return (1 + time, 160, 600 - speed * time)
            }
            samples.append((1 + 13 * frame, 160, samples[12].2))
            script.finger(samples)
        }
        let start = model.frame(at: 1 + 12 * frame).numbers("offset")[1]
        let misses = recorded.map { milliseconds, offset -> Double in
            let time = 1 + 13 * frame + milliseconds / 1000
            return model.frame(at: time).numbers("offset")[1] - start - (offset - 400)
        }
        expectClose(misses, "course of a fling")
    }

    /// Released at rest 177 points beyond the top: milliseconds and offsets.
    @Test func bounceFromRest() {
        let recorded: [(milliseconds: Double, offset: Double)] = [
            (16.235, -157.3333), (33.471, -138.6667), (49.541, -121.6667), (66.795, -106.3333), (83.471, -93),
            (100.122, -81), (116.477, -70.6667), (133.14, -61.3333), (150.131, -53.3333), (166.799, -46),
            (183.446, -40), (199.516, -34.3333), (216.769, -29.6667), (233.445, -25.6667), (249.503, -22),
            (266.76, -19), (283.421, -16.3333), (300.095, -14), (332.841, -10.3333), (366.76, -7.6667),
            (400.098, -5.6667), (449.933, -3.6667), (499.651, -2.3333), (549.539, -1.3333), (616.799, -0.6667),
            (666.808, -0.3333),
        ]
        let model = model(from: 0) {
            // 435 points of the finger stretch by 177; ten are the slop.
            $0.drag(from: (160, 60), to: (160, 505), at: 1, for: 0.5, rest: 0.5)
        }
        expectClose(
            recorded.map { model.frame(at: 2 + $0 / 1000).numbers("offset")[1] - $1 }, "bounce from rest")
    }

    /// The finger's way beyond the end, and that of the content.
    @Test func rubberBand() {
        let recorded: [(milliseconds: Double, offset: Double)] = [
            (15.0, 8), (45, 24), (75, 39), (105, 53.3333), (135, 67), (165, 80), (195, 92.6667), (225, 104.6667),
            (255, 116.3333), (285, 127.3333), (315, 138), (345, 148.3333), (375, 158.3333), (405, 168), (435, 177),
        ]
        let band = RubberBand(length: 681.666_667)
        expectClose(recorded.map { band.stretch($0) - $1 }, "rubber band")
    }

    /// The rate, the offset and the velocity at the release, and the offset at rest.
    @Test func targetsOfFlings() {
        let recorded = [
            (0.998, 400, 480.834, 635.3333), (0.998, 1244.67, 495.222, 1487), (0.998, 1755.67, 307.76, 1904.3333),
            (0.998, 2010, 262.579, 2136), (0.998, 2315.67, 677.054, 2649), (0.998, 2912.67, 1381.048, 3597.6667),
            (0.998, 4029, 2530.246, 5288), (0.998, 5686.67, 5613.967, 8486), (0.99, 8662.33, 756.662, 8736.667),
            (0.99, 9000.33, 1193.017, 9118), (0.99, 9549.33, 2347.413, 9782), (0.99, 10180.67, 5991.895, 10776),
        ]
        let misses = recorded.map { rate, start, velocity, target in
            Deceleration.uikit(from: start, velocity: velocity, rate: rate).restValue - target
        }
        expectClose(misses, "targets of flings")
    }
}
