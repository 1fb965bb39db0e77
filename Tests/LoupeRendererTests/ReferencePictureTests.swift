import LoupeImaging
import LoupeOracle
import LoupeScene
import Testing

/// The GPU renderer against the committed pictures of the double-precision renderer (SPEC 9).
@Suite struct ReferencePictureTests {
    @Test(arguments: ReferenceCase.all)
    func gpuDrawsTheReference(_ reference: ReferenceCase) async throws {
        let scene = try reference.scene()
        try expectPicture(
            await GPU.draw(scene), equals: reference.picture(), within: Tolerance(for: scene), of: scene,
            named: reference.testDescription)
    }

    /// Off by one at most: another version of the C library may round another way.
    @Test(arguments: ReferenceCase.all)
    func referenceIsWhatTheOracleDrawsToday(_ reference: ReferenceCase) throws {
        let scene = try reference.scene()
        let drawn = try Oracle().render(scene, images: Pages.images)
        let difference = Difference(drawn, from: try reference.picture())
        #expect(difference.largest <= 1, "\(difference); draw it anew with tools/make-references")
    }

    @Test(arguments: ReferenceCase.folders())
    func everySceneHasItsPictureAndEveryPictureItsScene(_ suite: String) {
        let scenes = ReferenceCase.files(in: suite, ending: ".json")
        #expect(!scenes.isEmpty)
        #expect(scenes == ReferenceCase.files(in: suite, ending: ".png"))
    }

    /// So that no scene gets a wider tolerance unawares.
    @Test func onlyTheSuitesThatSaySoHaveAWiderTolerance() throws {
        let wider: [String: Tolerance] = ["exponents-extreme": .extreme, "linear": .linear]
        for reference in ReferenceCase.all {
            let tolerance = Tolerance(for: try reference.scene())
            #expect(tolerance == .usual || tolerance == wider[reference.suite], "\(reference.testDescription)")
        }
    }
}
