import Glibc
import LoupeBase
import LoupeImaging
import LoupeRenderer
import LoupeSystem

/// An error of writing a video.
package enum VideoError: Error, Equatable {
    /// No `ffmpeg` is on PATH.
    case missingEncoder(path: String)
    /// It could not be started, or ended before the video was whole; `reason` is a clause.
    case failed(path: String, reason: String)
}

extension VideoError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingEncoder(let path):
            "\(path): ffmpeg, which writes videos, is not on PATH; install it (Debian: apt-get install ffmpeg), or name a .webp or .apng file"
        case .failed(let path, let reason): "\(path): can't be written: \(reason)"
        }
    }
}

/// A video, written by ffmpeg, which gets the frames through a pipe and the file as an open descriptor.
final class VideoOutput: FrameOutput {
    private let path: String
    private let encoder: ChildProcess
    private var frames = 0

    /// The size, opacity, number and rate of a video's frames.
    struct Frames {
        let size: ImageSize
        /// Whether every frame is opaque.
        let isOpaque: Bool
        let count: Int
        /// Of the session, in Hz.
        let framesPerSecond: Double
        /// Each how many-th frame of the session is written.
        let step: Int
        /// How often a GIF plays; 0 for ever.
        let loops: Int

        /// How much ffmpeg holds of all frames, in bytes.
        var byteCount: Int { 4 * size.width * size.height * count }
    }

    /// Starts ffmpeg.
    /// - Parameters:
    ///   - sink: A file of its own, not standard output or a pipe.
    ///   - path: The file's path, for messages.
    /// - Throws: `VideoError` or `FileError`.
    init(to sink: ByteSink, path: String, format: FrameFormat, frames: Frames) throws {
        try sink.requireRewriting("a video has an index, which is written last")
        self.path = path
        do throws(ChildProcess.Failure) {
            encoder = try ChildProcess(
                ["ffmpeg"] + Self.arguments(format, frames), descriptors: [3: sink.descriptor], keepsMessages: true)
        } catch {
            if case .missing = error { throw VideoError.missingEncoder(path: path) }
            throw VideoError.failed(path: path, reason: "ffmpeg: \(error)")
        }
    }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        guard encoder.write(frame.image.pixels) else { throw failure(encoder.finish()) }
        frames += 1
    }

    /// Waits until the video is whole.
    func finish() throws {
        let ending = encoder.finish()
        // After some errors, such as a full disk, ffmpeg ends with 0 all the same.
        if ending != .exit(code: 0) || !encoder.lastMessage.isEmpty { throw failure(ending) }
    }

    private func failure(_ ending: ChildProcess.Ending) -> VideoError {
        let count = "after \(frames) frame\(frames == 1 ? "" : "s")"
        let message = encoder.lastMessage
        let explanation = message.isEmpty ? "" : ": \(message)"
        switch ending {
        case .exit(let code):
            return .failed(path: path, reason: "ffmpeg ended with code \(code) \(count)\(explanation)")
        case .signal(let number):
            return .failed(
                path: path,
                reason: "ffmpeg was ended by signal \(number) (\(String(cString: strsignal(number)))) \(count)")
        }
    }

    // MARK: - Arguments

    /// The frames that ffmpeg may hold for one palette, in bytes.
    private static let mostHeld = 512 << 20

    private static func arguments(_ format: FrameFormat, _ frames: Frames) -> [String] {
        let input = [
            "-hide_banner", "-loglevel", "error", "-nostats", "-xerror", "-y", "-f", "rawvideo", "-pixel_format",
            "rgba", "-video_size", "\(frames.size.width)x\(frames.size.height)",
            "-framerate", "\(Int((frames.framesPerSecond * 1000).rounded()))/\(1000 * frames.step)",
            "-i", "pipe:0", "-an",
            "-fflags", "+bitexact", "-flags", "+bitexact",
        ]
        // What is open as number 3. It is opened again by this name, which makes it seekable.
        return input + codec(format, frames) + ["-f", format.rawValue, "/dev/fd/3"]
    }

    private static func codec(_ format: FrameFormat, _ frames: Frames) -> [String] {
        let colors = [
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        ]
        // Without this the pixels of transparent parts would show, whatever they are.
        let onBlack = frames.isOpaque ? "" : "premultiply=inplace=1,"
        switch format {
        case .mp4:
            return [
                "-vf", onBlack + evenSize(frames) + scale + "format=yuv420p", "-c:v", "libx264", "-preset", "medium",
                "-crf", "18", "-movflags", "+faststart",
            ] + colors
        case .webm:
            let pixels = frames.isOpaque ? "yuv420p" : "yuva420p"
            return [
                "-vf", evenSize(frames) + scale + "format=\(pixels)", "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "24",
                "-deadline", "good", "-cpu-used", "3", "-row-mt", "1",
            ] + (frames.isOpaque ? [] : ["-auto-alt-ref", "0"]) + colors
        default:
            let (each, new) = frames.byteCount > mostHeld ? ("=stats_mode=single", ":new=1") : ("=stats_mode=diff", "")
            let dither = "dither=bayer:bayer_scale=4:diff_mode=rectangle\(new)"
            // ffmpeg counts how often it plays again; −1 for not at all.
            let again = frames.loops == 0 ? 0 : frames.loops == 1 ? -1 : frames.loops - 1
            return [
                "-filter_complex", "[0:v]split[a][b];[a]palettegen\(each)[p];[b][p]paletteuse=\(dither)",
                "-loop", String(again),
            ]
        }
    }

    /// 4:2:0 needs even sides: the last column and row are repeated.
    private static func evenSize(_ frames: Frames) -> String {
        let (right, bottom) = (frames.size.width % 2, frames.size.height % 2)
        guard right + bottom > 0 else { return "" }
        let size = "\(frames.size.width + right):\(frames.size.height + bottom)"
        let fill = "fillborders=left=0:right=\(right):top=0:bottom=\(bottom):mode=smear"
        return "\(frames.isOpaque ? "format=gbrp," : "format=gbrap,")pad=\(size):0:0,\(fill),"
    }

    private static let scale = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,"
}
