import LoupeRenderer
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeTesting

/// What the environment may say.
@Suite struct SettingsTests {
    private func settings(_ variables: [String: String]) throws -> Settings {
        try Settings { variables[$0].map { Path($0) } }
    }

    @Test(arguments: [
        ([:], RecordMode.missing), (["CI": "true"], .never), (["CI": "1"], .never), (["CI": "false"], .missing),
        (["CI": "0"], .missing), (["CI": ""], .missing), (["LOUPE_RECORD": ""], .missing),
        (["LOUPE_RECORD": "", "CI": "true"], .never), (["LOUPE_RECORD": "failed"], .failed),
        (["LOUPE_RECORD": "never"], .never), (["LOUPE_RECORD": "all", "CI": "true"], .all),
    ])
    func continuousIntegrationRecordsNothingUnlessItIsTold(variables: [String: String], mode: RecordMode) throws {
        #expect(try settings(variables).record == mode)
    }

    @Test(arguments: ["yes", "ALL", "missing "])
    func unknownWayToRecordIsRefusedWithThoseThatThereAre(_ text: String) throws {
        let error = thrown(SettingsError.self) { try settings(["LOUPE_RECORD": text]) }
        #expect(
            error?.description
                == "LOUPE_RECORD: '\(text)' is not allowed; allowed are missing, failed, all, never")
    }

    @Test func foldersAndDevicesAreTakenAsTheyAre() throws {
        #expect(try settings(["LOUPE_TEST_FAILURES": "/tmp/x"]).failures == "/tmp/x")
        #expect(try settings([:]).failures == nil)
        #expect(try settings(["LOUPE_DEVICE": "cpu"]).device == .cpu)
        #expect(throws: SettingsError.self) { try settings(["LOUPE_DEVICE": "gpu"]) }
    }
}
