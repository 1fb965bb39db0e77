import LoupeCompare
import LoupeOracle
import LoupeSystem
import LoupeTesting
import TestSupport
import Testing

/// The GPU renderer against the committed pictures of the double-precision renderer (specification, section 9).
@Suite struct ReferencePictureTests {
    @Test(arguments: ReferenceCase.all)
    func gpuDrawsTheReference(_ reference: ReferenceCase) throws {
        expectRenders(
            try reference.scene(), as: reference.testDescription, images: Pages.images,
            in: ReferenceFolder(Path(Repository.referenceImages)))
    }

    /// Off by one at most: another version of the C library may round another way. If by more, `tools/make/references`
    /// draws it anew.
    @Test(arguments: ReferenceCase.sample(every: 24))
    func referenceIsWhatTheOracleDrawsToday(_ reference: ReferenceCase) throws {
        expectMatches(
            try Oracle().render(reference.scene(), images: Pages.images), try reference.picture(),
            as: "oracle/\(reference.testDescription)", comparison: Comparison(metric: .channel(Tolerance(1))))
    }

    @Test(arguments: ReferenceCase.folders())
    func everySceneHasItsPictureAndEveryPictureItsScene(_ suite: String) {
        let scenes = ReferenceCase.files(in: suite, ending: ".json")
        #expect(!scenes.isEmpty)
        #expect(scenes == ReferenceCase.files(in: suite, ending: ".png"))
    }

    /// So that no scene gets a wider tolerance unawares.
    @Test func onlyTheSuitesThatSaySoHaveAWiderTolerance() throws {
        let wider: [String: Double] = ["exponents-extreme": 8, "linear": 3]
        for reference in ReferenceCase.all {
            let tolerance = CaseLimits(for: try reference.scene()).tolerance?.base ?? 0
            #expect(tolerance == 2 || tolerance == wider[reference.suite], "\(reference.testDescription)")
        }
    }
}
