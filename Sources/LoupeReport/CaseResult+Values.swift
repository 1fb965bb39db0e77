import LoupeJSON
import LoupeScene
import LoupeVerify

extension CaseResult {
    /// What the templates `report` and `case` show. Every key is there for every case: Mustache would look for a
    /// missing one further out.
    func values(index: Int) throws(DocumentError) -> JSONValue {
        let numbers = try CaseNumbers(details, of: title)
        return [
            "index": .number(Double(index)), "suite": .string(suite), "name": .string(name), "scene": .string(scene),
            "state": .string(state.rawValue), "mark": .string(state.mark), "message": .string(message),
            "short": .string(numbers.short), "hash": .string(acceptableHash),
            "lacksPictures": .bool(lacksPictures),
            "isAcceptable": .bool(acceptableHash != ""),
            "facts": .array(numbers.facts + [fact("time", "\(milliseconds) ms"), fact("scene", scene)]),
            "regions": .array(numbers.regions), "hasRegions": .bool(!numbers.regions.isEmpty),
            "boxes": .array(numbers.boxes), "hasBoxes": .bool(!numbers.boxes.isEmpty),
            "moreBoxes": .bool(numbers.boxes.count == CaseNumbers.namedBoxes),
        ]
    }

    /// A picture was drawn, but the results were not asked to hold any.
    private var lacksPictures: Bool {
        switch state {
        case .failed, .missing, .written: pictures == nil
        case .passed, .broken: false
        }
    }

    /// Of the picture that can be accepted; empty where none can.
    private var acceptableHash: String {
        state.isAcceptable ? pictures?.hash?.description ?? "" : ""
    }
}

extension CaseResult.State {
    /// Tells the state without colour.
    fileprivate var mark: String {
        switch self {
        case .passed: "✓"
        case .failed: "✗"
        case .missing: "?"
        case .broken: "!"
        case .written: "✎"
        }
    }
}

/// A line of the table of numbers.
func fact(_ name: String, _ value: String) -> JSONValue {
    ["label": .string(name), "value": .string(value)]
}
