import LoupeBase
import LoupeCompare
import LoupeImaging

/// Expects a picture to match its reference, in a test of Swift Testing or XCTest.
///
///     @Test func chart() throws {
///         expectMatches(try drawChart(), reference: "chart", tolerance: 2)
///     }
///
/// A failure's message starts with the line that `loupe-render diff` prints: how many pixels differ, where, and which
/// tolerance would pass. A failure writes `<name>-reference.png`, `-actual.png`, `-difference.png` and `.json` to
/// `test-failures/<Module>/<TestFile>` in the package, or to `LOUPE_TEST_FAILURES/<Module>/<TestFile>`. Swift Testing also
/// gets them as attachments.
///
/// The environment variable `LOUPE_RECORD` sets which references the run writes: `missing`, `failed`, `all` or `never`. The
/// default is `missing`, or `never` if `CI` is set. An expectation that writes its reference always fails.
///
/// - Parameters:
///   - actual: The picture under test.
///   - name: The reference's name without `.png`. Slashes separate folders.
///   - tolerance: The largest difference of a premultiplied channel at which pixels count as the same, in 1/255: 0…255. Pictures
///     of 16 bits are compared as they are.
///   - maxPixels: How many pixels may differ by more than the tolerance.
///   - ignored: Blocks of pixels that are not compared.
///   - folder: Where the reference lies.
public func expectMatches(
    _ actual: Image, reference name: String, tolerance: Double = 0, maxPixels: Int = 0,
    ignoring ignored: [PixelRect] = [],
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

/// Expects a picture to match its reference by any comparison, for example with another metric, a mask, or tolerances for
/// the regions of a scene.
///
/// Otherwise the same as ``expectMatches(_:reference:tolerance:maxPixels:ignoring:in:fileID:filePath:line:column:)``.
public func expectMatches(
    _ actual: Image, reference name: String, comparison: Comparison, in folder: ReferenceFolder = .besideTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        try Expectation(name, CaseLimits(comparison), at: site, settings)
            .check(actual, in: folder) { actual }
    }
}

/// Expects two pictures made by a test to match, for example those of two programs. There is no reference file and nothing
/// is recorded. A failure writes the same files as with a reference.
///
/// - Parameter name: The name of the files that a failure writes.
public func expectMatches(
    _ actual: Image, _ expected: Image, as name: String, comparison: Comparison = Comparison(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    Framework.expect(at: site) { settings in
        try Expectation(name, CaseLimits(comparison), at: site, settings).check(actual, against: expected)
    }
}
