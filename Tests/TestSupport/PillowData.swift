import Foundation

/// Small pictures that Pillow resized. `bytes` are those of its 8-bit resize of the premultiplied picture, rounded after each
/// of its two passes. `exact` are straight channels from its 32-bit resize of each premultiplied channel, decoded before and
/// encoded after where blending is linear. For `sharp`, which Pillow does not have, texels are repeated until the pixels'
/// borders fall between copies, and averaged by its box filter.
package struct PillowData: Decodable {
    package struct Picture: Decodable {
        package let width: Int
        package let height: Int
        package let pixels: [UInt8]
    }

    package struct Case: Decodable, Sendable, CustomStringConvertible {
        package let picture: String
        /// Left, top, right, bottom, in texels.
        package let box: [Double]
        package let size: [Int]
        package let filter: String
        package let blending: String
        /// Premultiplied; rounded and clamped by Pillow after each pass.
        package let bytes: [UInt8]?
        /// Straight, 0 … 255; neither rounded nor clamped between the passes.
        package let exact: [Double]

        package var description: String { "\(picture) \(filter) \(blending) \(box) to \(size)" }
    }

    package let pictures: [String: Picture]
    package let cases: [Case]

    package static let shared: PillowData = {
        do {
            let path = Repository.path + "/Tests/LoupeOracleTests/Data/pillow.json"
            return try JSONDecoder().decode(PillowData.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            fatalError("pillow.json: \(error)")
        }
    }()
}
