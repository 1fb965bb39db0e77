import LoupeSystem

/// A format in which the frames of a session can be written, by the name by which it is asked for.
package enum FrameFormat: String, Sendable, CaseIterable {
    /// One PNG for each frame, or for a single one.
    case png
    /// An animated PNG.
    case apng
    /// An animated WebP.
    case webp
    /// Straight RGBA without a header.
    case raw
    /// H.264 in MP4, 4:2:0, for every player; by ffmpeg, as the ones after it.
    case mp4
    /// VP9 in WebM, 4:2:0, with alpha where the canvas is not opaque.
    case webm
    /// An animated GIF of at most 50 frames a second, with one palette for each frame where that is smaller in memory.
    case gif

    /// The format of a file by the end of its name; nil where that tells none.
    package init?(path: Path) {
        let format = Self.allCases.first { format in
            path.ending == format.rawValue || format == .raw && path.ending == "rgba"
        }
        guard let format else { return nil }
        self = format
    }

    /// Whether it can be written from beginning to end, as to standard output.
    package var isSequential: Bool { self == .webp || self == .raw }

    /// Each how many-th frame a video takes, so that it has no more frames a second than the format can have: browsers
    /// play frames of a GIF that are shorter than 0.02 s slowly.
    func step(framesPerSecond: Double) -> Int {
        self == .gif ? max(1, Int((framesPerSecond / 50 - 1e-9).rounded(.up))) : 1
    }
}
