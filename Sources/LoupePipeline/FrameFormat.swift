import LoupeSystem

/// A format in which the frames of a session can be written.
package enum FrameFormat: Hashable, Sendable {
    /// One PNG for each frame, or for a single one.
    case png
    /// An animated PNG.
    case apng
    /// An animated WebP.
    case webp
    /// YUV4MPEG2, 4:4:4, without alpha.
    case y4m
    /// Straight RGBA without a header.
    case raw
    /// What ffmpeg writes.
    case video(VideoFormat)

    /// Every format.
    package static let all: [FrameFormat] =
        [.png, .apng, .webp, .y4m, .raw] + VideoFormat.allCases.map(FrameFormat.video)

    /// The name by which it is asked for.
    package var name: String {
        switch self {
        case .png: "png"
        case .apng: "apng"
        case .webp: "webp"
        case .y4m: "y4m"
        case .raw: "raw"
        case .video(let format): format.rawValue
        }
    }

    /// The format with a name; nil where none has it.
    package init?(name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    /// The format of a file by the end of its name; nil where that tells none.
    package init?(path: Path) {
        let format = Self.all.first { format in
            path.hasEnding(".\(format.name)") || format == .raw && path.hasEnding(".rgba")
        }
        guard let format else { return nil }
        self = format
    }

    /// Whether it can be written from beginning to end, as to standard output.
    package var isSequential: Bool {
        switch self {
        case .webp, .y4m, .raw: true
        case .png, .apng, .video: false
        }
    }
}

/// A format of videos that ffmpeg writes.
package enum VideoFormat: String, Sendable, CaseIterable {
    /// H.264 in MP4, 4:2:0, for every player.
    case mp4
    /// VP9 in WebM, 4:2:0, with alpha where the canvas is not opaque.
    case webm
    /// An animated GIF of at most 50 frames a second, with one palette for each frame where that is smaller in memory.
    case gif

    /// Each how many-th frame a video takes, so that it has no more frames a second than the format can have: browsers
    /// play frames of a GIF that are shorter than 0.02 s slowly.
    package func step(framesPerSecond: Double) -> Int {
        self == .gif ? max(1, Int((framesPerSecond / 50 - 1e-9).rounded(.up))) : 1
    }
}
