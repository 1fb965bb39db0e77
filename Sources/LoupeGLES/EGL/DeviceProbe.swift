/// Finds the device that a choice leads to.
public enum DeviceProbe {
    /// Tries every candidate of this machine, also those after the one that the choice takes.
    ///
    /// Whatever context is current on this thread is current again afterwards. Takes some tens of
    /// milliseconds for each candidate.
    public static func report(choice: DeviceChoice = .auto) -> DeviceReport {
        var table: DeviceTable
        do {
            table = try DeviceTable(for: choice)
        } catch {
            // Without the library nobody knows what it could.
            return DeviceReport(
                candidates: [], chosen: nil, reason: error.description, enumeratesDevices: true)
        }
        let current = CurrentContext()
        defer { current.restore() }
        // One at a time: each context is gone before the next candidate is opened.
        for index in table.rows.indices { _ = table.open(index) }
        let chosen = table.chosenIndices.first { index in
            if case .works = table.rows[index].outcome { true } else { false }
        }
        return DeviceReport(
            candidates: table.rows, chosen: chosen,
            reason: chosen == nil ? table.failure.description : reason(for: choice),
            enumeratesDevices: table.client.enumeratesDevices)
    }

    /// Opens the first candidate that works and that the choice allows, and tries no other.
    ///
    /// On failure, whatever context was current on this thread is current still.
    static func open(_ choice: DeviceChoice) throws(EGLError) -> OpenDevice {
        var table = try DeviceTable(for: choice)
        let current = CurrentContext()
        for index in table.chosenIndices {
            if let device = table.open(index) { return device }
        }
        current.restore()
        throw table.failure
    }

    private static func reason(for choice: DeviceChoice) -> String {
        switch choice {
        case .auto: "it is the first candidate that works"
        case .cpu: "it is the first software renderer that works"
        case .index, .path: "it was asked for"
        }
    }
}
