import LoupeDiff
import LoupeGeometry
import LoupeImaging

/// Expects a picture to match its reference, in a test of Swift Testing or of XCTest.
///
///     @Test func chart() throws {
///         expectMatches(try drawChart(), reference: "chart", tolerance: 2)
///     }
///
/// A failure's message starts with the line of `loupe-render diff`, which says how many pixels differ, where, and which
/// tolerance would pass. It leaves `<name>-reference.png`, `-actual.png`, `-difference.png` and `.json` in
/// `test-failures/<Module>/<TestFile>` of the package, or below `LOUPE_TEST_FAILURES`, and attaches them under Swift
/// Testing.
///
/// The environment variable `LOUPE_RECORD` says which references the run writes: `missing`, `failed`, `all` or `never`.
/// Without it `missing` is meant, and `never` where `CI` is set. An expectation that records always fails.
///
/// - Parameters:
///   - actual: The picture under test.
///   - name: Of the reference, without `.png`; slashes make folders.
///   - tolerance: Up to which difference of a premultiplied 8-bit channel, 0…255, pixels are the same.
///   - maxPixels: How many pixels may differ by more than that.
///   - ignored: Blocks of pixels to leave out.
///   - folder: Where the reference lies.
public func expectMatches(
    _ actual: Image, reference name: String, tolerance: Int = 0, maxPixels: Int = 0, ignoring ignored: [PixelRect] = [],
    in folder: ReferenceFolder = .besideTest, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let comparison = Comparison(
        metric: .channel(Tolerance(tolerance)), allowance: Allowance(maxPixels: maxPixels),
        exclusion: Exclusion(rects: ignored))
    expectMatches(
        actual, reference: name, comparison: comparison, in: folder, fileID: fileID, filePath: filePath, line: line,
        column: column)
}

/// Expects a picture to match its reference by any of the ways to compare: another metric, a mask, tolerances for the
/// regions of a scene.
///
/// Like ``expectMatches(_:reference:tolerance:maxPixels:ignoring:in:fileID:filePath:line:column:)`` otherwise.
public func expectMatches(
    _ actual: Image, reference name: String, comparison: Comparison, in folder: ReferenceFolder = .besideTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        try Expectation(name, .comparison(comparison), at: site, settings)
            .check(actual, in: folder) { actual }
    }
}

/// Expects two pictures of the same test to match, such as those of two programs. There is no file and nothing is
/// recorded; a failure leaves the same evidence as with one.
///
/// - Parameter name: Under which a failure leaves its pictures.
public func expectMatches(
    _ actual: Image, _ expected: Image, as name: String, comparison: Comparison = Comparison(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        try Expectation(name, .comparison(comparison), at: site, settings).check(actual, against: expected)
    }
}
